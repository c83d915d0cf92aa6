#!/bin/bash
# fleet.sh [RUNS]: what a fleet of machines takes for many runs (docs/scale.md): times tracecheck on RUNS runs (default
# 120) whose lengths are spread evenly over the orders of magnitude from 10^3 to 10^7 events, and simulates machines
# (bench/fleet.awk) that check millions of such runs.
cd "$(dirname "$0")/.." || exit 3
B=build/release
n=${1:-120}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
families=(sor lufact elevator readers chain threads)
TIMEFORMAT='%U %S'

cpu() { { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'; }

# a call without a run to speak of is what one process spends once; an input costs .1 ms besides its events (bench-many)
measure() {
  "$B/gen-trace" -f bin -t 4 -n 64 -e 100 -s 1 sor >"$work/run"
  empty=$(for _ in 1 2 3 4 5; do cpu bin/tracecheck -q "$work/run"; done | sort -n | head -n 1)
  for ((i = 0; i < n; i++)); do
    events=$(awk -v x="$(((2 * i + 1) * 1000 / (2 * n)))" 'BEGIN { printf "%d", 10 ^ (3 + 4 * x / 1000) }')
    "$B/gen-trace" -f bin -t 4 -n 64 -e "$events" -s "$i" "${families[i % 6]}" >"$work/run" || exit 3
    for _ in 1 2 3; do cpu bin/tracecheck -q "$work/run"; done | sort -n | head -n 1 |
      awk -v empty="$empty" '{ t = $1 - empty; printf "%.4f\n", .0001 + (t > 0 ? t : 0) }'
  done >"$work/times"
}

measure
sort -n "$work/times" | awk '{ t[NR] = $1; sum += $1 }
  END { printf "%d runs: least %.4f s, median %.4f s, mean %.4f s, longest %.3f s\n\n", NR, t[1], t[int((NR + 1) / 2)], sum / NR, t[NR] }'

row() { # WHAT ARGUMENT...: of the simulation
  what=$1
  shift
  awk "$@" -f bench/fleet.awk "$work/times" | { read -r seconds ideal used failures lost; printf '| %s | %s | %s | %s | %s | %s |\n' \
    "$what" "$seconds" "$ideal" "$used" "$failures" "$lost"; }
}

echo "| 1,000 nodes | seconds | ideal | used, % | failures | lost, % |"
echo "|---|---|---|---|---|---|"
for inputs in 1000000 10000000; do
  for shares in 1000 4000 16000; do
    row "$inputs runs, $shares shares" -v inputs=$inputs -v nodes=1000 -v shares=$shares
  done
done
all=(-v inputs=10000000 -v nodes=1000 -v shares=4000)
row "10000000 runs, 4000 shares: no node slow, none fails" "${all[@]}" -v slow=0 -v mtbf=0
row "one node in 20 takes ten times as long" "${all[@]}" -v factor=10
row "a node fails every 2 hours" "${all[@]}" -v mtbf=2
row "the same, without --resume" "${all[@]}" -v mtbf=2 -v resume=0
echo
echo "| nodes | seconds | ideal | used, % | failures | lost, % |"
echo "|---|---|---|---|---|---|"
for nodes in 1 10 100 1000; do
  row "$nodes" -v inputs=1000000 -v nodes=$nodes -v shares=$((4 * nodes))
done
