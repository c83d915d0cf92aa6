#!/bin/sh
# confirm.sh [NAME...]: of each program of samples/bugs, or of these: `tracerec confirm` makes the mistake happen that is
# predicted from a run in which nothing went wrong; and nothing is confirmed of the mended program (-DFIXED), though
# what is followed there is what would be predicted if neither locks nor hand-overs counted. What `causalcheck
# --confirm` shows of the source is made to happen likewise. TABLE=1 prints for each program in which run it was
# confirmed, and the milliseconds. Ends with "confirm: N passed, N failed, N skipped".
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=${BIN:-$root/bin}:$PATH
ASAN_OPTIONS=exitcode=99:$ASAN_OPTIONS
export PATH ASAN_OPTIONS
part=confirm
. "$root/tests/count.sh"
folder=$root/samples/bugs tries=${TRIES:-3} fixed_tries=${FIXED_TRIES:-1}

limited() { within 120 "$@"; }

# VARIANT DEFINE...: the program, and a run of it
record() {
  way="$name $1"
  shift
  case $file in *.cc) language=c++ standard=c++17 ;; *) language=cc standard=c17 ;; esac
  limited tracerec $language -std=$standard -D_GNU_SOURCE "$@" "$file" -o "$work/program" -pthread 2>"$work/err" &&
    limited tracerec run -o "$work/run" "$work/program" >"$work/out" 2>"$work/err" && return
  fail "$way: it is not recorded: $(tr '\n' ' ' <"$work/err")"
  return 1
}

milliseconds() { date +%s%3N; }

# the first confirmed violation, so that the programs of which much is predicted do not take long
check_bug() {
  record bug || return
  [ "$(tracecheck -q "$work/run" 2>&1)" = "verdict: serializable" ] || fail "$way: the first run is no benign one"
  start=$(milliseconds)
  limited tracerec confirm --first --tries="$tries" -o "$work/seen.bin" "$work/run" -- "$work/program" >"$work/out" 2>"$work/err"
  code=$?
  end=$(milliseconds)
  if [ $code != 1 ]; then fail "$way: exit code $code: $(cat "$work/out" "$work/err" | tr '\n' ' ')"
  elif [ "$(tracecheck -q "$work/seen.bin" 2>&1)" != "verdict: violated" ]; then fail "$way: what was confirmed is not violated"
  else pass
  fi
  [ -z "$TABLE" ] || awk -v name="$name" -v ms=$((end - start)) '
    /^transaction/ || /^event/ { violation++ }
    sub(/^ *confirmed in run /, "") { sub(/;.*/, ""); printf "%-22s violation %d, run %d, %d ms\n", name, violation, $0, ms }' "$work/out"
}

check_fixed() {
  record fixed -DFIXED || return
  for sync in all none; do
    limited tracerec confirm --sync=$sync --tries="$fixed_tries" -o "$work/seen.bin" "$work/run" -- "$work/program" >"$work/out" 2>"$work/err"
    code=$?
    case $name-$sync$code in
      *-all0 | *-none0 | *-none2) pass ;;
      *) fail "$way: --sync=$sync: exit code $code: $(cat "$work/out" "$work/err" | tr '\n' ' ')" ;;
    esac
  done
}

# WAY EXIT PATTERN COMMAND...: it ends so, and prints a line like this, once
ends() {
  way=$1 code=$2 pattern=$3
  shift 3
  limited "$@" >"$work/out" 2>"$work/err"
  got=$?
  [ $got = "$code" ] && [ "$(cat "$work/out" "$work/err" | grep -c "$pattern")" = 1 ] && { pass; return; }
  fail "$way: exit code $got: $(cat "$work/out" "$work/err" | tr '\n' ' ')"
}

# programs that are none, or another one; what is written nowhere
check_odd() {
  record bug || return
  mv "$work/run" "$work/run_of_bug"
  mv "$work/program" "$work/bug"
  record fixed -DFIXED || return
  echo mine >"$work/seen.bin"
  confirm="tracerec confirm -o $work/seen.bin $work/run_of_bug --"
  ends "no program" 3 "nothing_here: No such file" $confirm "$work/nothing_here"
  [ "$(cat "$work/seen.bin")" = mine ] && pass || fail "a file was touched though nothing was run"
  ends "another program" 2 "^  run .*another build-id" $confirm "$work/program"
  [ -w /dev/full ] || { skip "there is no /dev/full"; return; }
  ends "full disk" 3 "writing failed" sh -c "$confirm $work/bug >/dev/full"
}

