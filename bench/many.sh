#!/bin/sh
# many.sh [RUNS [MORE]]: times one call of `tracecheck` with RUNS runs (default 2,000) of 2,000 events each, on one
# processor, and with MORE (default 10,000), beside a shell loop with one call for each: seconds of the processor, those
# of the processes that are started included, least of 3; and of wall-clock time on all processors. All are files in
# the page cache, as STD text and as the binary log. At last 100,000 runs of four events in one directory ("tiny").
cd "$(dirname "$0")/.." || exit 3
B=build/release
runs=${1:-2000}
more=${2:-10000}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
one=
taskset -c 0 true 2>/dev/null && one='taskset -c 0'

make_runs() { # make_runs FORMAT N
  mkdir "$work/$1-$2"
  i=0
  while [ "$i" -lt "$2" ]; do
    i=$((i + 1))
    "$B/gen-trace" -f "$1" -t 4 -n 64 -e 2000 -s "$i" sor >"$work/$1-$2/$i.run" || exit 3
  done
}

seconds() { # seconds FORMAT COMMAND...: of bash's time
  format=$1
  shift
  { env bash -c "TIMEFORMAT='$format'; time \"\$@\" >/dev/null 2>&1" - "$@"; } 2>&1 | awk '{ printf "%.2f\n", $1 + $2 }'
}

least() { for _ in 1 2 3; do seconds "$@"; done | sort -n | head -n 1; }

make_tiny() { # make_tiny N
  mkdir "$work/tiny-$1"
  awk -v folder="$work/tiny-$1" -v n="$1" 'BEGIN {
    for (i = 1; i <= n; i++) {
      file = folder "/" i ".std"
      printf "T1|begin(get)|1\nT1|r(x)|2\n%sT1|w(x)|3\nT1|end|4\n", i % 3 ? "" : "T2|w(x)|9\n" >file
      close(file)
    }
  }'
}

row() { # row FORMAT N
  folder=$work/$1-$2
  if [ "$1" = tiny ]; then make_tiny "$2"; else make_runs "$1" "$2"; fi
  alone=-
  [ "$2" = "$runs" ] && alone=$(seconds '%U %S' sh -c 'for file in "$1"/*; do bin/tracecheck -q "$file"; done' - "$folder")
  # shellcheck disable=SC2086 # two words, or none
  together=$(least '%U %S' $one bin/tracecheck -q "$folder")
  wall=$(least '%R 0' bin/tracecheck -q "$folder")
  printf '| %-6s | %6s | %10s | %8s | %12s |\n' "$1" "$2" "$alone" "$together" "$wall"
  rm -rf "$folder"
}

echo "| format |   runs | loop, CPU s | one, CPU s | one, wall s |"
echo "|---|---|---|---|---|"
for format in std bin; do
  row $format "$runs"
  row $format "$more"
done
row tiny 100000
