#!/bin/sh
# run.sh SWEEP: the sweep of sweep.c over commands.txt, with fewer runs where the build is a slow one.
here=$(dirname "$0")
runs=1000
case $MODE in asan) runs=24 ;; esac
LC_ALL=C
export LC_ALL
unset NO_COLOR COLUMNS
exec "$1" "$here/commands.txt" "$here/inputs" $runs
