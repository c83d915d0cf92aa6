#!/bin/sh
# programs.sh [NAME...]: checks samples/c/*.c (or these, without folder and ending, or other files) against what their
# comments expect: each is built, recorded and monitored with every engine. Recorded it prints what it prints unrecorded. Ends with "programs: N passed, N failed, N skipped".
#
#     // expect: serializable|violated      must be there
#     // other runs: violated              other runs of the threads are, with their synchronisation, though the recorded
#                                          one is not; or serializable: none is
#     // run: 4 20                          arguments; several such lines are several runs, none is one run without
#     // result: varies                     from run to run, so that it is not compared
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=${BIN:-$root/bin}:$PATH
ASAN_OPTIONS=exitcode=99:$ASAN_OPTIONS
export PATH ASAN_OPTIONS
part=programs
. "$root/tests/count.sh"
warnings='-std=c17 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'

limited() { within 120 "$@"; }
fault() {
  fail "$@"
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
  limited "$work/plain" "$@" >"$work/want" 2>"$work/err" || { fault "$way: unrecorded it ends with $?"; return 1; }
  limited tracerec run -o "$work/run" "$work/recorded" "$@" >"$work/got" 2>"$work/err" || { fault "$way: recorded it ends with $?"; return 1; }
  [ "$(expected_of result)" = varies ] || cmp -s "$work/want" "$work/got" ||
    { fault "$way: recorded it prints $(cat "$work/got"), not $(cat "$work/want")"; return 1; }
  pass
}

# WAY ENGINE
monitor() {
  verdict=$(limited tracecheck --engine="$2" -q "$work/run" 2>"$work/err")
  status=$?
  case $(expected_of expect) in
  serializable) code=0 ;;
  violated) code=1 ;;
  *) fault "$1: no line '// expect: serializable' or '// expect: violated'"; return ;;
  esac
  if [ $status = $code ] && [ "$verdict" = "verdict: $(expected_of expect)" ]; then pass
  else fault "$1, $2: expected $(expected_of expect), but exit $status and: $verdict"
  fi
}

# WAY EXPECTED COMMAND...: the verdict
says() {
  way=$1 expected=$2
  shift 2
  verdict=$(limited "$@" "$work/run" 2>"$work/err")
  if [ "$verdict" = "verdict: $expected" ]; then pass
  else fault "$way: $*: expected $expected, but: $verdict"
  fi
}

# WAY: what other runs of the threads are like
predict() {
  if [ "$(expected_of 'other runs')" = violated ]; then
    says "$1" predicted tracepredict -q
    says "$1" 'possibly not atomic' tracecheck -q --analysis=combined
  elif [ "$(expected_of 'other runs')" = serializable ]; then
    says "$1" none tracepredict -q
    says "$1" atomic tracecheck -q --analysis=combined
  elif [ "$(expected_of expect)" = violated ]; then
    says "$1" predicted tracepredict -q
  fi
}

work=$(mktemp -d) || exit 1
: >"$work/err"
trap 'rm -rf "$work"' EXIT
for tool in tracerec tracecheck tracepredict; do
  command -v $tool >/dev/null && continue
  skip "all: $tool is not there"
  count_end
  exit
done
[ $# -gt 0 ] || set -- "$root"/samples/c/*.c
compilers=
for compiler in gcc clang; do
  if command -v $compiler >/dev/null; then compilers="$compilers $compiler"; else skip "with $compiler: it is not installed"; fi
done
for file; do
  [ -f "$file" ] || file=$root/samples/c/$file.c
  [ -f "$file" ] || { fail "$file: there is no such file"; continue; }
  expected_of run >"$work/runs"
  [ -s "$work/runs" ] || echo >"$work/runs"
  for compiler in $compilers; do
    testing "${file##*/}, $compiler"
    build $compiler || { fault "${file##*/}: $compiler"; continue; }
    while read -r arguments; do
      way="${file##*/} $arguments, $compiler"
      # shellcheck disable=SC2086 # arguments are several words
      record "$way" $arguments || continue
      for engine in scg cg vc; do monitor "$way" $engine; done
      predict "$way"
    done <"$work/runs"
  done
done
count_end
