#!/bin/sh
# check.sh MODE SEEDS: runs every part of the tests of that build; `make check` calls it. The last line is
# "N passed, N failed".
cd "$(dirname "$0")/.." || exit 1
export MODE="$1" BIN="$PWD/build/$1/bin" ASAN_OPTIONS="exitcode=99:$ASAN_OPTIONS"
seeds=$2
logs=build/$MODE/check
mkdir -p "$logs"
passed=0 failed=0

# part NAME COMMAND...: its last line "...: N passed, N failed" counts; no such line is a failure, and so is a bad exit
# without one
part() {
  name=$1
  shift
  echo "== $name"
  ("$@"; echo $? >"$logs/$name.status") 2>&1 | tee "$logs/$name.log"
  counts=$(sed -n 's/^[a-z]*: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$logs/$name.log" | tail -n 1)
  # shellcheck disable=SC2086 # two words
  set -- ${counts:-0 1}
  passed=$((passed + $1))
  failed=$((failed + $2))
  if [ "$(cat "$logs/$name.status")" != 0 ] && [ "$2" = 0 ] || [ -z "$counts" ]; then
    echo "FAILED: $name ended with $(cat "$logs/$name.status")"
    [ -z "$counts" ] || failed=$((failed + 1))
  fi
}

part unit "build/$MODE/unit"
part layers tests/layers_test.sh
part cli tests/cli/run.sh
part samples tests/samples.sh
part regressions "build/$MODE/differential" tests/regressions/*
part differential tests/differential.sh "build/$MODE/differential" "$seeds"
part fuzz tests/fuzz/replay.sh
part record tests/record/run.sh
part programs tests/programs.sh
echo "$passed passed, $failed failed"
[ $failed = 0 ]
