#!/bin/sh
# differential.sh PROGRAM FROM-TO: runs the differential tester over the seeds with a process per processor, and adds
# up. A seed is a program and a net for all engines, and three programs for short proofs. Ends with
# "differential: N passed, N failed, N skipped".
program=$1 from=${2%-*} to=${2#*-}
processes=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
share=$(((to - from) / processes + 1))
start=$from
while [ "$start" -le "$to" ]; do
  end=$((start + share - 1))
  [ $end -le "$to" ] || end=$to
  "$program" "$start-$end" "proofs:$((3 * start - 2))-$((3 * end))" >"$work/$start.out" 2>&1 &
  start=$((end + 1))
done
wait
# all must have been counted: a process that crashed leaves some out
cat "$work"/*.out | awk -v total=$((5 * (to - from + 1))) '
  /^differential: nets: / { good += $3; refused += $5; unsafe += $7; next }
  /^differential: blocks: / { atomic += $3; violated += $5; unknown += $7; next }
  /^differential: [0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { passed += $2; failed += $4; next }
  { print }
  END {
    printf "differential: nets: %d good, %d refused, %d not 1-safe\n", good, refused, unsafe
    printf "differential: blocks: %d atomic, %d violated, %d unknown\n", atomic, violated, unknown
    if (passed + failed < total) printf "differential: FAILED: %d programs and nets: not run, or not to the end\n", total - passed - failed
    printf "differential: %d passed, %d failed, 0 skipped\n", passed, total - passed
    exit passed < total
  }'
