#!/bin/sh
# analysis.sh [EVENTS]: times `tracecheck --analysis=` on families of runs (bench/trace_families.h) with EVENTS events (default
# 10,000,000), from the binary log: the figures of --stats, and the verdict.
cd "$(dirname "$0")/.." || exit 3
events=${1:-10000000}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
bench() { # bench FAMILY THREADS ENTITIES
  build/release/gen-trace -f bin -t "$2" -n "$3" -e "$events" "$1" >"$work/run" || exit 3
  for analysis in reduction blocks combined; do
    verdict=$(bin/tracecheck --analysis=$analysis --timeout=60s -q --stats "$work/run" 2>"$work/stats")
    echo "$1, $2 threads, $3 entities, $analysis: $(cat "$work/stats"); $verdict"
  done
}
bench sor 3 400
bench elevator 4 200
bench elevator 50 1000
bench chain 4 64
