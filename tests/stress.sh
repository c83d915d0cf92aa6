#!/bin/sh
# stress.sh [NAME...]: for all programs of samples/bugs, or only these: `tracerec split` and `tracerec stress` find the
# mistake without any prediction, within as many runs as the bars below say; of the mended program (-DFIXED) nothing is
# found. Then programs that wait, spin, deadlock, or end in odd ways (tests/stress). TABLE=1 prints in which run each
# was found. FIXED_RUNS=N tries the mended ones for longer. Ends with "stress: N passed, N failed, N skipped".
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=${BIN:-$root/bin}:$PATH
ASAN_OPTIONS=exitcode=99:$ASAN_OPTIONS
export PATH ASAN_OPTIONS
part=stress
. "$root/tests/count.sh"
folder=$root/samples/bugs fixed_runs=${FIXED_RUNS:-4}
split_bar=17 split_runs=2 stress_runs=200 # 11 of 15 within two runs; all but at most one of 15
leg=1000                                  # the machine may be busy

limited() { within 240 "$@"; }

# FILE DEFINE...: the program
compile() {
  source=$1
  shift
  case $source in *.cc) language=c++ standard=c++17 ;; *) language=cc standard=c17 ;; esac
  limited tracerec $language -std=$standard -D_GNU_SOURCE "$@" "$source" -o "$work/program" -pthread 2>"$work/err" && return
  fail "${source##*/}: $(tr '\n' ' ' <"$work/err")"
  return 1
}

# COMMAND...: runs it, and keeps its exit code and what it prints
try() {
  rm -f "$work/seen.bin"
  limited tracerec "$@" -o "$work/seen.bin" -- "$work/program" >"$work/out" 2>"$work/err"
  code=$?
  [ -z "$TABLE" ] || sed -n "s/^violated in /$name $1: /p" "$work/out"
}

fault() { fail "$1: exit code $code: $(cat "$work/out" "$work/err" | tr '\n' ' ')"; }

# a violation: its log shows it, and the command line that was printed ends
check_found() {
  [ "$(tracecheck -q "$work/seen.bin" 2>&1)" = "verdict: violated" ] || { fault "$1: its log has no violation"; return; }
  sed -n 's/^  to see it again: //p' "$work/out" >"$work/again"
  (cd "$work" && limited sh ./again >again.out 2>again.err)
  case $? in 0 | 1) pass ;; *) fail "$1: $(cat "$work/again" "$work/again.err" | tr '\n' ' ')" ;; esac
}

check_bug() {
  compile "$file" || return
  programs=$((programs + 1))
  try split --runs=$split_runs --leg=$leg
  case $code in
  0) ;;
  1) found=$((found + 1)) && check_found "$name: split" ;;
  *) fault "$name: split" ;;
  esac
  try stress --runs=$stress_runs
  [ $code = 1 ] && check_found "$name: stress" || fault "$name: stress"
}

check_fixed() {
  compile "$file" -DFIXED || return
  for command in split "stress --by=priorities"; do
    try $command --runs="$fixed_runs"
    [ $code = 0 ] && pass || fault "$name fixed: $command"
  done
}

# WAY EXIT PATTERN COMMAND...: it ends so, and prints a line like this
ends() {
  way=$1 expected=$2 pattern=$3
  shift 3
  limited "$@" >"$work/out" 2>"$work/err"
  code=$?
  [ $code = "$expected" ] && grep -q "$pattern" "$work/out" "$work/err" && { pass; return; }
  fault "$way"
}

check_odd() {
  compile "$root/tests/stress/waits.c" || return
  for by in split priorities; do
    ends "waits by $by" 0 "^verdict: none in 8 runs" tracerec stress --by=$by --runs=8 -o "$work/seen.bin" "$work/program"
  done
  ends "functions that wait" 0 "^verdict: none in 2 runs" tracerec split --atomic=set,total --runs=2 -o "$work/seen.bin" "$work/program"
  compile "$root/tests/stress/unmarked.c" || return
  ends "unmarked" 3 "has no transactions" tracerec split -o "$work/seen.bin" "$work/program"
  ends "functions" 1 "^verdict: violated" tracerec split --leg=$leg --atomic=reserve -o "$work/seen.bin" "$work/program"
  ends "functions by priorities" 1 "^verdict: violated" \
    tracerec stress --by=priorities --atomic=reserve -o "$work/seen.bin" "$work/program"
  compile "$root/tests/stress/ends.c" || return
  for by in split priorities; do
    stress="tracerec stress --by=$by -o $work/seen.bin"
    ends "exit by $by" 0 "^verdict: none in 4 runs" $stress --runs=4 -- "$work/program" exit
    ends "fork by $by" 0 "^verdict: none in 4 runs" $stress --runs=4 -- "$work/program" fork
    ends "killed by $by" 2 "^run 1, seed 1: .*signal 9" $stress --runs=4 -- "$work/program" killed
    ends "its verdict" 2 "^verdict: unknown (a signal ended 4 of 4 runs)" $stress --runs=4 -- "$work/program" killed
    ends "spin by $by" 2 "^run 1, seed 1: .*took too long" $stress --runs=2 --run-limit=1 -- "$work/program" spin
    ends "its verdict" 2 "^verdict: unknown (1 of 1 runs took too long)" $stress --runs=1 --run-limit=1 -- "$work/program" spin
  done
  [ -e "$work/seen.bin" ] && fail "the log of a run without a violation stays" || pass
  echo mine >"$work/seen.bin"
  ends "no program" 3 "nothing_here: No such file" tracerec stress -o "$work/seen.bin" "$work/nothing_here"
  [ "$(cat "$work/seen.bin")" = mine ] && pass || fail "a file was touched though nothing was run"
  ends "not recorded" 3 "was it built with" tracerec stress -o "$work/none.bin" true
  check_interrupted spin
  check_hangs
  check_interrupted deaf
  compile "$root/tests/stress/long.c" || return
  ends "logs that are cut short" 2 "^verdict: unknown (the logs of 2 of 2 runs are cut short)" \
    sh -c "ulimit -f 1000; tracerec stress --runs=2 -o $work/seen.bin -- $work/program"
  compile "$root/tests/stress/ends.c" || return
  [ -w /dev/full ] || { skip "there is no /dev/full"; return; }
  ends "full disk" 3 "writing failed" sh -c "tracerec stress --runs=2 -o $work/seen.bin -- $work/program >/dev/full"
}

