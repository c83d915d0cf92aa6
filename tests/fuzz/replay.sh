#!/bin/sh
# replay.sh: gives each file of tests/fuzz/corpus/TARGET to the target, without a fuzzer. Ends with
# "fuzz: N passed, N failed".
cd "$(dirname "$0")/../.." || exit 1
build=build/${MODE:-release}/fuzz
passed=0 failed=0
limited() { if command -v timeout >/dev/null; then timeout 60 "$@"; else "$@"; fi; }

replay() {
  if limited "$program" "$1" >"$build/log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "fuzz: FAILED: $1"
    tail -n 20 "$build/log"
  fi
}

for folder in tests/fuzz/corpus/*/; do
  program=$build/$(basename "$folder")
  set -- "$folder"*
  # all at once; one by one to see which one fails
  if limited "$program" "$@" >"$build/log" 2>&1; then
    passed=$((passed + $#))
  else
    for input; do replay "$input"; done
  fi
done
echo "fuzz: $passed passed, $failed failed"
[ $failed = 0 ]
