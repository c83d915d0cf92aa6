#!/bin/sh
# replay.sh BUILD: gives each file of tests/fuzz/corpus/TARGET to the target BUILD/fuzz/TARGET, without a fuzzer. Ends with
# "fuzz: N passed, N failed, N skipped".
part=fuzz
cd "$(dirname "$0")/../.." || exit 1
. tests/count.sh
case $1 in /*) build=$1/fuzz ;; *) build=$PWD/$1/fuzz ;; esac

replay() {
  if within 60 "$program" "$1" >"$build/log" 2>&1; then
    pass
  else
    fail "$1"
    tail -n 20 "$build/log"
  fi
}

for folder in tests/fuzz/corpus/*/; do
  program=$build/$(basename "$folder")
  testing "$folder"
  set -- "$folder"*
  # all at once; one by one to see which one fails
  if within 60 "$program" "$@" >"$build/log" 2>&1; then
    passed=$((passed + $#))
  else
    for input; do replay "$input"; done
  fi
done
count_end
