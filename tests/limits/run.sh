#!/bin/sh
# run.sh: every tool ends soon, with what it knows, at Ctrl-C, at SIGTERM and when its time is up: while it reads, compiles, colours, unfolds,
# searches, judges, converts. What counts is processor time after the signal, so a busy machine does no harm. stop_after.c sends the
# signals. Needs $BIN and $BIN/../limits. Ends with "limits: N passed, N failed, N skipped".
part=limits
cd "$(dirname "$0")" || exit 1
. ../count.sh
BIN=$(cd "${BIN:-../../bin}" && pwd)
PATH=$BIN:$BIN/../limits:$PATH
samples=$(cd ../../samples && pwd)
[ -r /proc/self/stat ] || { skip "all of it: /proc, which tells the processor time of a process, is not there"; count_end; exit; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# ms of processor time after the signal; instrumented programs are slower
most=300
case $MODE in asan | debug) most=3000 ;; esac

# judge NAME ALLOWED: the exit code is 2, and it did not take long; or 1, where a part of the answer is one
judge() {
  after=$(sed -n 's/^stop_after: exit .*, \(-*[0-9]*\) ms after the signal$/\1/p' err)
  if [ "$code" = 125 ]; then fail "$1: it had ended before the signal"
  elif [ "$code" != 2 ] && [ "$code" != "$allowed" ]; then fail "$1: exit $code: $(cat err)"
  elif [ -z "$after" ] || [ "$after" -gt $most ]; then fail "$1: it went on for $after ms"
  else pass
  fi
}

# stops MS COMMAND...: by Ctrl-C, by SIGTERM and by --timeout; $allowed is another good exit code, of a part of the answer
stops() {
  ms=$1
  shift
  for signal in INT TERM; do
    testing "$* ($signal)"
    within 60 stop_after "$ms" $signal "$@" >out 2>err </dev/null
    code=$?
    judge "$* ($signal)"
  done
  tool=$1
  shift
  seconds=0.$(printf %03d "$ms")
  within 60 stop_after 100000 0 "$tool" "--timeout=$seconds" "$@" >out 2>err </dev/null
  code=$?
  if [ $code = 125 ]; then code=$(sed -n 's/^stop_after: ended with \([0-9]*\) .*/\1/p' err); fi
  if [ "$code" = 2 ] || [ "$code" = "$allowed" ]; then pass; else fail "$tool --timeout=$seconds $*: exit $code"; fi
}

# the same where nothing comes from stdin
stops_waiting() {
  for signal in INT TERM; do
    testing "$* <pipe ($signal)"
    within 60 stop_after 1000 $signal "$@" >out 2>err <&3
    code=$?
    judge "$* <pipe ($signal)"
  done
}

# a pipe that somebody could still write into
mkfifo pipe && exec 3<>pipe

awk 'BEGIN { for (i = 0; i < 400000; i++) print "X := X + 1;" }' | sed '1s/^/int X; begin:b /; $s/$/ end/' >long.sml
awk 'BEGIN {
  print "int X; lock l;"
  for (i = 0; i < 12000; i++) printf "begin:b%d acquire(l); X := 1; release(l) end;\n", i
  print "|| while (true) { acquire(l); y := X; release(l) }" }' >blocks.sml
# a run of eight threads, all on the same twenty locks
awk 'BEGIN {
  srand(2)
  for (i = 0; i < 600000; i++) {
    t = int(rand() * 8)
    if (todo[t] == 0) { printf "T%d|begin(b%d)|%d\n", t, int(rand() * 30), i % 97; todo[t] = 1 + int(rand() * 6) }
    else if (todo[t] == 1) { print "T" t "|end|3"; todo[t] = 0 }
    else {
      todo[t]--
      l = int(rand() * 20)
      printf "T%d|acq(l%d)|4\nT%d|%s(V%d)|%d\nT%d|rel(l%d)|6\n", t, l, t, rand() < .7 ? "r" : "w", l * 20 + int(rand() * 20), int(rand() * 300), t, l
    }
  } }' >run.std
