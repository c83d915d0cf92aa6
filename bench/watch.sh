#!/bin/sh
# What watching a run costs: the programs of samples/c and bench/kernels, and $PBZIP2 and $PIGZ (the folders of their
# sources) where these are set, compiled by gcc -O1, with libtsan (whose reports are turned off), watched without a log,
# and recorded. Seconds of processor time, user and system, of all processes, and of wall time, each the least of RUNS
# (default 5), the kinds taken in turn; "x" is by libtsan.
cd "$(dirname "$0")/.." || exit 3
PATH="$PWD/bin:$PATH"
runs=${RUNS:-5}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
TSAN_OPTIONS=report_bugs=0
export TSAN_OPTIONS

# measure KIND COMMAND...: one more line of wall time and processor time
measure() {
  kind=$1
  shift
  bash -c 'TIMEFORMAT="%R %U %S"; file=$1; shift; time "$@" >/dev/null 2>"$file"' time "$work/err.$kind" "$@" 2>"$work/time"
  awk '{ print $1, $2 + $3 }' "$work/time" >>"$work/times.$kind"
}
least() { awk -v c="$2" 'NR == 1 || $c < m { m = $c } END { printf "%.2f", m }' "$work/times.$1"; }
ratio() { awk -v a="$(least "$1" "$2")" -v b="$(least tsan "$2")" 'BEGIN { printf "%.1f", a / b }'; }
line() { printf '| %-20s | %6s | %6s | %6s | %4s | %6s | %4s | %6s | %4s | %6s | %4s | %-12s |\n' "$@"; }

# row NAME PROGRAM ARGUMENTS...
row() {
  name=$1 program=$2
  shift 2
  rm -f "$work"/times.*
  i=0
  while [ $i -lt "$runs" ]; do
    measure tsan "$work/$program.tsan" "$@"
    measure watch tracerec run --monitor "$work/$program" "$@"
    measure record tracerec run -o "$work/log" "$work/$program" "$@"
    rm -f "$work/log"
    i=$((i + 1))
  done
  line "$name" "$(least tsan 2)" "$(least tsan 1)" "$(least watch 2)" "$(ratio watch 2)" "$(least watch 1)" "$(ratio watch 1)" \
    "$(least record 2)" "$(ratio record 2)" "$(least record 1)" "$(ratio record 1)" "$(sed -n 's/^verdict: //p' "$work/err.watch")"
}

for source in samples/c/sor samples/c/lufact samples/c/tsp samples/c/raytracer samples/c/elevator bench/kernels/lu bench/kernels/ocean \
  bench/kernels/pack; do
  program=$(basename $source)
  tracerec cc -g -O1 $source.c -o "$work/$program" -pthread -lm &&
    gcc -Irecord -g -O1 -fsanitize=thread $source.c -o "$work/$program.tsan" -pthread -lm || exit 3
done
echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1), $(nproc) cores, $(uname -sr), $(tracecheck --version)"
echo
line run 'tsan c' wall 'watch c' x wall x 'record c' x wall x verdict
echo '|----------------------|-------:|-------:|-------:|-----:|-------:|-----:|-------:|-----:|-------:|-----:|--------------|'
row 'sor 3 400 100' sor 3 400 100
row 'lufact 10 400' lufact 10 400
row 'tsp 10 14' tsp 10 14
row 'raytracer 3 300' raytracer 3 300
row 'elevator 3 8 1000' elevator 3 8 1000
row 'lu 4 256' lu 4 256 16
row 'ocean 4 258 20' ocean 4 258 20
row 'pack 16 4096' pack 16 4096
cat bin/* | head -c 20000000 >"$work/file"
if [ -n "$PBZIP2" ]; then
  sources="$PBZIP2/pbzip2.cpp $PBZIP2/BZ2StreamScanner.cpp $PBZIP2/ErrorContext.cpp"
  # shellcheck disable=SC2086 # several words
  tracerec c++ -w -O1 $sources -o "$work/pbzip2" -pthread -lbz2 &&
    g++ -w -O1 -fsanitize=thread $sources -o "$work/pbzip2.tsan" -pthread -lbz2 || exit 3
  row 'pbzip2 -k -p4 20 MB' pbzip2 -k -f -c -p4 "$work/file"
fi
if [ -n "$PIGZ" ]; then
  sources="$PIGZ/pigz.c $PIGZ/yarn.c $PIGZ/try.c $(find "$PIGZ/zopfli/src/zopfli" -name '*.c' ! -name zopfli_bin.c)"
  # shellcheck disable=SC2086 # several words
  tracerec cc -w -O1 $sources -o "$work/pigz" -pthread -lz -lm &&
    gcc -w -O1 -fsanitize=thread $sources -o "$work/pigz.tsan" -pthread -lz -lm || exit 3
  unset PIGZ # by which it takes options
  row 'pigz -k -p4 20 MB' pigz -k -f -c -p 4 "$work/file"
fi
