# parts.sh: runs parts of the tests and adds up what they count. Sourced by tests/check.sh, with a folder $logs.
#
# A part is a command whose last line is "NAME: N passed, N failed, N skipped". Above it there is one line "NAME: FAILED: WHAT: WHY"
# or "NAME: SKIP: WHAT: WHY" for each that failed or was left out. parts_end shows these lines again, then
# "N passed, N failed, N skipped".
passed=0 failed=0 skipped=0 queued=
LIMIT=${LIMIT:-1800} # seconds for a part
mkdir -p "$logs" || exit 1
: >"$logs/FAILED" && : >"$logs/SKIP" && : >"$logs/SECONDS"
rm -f "$logs"/*.process "$logs"/*.status "$logs"/*.worker
# Ctrl-C does not reach the group of processes that timeout(1) makes; workers end first, or they would go on to the next part
trap 'for file in "$logs"/*.worker "$logs"/*.process; do kill "$(cat "$file")" 2>/dev/null; done; exit 130' INT TERM HUP

# NAME COMMAND...: its status goes into a file. A command that runs in the foreground does not ignore signals.
run_part() {
  name=$1 began=$(date +%s)
  shift
  : >"$logs/$name.testing"
  if command -v timeout >/dev/null; then
    # shellcheck disable=SC2016 # the inner shell expands it
    TESTING=$logs/$name.testing sh -c 'echo $$ >"$0"; exec timeout -k 10 "$@"' "$logs/$name.process" "$LIMIT" "$@"
  else
    TESTING=$logs/$name.testing "$@"
  fi
  echo $? >"$logs/$name.status"
  echo "$name $(($(date +%s) - began))" >>"$logs/SECONDS"
  rm -f "$logs/$name.process"
}

broken() { failed=$((failed + 1)); echo "$1: FAILED: $2" | tee -a "$logs/FAILED"; }

# NAME: lines of its log that say KIND
lines_of() { grep "^$1: $2: " "$logs/$1.log"; }

# part NAME COMMAND...
part() {
  echo "== $1"
  run_part "$@" 2>&1 | tee "$logs/$1.log"
  count_part "$1"
}

# queue NAME COMMAND...: a part for `work`
queue() {
  queued="$queued $1"
  for word; do printf "'%s' " "$(printf '%s' "$word" | sed "s/'/'\\\\''/g")"; done >"$logs/$1.queued"
}

# NUMBER: one queued part after the other that no other worker has begun
worker() {
  # shellcheck disable=SC2016 # the inner shell expands it: this one has no variable for itself
  sh -c 'echo $PPID' >"$logs/$1.worker"
  for next in $queued; do
    mkdir "$logs/$next.begun" 2>/dev/null || continue
    eval "set -- $(cat "$logs/$next.queued")"
    run_part "$@" >"$logs/$next.log" 2>&1
  done
}

# work N: runs what is queued, N at a time, which begin in that order, and shows them in that order
work() {
  rm -rf "$logs"/*.begun
  number=0
  while [ $number -lt "$1" ]; do
    number=$((number + 1))
    worker $number &
  done
  for shown in $queued; do
    echo "== $shown"
    while [ ! -s "$logs/$shown.status" ]; do sleep 1; done
    cat "$logs/$shown.log"
    count_part "$shown"
  done
  wait
  rm -f "$logs"/*.worker
  queued=
}

# NAME: a part that ended badly, printed no counts, or counts other than it names has failed
count_part() {
  name=$1
  status=$(cat "$logs/$name.status")
  at=$(cat "$logs/$name.testing")
  counts=$(sed -n '$s/^'"$name"': \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$logs/$name.log")
  lines_of "$name" FAILED >>"$logs/FAILED"
  lines_of "$name" SKIP >>"$logs/SKIP"
  if [ -z "$counts" ]; then
    case $status in
    124 | 137) broken "$name" "${at:-the part}: takes longer than $LIMIT seconds" ;;
    *) broken "$name" "${at:-the part}: it ended with $status, without its counts" ;;
    esac
    return
  fi
  # shellcheck disable=SC2086 # three words
  set -- $counts
  passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
  [ "$3" = "$(lines_of "$name" SKIP | grep -c .)" ] || broken "$name" "the part: it counts $3 skipped, but names others"
  [ "$2" = 0 ] || lines_of "$name" FAILED >/dev/null || broken "$name" "the part: it does not name what failed"
  if [ "$2" = 0 ] && [ "$status" != 0 ]; then broken "$name" "the part: it ended with $status, though nothing failed"; fi
}

# the seconds of each part, what was left out and what failed, and the last line; false if something failed
parts_end() {
  echo "== seconds" && paste -sd ' ' "$logs/SECONDS"
  if [ -s "$logs/SKIP" ]; then echo "== left out" && cat "$logs/SKIP"; fi
  if [ -s "$logs/FAILED" ]; then echo "== failed" && cat "$logs/FAILED"; fi
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ]
}
