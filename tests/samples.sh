#!/bin/sh
# samples.sh [NAME...]: checks samples/*.sml (or these, without folder and ending, or other files) against what their
# comments expect, from the file and through the pipe, and the certificates of the verdicts. Ends with
# "samples: N passed, N failed, N skipped".
#
#     // expect: atomic|violated            of the whole program; must be there
#     // expect-block: NAME: atomic|violated   of the block of that name, or that begins in that line
#     // ask: --exclusive=A: holds|violated   another question, and its answer, which its certificate proves
#     // run: -D N=4                        arguments; several such lines are several runs, none is one run without
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=${BIN:-$root/bin}:$PATH
ASAN_OPTIONS=exitcode=99:$ASAN_OPTIONS
export PATH ASAN_OPTIONS
part=samples
. "$root/tests/count.sh"

limited() { within 120 "$@"; }
fault() {
  fail "$@"
  cat "$work/err"
}

# "NAME LINE VERDICT" per block of the JSON on stdin, and "= VERDICT" of the program; the name of a block stands before
# its line, and its line before its verdict
verdicts() {
  tr -d '\n' | grep -oE '"(name|verdict)" *: *("[^"]*"|null)|"line" *: *[0-9]+|"blocks"' | awk '
    { value = $0; sub(/^"[a-z]*"[ \t]*:[ \t]*/, "", value); gsub(/"/, "", value) }
    /^"blocks"/ { inside = 1 }
    /^"name"/ && inside { name = value; line = "" }
    /^"line"/ && line == "" { line = value }
    /^"verdict"/ { if (inside) print name, line, value; else print "=", value }'
}

expected_of() { sed -n "s,^// *$1: *,,p" "$file"; }

# WAY ARGS: $output holds the JSON, $status the exit code
judge() {
  want=$(expected_of expect)
  printf '%s' "$output" | verdicts >"$work/got"
  case $want in
  atomic) code=0 ;;
  violated) code=1 ;;
  *) fault "$1: no line '// expect: atomic' or '// expect: violated'"; return ;;
  esac
  if [ "$status" != $code ] || ! grep -qx "= $want" "$work/got"; then
    fault "$1: expected $want, but exit $status and: $(tr '\n' ';' <"$work/got")"
    return
  fi
  expected_of expect-block | while IFS=': ' read -r block verdict; do
    awk -v block="$block" -v verdict="$verdict" '
      $1 != "=" && ($1 == block || $2 == block) { seen = 1; if ($3 != verdict) bad = 1 }
      END { exit bad || !seen }' "$work/got" || { echo "$block: $verdict"; break; }
  done >"$work/wrong"
  if [ -s "$work/wrong" ]; then
    fault "$1: expected block $(cat "$work/wrong"), but: $(tr '\n' ';' <"$work/got")"
  else
    pass
  fi
}

# WAY ARGS: the certificate of the verdict holds for the program's own net, and says of a block what is expected
certify() {
  way=$1
  shift
  limited causalcheck -q "$@" --certificate="$work/proof" "$file" >"$work/out" 2>"$work/err" </dev/null
  limited sml2net "$@" "$file" >"$work/net.pnml" 2>>"$work/err"
  if ! limited certcheck "$work/net.pnml" "$work/proof" >"$work/out" 2>>"$work/err"; then
    fault "$way: the certificate does not hold"
    return
  fi
  case $(expected_of expect) in
  atomic) claim='is causally atomic' ;;
  *) claim='is not causally atomic' ;;
  esac
  if grep -q "$claim\$" "$work/out"; then pass; else fault "$way: the certificate: no block $claim"; fi
}

# ARGS: the other questions, and the certificates of their answers
ask() {
  expected_of ask >"$work/asked"
  while IFS=' ' read -r question want <&3; do
    question=${question%:}
    limited causalcheck -q "$question" "$@" --certificate="$work/proof" "$file" >"$work/out" 2>"$work/err" </dev/null
    limited sml2net "$@" "$file" >"$work/net.pnml" 2>>"$work/err"
    if ! grep -qx "verdict: $want" "$work/out"; then fault "$question $*: expected $want: $(cat "$work/out")"
    elif ! limited certcheck -q "$work/net.pnml" "$work/proof" >>"$work/out" 2>>"$work/err"; then
      fault "$question $*: the certificate does not hold"
    else pass
    fi
  done 3<"$work/asked"
}

work=$(mktemp -d) || exit 1
: >"$work/err"
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- "$root"/samples/*.sml
for file; do
  [ -f "$file" ] || file=$root/samples/$file.sml
  [ -f "$file" ] || { fail "$file: there is no such file"; continue; }
  testing "${file##*/}"
  expected_of run >"$work/runs"
  [ -s "$work/runs" ] || echo >"$work/runs"
  while read -r arguments; do
    # shellcheck disable=SC2086 # arguments are several words
    { output=$(limited causalcheck $arguments --format=json "$file" </dev/null 2>"$work/err"); status=$?; }
    judge "${file##*/} $arguments"
    # shellcheck disable=SC2086
    { output=$( (limited sml2net $arguments "$file" | limited causalcheck -f json) </dev/null 2>"$work/err"); status=$?; }
    judge "${file##*/} $arguments, through the pipe"
    # shellcheck disable=SC2086
    certify "${file##*/} $arguments" $arguments
    # shellcheck disable=SC2086
    ask $arguments
  done <"$work/runs"
done
count_end
