#!/bin/sh
# startup.sh STARTUP PLAIN: what short runs cost, beside an empty C program and a plain unfolder on the same machine.
# RUNS (default 1000) of each.
cd "$(dirname "$0")/.." || exit 3
startup=$(realpath "$1") plain=$(realpath "$2") bin=$PWD/bin samples=$PWD/samples
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 3

echo 'int main(void) { return 0; }' >empty.c
${CC:-cc} -O2 empty.c -o empty || exit 3

# ten events
cat >ten.std <<'RUN'
T1|w(x)|a.c:1
T1|fork(T2)|a.c:2
T2|begin(f)|a.c:3
T2|r(x)|a.c:4
T1|w(y)|a.c:5
T2|w(z)|a.c:6
T2|end(f)|a.c:7
T1|r(z)|a.c:8
T1|join(T2)|a.c:9
T1|r(x)|a.c:10
RUN

# a net of twenty events: two processes of ten steps each
awk 'BEGIN {
  print "PEP\nPTNet\nFORMAT_N2\nPL"
  for (i = 1; i <= 22; i++) printf "%d\"p%d\"0@0%s\n", i, i, i == 1 || i == 12 ? "M1" : ""
  print "TR"
  for (i = 1; i <= 20; i++) printf "%d\"t%d\"0@0\n", i, i
  print "TP"
  for (i = 1; i <= 20; i++) printf "%d<%d\n", i, i + 1 + (i > 10)
  print "PT"
  for (i = 1; i <= 20; i++) printf "%d>%d\n", i + (i > 10), i
}' >net.ll_net
"$bin/netunfold" net.ll_net | grep -q ': 20 events' || { echo "startup.sh: the net has not 20 events" >&2; exit 1; }

# NAME COMMAND...
row() {
  name=$1
  shift
  echo "| $name | $("$startup" "${RUNS:-1000}" "$@") |"
}

echo "| | least, ms | median, ms | page faults |"
echo "|---|---:|---:|---:|"
row "an empty C program" ./empty
row "\`tracecheck -q\`, 10 events" "$bin/tracecheck" -q ten.std
row "a plain unfolder (\`bench/plain.c\`), 20 events" "$plain" net.ll_net
row "\`netunfold -q\`, 20 events" "$bin/netunfold" -q net.ll_net
row "\`causalcheck -q\`, deposit.sml" "$bin/causalcheck" -q "$samples/deposit.sml"
row "\`netunfold -q\`, PNML" "$bin/netunfold" -q "$samples/nets/account.pnml"
