#!/bin/sh
# differential.sh PROGRAM FROM-TO: runs the differential tester over the seeds with a process per processor, and adds up.
program=$1 from=${2%-*} to=${2#*-}
processes=$(nproc 2>/dev/null || echo 1)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
share=$(((to - from) / processes + 1))
start=$from
while [ "$start" -le "$to" ]; do
  end=$((start + share - 1))
  [ $end -le "$to" ] || end=$to
  ("$program" "$start-$end"; echo $? >"$work/$start.status") >"$work/$start.out" 2>&1 &
  start=$((end + 1))
done
wait
# a process that ended otherwise than with 0 or 1 has failed as a whole
crashed=$(cat "$work"/*.status | grep -cv '^[01]$')
[ "$crashed" = 0 ] || echo "differential: a process crashed"
cat "$work"/*.out | awk -v crashed="$crashed" '
  /^differential: blocks: / { atomic += $3; violated += $5; unknown += $7; next }
  /^differential: [0-9]+ passed, [0-9]+ failed$/ { passed += $2; failed += $4; next }
  { print }
  END {
    printf "differential: blocks: %d atomic, %d violated, %d unknown\n", atomic, violated, unknown
    printf "differential: %d passed, %d failed\n", passed, failed + crashed
    exit failed + crashed > 0
  }'
