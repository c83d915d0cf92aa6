#!/bin/sh
# long.sh GEN_TRACE: a long run of 50 threads (sor), EVENTS of them (default 10^8), as a binary log: monitored as it is and packed with zstd,
# on one processor and on two, and with a checkpoint; then killed again and again, until there is an answer. Wall time, the least of
# RUNS (default 3); MB is what --stats says. The files are in TMPDIR: 5 bytes an event, and PLAIN=no leaves the one that is not packed out.
cd "$(dirname "$0")/.." || exit 3
generate=$(realpath "$1")
PATH="$PWD/bin:$PATH"
events=${EVENTS:-100000000}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 3
failed=0

"$generate" -f bin -t 50 -n 10000 -e "$events" sor | zstd -q -T2 -o run.bin.zst || exit 3
[ "$PLAIN" = no ] || zstd -qdk run.bin.zst || exit 3

# NAME COMMAND...
row() {
  name=$1
  shift
  for _ in $(seq "${RUNS:-3}"); do
    "$@" --stats 2>&1 >result | sed -n 's/.* \([0-9.]*\) s, \([0-9.]*\) MB$/\1 \2/p'
    grep -q '^verdict: serializable$' result || echo "WRONG: $(cat result)" >wrong
  done | sort -n | head -n 1 >least
  awk -v n="$name" -v e="$events" '{ printf "| %s | %.2f | %.0f | %s |\n", n, $1, e / $1 / 1e6, $2 }' least
}

echo "| $events events, 50 threads | seconds | million events/s | MB |"
echo "|---|---:|---:|---:|"
[ -e run.bin ] && row "not packed" tracecheck run.bin
row "zstd, one processor" taskset -c 0 tracecheck run.bin.zst
row "zstd, two processors" tracecheck run.bin.zst
row "zstd, two, a checkpoint each second" tracecheck --checkpoint=known --checkpoint-every=1 run.bin.zst

# killed after one second, after two, and so on
whole=$(tracecheck -f json run.bin.zst)
for s in $(seq 60); do
  result=$(timeout -s KILL "$s" tracecheck -f json --checkpoint=known --checkpoint-every=.2 run.bin.zst 2>says) && break
  bytes=$(wc -c <known 2>/dev/null || echo "$bytes")
done
echo
echo "killed $((s - 1)) times, the last time $(sed 's/.*, after/after/' says); a checkpoint of $bytes bytes"
[ "$result" = "$whole" ] || { echo "WRONG: another result"; failed=1; }
[ -e wrong ] && { cat wrong; failed=1; }
exit $failed
