#!/bin/sh
# run.sh [--bless] [NAME...]: golden tests of the command lines: all, or those of these names (without folder and
# ending).
# --bless writes what is printed now into the tests that fail. Ends with "cli: N passed, N failed, N skipped".
#
# cases/NAME.test:
#     # a comment
#     needs: xmllint $SHARED/nets   tools, or paths with a /, or pty, a working `script`, or python3-jsonschema; without it the test is a printed SKIP
#     modes: release debug          builds in which it makes sense; all, if this line is missing
#     filter: s/[0-9.]* s/N s/      a sed command for both outputs, for what differs from run to run
#     ignore: stdout                outputs that are not compared
#     run: sml2net prog.sml | causalcheck     for sh, in an empty folder; several lines are one script
#     exit: 1
#     --- file prog.sml             an input file
#     --- stdout                    what must be printed; nothing, if there is no such part
#     --- stderr
#     --- out result.dot            what must stand in a file that was written
# The tools are in PATH; $SAMPLES, $SHARED and $ROOT are folders. A last line without its newline is shown with a line
# "\ no newline at the end" behind it.
#
# sml/NAME.sml with NAME.err: what sml2net says of it on stderr; a line "// run: ARGS" in it gives arguments. Exit 3 if
# there is an "error:" in it, else 0.
cd "$(dirname "$0")" || exit 1
ROOT=$(cd ../.. && pwd)
SAMPLES=$ROOT/samples
SHARED=${SHARED:-$ROOT/../shared}
BIN=${BIN:-$ROOT/bin}
MODE=${MODE:-release}
PATH=$BIN:$PATH
# a sanitizer's exit must not look like a verdict
ASAN_OPTIONS=exitcode=99:$ASAN_OPTIONS
LC_ALL=C
unset NO_COLOR COLUMNS
export TERM=xterm
export ROOT SAMPLES SHARED PATH ASAN_OPTIONS LC_ALL

bless=false
[ "$1" = --bless ] && { bless=true; shift; }
wanted=" $* "
seconds=120 # for a test
work=$(mktemp -d) || exit 1
# the cases name files without quotes, and xmllint takes a path for a URI
case $work in
*[!A-Za-z0-9/._-]*) rmdir "$work" && work=$(TMPDIR=/tmp mktemp -d) || exit 1 ;;
esac
# the tests are scripts, and do not quote these
case $ROOT in
*[[:space:]]*)
  ln -s "$ROOT" "$work/root" && ln -s "$SHARED" "$work/shared"
  ROOT=$work/root SAMPLES=$work/root/samples SHARED=$work/shared
  ;;
esac
trap 'rm -rf "$work"' EXIT
part=cli
. ../count.sh

is_wanted() { [ "$wanted" = "  " ] || case $wanted in *" $1 "*) ;; *) false ;; esac; }
limited() { within "$seconds" "$@"; }

# all values of a line "KEY: value" of the head of $file
head_of() { sed -n -e '/^---/q' -e "s/^$1: *//p" "$file"; }

# shows whether the last newline is there
close_lines() {
  if [ -s "$1" ] && [ -n "$(tail -c1 "$1")" ]; then printf '\n\\ no newline at the end\n' >>"$1"; fi
}

missing() {
  for need in $(head_of needs); do
    case $need in
    python3-jsonschema) python3 -c 'import jsonschema' 2>/dev/null || { echo "$need"; return; } ;;
    pty) script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "$need"; return; } ;;
    */*) eval "need=$need"; [ -e "$need" ] || { echo "$need"; return; } ;;
    *) command -v "$need" >/dev/null || { echo "$need"; return; } ;;
    esac
  done
}

# takes the test apart: $work/in holds its input files, $work/want the expected outputs
unpack() {
  rm -rf "$work/in" "$work/want" "$work/got"
  mkdir "$work/in" "$work/want" "$work/got"
  : >"$work/want/stdout"
  : >"$work/want/stderr"
  awk -v work="$work" '
    /^--- / {
      to = $2 == "file" ? work "/in/" $3 : $2 == "out" ? work "/want/out." $3 : work "/want/" $2
      printf "" >to
      next
    }
    to != "" { print >to }' "$file"
}

execute() {
  head_of run >"$work/script"
  (cd "$work/in" && limited sh "$work/script" </dev/null >"$work/got/stdout" 2>"$work/got/stderr")
  status=$?
  filter=$(head_of filter)
  for output in stdout stderr; do
    if [ -n "$filter" ]; then
      sed -e "$filter" "$work/got/$output" >"$work/filtered" && mv "$work/filtered" "$work/got/$output"
    fi
    close_lines "$work/got/$output"
    case " $(head_of ignore) " in *" $output "*) : >"$work/got/$output" ; : >"$work/want/$output" ;; esac
  done
  for want in "$work"/want/out.*; do
    [ -e "$want" ] || continue
    got=$work/got/${want##*/}
    cp "$work/in/${want##*/out.}" "$got" 2>/dev/null || echo "(not written)" >"$got"
    close_lines "$got"
  done
}

ended() {
  case $status in
  124 | 137) echo "it takes longer than $seconds seconds" ;;
  *) echo "exit $status" ;;
  esac
}

# the test with what is printed now
rewrite() {
  {
    sed -e '/^---/,$d' -e "s/^exit:.*/exit: $status/" "$file"
    awk '/^--- / { show = $2 == "file" } show' "$file"
    for got in "$work"/got/*; do
      case ${got##*/} in out.*) echo "--- out ${got##*/out.}" ;; *) [ -s "$got" ] && echo "--- ${got##*/}" ;; esac
      cat "$got"
    done
  } >"$work/new" && cp "$work/new" "$file"
}

run_case() {
  lacks=$(missing)
  modes=$(head_of modes)
  [ -z "$lacks" ] || { skip "$name: no $lacks here"; return; }
  case " ${modes:-$MODE} " in *" $MODE "*) ;; *) skip "$name: not for $MODE builds"; return ;; esac
  unpack
  execute
  if diff -ru "$work/want" "$work/got" >"$work/diff" && [ "$status" = "$(head_of exit)" ]; then
    pass
  elif $bless; then
    rewrite
    echo "blessed $name"
  else
    fail "$name: $(ended), expected exit $(head_of exit)"
    cat "$work/diff"
  fi
}

run_sml() {
  # shellcheck disable=SC2046 # arguments are several words
  (cd sml && limited sml2net $(sed -n 's,^// run: *,,p' "$name.sml") "$name.sml") >/dev/null 2>"$work/err" </dev/null
  status=$?
  expected=0
  grep -q 'error:' "$work/err" && expected=3
  if [ $status != $expected ]; then
    fail "sml/$name: $(ended), expected exit $expected"
    cat "$work/err"
  elif diff -u "sml/$name.err" "$work/err" >"$work/diff" 2>&1; then
    pass
  elif $bless; then
    cp "$work/err" "sml/$name.err"
    echo "blessed sml/$name"
  else
    fail "sml/$name: other words"
    cat "$work/diff"
  fi
}

for name in $wanted; do
  [ -f "cases/$name.test" ] || [ -f "sml/$name.sml" ] || fail "$name: there is no such test"
done
for file in cases/*.test; do
  name=${file##*/} name=${name%.test}
  [ -f "$file" ] && is_wanted "$name" && testing "$name" && run_case
done
for file in sml/*.sml; do
  name=${file##*/} name=${name%.sml}
  [ -f "$file" ] && is_wanted "$name" && testing "sml/$name" && run_sml
done
count_end
