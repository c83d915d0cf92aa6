#!/bin/sh
# trace.sh [EVENTS [LONG]]: times `tracecheck` on families of runs (bench/trace_families.h) with EVENTS events (default
# 10,000,000), from STD text and from the binary log, beside reading alone and `wc -l`: seconds of the processor, least
# of 3; all are files in the page cache. Then the reading of runs with 1,000,000 names, and the memory of runs of
# EVENTS / 10 and of LONG events (default 100,000,000), which come through a pipe.
cd "$(dirname "$0")/.." || exit 3
B=build/release
events=${1:-10000000}
long=${2:-100000000}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

# the figure of --stats that stands before " UNIT"
figure() { sed -n "s/.* \([0-9.]*\) $1\(,.*\)\{0,1\}\$/\1/p"; }

seconds() { # seconds COMMAND...: of the processor, so that other programs matter less
  { /usr/bin/env bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1' - "$@"; } 2>&1 | awk '{ printf "%.3f\n", $1 + $2 }'
}

least() { # least COMMAND...: the fewest seconds of three runs
  for _ in 1 2 3; do seconds "$@"; done | sort -n | head -n 1
}

rate() { awk -v n="$events" -v s="$1" 'BEGIN { printf "%.1f", n / (s + 1e-9) / 1e6 }'; }

bench() { # bench FAMILY THREADS ENTITIES
  "$B/gen-trace" -f std -t "$2" -n "$3" -e "$events" "$1" >"$work/run.std" || exit 3
  "$B/gen-trace" -f bin -t "$2" -n "$3" -e "$events" "$1" >"$work/run.bin" || exit 3
  std=$(least bin/tracecheck -q "$work/run.std")
  bin=$(least bin/tracecheck -q "$work/run.bin")
  reading=$("$B/trace-read" "$work/run.std" | sed -n 's/.* events *\([0-9.]*\) s .*/\1/p')
  verdict=$(bin/tracecheck -q "$work/run.bin" | sed 's/verdict: //')
  printf '| %-8s | %7s | %8s | %6.3f | %9s | %6.3f | %9s | %7s | %6s | %s |\n' "$1" "$2" "$3" "$std" "$(rate "$std")" "$bin" \
    "$(rate "$bin")" "$reading" "$(least wc -l "$work/run.std")" "$verdict"
  rm -f "$work"/run.*
}

names() { # names FAMILY THREADS ENTITIES NAMES: of STD text
  "$B/gen-trace" -f std -t "$2" -n "$3" -e "$events" -p "$4" "$1" >"$work/run.std" || exit 3
  reading=$("$B/trace-read" "$work/run.std" | sed -n 's/.* events *\([0-9.]*\) s .*/\1/p')
  std=$(least bin/tracecheck -q "$work/run.std")
  printf '| %-8s | %7s | %8s | %-6s | %7s | %9s | %6.3f | %9s |\n' "$1" "$2" "$3" "$4" "$reading" "$(rate "$reading")" "$std" \
    "$(rate "$std")"
  rm -f "$work"/run.*
}

peak() { # peak FORMAT FAMILY THREADS ENTITIES EVENTS: MB
  "$B/gen-trace" -f "$1" -t "$3" -n "$4" -e "$5" "$2" | bin/tracecheck -q --stats 2>&1 >/dev/null | figure MB
}

memory() { # memory FORMAT FAMILY THREADS ENTITIES
  printf '| %-8s | %-6s | %7s | %8s | %12s | %12s |\n' "$2" "$1" "$3" "$4" "$(peak "$@" $((events / 10)))" "$(peak "$@" "$long")"
}

echo "$events events; M/s: million events per second; reading: STD text alone, without the monitor"
echo
echo "| family   | threads | entities |  STD s |  STD M/s  |  bin s |  bin M/s  | reading |  wc -l | verdict |"
echo "|----------|--------:|---------:|-------:|----------:|-------:|----------:|--------:|-------:|---------|"
bench sor 3 400
bench sor 50 10000
bench lufact 50 10000
bench elevator 4 200
bench elevator 50 1000
bench chain 50 1000
bench sor 256 10000
bench chain 256 2000
bench sor 1024 10000
bench chain 1024 5000
bench readers 1024 10240
bench elevator 1024 8192
echo
echo "| family   | threads | entities | names  | reading |       M/s |  STD s |  STD M/s  |"
echo "|----------|--------:|---------:|--------|--------:|----------:|-------:|----------:|"
names sor 50 1000000 number
names elevator 50 1000000 number
names elevator 50 1000000 field
names elevator 50 1000000 word
names elevator 50 1000 field
echo
echo "| family   | format | threads | entities | MB, a tenth | MB, $long events |"
echo "|----------|--------|--------:|---------:|-------------:|-------------:|"
memory bin sor 50 10000
memory bin lufact 50 10000
memory bin chain 50 1000
memory std threads 50 200
