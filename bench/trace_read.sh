#!/bin/sh
# trace_read.sh BUILD EVENTS: times the reading of the runs of trace_sizes.txt, as STD and binary, and `wc -l` of the STD file
# beside it.
set -eu
build=$1 events=$2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

seconds() { # of user and system time together
  { /usr/bin/env bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1' - "$@"; } 2>&1 | awk '{ printf "%.3f", $1 + $2 }'
}

grep -v '^#' "$here/trace_sizes.txt" | while read -r family threads entities; do
  name=$folder/$family-$threads-$entities
  for format in std bin; do
    "$build/gen-trace" -f $format -t "$threads" -n "$entities" -e "$events" "$family" >"$name.$format"
    "$build/trace-read" "$name.$format" | sed "s|$folder/||"
    [ $format = bin ] || printf '%-28s %36s s\n' "  wc -l" "$(seconds wc -l "$name.std")"
    rm "$name.$format"
  done
done
