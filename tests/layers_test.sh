#!/bin/sh
# layers_test.sh: the project keeps its layers, and layers.sh sees every kind of fault. Ends with
# "layers: N passed, N failed, N skipped".
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
part=layers
. "$here/count.sh"

report() { # good|bad NAME
  if [ "$1" = good ]; then pass; else fail "$2"; fi
}

# a small tree without faults
fresh() {
  rm -rf "$tree"
  mkdir -p "$tree/base" "$tree/petri" "$tree/check" "$tree/report" "$tree/unfold" "$tree/tools" "$tree/tests/oracle"
  printf '#include <stddef.h>\ntypedef size_t Size;\n' >"$tree/base/a.h"
  printf '#include "base/a.h"\n\n#include <sys/stat.h>\n' >"$tree/base/a.c"
  printf '#include "base/a.h"\ntypedef Size Net;\n' >"$tree/petri/net.h"
  printf '#include "petri/net.h"\n#include "base/a.h"\n#include <libxml/xmlreader.h>\n' >"$tree/petri/net.c"
  printf '#include "petri/net.h"\n' >"$tree/check/judge.h"
  printf '#include "check/judge.h"\n' >"$tree/report/text.c"
  printf '#include "petri/net.h"\n' >"$tree/unfold/unfold.h"
  printf '#include "report/../base/a.h"\n' >"$tree/unused.txt"
  printf '#include "unfold/unfold.h"\n#include "check/judge.h"\n' >"$tree/tools/tool.c"
  printf '#include "petri/net.h"\n' >"$tree/tests/oracle/oracle.c"
}

# fault NAME FILE TEXT MESSAGE: with TEXT appended to FILE, layers.sh must fail, saying MESSAGE about FILE
fault() {
  testing "$1"
  fresh
  mkdir -p "$tree/${2%/*}"
  # shellcheck disable=SC2059 # the text is a format, for its newlines
  printf "$3\n" >>"$tree/$2"
  if output=$("$here/layers.sh" "$tree"); then
    report bad "$1: not seen"
  elif printf '%s\n' "$output" | grep -F "$2" | grep -qF "$4"; then
    report good
  else
    report bad "$1: '$4' expected, but it says: $output"
  fi
}

if output=$("$here/layers.sh" "$here/.."); then report good; else report bad "the project's layers: $output"; fi
fresh
if output=$("$here/layers.sh" "$tree"); then report good; else report bad "a tree without faults: $output"; fi
fault "upwards" base/a.c '#include "petri/net.h"' 'base/ must not include'
fault "upwards with blanks" base/a.c ' #  include  "petri/net.h"' 'base/ must not include'
fault "same layer" unfold/unfold.h '#include "check/judge.h"' 'unfold/ must not include'
fault "the judge and what it judges" check/judge.h '#include "unfold/unfold.h"' 'check/ must not include'
fault "an oracle and what it judges" tests/oracle/oracle.c '#include "unfold/unfold.h"' 'tests/oracle/ must not include'
fault "report and tools" report/text.c '#include "tools/tool.h"' 'report/ must not include'
fault "without its folder" petri/net.c '#include "net.h"' 'from the root'
fault "through the back door" petri/net.c '#include "../tools/tool.h"' 'leaves its folder'
fault "own header second" unfold/unfold.c '#include "base/a.h"\n#include "unfold/unfold.h"' 'first include must be'
fault "system header first" unfold/unfold.c '#include <stdio.h>\n#include "unfold/unfold.h"' 'first include must be'
fault "libxml2 in two files" petri/other.c '#include <libxml/tree.h>' 'libxml2 is already included by'
fault "libxml2 elsewhere" check/judge.h '#include <libxml/tree.h>' 'libxml2 is for one file in petri/'
fault "graphviz elsewhere" report/text.c '#include <graphviz/gvc.h>' 'graphviz is for one file in base/'
fault "graphviz elsewhere, short" report/text.c '#include <gvc.h>' 'graphviz is for one file in base/'
fault "zlib elsewhere" base/a.c '#include <zlib.h>' 'zlib is for one file in trace/'
fault "zstd elsewhere" report/text.c '#include <zstd.h>' 'zstd is for one file in trace/'
fault "a header that does not compile" check/judge.h 'Unknown x;' 'does not compile alone'
fault "a header that needs another" petri/needs.h 'typedef Size Other;' 'does not compile alone'
fault "a folder without a rule" mystery/x.c 'int x;' 'has no rule'
count_end
