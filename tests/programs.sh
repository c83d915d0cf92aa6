#!/bin/sh
# programs.sh [FILE...]: checks samples/c/*.c (or the files) against what their comments expect: each is built, recorded and monitored
# with every engine. Recorded it prints what it prints unrecorded. Ends with "programs: N passed, N failed".
#
#     // expect: serializable|violated      must be there
#     // other runs: violated              other runs of the threads are, with their locks, though the recorded one is not
#     // run: 4 20                          arguments; several such lines are several runs, none is one run without
#     // result: varies                     from run to run, so that it is not compared
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=${BIN:-$root/bin}:$PATH
ASAN_OPTIONS=exitcode=99:$ASAN_OPTIONS
export PATH ASAN_OPTIONS
passed=0 failed=0
warnings='-std=c17 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'

limited() { if command -v timeout >/dev/null; then timeout 120 "$@"; else "$@"; fi; }
fail() {
  failed=$((failed + 1))
  echo "programs: FAILED: $*"
  cat "$work/err"
}

expected_of() { sed -n "s,^// *$1: *,,p" "$file"; }

# COMPILER: $work/plain and $work/recorded
build() {
  # shellcheck disable=SC2086 # warnings are several words
  $1 $warnings -O1 -I"$root/record" "$file" -o "$work/plain" -pthread -lm 2>"$work/err" &&
    limited tracerec "$1" -O1 "$file" -o "$work/recorded" -pthread -lm 2>"$work/err"
}

# WAY ARGUMENT...
record() {
  way=$1
  shift
  limited "$work/plain" "$@" >"$work/want" 2>"$work/err" || { fail "$way: unrecorded it ends with $?"; return 1; }
  limited tracerec run -o "$work/run" "$work/recorded" "$@" >"$work/got" 2>"$work/err" || { fail "$way: recorded it ends with $?"; return 1; }
  [ "$(expected_of result)" = varies ] || cmp -s "$work/want" "$work/got" ||
    { fail "$way: recorded it prints $(cat "$work/got"), not $(cat "$work/want")"; return 1; }
  passed=$((passed + 1))
}

# WAY ENGINE
monitor() {
  verdict=$(limited tracecheck --engine="$2" -q "$work/run" 2>"$work/err")
  status=$?
  case $(expected_of expect) in
  serializable) code=0 ;;
  violated) code=1 ;;
  *) fail "$1: no line '// expect: serializable' or '// expect: violated'"; return ;;
  esac
  if [ $status = $code ] && [ "$verdict" = "verdict: $(expected_of expect)" ]; then passed=$((passed + 1))
  else fail "$1, $2: expected $(expected_of expect), but exit $status and: $verdict"
  fi
}

# WAY EXPECTED COMMAND...: the verdict
says() {
  way=$1 expected=$2
  shift 2
  verdict=$(limited "$@" "$work/run" 2>"$work/err")
  if [ "$verdict" = "verdict: $expected" ]; then passed=$((passed + 1))
  else fail "$way: $*: expected $expected, but: $verdict"
  fi
}

# WAY: what other runs of the threads are like
predict() {
  if [ "$(expected_of 'other runs')" = violated ]; then
    says "$1" predicted tracepredict -q --sync=locks
    says "$1" 'possibly not atomic' tracecheck -q --analysis=combined
  elif [ "$(expected_of expect)" = violated ]; then
    says "$1" predicted tracepredict -q
  fi
}

work=$(mktemp -d) || exit 1
: >"$work/err"
trap 'rm -rf "$work"' EXIT
for tool in tracerec tracecheck tracepredict; do
  command -v $tool >/dev/null && continue
  echo "programs: SKIP: $tool is not there"
  echo "programs: 0 passed, 0 failed"
  exit 0
done
[ $# -gt 0 ] || set -- "$root"/samples/c/*.c
for file; do
  [ -f "$file" ] || { fail "$file: no such file"; continue; }
  expected_of run >"$work/runs"
  [ -s "$work/runs" ] || echo >"$work/runs"
  for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "programs: SKIP: $compiler is not there"; continue; }
    build $compiler || { fail "${file##*/}: $compiler"; continue; }
    while read -r arguments; do
      way="${file##*/} $arguments, $compiler"
      # shellcheck disable=SC2086 # arguments are several words
      record "$way" $arguments || continue
      for engine in scg cg vc; do monitor "$way" $engine; done
      predict "$way"
    done <"$work/runs"
  done
done
echo "programs: $passed passed, $failed failed"
[ $failed = 0 ]
