#!/bin/sh
# Table 1 of "Causal Atomicity" (CAV 2006): ours beside the paper's, at the paper's sizes and beyond. A time is the least of RUNS
# (default 5) of the whole pipeline `sml2net PROGRAM | causalcheck`, processes and pipe included: first by unfolding alone, as the paper's,
# then as it is without options, by proofs first. Exits with 1 if a verdict is wrong.
cd "$(dirname "$0")/.." || exit 3
PATH="$PWD/bin:$PATH"
runs=${RUNS:-5}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
failed=0

. bench/least.sh

# SAMPLE OPTION: the pipeline
check() { echo "sml2net -W no-all $define samples/$1.sml | causalcheck --stats -q $2"; }

# row NAME SAMPLE THREADS COPIES VERDICT PLACES EVENTS SECONDS: COPIES is N for -D, or -; the last three are the paper's, or -
row() {
  define=
  [ "$4" = - ] || define="-D N=$4"
  least "$(check "$2" "")"
  proved=$best
  least "$(check "$2" --prove=unfold)"
  verdict=$(sed -n 's/^verdict: //p' "$work/result")
  mark=
  if [ "$verdict" != "$5" ]; then
    mark=" WRONG, expected $5"
    failed=1
  fi
  sed 's/[^0-9. ]//g' "$work/messages" | tail -n 1 | awk -v n="$1" -v k="$3" -v v="$verdict" -v m="$mark" -v ns="$best" -v all="$proved" -v p="$6" -v e="$7" -v s="$8" \
    '{ printf "| %-10s | %4d | %-8s | %8d | %7d | %8.3f | %8.3f | %6s | %6s | %7s |%s\n", n, k, v, $4, $3, ns / 1e9, all / 1e9, p, e, s, m }'
}

echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1), $(uname -sr), $(causalcheck --version)"
echo
echo "|            |      |          |   places |  events | unfolded |  proofs  | paper: | paper: | paper:  |"
echo "| program    |   n  | verdict  | (prefix) |         |  seconds |  seconds | places | events | seconds |"
echo "|------------|-----:|----------|---------:|--------:|---------:|---------:|-------:|-------:|--------:|"
row Dekker     dekker       2   -   atomic   52    24    0
row 'Dekker*'  dekkerstar   2   -   atomic   795   409   .01
row Acquire1   acquire1     4   3   atomic   81    34    0
row Acquire1   acquire1     30  29  atomic   2135  1022  .03
row Acquire1   acquire1     100 99  atomic   21105 10402 3.71
row Acquire1   acquire1     150 149 atomic   46655 23102 22.31
row Acquire1   acquire1     300 299 atomic   -     -     -
row 'Acquire1*' acquire1star 4   4   atomic   146   56    0
row 'Acquire1*' acquire1star 30  30  atomic   4202  1200  .35
row 'Acquire1*' acquire1star 50  50  atomic   10582 2985  5.02
row 'Acquire1*' acquire1star 100 100 atomic   40486 10784 635.56
row 'Acquire1*' acquire1star 300 300 atomic   -     -     -
row nAcquire1  nacquire1    4   2   violated 97    43    0
row nAcquire1  nacquire1    6   4   violated 171   77    0
row nAcquire1  nacquire1    8   6   violated 261   119   0
row nAcquire1  nacquire1    100 98  violated -     -     -
row Acquire2   acquire2     4   3   atomic   73    30    0
row Acquire2   acquire2     6   5   atomic   146   74    0
row Acquire2   acquire2     100 99  atomic   -     -     -
row Bluetooth  bluetooth    2   -   violated 235   116   0
row Bluetooth3 bluetooth3   2   -   violated 223   109   0
exit $failed
