#!/bin/sh
# analysis.sh [EVENTS]: times `tracecheck --analysis=` on families of runs (bench/trace_families.h) with EVENTS events (default
# 10,000,000), from the binary log, and on two texts: gates, and barriers. The figures of --stats, and the verdict.
cd "$(dirname "$0")/.." || exit 3
events=${1:-10000000}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
analyse() { # analyse WHAT
  for analysis in reduction blocks combined; do
    verdict=$(bin/tracecheck --analysis=$analysis --timeout=60s -q --stats "$work/run" 2>"$work/stats")
    echo "$1, $analysis: $(cat "$work/stats"); $verdict"
  done
}
bench() { # bench FAMILY THREADS ENTITIES
  build/release/gen-trace -f bin -t "$2" -n "$3" -e "$events" "$1" >"$work/run" || exit 3
  analyse "$1, $2 threads, $3 entities"
}
# gates THREADS LOCKS: a tenth of the events; one lock guards 20 variables, around it is any of the others
gates() {
  awk -v threads="$1" -v locks="$2" -v most=$((events / 10)) '
    function roll(n) { return int(rand() * n) }
    BEGIN {
      srand(1)
      for (t = 1; t < threads; t++) print "T0|fork(T" t ")"
      for (n = 0; n < most; n += 10) {
        t = "T" roll(threads); l = roll(locks); v = roll(20); w = (v + 1) % 20
        print t "|begin(f)|" l "\n" t "|acq(L" l ")\n" t "|acq(G)\n" t "|r(v" v ")\n" t "|w(v" v ")\n" t "|r(v" w ")"
        print t "|w(v" w ")\n" t "|rel(G)\n" t "|rel(L" l ")\n" t "|end"
      }
    }' >"$work/run"
  analyse "gates, $1 threads, $2 locks"
}
# barriers THREADS ROUNDS: each round, each thread reads what its neighbours have written in the one before
barriers() {
  awk -v threads="$1" -v rounds="$2" 'BEGIN {
    for (t = 1; t < threads; t++) print "T0|fork(T" t ")"
    for (r = 0; r < rounds; r++) {
      for (t = 0; t < threads; t++) {
        print "T" t "|begin(sweep)|10"
        for (d = -1; d <= 1; d += 2)
          if (t + d >= 0 && t + d < threads) print "T" t "|r(c" t + d "_" (r + 1) % 2 ")|12"
        print "T" t "|w(c" t "_" r % 2 ")|13\nT" t "|end"
      }
      for (t = 0; t < threads; t++) print "T" t "|sig(b)|15"
      for (t = 0; t < threads; t++) print "T" t "|wait(b)|16"
    }
  }' >"$work/run"
  analyse "barriers, $1 threads, $2 rounds"
}
# distinct SECTIONS: two threads write a variable, always under one lock and another one of the section; a third thread
# writes it, too, under neither
distinct() {
  awk -v sections="$1" 'BEGIN {
    print "T2|w(x)|9"
    for (i = 0; i < sections; i++) {
      t = "T" (i < sections / 2)
      print t "|begin(b)|1\n" t "|acq(g)\n" t "|acq(l" i ")\n" t "|w(x)|2\n" t "|rel(l" i ")\n" t "|rel(g)\n" t "|end"
    }
  }' >"$work/run"
  analyse "$1 sections with distinct locks held"
}
bench sor 3 400
bench elevator 4 200
bench elevator 16 400
bench elevator 16 4000
bench elevator 50 1000
bench chain 4 64
gates 16 100
gates 16 1000
barriers 50 1000
distinct 100000
