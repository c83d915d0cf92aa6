#!/bin/sh
# check_test.sh: what tests/parts.sh makes of parts that pass, fail, skip, crash, hang or print nothing; and `unit` and `differential`
# name what crashed or hung. Ends with "check: N passed, N failed, N skipped".
here=$(cd "$(dirname "$0")" && pwd)
part=check
. "$here/count.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# WHAT SCRIPT STATUS LINE...: `check` of that list of parts ends with STATUS, and the last line of all is the last LINE; the others are there, too
ends() {
  what=$1 expected=$3
  testing "$what"
  printf '%s\n' "logs='$work/logs'" ". '$here/parts.sh'" "$2" parts_end >"$work/check"
  shift 3
  LIMIT=2 sh "$work/check" >"$work/out" 2>"$work/err"
  status=$?
  for line; do grep -qxF -e "$line" "$work/out" || status="without '$line'"; done
  if [ "$status" = "$expected" ] && [ "$(tail -n 1 "$work/out")" = "$line" ]; then
    pass
  else
    fail "$what: $status"
    cat "$work/out" "$work/err"
  fi
}

ends "nothing" "" 0 '0 passed, 0 failed, 0 skipped'
ends "a part that passes" 'part a echo "a: 3 passed, 0 failed, 0 skipped"' 0 '3 passed, 0 failed, 0 skipped'
ends "two parts" 'part a echo "a: 3 passed, 0 failed, 0 skipped"; part b echo "b: 4 passed, 0 failed, 0 skipped"' 0 '7 passed, 0 failed, 0 skipped'
ends "a part that fails" 'part a sh -c "echo a: FAILED: x: why; echo a: 3 passed, 1 failed, 0 skipped; exit 1"' 1 \
  '== failed' 'a: FAILED: x: why' '3 passed, 1 failed, 0 skipped'
ends "a part that fails, with exit 0" 'part a sh -c "echo a: FAILED: x: why; echo a: 3 passed, 1 failed, 0 skipped"' 1 \
  '3 passed, 1 failed, 0 skipped'
ends "a failure without a name" 'part a echo "a: 3 passed, 1 failed, 0 skipped"' 1 \
  'a: FAILED: the part: it does not name what failed' '3 passed, 2 failed, 0 skipped'
ends "a part that skips" 'part a sh -c "echo a: SKIP: x: not here; echo a: 3 passed, 0 failed, 1 skipped"' 0 \
  '== left out' 'a: SKIP: x: not here' '3 passed, 0 failed, 1 skipped'
ends "a skip that is not counted" 'part a sh -c "echo a: SKIP: x: not here; echo a: 3 passed, 0 failed, 0 skipped"' 1 \
  'a: FAILED: the part: it counts 0 skipped, but names others' '3 passed, 1 failed, 0 skipped'
ends "a skip without a reason" 'part a echo "a: 3 passed, 0 failed, 1 skipped"' 1 '3 passed, 1 failed, 1 skipped'
ends "a part that prints nothing" 'part a true' 1 \
  'a: FAILED: the part: it ended with 0, without its counts' '0 passed, 1 failed, 0 skipped'
ends "a part that is not there" 'part a ./nothing' 1 '0 passed, 1 failed, 0 skipped'
ends "the counts of another" 'part a echo "b: 3 passed, 0 failed, 0 skipped"' 1 '0 passed, 1 failed, 0 skipped'
ends "counts that are not the last line" 'part a sh -c "echo a: 3 passed, 0 failed, 0 skipped; echo more"' 1 '0 passed, 1 failed, 0 skipped'
ends "a part that crashes" "part a sh -c 'echo first >\$TESTING; echo second >\$TESTING; kill -ABRT \$\$'" 1 \
  'a: FAILED: second: it ended with 134, without its counts' '0 passed, 1 failed, 0 skipped'
ends "a bad end though nothing failed" 'part a sh -c "echo a: 3 passed, 0 failed, 0 skipped; exit 99"' 1 \
  'a: FAILED: the part: it ended with 99, though nothing failed' '3 passed, 1 failed, 0 skipped'