# tests/confirm/hangs.c: who waits for whom is told, whatever comes of the violation
check_hangs() {
  file=$root/tests/confirm/hangs.c name=hangs
  record hangs || return
  hang="tracerec confirm --run-limit=1 -o $work/seen.bin"
  ends "a run that hangs" 1 "^    T0 waits for &own at .*, which it holds itself since" $hang "$work/run" -- "$work/program" hang
  ends "how it ended" 1 "^  a deadlock: the program was ended" $hang "$work/run" -- "$work/program" hang
  ends "and nothing is confirmed" 2 "^    a deadlock: the program was ended" $hang --tries=1 "$work/run" -- "$work/program" hang early
  ends "then, too" 2 "^      T0 waits for &own at" $hang --tries=1 "$work/run" -- "$work/program" hang early
}

# without gdb that is said, and nothing is run; with it the program stops in the transaction
check_gdb() {
  record bug || return
  mkdir -p "$work/none"
  ends "no gdb" 3 "^tracerec: --gdb needs gdb" env PATH="$work/none" "$(command -v tracerec)" confirm --gdb "$work/run" -- "$work/program"
  gdb -q -batch -ex run --args "$work/program" 2>&1 </dev/null | grep -q "exited normally" || { skip "gdb runs no program here"; return; }
  echo kill >"$work/words"
  ends "in gdb" 1 "in $1 " tracerec confirm --gdb -o "$work/seen.bin" "$work/run" -- "$work/program" <"$work/words"
  set -- "$work"/seen.bin.raw.*
  [ -e "$1" ] && fail "in gdb: a raw log is left: $1" || pass
}

# TRANSACTION: each violation that is confirmed has its own pictures
check_pictures() {
  record bug || return
  pictures="--dot=$work/a.dot --svg=$work/a.svg --html=$work/a.html"
  # shellcheck disable=SC2086 # three words
  ends "pictures" 1 "^verdict: confirmed" tracerec confirm $pictures -o "$work/seen.bin" "$work/run" -- "$work/program"
  for picture in a.dot a.svg a.html a-2.dot a-2.svg a-2.html; do
    grep -q "$1" "$work/$picture" 2>"$work/err" && pass || fail "pictures: $picture: $(cat "$work/err")"
  done
  ends "pictures nowhere" 3 "nothing_here" tracerec confirm --svg="$work/nothing_here/a.svg" -o "$work/seen.bin" "$work/run" -- "$work/program"
}

# FILE: each violation is called by its block, its line, and what comes in between; no two alike
check_titles() {
  record bug || return
  limited tracerec confirm -o "$work/seen.bin" "$work/run" -- "$work/program" >"$work/out" 2>&1
  awk '/ can be split by / { if (n++) print "" } / here in | can be split by / { printf "%s;", $0 } END { print "" }' "$work/out" >"$work/titles"
  if [ "$(wc -l <"$work/titles")" -ge 2 ] && [ -z "$(sort "$work/titles" | uniq -d)" ] &&
    ! grep -v "^[^ ]*$1:[0-9]*:[0-9]*: transaction [^;]*;  [^ ]*$1:[0-9]*:[0-9]*: transaction .* here in .*; " "$work/titles"; then pass
  else fail "titles: $(tr '\n' ' ' <"$work/out")"
  fi
}

# FILE: once it is there, what was begun last gets a signal, and has half a minute to end; $code is its exit code
end_after() {
  pid=$!
  until [ -e "$1" ]; do sleep .05; done
  sleep 1
  kill -TERM $pid
  within 30 sh -c "while kill -0 $pid 2>/dev/null; do sleep .1; done" || kill -KILL $pid
  wait $pid
  code=$?
}

# a signal during the first of many runs, each of which would take a minute, ends it
check_interrupted() {
  record bug || return
  tracerec confirm --tries=9 -o "$work/late.bin" "$work/run" -- sh -c '"$0"; exec sleep 60' "$work/program" >"$work/out" 2>"$work/err" &
  end_after "$work/late.txt"
  case $code in 1 | 2) pass ;; *) fail "interrupted: exit code $code: $(cat "$work/out" "$work/err" | tr "\n" " ")" ;; esac
}

