#!/bin/sh
# run.sh [PREFIX...]: makes each small change of the lists beside it, all or those in files whose paths start so, to a
# copy of the tree, builds it, and runs the tests that must notice. Ends with
# "mutants: N passed, N failed, N skipped".
#
# FOLDER.txt:
#     # a comment
#     @ serial/scg.c monitor model      a file, and who notices, the fastest first: suites of the unit tests,
#                                       differential, proofs, cli:NAME, record:NAME (a test of tests/cli, tests/record),
#                                       c:NAME (a program of tests/c)
#     ^ static void complete(           a place in the file: the next change is the first one behind it
#     - i < n                           what stands in the file, once; blanks around it do not count
#     + i + 1 < n                       what is put there instead; nothing, if there is only the sign
#     ~ n is never 0 there              before a "+": nobody can notice, for this reason; such a change is skipped
#
# A change that is not noticed by those named has survived: it is a failure. With WHO=1 all suites are asked then who
# would have noticed, which takes minutes. A text that does not stand there, or stands there twice, is a failure too, so
# that the lists stay true.
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
SHARED=${SHARED:-$root/../shared}
tree=$root/build/mutants/tree
built=$tree/build/mutants
MODE=release BIN=$built/bin # what is built is as a release is: tests of the command line that ask for one are run
unset MAKEFLAGS MAKELEVEL MFLAGS
export SHARED MODE BIN
passed=0 failed=0 skipped=0
survivors=

# ---- the copy ----

# takes over what has changed here, so that only that is built again
copy_tree() {
  mkdir -p "$tree"
  git ls-files -co --exclude-standard >"$tree.files"
  while IFS= read -r path; do
    [ -f "$path" ] || continue
    cmp -s "$path" "$tree/$path" && continue
    mkdir -p "$tree/$(dirname "$path")"
    cp -p "$path" "$tree/$path"
    touch "$tree/$path"
  done <"$tree.files"
  (cd "$tree" && find . -path ./build -prune -o -type f -print | sed 's|^\./||') | while IFS= read -r path; do
    [ -f "$path" ] || rm "$tree/$path"
  done
}

# target TEST: what has to be built for it
target() {
  case $1 in
  cli:*) printf 'build/mutants/bin/%s ' sml2net causalcheck netunfold netconv certcheck causalsum tracecheck tracepredict ;;
  record:*) printf 'build/mutants/%s ' bin/tracerec bin/tracecheck record-show ;;
  c:*) printf 'build/mutants/bin/%s ' c2net causalcheck sml2net ;;
  differential | proofs) echo build/mutants/differential ;;
  *) echo build/mutants/unit ;;
  esac
}

# shellcheck disable=SC2046 # several targets
build() { make -s -C "$tree" MODE=mutants $(target "$1") >"$built.log" 2>&1 </dev/null; }

# passes TEST SECONDS
passes() (
  ulimit -v 8000000 # what eats all memory is noticed, too
  cd "$tree" || exit 1
  case $1 in
  cli:*) timeout "$2" tests/cli/run.sh "${1#cli:}" ;;
  record:*) timeout "$2" tests/record/run.sh "${1#record:}" ;;
  c:*) timeout "$2" tests/c.sh "${1#c:}" ;;
  differential) timeout "$2" "$built/differential" 1-300 ;;
  proofs) timeout "$2" "$built/differential" proofs:1-300 ;;
  *) timeout "$2" "$built/unit" "$1" ;;
  esac
  exit $? # the shell that says of a crash is this one
) >"$built.out" 2>&1 </dev/null

# ---- a change ----

