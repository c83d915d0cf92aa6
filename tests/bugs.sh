#!/bin/sh
# bugs.sh [NAME...]: checks the table samples/bugs/expected.txt, or the rows of these programs. Each is built as it is
# written (-O0), once with the mistake and once with -DFIXED, and recorded; then every analysis is asked about the
# recorded run. Ends with "bugs: N passed, N failed, N skipped".
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=${BIN:-$root/bin}:$PATH
ASAN_OPTIONS=exitcode=99:$ASAN_OPTIONS
export PATH ASAN_OPTIONS
part=bugs
. "$root/tests/count.sh"
folder=$root/samples/bugs table=$root/samples/bugs/expected.txt
warnings='-D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'

limited() { within 120 "$@"; }

# WAY: $work/run
record() {
  case $file in *.cc) language=$cxx standard=c++17 ;; *) language=$compiler standard=c17 ;; esac
  define=
  [ "$variant" = bug ] || define=-DFIXED
  # shellcheck disable=SC2086 # warnings are several words, and the define may be none
  if ! limited tracerec "$language" -std=$standard $warnings $define "$file" -o "$work/program" -pthread 2>"$work/err"; then
    fail "$1: it is not compiled: $(tr '\n' ' ' <"$work/err")"
  elif ! limited tracerec run -o "$work/run" "$work/program" >"$work/out" 2>"$work/err"; then
    fail "$1: recorded it fails: $(tr '\n' ' ' <"$work/err")"
  elif [ -s "$work/err" ]; then
    fail "$1: tracerec says $(tr '\n' ' ' <"$work/err")"
  else
    pass
  fi
}

# EXPECTED COMMAND...
says() {
  expected=$1
  shift
  [ "$expected" != possibly ] || expected='possibly not atomic'
  verdict=$(limited "$@" -q "$work/run" 2>"$work/err")
  if [ "$verdict" = "verdict: $expected" ]; then pass
  else fail "$way: $*: expected $expected, but: $verdict ($(cat "$work/err" "$work/out" | tr '\n' ' '))"
  fi
}

check_row() {
  way="$name $variant, $compiler"
  testing "$way"
  before=$failed
  record "$way"
  [ $failed = "$before" ] || return
  says "$monitor" tracecheck
  says "$all" tracepredict --sync=all
  says "$locks" tracepredict --sync=locks
  says "$none" tracepredict --sync=none
  says "$reduction" tracecheck --analysis=reduction
  says "$blocks" tracecheck --analysis=blocks
  says "$combined" tracecheck --analysis=combined
}

check_rows() {
  while read -r name variant monitor all locks none reduction blocks combined; do
    case $name in "#"* | "") continue ;; esac
    case $wanted in "  " | *" $name "*) ;; *) continue ;; esac
    for file in "$folder/$name".c*; do check_row; done
  done <"$table"
}

# the table has two rows for each program in the folder, and no others
check_table() {
  testing "expected.txt"
  (cd "$folder" && printf '%s\n' ./*.c ./*.cc) | sed 's,^\./\(.*\)\.[a-z]*$,\1 bug\n\1 fixed,' | sort >"$work/programs"
  awk '/^#/ || !NF { next } { print $1, $2 } NF != 9 { print "not 9 columns: " $0 }' "$table" | sort >"$work/rows"
  if cmp -s "$work/programs" "$work/rows"; then pass
  else fail "expected.txt: the programs and the rows differ: $(diff "$work/programs" "$work/rows" | grep '^[<>]' | tr '\n' ' ')"
  fi
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
wanted=" $* "
check_table
for name; do
  grep -q "^$name " "$table" || fail "$name: it is not in expected.txt"
done
for tool in tracerec tracecheck tracepredict; do
  command -v $tool >/dev/null && continue
  skip "all: $tool is not there"
  count_end
  exit
done
for compiler in gcc clang; do
  case $compiler in gcc) cxx=g++ ;; clang) cxx=clang++ ;; esac
  if command -v $compiler >/dev/null && command -v $cxx >/dev/null; then check_rows
  else skip "with $compiler: $compiler or $cxx is not installed"
  fi
done
count_end