cat run.std run.std run.std run.std >long.std
# each two of 60,000 accesses have a lock in common, all have none
awk 'BEGIN {
  for (t = 1; t <= 2; t++)
    for (i = 0; i < 30000; i++) {
      a = "g" i % 3; b = "g" (i + 1) % 3; l = "l" i
      printf "T%d|begin(b)\nT%d|acq(%s)\nT%d|acq(%s)\nT%d|acq(%s)\nT%d|w(x)\n", t, t, a, t, b, t, l, t
      printf "T%d|rel(%s)\nT%d|rel(%s)\nT%d|rel(%s)\nT%d|end\n", t, l, t, b, t, a, t
    }
}' >races.std
sml2net -D CLIENTS=17 "$samples/deposit.sml" >deposit.pnml
cat >queue.sml <<'SML'
int[14] next, serve; int X;
14 * {
  local int[14] k;
  while (true) { atomic { k := next; next := next + 1 }; await (serve = k); begin t := X; X := t + 1 end; serve := serve + 1 }
}
SML
# tickets modulo 8: of 9 threads two may have the same one
cat >tickets.sml <<'EOF'
int[8] NEXT; int[8] NOW; int X;
N * {
  local int[8] mine;
  while (true) {
    atomic { mine := NEXT; NEXT := NEXT + 1 };
    await (NOW = mine);
    begin x := X; X := x + 1 end;
    NOW := NOW + 1
  }
}
EOF
sml2net -W no-all --format=ll_net long.sml >long.ll_net

for tool in sml2net causalcheck "causalcheck --notion=serializable" netunfold tracecheck "tracecheck --engine=vc" "tracecheck --compare" tracepredict; do
  # shellcheck disable=SC2086 # a command and its options
  stops_waiting $tool
done
stops_waiting certcheck deposit.pnml -
stops_waiting netconv --from=pnml - out.ll_net

allowed=2
stops 200 sml2net -W no-all long.sml
stops 200 netconv long.ll_net out.pnml
stops 300 netconv long.ll_net out.pnml # when it writes
stops 200 netunfold long.ll_net
stops 200 netunfold --states long.ll_net
for options in "" "--prove=unfold --no-reduce" "--prove=unfold --colouring=full" --notion=serializable; do
  # shellcheck disable=SC2086
  stops 100 causalcheck -W no-all $options blocks.sml
  # shellcheck disable=SC2086
  stops 300 causalcheck -W no-all $options queue.sml
done
stops 300 causalcheck --prove=unfold deposit.pnml
stops 300 causalcheck -W no-all --jobs=3 queue.sml
stops 300 causalcheck -W no-all --certificate=out.pnml queue.sml
stops 300 causalcheck -W no-all --any-number tickets.sml
stops 1500 causalcheck -W no-all --any-number tickets.sml # backwards
stops 300 netunfold --deadlock deposit.pnml
stops 300 tracecheck --analysis=blocks run.std
stops 300 tracecheck --analysis=combined run.std
stops 100 tracecheck --analysis=reduction long.std
stops 1000 tracecheck --analysis=reduction races.std # when it looks for races
stops 1000 tracecheck --analysis=combined races.std
stops 100 tracecheck --compare run.std
stops 30 tracecheck --convert=bin -o out.bin long.std
allowed=1 # what was found till then
stops 30 tracecheck --all run.std
stops 100 tracecheck --engine=cg --all run.std
stops 100 tracepredict run.std
stops 300 tracepredict --all run.std
stops 300 tracepredict --sync=locks --all run.std

# ends COMMAND...: by Ctrl-C, by SIGTERM and by --timeout, where nothing can be written and nobody reads
ends() {
  for signal in INT TERM; do
    testing "$* | sleep ($signal)"
    within 20 stop_after 100000 $signal "$@" >&4 2>err
    code=$?
    grep -q 'nobody reads what it writes$' err || fail "$* | sleep ($signal): $(cat err)"
    judge "$* | sleep ($signal)"
  done
  testing "$* | sleep (--timeout)"
  tool=$1
  shift
  within 20 "$tool" --timeout=0.3 "$@" >&4 2>err
  code=$?
  if [ $code = 2 ] && grep -q 'nobody reads what it writes$' err; then pass
  else fail "$tool --timeout=0.3 $* | sleep: exit $code: $(cat err)"
  fi
}

# a pipe that is full
mkfifo full && exec 4<>full
timeout 1 cat /dev/zero >&4
sml2net -D CLIENTS=2 "$samples/deposit.sml" >small.pnml
head -n 20 run.std >small.std
causalcheck -q --certificate=proof.txt small.pnml >out
allowed=2
ends causalcheck small.pnml
ends causalcheck --format=json small.pnml
ends causalcheck --jobs=2 small.pnml
ends netunfold --format=json small.pnml
ends netunfold --dot=- small.pnml
ends sml2net -D CLIENTS=2 "$samples/deposit.sml"
ends netconv --to=ll_net small.pnml -
ends certcheck small.pnml proof.txt
ends tracecheck --format=json small.std
ends tracecheck --convert=csv small.std
ends tracepredict --format=sarif small.std

for file in out.ll_net out.pnml out.bin; do
  [ ! -e $file ] || fail "$file: it is left"
done
for file in out.*.*; do
  [ ! -e "$file" ] || fail "$file: it is left"
done
count_end
