#!/bin/sh
# What recording costs: the programs of samples/c, compiled by gcc -O1, plain, with libtsan (whose reports are turned off), and recorded. Seconds
# of wall time, each the least of RUNS (default 5), the kinds taken in turn. "program" is the recorded program alone, "log" what is made of the raw
# log afterwards, "run" both as one waits for them, "sync" the same with --order=sync; "x" is run by libtsan.
cd "$(dirname "$0")/.." || exit 3
PATH="$PWD/bin:$PATH"
runs=${RUNS:-5}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
TSAN_OPTIONS=report_bugs=0
export TSAN_OPTIONS

# measure FILE COMMAND...: one more line of microseconds
measure() {
  file=$work/$1
  shift
  from=$(date +%s%N)
  "$@" >/dev/null 2>"$work/stats"
  to=$(date +%s%N)
  echo $(((to - from) / 1000)) >>"$file"
}
seconds() { sort -n "$work/$1" | awk 'NR == 1 { printf "%.3f", $1 / 1e6 }'; }

line() { printf '| %-18s | %6s | %7s | %7s | %6s | %6s | %6s | %4s | %9s | %11s |\n' "$@"; }

# row PROGRAM ARGUMENTS...
row() {
  name="$*" program=$1
  shift
  rm -f "$work"/times.* "$work/part"
  i=0
  while [ $i -lt "$runs" ]; do
    measure times.plain "$work/$program.plain" "$@"
    measure times.tsan "$work/$program.tsan" "$@"
    rm -f "$work/log"
    measure times.run tracerec run --stats -o "$work/log" "$work/$program" "$@"
    sed -n 's/^events \([0-9]*\),.*program \([0-9.]*\) s, log \([0-9.]*\) s$/\1 \2 \3/p' "$work/stats" >>"$work/part"
    bytes=$(wc -c <"$work/log")
    rm -f "$work/log"
    measure times.sync tracerec run --order=sync -o "$work/log" "$work/$program" "$@"
    i=$((i + 1))
  done
  events=$(awk 'NR == 1 { print $1 }' "$work/part")
  line "$name" "$(seconds times.plain)" "$(seconds times.tsan)" "$(sort -n -k 2 "$work/part" | awk 'NR == 1 { printf "%.3f", $2 }')" \
    "$(sort -n -k 3 "$work/part" | awk 'NR == 1 { printf "%.3f", $3 }')" "$(seconds times.run)" "$(seconds times.sync)" \
    "$(awk -v run="$(seconds times.run)" -v tsan="$(seconds times.tsan)" 'BEGIN { printf "%.1f", run / tsan }')" \
    "$events" "$bytes"
}

for program in sor lufact tsp raytracer elevator; do
  source=samples/c/$program.c
  tracerec cc -g -O1 $source -o "$work/$program" -pthread -lm &&
    gcc -Irecord -g -O1 $source -o "$work/$program.plain" -pthread -lm &&
    gcc -Irecord -g -O1 -fsanitize=thread $source -o "$work/$program.tsan" -pthread -lm || exit 3
done
echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1), $(nproc) cores, $(uname -sr), $(tracecheck --version)"
echo
line run plain libtsan program log run sync x events 'log, bytes'
echo '|--------------------|-------:|--------:|--------:|-------:|-------:|-------:|-----:|----------:|------------:|'
row sor 3 400 100
row sor 50 400 100
row sor 10 800 50
row lufact 3 250
row lufact 10 400
row tsp 5 13
row tsp 10 14
row raytracer 10 150
row raytracer 3 300
row elevator 3 8 1000
row elevator 10 20 2000
