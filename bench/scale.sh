#!/bin/sh
# scale.sh SHAPES [PICTURE.svg]: how long causalcheck takes for many threads, and by what it decides their blocks. A time is the least of
# RUNS (default 3) of whole processes, on one core; MB is the peak memory. Programs of bench/shapes.c (made by SHAPES) and of samples/.
# Then Acquire1* and deposit for growing numbers of threads, drawn beside the figures of the CAV'06 paper. Exits with 1 if a verdict is wrong.
cd "$(dirname "$0")/.." || exit 3
shapes=$1 picture=$2
PATH="$PWD/bin:$PATH"
runs=${RUNS:-3}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
failed=0

. bench/least.sh

# how many blocks were decided in which way
count_grounds() {
  awk -F'"' '/^  "stats":/ { exit }
    /^      "grounds":/ {
      way = /proved/ ? "proved" : /found with/ ? "chain" : /sliced|begin anew/ ? "sliced" : /unfolded|can close/ ? "unfolded" : "open"
      n[way]++
    }
    END { printf "%d | %d | %d | %d | %d", n["proved"], n["chain"], n["sliced"], n["unfolded"], n["open"] }' "$work/result"
}

# NAME VERDICT COMMAND
row() {
  least "$3"
  verdict=$(sed -n 's/^  "verdict": "\(.*\)",$/\1/p' "$work/result")
  bytes=$(sed -n 's/.*"bytes": \([0-9]*\).*/\1/p' "$work/result")
  mark=
  if [ "$verdict" != "$2" ]; then
    mark=" WRONG, expected $2"
    failed=1
  fi
  awk -v n="$1" -v v="$verdict" -v g="$(count_grounds)" -v ns="$best" -v b="${bytes:-0}" -v m="$mark" \
    'BEGIN { printf "| %s | %s | %s | %.3f | %.1f |%s\n", n, v, g, ns / 1e9, b / 1e6, m }'
}

check="taskset -c 0 causalcheck -f json --timeout=60" # of a net
command -v taskset >/dev/null || check=${check#taskset -c 0 }
quiet="$check -W no-all" # of a program

# NAME VERDICT SHAPE THREADS [STATEMENTS]
shape() {
  "$shapes" "$3" "$4" ${5:+"$5"} >"$work/program.sml"
  row "$1" "$2" "$quiet $work/program.sml"
}

echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1), $(uname -sr), $(causalcheck --version)"
echo
echo "| program | verdict | proved | chain | sliced | unfolded | open | seconds | MB |"
echo "|---|---|---:|---:|---:|---:|---:|---:|---:|"
row "deposit.sml, CLIENTS=100" atomic "$quiet -D CLIENTS=100 samples/deposit.sml"
row "deposit.sml, CLIENTS=1000" atomic "$quiet -D CLIENTS=1000 samples/deposit.sml"
row "Acquire1\\*, N=1000, through the pipe" atomic "sml2net -D N=1000 samples/acquire1star.sml | $check"
row "Acquire1\\*, N=1000" atomic "$quiet -D N=1000 samples/acquire1star.sml"
for ends in "" -once; do
  words=${ends:+, threads end}
  shape "200 threads, 50 locks, 200 variables${words}" atomic "well$ends" 200
  shape "nested locks${words}" atomic "nested$ends" 200
  shape "one lock forgotten${words}" violated "forgotten$ends" 200
  shape "one wrong lock${words}" violated "wrong$ends" 200
  shape "readers without a lock${words}" violated "readers$ends" 200
done
shape "200 threads of 500 statements" atomic well 200 500
shape "500 statements, one lock forgotten" violated forgotten 200 500
shape "1000 copies of two templates, one with a bug" violated templates 1000
shape "hand over hand, 200 threads" atomic hand 200
shape "pipeline, 200 threads" atomic pipeline 200
shape "philosophers, 200 threads" atomic philosophers 200
shape "initialise, then publish, 200 threads" atomic publish 200
shape "ownership by a flag, 200 threads" atomic ownership 200
shape "20 readers and 2 writers by a counter" atomic read-write 22
shape "a barrier of 20" atomic barrier 21
shape "Peterson's filter for 5" atomic filter 5

if [ -n "$picture" ]; then
  {
    cat <<'PAPER'
Acquire1 of the paper,30,.03
Acquire1 of the paper,100,3.71
Acquire1 of the paper,150,22.31
Acquire1* of the paper,30,.35
Acquire1* of the paper,50,5.02
Acquire1* of the paper,100,635.56
PAPER
    for n in 3 10 30 100 300 1000; do
      least "causalcheck -q -D N=$n samples/acquire1star.sml"
      echo "Acquire1*,$n,$(echo "$best" | awk '{ print $1 / 1e9 }')"
      least "causalcheck -q -D CLIENTS=$n samples/deposit.sml"
      echo "deposit,$n,$(echo "$best" | awk '{ print $1 / 1e9 }')"
    done
    for n in 3 6 9 12 15; do
      least "causalcheck -q --prove=unfold -D CLIENTS=$n samples/deposit.sml"
      echo "deposit unfolded,$n,$(echo "$best" | awk '{ print $1 / 1e9 }')"
    done
  } | awk -f bench/plot.awk >"$picture" && echo && echo "drawn: $picture"
fi
exit $failed
