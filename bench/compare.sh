#!/bin/sh
# compare.sh: records the programs of samples/c, each once, and prints what all the analyses say of them: `tracecheck --compare`.
cd "$(dirname "$0")/../samples/c" || exit 3
PATH="$PWD/../../bin:$PATH"
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
compare() { # compare PROGRAM ARGUMENT...
  program=$1
  shift
  tracerec cc -O1 "$program.c" -o "$work/$program" -pthread -lm && tracerec run -o "$work/run" "$work/$program" "$@" >"$work/out" || exit 3
  echo "$program $*: $(tracecheck --all --stats -q "$work/run" 2>&1 >/dev/null | sed 's/, most.*//')"
  echo
  tracecheck --compare --timeout="${TIMEOUT:-60s}" "$work/run"
  echo
}
compare hashtable 10 30
compare raytracer 4 20
compare elevator 3 8 200
compare tsp 5 8
compare sor 3 30 10
compare lufact 3 30
