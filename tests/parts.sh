# parts.sh: runs parts of the tests and adds up what they count. Sourced by tests/check.sh, with a folder $logs.
#
# A part is a command whose last line is "NAME: N passed, N failed, N skipped". Above it there is one line "NAME: FAILED: WHAT: WHY"
# or "NAME: SKIP: WHAT: WHY" for each that failed or was left out. parts_end shows these lines again, then
# "N passed, N failed, N skipped".
passed=0 failed=0 skipped=0
LIMIT=${LIMIT:-1800} # seconds for a part
mkdir -p "$logs" || exit 1
: >"$logs/FAILED" && : >"$logs/SKIP"
# Ctrl-C does not reach the group of processes that timeout(1) makes
trap 'kill "$(cat "$logs/process")" 2>/dev/null; exit 130' INT TERM HUP

# SECONDS COMMAND...: in the foreground, so that signals are not ignored in it
run_part() {
  command -v timeout >/dev/null || { shift; "$@"; return; }
  # shellcheck disable=SC2016 # the inner shell expands it
  sh -c 'echo $$ >"$0"; exec timeout -k 10 "$@"' "$logs/process" "$@"
  set -- $?
  rm -f "$logs/process"
  return "$1"
}

broken() { failed=$((failed + 1)); echo "$1: FAILED: $2" | tee -a "$logs/FAILED"; }

# NAME: lines of its log that say KIND
lines_of() { grep "^$1: $2: " "$logs/$1.log"; }

# part NAME COMMAND...: a part that ends badly, prints no counts, or counts other than it names has failed
part() {
  name=$1
  shift
  echo "== $name"
  : >"$logs/$name.testing"
  { TESTING=$logs/$name.testing run_part "$LIMIT" "$@"; echo $? >"$logs/$name.status"; } 2>&1 | tee "$logs/$name.log"
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

# what was left out and what failed, and the last line; false if something failed
parts_end() {
  if [ -s "$logs/SKIP" ]; then echo "== left out" && cat "$logs/SKIP"; fi
  if [ -s "$logs/FAILED" ]; then echo "== failed" && cat "$logs/FAILED"; fi
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ]
}
