#!/bin/sh
# run.sh [TARGET] [SECONDS]: fuzzes that target, or each in turn, for so many seconds (60). `make fuzz` calls it. What is
# new to a target is kept in build/fuzz/corpus/TARGET, what it found in build/fuzz/found/TARGET-*. Ends with
# "fuzz: N passed, N failed".
cd "$(dirname "$0")/../.." || exit 1
targets=$1 seconds=${2:-60}
build=build/fuzz
if ! command -v clang >/dev/null || ! echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
  clang -fsanitize=fuzzer -x c - -o /dev/null 2>/dev/null; then
  echo "SKIP fuzz: no clang with libFuzzer here (Debian: clang, libclang-rt-dev or libclang-common-*-dev)"
  exit 0
fi
nice "${MAKE:-make}" --no-print-directory -s -j2 MODE=fuzz CC=clang fuzz-programs || exit 1
[ -n "$targets" ] || targets=$(ls "$build/fuzz")
passed=0 failed=0
for target in $targets; do
  own=$build/corpus/$target
  mkdir -p "$own" "$build/found" "tests/fuzz/corpus/$target"
  dictionary=tests/fuzz/$target.dict
  [ -f "$dictionary" ] && dictionary=-dict=$dictionary || dictionary=
  # shellcheck disable=SC2086 # none, or one word
  if nice -n 19 "$build/fuzz/$target" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -malloc_limit_mb=1024 \
    -max_len=4096 -print_final_stats=1 -artifact_prefix="$build/found/$target-" $dictionary \
    "$own" "tests/fuzz/corpus/$target" >"$build/$target.log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $target: see $build/$target.log"
  fi
  sed -n "s/^stat::number_of_executed_units: */$target: executions /p" "$build/$target.log"
done
echo "fuzz: $passed passed, $failed failed"
[ $failed = 0 ]