# any word that the first thread counts: its legs are on the object of the first one
check_any_object() {
  record bug || return
  tracepredict -q --format=steps "$work/run" 2>/dev/null |
    awk '/^plan/ && plans++ { exit } /^leg/ { n++; if (!first[$6]) first[$6] = n; $6 = "=" first[$6]; $7 = "*" } { sub(/#.*/, ""); print }' >"$work/steps"
  ends "any object" 0 "followed: all 5 legs" tracerec run --follow="$work/steps" -o "$work/seen.bin" "$work/program"
  ends "any object: its log" 1 "verdict: violated" tracecheck -q "$work/seen.bin"
}

# FILE [OPTION...]: what c2net makes of it is checked, and $work/program is to confirm it; $work/out, $work/err
causalcheck_confirms() {
  source=$1
  shift
  within 120 c2net -o "$work/net" "$source" -- -I"$root/record" "$@" 2>"$work/err" || return 99
  (cd "$work" && limited causalcheck --confirm="'$work/program'" net >out 2>err)
}

# the run that shows that a block is violated, by the program's source alone, is one that the program has
check_witness() {
  record bug || return
  rm -f "$work/confirmed.bin"
  causalcheck_confirms "$file"
  code=$?
  if [ $code != 1 ] || ! grep -q "^verdict: violated" "$work/out" || ! grep -q "^verdict: confirmed" "$work/err"; then
    fail "witness: exit code $code: $(cat "$work/out" "$work/err" | tr '\n' ' ')"
  elif [ "$(tracecheck -q "$work/confirmed.bin" 2>&1)" != "verdict: violated" ]; then fail "witness: its log is not violated"
  else pass
  fi
  record fixed -DFIXED || return
  causalcheck_confirms "$file" -DFIXED
  code=$?
  if [ $code = 0 ] && [ ! -s "$work/err" ]; then pass
  else fail "witness: fixed: exit code $code: $(cat "$work/err")"
  fi
}

# the threads of a witness for the buggy program do not come together in the fixed one; programs that cannot be followed
check_odd_witness() {
  record fixed -DFIXED || return
  causalcheck_confirms "$file"
  [ $? = 1 ] && grep -q "not confirmed (which is not safe)" "$work/err" && grep -q "^verdict: not confirmed (0 of 1)" "$work/err" &&
    pass || fail "witness: the fixed program: $(cat "$work/err")"
  ends "witness: not built so" 3 "was not recorded; was it built" causalcheck --confirm=/bin/true "$work/net"
  ends "witness: no program" 3 "No such file" causalcheck --confirm="$work/nothing_here" "$work/net"
  ends "witness: many" 3 "^causalcheck: --confirm is about one program" causalcheck --confirm="$work/program" "$work/net" "$work/net"
  ends "witness: no notion" 3 "^causalcheck: --confirm has no use with .*--deadlock" causalcheck --deadlock --confirm=true "$work/net"
  ends "witness: empty" 3 "^causalcheck: --confirm expects" causalcheck --confirm= "$work/net"
  ends "witness: and a run" 3 "^tracerec: --witness needs no run" tracerec confirm --witness="$work/net" "$work/net" -- "$work/program"
}

# functions that are named, and not marked in the source, are blocks for the run that confirms, too
check_named_witness() {
  mkdir -p "$work/named" && cat >"$work/named/inc.c" <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static __attribute__((noinline)) void add(void) {
  pthread_mutex_lock(&m);
  int x = n;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  n = x + 1;
  pthread_mutex_unlock(&m);
}
static void *work(void *arg) {
  add();
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  add();
  pthread_join(t, NULL);
  return n == 0;
}
END
  (cd "$work/named" && limited tracerec cc -g -O1 inc.c -o inc -pthread) 2>"$work/err" || fail "witness: named: $(cat "$work/err")"
  ends "witness: named" 1 "^verdict: confirmed" \
    sh -c "cd '$work/named' && causalcheck -q --atomic=add --confirm=./inc inc.c"
}