# the file with the change on stdout; not 0, if it cannot be made
change() {
  ANCHOR=$anchor FROM=$from TO=$to awk '
    { text = text $0 "\n" }
    function count(where, what,   n, at) {
      for (; (at = index(where, what)) > 0; n++) where = substr(where, at + length(what))
      return n + 0
    }
    END {
      anchor = ENVIRON["ANCHOR"]; from = ENVIRON["FROM"]
      if (anchor != "" && count(text, anchor) != 1) exit 1
      if (anchor == "" && count(text, from) != 1) exit 1
      before = anchor == "" ? 0 : index(text, anchor) + length(anchor) - 1
      at = index(substr(text, before + 1), from)
      if (from == "" || at == 0) exit 1
      printf "%s%s%s", substr(text, 1, before + at - 1), ENVIRON["TO"], substr(text, before + at + length(from))
    }' "$tree/$file"
}

# the seconds after which a test is taken to hang
limit_of() { sed -n "s/^$1 //p" "$built.limits"; }

# Does one of the tests fail? Its name is in $by.
is_noticed() {
  for by in "$@"; do
    build "$by" || { by="does not compile"; return 1; }
    passes "$by" "$(limit_of "$by")" || return 0
  done
  by=
  return 1
}

name_the_noticing() {
  [ -n "$WHO" ] || return
  build unit
  others=
  for suite in $(sed -n 's/^SUITE(\(.*\))$/\1/p' "$built/suites.h"); do
    passes "$suite" 600 || others="$others $suite"
  done
  build differential && { passes differential 600 || others="$others differential"; }
  echo "        noticed by: ${others:-nobody}"
}

fail() {
  failed=$((failed + 1))
  survivors="$survivors
$1: $file: $from -> $to"
  echo "$1: $file: $from -> $to"
}

row() {
  if ! change >"$built.c"; then
    fail "NOT THERE, OR TWICE"
  elif [ -n "$reason" ]; then
    skipped=$((skipped + 1))
  else
    cp "$tree/$file" "$built.original"
    cp "$built.c" "$tree/$file"
    # shellcheck disable=SC2086 # several names
    if is_noticed $tests; then
      passed=$((passed + 1))
      echo "killed by $by: $file: $from -> $to"
    elif [ -n "$by" ]; then
      fail "DOES NOT COMPILE"
    else
      fail SURVIVED
      name_the_noticing
    fi
    cp "$built.original" "$tree/$file"
  fi
}

# ---- the lists ----

is_wanted() {
  [ -n "$wanted" ] || return 0
  for prefix in $wanted; do
    case $1 in "$prefix"*) return 0 ;; esac
  done
  return 1
}

read_list() {
  wants=false anchor= from= reason=
  while IFS= read -r line; do
    case $line in
    '@ '*)
      line=${line#@ } file=${line%% *} tests=${line#* } anchor=
      is_wanted "$file" && wants=true || wants=false
      ;;
    '^ '*) anchor=${line#^ } ;;
    '- '*) from=${line#- } ;;
    '~ '*) reason=${line#~ } ;;
    '+'*)
      to=${line#+} to=${to# }
      $wants && row
      anchor= from= reason=
      ;;
    '' | '#'*) ;;
    *) fail "NOT UNDERSTOOD: $line" ;;
    esac
  done <"$1"
}

# Without a change all tests that are named must pass; a change may make them ten times slower before they are taken to
# hang.
try_tests() {
  : >"$built.limits"
  for test in $(cat tests/mutants/*.txt | while read -r sign path names; do
    [ "$sign" = @ ] && is_wanted "$path" && echo "$names"
  done | tr ' ' '\n' | sort -u); do
    build "$test" || { cat "$built.log"; echo "the tree does not build"; exit 1; }
    start=$(date +%s)
    passes "$test" 600 || { cat "$built.out"; echo "$test fails without any change"; exit 1; }
    echo "$test $((10 * ($(date +%s) - start) + 20))" >>"$built.limits"
  done
}

wanted=$*
copy_tree
mkdir -p "$built"
try_tests
# lists and sources are those of the start, whatever is edited meanwhile
for list in "$tree"/tests/mutants/*.txt; do read_list "$list"; done
[ -z "$survivors" ] || printf '\nFAILED:%s\n' "$survivors"
echo "mutants: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $((passed + skipped)) -gt 0 ]
