#!/bin/sh
# locks.sh: times prediction with locks: an iterator over a hash table (samples/c/hashtable.c), and chains of locks that are taken hand
# over hand. CPU seconds of the whole process, least of 3, and the peak memory.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# walk(thread, from, to, which): a walk over locks from one to another, with accesses to all nodes, or the ends, or none
chains='
function put(thread, op) { print thread "|" op }
function walk(thread, from, to, which,  step, i, last) {
  step = from < to ? 1 : -1
  for (i = from; ; i += step) {
    put(thread, "acq(l" i ")")
    if (i != from) put(thread, "rel(l" last ")")
    if (which == "all" || (which == "ends" && (i == from || i == to))) put(thread, "w(x" i ")")
    last = i
    if (i == to) break
  }
  put(thread, "rel(l" last ")")
}
BEGIN {
  for (t = 1; t <= threads; t++) {
    put("T" t, "begin(walk)")
    if (back && t % 2 == 0) walk("T" t, n, 1, which); else walk("T" t, 1, n, which)
    put("T" t, "end")
  }
}'

tell() { # tell FILE NAME
  for _ in 1 2 3; do
    { TIMEFORMAT='%U %S'; /usr/bin/env bash -c "TIMEFORMAT='%U %S'; time bin/tracepredict -q --stats --sync=locks '$1'"; } 2>"$work/said" >"$work/verdict" || true
    awk -v verdict="$(cat "$work/verdict")" '/ MB$/ { events = $2; mb = $(NF - 1) } /^[0-9.]+ [0-9.]+$/ { cpu = $1 + $2 }
      END { print cpu, mb, events, verdict }' "$work/said"
  done | sort -n | head -n 1 | { read -r cpu mb events verdict; echo "$2: events ${events%,} $cpu s, $mb MB, $verdict"; }
}

chain() { # chain NAME N WHICH BACK THREADS
  awk -v n="$2" -v which="$3" -v back="$4" -v threads="$5" "$chains" >"$work/chain.std"
  tell "$work/chain.std" "$1, $2 locks, $5 threads"
}

bin/tracerec cc -O1 samples/c/hashtable.c -o "$work/hashtable" -pthread
for n in 4000 16000 450000; do
  bin/tracerec run -o "$work/run.bin" "$work/hashtable" "$n" 3000 >"$work/values"
  tell "$work/run.bin" "hashtable $n 3000"
done
chain "hand over hand, the same way" 33333 all 0 2
chain "hand over hand, opposite ways" 33333 all 1 2
chain "hand over hand, opposite ways, accesses at the ends" 50000 ends 1 2
chain "hand over hand, the same way" 1600 all 0 16
chain "hand over hand, opposite ways" 1600 all 1 16