# a signal to causalcheck alone ends the program, too, which would take a minute
check_interrupted_witness() {
  record bug || return
  causalcheck_confirms "$file"
  printf '#!/bin/sh\n"%s"\nexec sleep 60\n' "$work/program" >"$work/slow"
  chmod +x "$work/slow"
  rm -f "$work/confirmed.txt"
  (cd "$work" && exec causalcheck --confirm=./slow net) >"$work/out" 2>"$work/err" &
  end_after "$work/confirmed.txt"
  [ $code = 1 ] && grep -q "^verdict" "$work/err" && pass || fail "witness: interrupted: exit code $code: $(cat "$work/err")"
}

# LINE...: a witness of these lines, with blanks as tabs
follow_lines() {
  way=$1 code=$2 pattern=$3
  shift 3
  { echo "witness 1"; [ $# = 0 ] || printf '%s\n' "$@" | tr ' ' '\t'; } >"$work/witness"
  ends "$way" "$code" "$pattern" tracerec confirm --witness="$work/witness" -o "$work/seen.bin" -- "$work/program"
}

# tests/confirm/nested_blocks.c: a block in a block, whose end is respected; and witnesses that show no cycle
check_lines() {
  file=$root/tests/confirm/nested_blocks.c name=nested_blocks
  record nested || return
  begin="begin A begin - 9 inner nested_blocks.c x"
  write="leg A write - 10 inner nested_blocks.c x"
  other="leg B write = 10 inner nested_blocks.c x"
  follow_lines "lines: in the block" 1 "^verdict: confirmed" "plan x" "$begin" "leg A read - 10 inner nested_blocks.c x" "$other" \
    "leg A write = 10 inner nested_blocks.c x"
  follow_lines "lines: after the block" 2 "^  not confirmed, but another" "plan x" "$begin" "$write" "$other" \
    "leg A read = 10 inner nested_blocks.c x"
  follow_lines "lines: two reads" 2 "two reads do not depend" "plan x" "$begin" "leg A read - 10 inner nested_blocks.c x" \
    "leg B read = 10 inner nested_blocks.c x" "leg A write = 10 inner nested_blocks.c x"
  follow_lines "lines: no edge" 2 "not only by memory" "plan x" "$begin" "$write" "leg B write - 10 inner nested_blocks.c x" "$write"
  follow_lines "lines: a lock" 2 "it depends on acquire" "plan x" "$begin" "leg A acquire - 10 inner nested_blocks.c x" "$other"
  follow_lines "lines: it stays out" 2 "comes back" "plan x" "$begin" "$write" "$other"
  follow_lines "lines: elsewhere" 2 "had no write in line 11 of" "plan x" "$begin" "leg A write - 11 inner nested_blocks.c x"
  follow_lines "lines: none" 2 "^verdict: not confirmed (0 of 0)"
  follow_lines "lines: no block" 3 "witness:3: a plan has one begin" "plan x" "$write"
  follow_lines "lines: a word" 3 "witness:2: expected plan, or 8 fields" "leg"
  printf 'witness 1\n\000plan\tx\n' >"$work/witness"
  ends "lines: a NUL" 3 "witness:2: a NUL byte" tracerec confirm --witness="$work/witness" -- "$work/program"
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
wanted=" $* "
for tool in tracerec tracecheck; do
  command -v $tool >/dev/null && continue
  skip "all: $tool is not there"
  count_end
  exit
done
has_c=$(command -v c2net)
[ -n "$has_c" ] || skip "witnesses: c2net is not there"
# those in which the steps of causalcheck's run are accesses that the compiled program makes, too
followed="atomic_add bank_account batched_count binlog_rotate double_checked early_post file_table kv_incr lost_counter residual"
for file in "$folder"/*.c "$folder"/*.cc; do
  name=${file##*/}
  name=${name%.*}
  case $wanted in "  " | *" $name "*) ;; *) continue ;; esac
  testing "$name"
  check_bug
  check_fixed
  [ "$name" != kv_incr ] || { check_odd; check_gdb incr; }
  [ "$name" != table_growth ] || { check_pictures put; check_titles table_growth.c; check_interrupted; }
  [ "$name" != word_count ] || check_any_object
  [ "$name" != lost_counter ] || { check_lines; check_hangs; }
  [ -n "$has_c" ] || continue
  case " $followed " in *" $name "*) check_witness ;; esac
  [ "$name" != bank_account ] || { check_odd_witness; check_named_witness; check_interrupted_witness; }
done
count_end
