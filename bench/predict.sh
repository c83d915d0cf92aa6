#!/bin/sh
# predict.sh BUILD EVENTS: times prediction without locks on families of runs (bench/trace_families.h), from the binary log, beside
# the monitor; all are files in the page cache, least of 3. Read once: all objects count; read twice: those that threads share.
set -eu
build=$1 events=$2
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

monitor() { # seconds that --stats tells
  for _ in 1 2 3; do bin/tracecheck -q --stats "$1" 2>&1 >/dev/null | sed -n 's/.* \([0-9.]*\) s,.*/\1/p'; done |
    sort -n | head -n 1
}

# the line with the fewest seconds
predict() { for _ in 1 2 3; do "$build/predict-run" "$@"; done | sort -k 4n | head -n 1 | sed "s|$work/||"; }

bench() { # bench FAMILY THREADS ENTITIES
  run=$work/$1-$2-$3
  "$build/gen-trace" -f bin -t "$2" -n "$3" -e "$events" "$1" >"$run"
  echo "$1, $2 threads, $3 entities: monitor $(monitor "$run") s"
  echo "  read once:   $(predict "$run")"
  echo "  read twice:  $(predict -s "$run")"
  echo "  all:         $(predict -s -a "$run")"
  rm "$run"
}

bench sor 3 400
bench sor 50 10000
bench lufact 50 10000
bench elevator 4 200
bench elevator 50 1000
bench chain 50 1000