# HOW PATTERN...: the run hangs, and what is told of it has these lines
hangs() {
  how=$1
  shift
  limited tracerec split --runs=1 --run-limit=1 -o "$work/seen.bin" -- "$work/hangs" "$how" >"$work/out" 2>"$work/err"
  code=$?
  for pattern; do
    grep -qE "$pattern" "$work/out" || { fault "hangs, $how: no $pattern"; return; }
  done
  [ $code = 2 ] && pass || fault "hangs, $how"
}

check_hangs() {
  limited tracerec cc -O1 "$root/tests/stress/hangs.c" -o "$work/hangs" -pthread || { fail "hangs.c"; return; }
  ended="^run 1, seed 1: a deadlock: the program was ended"
  hangs circle "$ended" '^  T0 waits for &second at .*:cross, which T1:other holds since .*:cross$' \
    '^  T1:other waits for &first at .*, which T0 holds since' '^verdict: unknown \(a deadlock in 1 of 1 runs\)$' \
    '^  to see it again: tracerec split --runs=1 --seed=1 --run-limit=1 -o again.bin -- '
  hangs heap "$ended" '^  T0 waits for &[^ ]*hangs.c:[0-9]*:main\([0-9]*\)->lock at .*, which T1:other holds'
  hangs self "$ended" '^  T1:other waits for &second at .*, which it holds itself since'
  hangs ended "$ended" '^  T0 waits for &second at .*, which T1:other, which has ended, took at'
  hangs readers "$ended" '^  T0 waits for &table at .*, which T1:other holds since'
  hangs joins "$ended" '^  T0 waits for the end of T1:other at' '^  T1:other waits for the end of T0 at'
  ended="^run 1, seed 1: all threads wait: the program was ended"
  hangs condition "$ended" '^  T1:other waits for a signal of &ready at' '^verdict: unknown \(1 of 1 runs took too long\)$'
  hangs semaphore "$ended" '^  T1:other waits for a post of &empty at'
  hangs barrier "$ended" '^  T1:other waits at the barrier &never_met at'
  hangs once "$ended" '^  T0 waits until the initialisation by &once is done at'
  hangs spin '^run 1, seed 1: the program was ended, since' '^  T1:other does not wait; it was last at .*:other$'
  ends "later runs go on" 2 "^verdict: unknown (a deadlock in 2 of 2 runs)" \
    tracerec stress --runs=2 --run-limit=1 -q -o "$work/seen.bin" -- "$work/hangs" circle
}

# HOW: Ctrl-C, again and again, once the program runs: what ignores it is killed by the second one
check_interrupted() {
  tracerec stress -o "$work/late.bin" -- "$work/program" "$1" >"$work/out" 2>"$work/err" &
  pid=$!
  until [ -e "$work/late.txt" ]; do sleep .05; done
  limited sh -c "while kill -INT $pid 2>/dev/null; do sleep 1; done" || kill -KILL $pid
  wait $pid
  code=$?
  case $code-$(cat "$work/out") in 2-*"verdict: unknown (interrupted"*) pass ;; *) fault "interrupted: $1" ;; esac
  ls "$work"/late.* >/dev/null 2>&1 && fail "interrupted: $1: files stay" || pass
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
wanted=" $* " programs=0 found=0
for tool in tracerec tracecheck; do
  command -v $tool >/dev/null && continue
  skip "all: $tool is not there"
  count_end
  exit
done
for file in "$folder"/*.c "$folder"/*.cc; do
  name=${file##*/}
  name=${name%.*}
  case $wanted in "  " | *" $name "*) ;; *) continue ;; esac
  testing "$name"
  check_bug
  check_fixed
done
if [ "$wanted" = "  " ]; then
  testing "split"
  [ $found -ge $split_bar ] && pass || fail "split finds only $found of $programs within $split_runs runs"
fi
case $wanted in "  " | *" odd "*) testing odd && check_odd ;; esac
count_end
