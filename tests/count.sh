# count.sh: how a part of the tests counts. A script sets `part`, then sources it, and ends with `count_end`.
passed=0 failed=0 skipped=0

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "$part: FAILED: $*"; } # WHAT: WHY
skip() { skipped=$((skipped + 1)); echo "$part: SKIP: $*"; } # WHAT: WHY

# what is tested from now on: tests/parts.sh names it if the part hangs or dies
testing() { if [ -n "$TESTING" ]; then printf '%s\n' "$*" >"$TESTING"; fi; }

# SECONDS COMMAND...: 124 if it takes longer
within() {
  if ! command -v timeout >/dev/null; then
    shift
    "$@"
  else
    timeout -k 10 "$@"
  fi
}

# the last line of the part; false if something failed
count_end() {
  echo "$part: $passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ]
}
