#!/bin/sh
# run.sh FOLDER: the programs of tests/ask, which ask about an SML text, answer as they should. That they are there shows that this needs
# no library for XML, pictures, SAT, debug information or packed data: they are linked without. Ends with "ask: N passed, N failed, N skipped".
root=$(cd "$(dirname "$0")/../.." && pwd)
part=ask
. "$root/tests/count.sh"
ASAN_OPTIONS=exitcode=99:$ASAN_OPTIONS
export ASAN_OPTIONS

# PROGRAM EXIT SML
answers() {
  testing "$1: $3"
  within 60 "$folder/$1" <"$3" >/dev/null
  status=$?
  if [ "$status" = "$2" ]; then pass; else fail "$1: $3: exit $status, expected $2"; fi
}

folder=$1
answers atomic 0 "$root/samples/figure5b.sml"
answers atomic 1 "$root/samples/figure5a.sml"
answers atomic 3 "$root/Makefile"
answers serializable 0 "$root/samples/figure7.sml"
answers serializable 1 "$root/samples/figure1.sml"
answers serializable 3 "$root/Makefile"
count_end