ends "a part after one that crashes" "part a sh -c 'kill -SEGV \$\$'; part b echo 'b: 4 passed, 0 failed, 0 skipped'" 1 '4 passed, 1 failed, 0 skipped'
ends "two parts at a time" 'queue a sh -c "until [ -e \"\$0\" ]; do sleep .1; done; echo a: 3 passed, 0 failed, 0 skipped" "$logs/met"; queue b sh -c ": >\"\$0\"; echo b: 4 passed, 0 failed, 0 skipped" "$logs/met"; queue c echo "c: 5 passed, 0 failed, 0 skipped"; work 2; rm "$logs/met"' \
  0 '== a' '== b' '== c' '12 passed, 0 failed, 0 skipped'
ends "more of them" 'queue a echo "a: 3 passed, 0 failed, 0 skipped"; work 2; queue b echo "b: 4 passed, 0 failed, 0 skipped"; work 1; part c echo "c: 5 passed, 0 failed, 0 skipped"' \
  0 '== a' '== b' '12 passed, 0 failed, 0 skipped'
ends "a queued part that fails" 'queue a sh -c "exit 7"; queue b echo "b: 4 passed, 0 failed, 0 skipped"; work 1' 1 \
  'a: FAILED: the part: it ended with 7, without its counts' '4 passed, 1 failed, 0 skipped'
ends "words of a queued command" "queue a sh -c 'test \"\$1\" = \"it'\\''s \\\$x\" && echo \"a: 3 passed, 0 failed, 0 skipped\"' sh 'it'\\''s \$x'; work 2" \
  0 '3 passed, 0 failed, 0 skipped'
if command -v timeout >/dev/null; then
  ends "a queued part that hangs" "queue a sh -c 'echo slow >\$TESTING; sleep 600; true'; work 2" 1 \
    'a: FAILED: slow: takes longer than 2 seconds' '0 passed, 1 failed, 0 skipped'
  ends "a part that hangs" "part a sh -c 'echo slow >\$TESTING; sleep 600; true'" 1 \
    'a: FAILED: slow: takes longer than 2 seconds' '0 passed, 1 failed, 0 skipped'
else
  skip "a part that hangs: no timeout(1) here"
fi

# WHAT STATUS LINE COMMAND...: it ends with STATUS and prints a line that matches LINE
says() {
  what=$1 expected=$2 line=$3
  shift 3
  testing "$what"
  "$@" >"$work/out" 2>"$work/err"
  status=$?
  if [ $status = "$expected" ] && grep -qE -e "^$line" "$work/out"; then
    pass
  else
    fail "$what: $status, without '$line'"
    cat "$work/out" "$work/err"
  fi
}

watched=${BIN:-$here/../bin}/../watched
if [ -x "$watched" ]; then
  says "a test that crashes" 1 'unit: FAILED: watched: crash: it was killed by signal 6' env LIMIT=2 "$watched" crash
  says "the tests behind it run" 1 'unit: 3 passed, 1 failed, 0 skipped' env LIMIT=2 "$watched" crash
  says "a test that hangs" 1 'unit: FAILED: watched: hang: it takes longer than 2 seconds' env LIMIT=2 "$watched" hang
  says "the tests behind it run" 1 'unit: 3 passed, 1 failed, 0 skipped' env LIMIT=2 "$watched" hang
  says "a test that leaves" 1 'unit: FAILED: watched: leave: it ended with 0' env LIMIT=2 "$watched" leave
  says "a test that fails" 1 'unit: FAILED: watched: fail: tests/watched.c:[0-9]*: 1 == 2' env LIMIT=2 "$watched" fail
  says "a test that is left out" 0 'unit: 3 passed, 0 failed, 1 skipped' env LIMIT=2 "$watched" omit
  says "its reason" 0 'unit: SKIP: omit: it is not here' env LIMIT=2 "$watched" omit
  says "all is well" 0 'unit: 4 passed, 0 failed, 0 skipped' env LIMIT=2 "$watched" pass
else
  skip "watched tests: $watched is not built"
fi
count_end
