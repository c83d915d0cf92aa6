#!/bin/sh
# Table 1 of "Monitoring Atomicity in Concurrent Programs" (CAV 2008): the programs of samples/c are recorded and monitored; ours
# above the paper's. A row is one recorded run. A time is the least of RUNS (default 3) of tracecheck, with reading; violated runs are
# read to their end. Then the first cycle of each program that is violated. Exits with 1 if a verdict is not the one of the paper.
cd "$(dirname "$0")/.." || exit 3
PATH="$PWD/bin:$PATH"
runs=${RUNS:-3}
memory=${MEMORY:-4G}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
failed=0

# ENGINE: $n, $e, $s, and $threads, $entities, $events of the run; no numbers where the memory does not suffice. What takes two
# seconds is done once
monitor() {
  n=- e=- s="> $memory" i=0
  while [ $i -lt "$runs" ]; do
    tracecheck --engine="$1" --all --max-memory="$memory" --stats -q "$work/run" >"$work/verdict" 2>"$work/stats"
    # shellcheck disable=SC2046 # six words
    set -- "$1" $(sed -n 's/^events //; s/[^0-9. ]//gp' "$work/stats")
    grep -q unknown "$work/verdict" && return
    events=$2 threads=$3 entities=$4 n=$5 e=$6
    case $s in '>'*) s=$7 ;; *) s=$(printf '%s\n%s\n' "$s" "$7" | sort -n | head -n 1) ;; esac
    set -- "$1"
    [ "${s%.*}" -lt 2 ] || return
    i=$((i + 1))
  done
}

# THREADS ENTITIES EVENTS CG-N CG-E CG-S SCG-N SCG-E SCG-S VERDICT; PROGRAM and DATA first
line() { printf '| %-9s | %-11s | %7s | %8s | %9s | %6s | %8s | %7s | %3s | %3s | %6s | %-12s |\n' "$@"; }

# row PROGRAM "ARGUMENTS" VERDICT DATA THREADS ENTITIES EVENTS CG-N CG-E CG-S SCG-N SCG-E SCG-S: from the fourth on of the paper
row() {
  program=$1 arguments=$2 expected=$3
  shift 3
  # shellcheck disable=SC2086 # arguments are several words
  tracerec run -o "$work/run" "$work/$program" $arguments >/dev/null || { failed=1; return; }
  monitor cg
  cg_n=$n cg_e=$e cg_s=$s
  monitor scg
  verdict=$(sed -n 's/^verdict: //p' "$work/verdict")
  [ "$verdict" = "$expected" ] || { verdict="$verdict WRONG"; failed=1; }
  line "$program" "$arguments" "$threads" "$entities" "$events" "$cg_n" "$cg_e" "$cg_s" "$n" "$e" "$s" "$verdict"
  line '' "$@" "$expected"
  [ "$verdict" = serializable ] || [ -e "$work/cycle.$program" ] || tracecheck --color=never "$work/run" >"$work/cycle.$program"
}

for program in sor lufact elevator tsp raytracer; do
  tracerec cc -O1 samples/c/$program.c -o "$work/$program" -pthread -lm || exit 3
done
echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1), $(nproc) cores, $(uname -sr), $(tracecheck --version)"
echo
line program arguments threads entities events 'CG n' e s SCG e s verdict
line '' paper: '' '' '' '' '' '' n '' '' ''
echo '|-----------|-------------|--------:|---------:|----------:|-------:|---------:|--------:|----:|----:|-------:|--------------|'
row sor       '3 102 100'   serializable '100 x 100' 3  400   97M  600 80K  118   3  0  .5
row sor       '10 102 100'  serializable '100 x 100' 10 1800  97M  2K  300K 8872  6  0  3.5
row sor       '50 102 100'  serializable '100 x 100' 50 10000 101M -   -    '> 8h' 17 0 30.4
row sor       '50 102 1600' serializable 'as above'  50 10000 101M -   -    '> 8h' 17 0 30.4
row lufact    '3 100'       serializable '100 x 100' 3  10K   17M  894 168K 1824  3  2  37
row lufact    '10 100'      serializable '100 x 100' 10 10K   18M  3K  617K 3940  10 9  55
row lufact    '50 100'      serializable '100 x 100' 50 10K   22M  15K 3M   11640 50 49 84
row elevator  '1 8 220'     violated     data        2  32    7K   137 6K   .06   3  2  0
row elevator  '3 8 3500'    violated     data2       4  32    220K 416 26K  .97   5  2  .01
row elevator  '3 50 10500'  violated     data3       4  200   571K 258 10K  6.3   5  3  .1
row tsp       '3 4'         serializable map4        3  15    80   6   5    0     1  0  0
row tsp       '5 12'        violated     map14       5  40    1.4M 18  109  2.2   4  3  1.0
row raytracer '10 150'      violated     '150 x 150' 10 1     66   10  90   .02   10 9  .02
row raytracer '10 200'      violated     '200 x 200' 10 1     66   10  79   .02   10 9  .02
for program in elevator tsp raytracer; do
  echo
  cat "$work/cycle.$program"
done
exit $failed
