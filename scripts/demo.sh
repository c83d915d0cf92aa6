#!/bin/sh
# The first contact: from a program to its bug and a picture of it.
cd "$(dirname "$0")/.." || exit 3
PATH="$PWD/bin:$PATH"
mkdir -p out
echo '$ cat samples/figure5a.sml'
cat samples/figure5a.sml
echo
echo '$ sml2net samples/figure5a.sml | causalcheck --dot=out/figure5a.dot --svg=out/figure5a.svg'
sml2net samples/figure5a.sml | causalcheck --dot=out/figure5a.dot --svg=out/figure5a.svg
status=$?
if [ $status -ne 1 ]; then
  echo "demo: exit code $status, but the block of Figure 5(a) is not atomic" >&2
  exit 4
fi
echo
echo "The picture of what went wrong: out/figure5a.svg (and out/figure5a.dot). Now try samples/figure5b.sml."
