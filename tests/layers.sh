#!/bin/sh
# layers.sh [ROOT]: checks who includes whom in the source tree ROOT (default: here). Silent and 0 if all is well; else
# one line per fault, and 1.
#
#   - a file includes headers of its own folder and of the folders in its row of the table below, nothing else;
#   - a project header is named from the root ("petri/net.h"); where x.h stands beside x.c, x.c includes it first (or
#     x_inside.h, which includes it);
#   - an outside library is included by one file only, and libxml2 by one in petri/, graphviz by one in base/;
#   - every header compiles alone, with $CC and $LAYERS_CFLAGS.
cd "${1:-.}" || exit 1

# folder: the folders below it. The folders of one layer do not see each other; check/ sees what it needs to judge, no
# more, and so do the oracles of the tests. record/ is linked to recorded programs, and stands alone.
rules='
base:
petri: base
program: base petri
frontend/sml: base petri program
frontend/c: base petri program
colour: base petri
prove: base petri
unfold: base petri
check: base petri
trace: base petri
record:
distil: base record trace
serial: base petri colour unfold check trace
predict: base petri check trace serial
predict/profiles: base petri check trace serial predict
predict/locks: base petri check trace serial predict
predict/pushdown: base petri program check trace serial predict
predict/analysis: base petri check trace serial predict
ask: base petri program frontend/sml colour prove unfold check trace serial predict predict/profiles predict/locks predict/pushdown predict/analysis
report: base petri program frontend/sml colour prove unfold check trace serial predict predict/profiles predict/locks predict/pushdown predict/analysis ask
libcausal: base petri program frontend/sml colour prove unfold check trace serial ask report
web: base petri unfold ask report libcausal
web/include:
tools/tracerec: base record trace distil serial predict ask report
tools: base petri program frontend/c frontend/sml colour prove unfold check trace serial predict predict/profiles predict/locks predict/pushdown predict/analysis ask report tools/tracerec distil record
tests/oracle: base petri trace
'

folders=$(printf '%s\n' "$rules" | sed -n 's/^\([^:]*\):.*/\1/p' | tr '\n' ' ')
files=
for folder in $folders; do
  for file in "$folder"/*.[ch]; do [ -f "$file" ] && files="$files $file"; done
done
[ -n "$files" ] || { echo "layers: no sources here"; exit 1; }

status=0

# a folder with sources but without a rule
for file in */*.[ch] */*/*.[ch]; do
  [ -f "$file" ] || continue
  folder=${file%/*}
  case "$folder" in
  tests | tests/* | samples | samples/* | bench | bench/* | build/*) continue ;;
  esac
  case " $folders " in
  *" $folder "*) ;;
  *) echo "$file: the folder $folder/ has no rule in tests/layers.sh"; status=1 ;;
  esac
done

# shellcheck disable=SC2086 # the names have no spaces
printf '%s\n' "$rules" | awk '
  function fault(text) { printf "%s:%d: %s\n", FILENAME, FNR, text; bad = 1 }
  function once(library, where) {
    if (where != "" && folder != where) fault(library " is for one file in " where "/ alone")
    else if (library in user && user[library] != FILENAME) fault(library " is already included by " user[library])
    else user[library] = FILENAME
  }
  FILENAME == "-" {
    if (split($0, row, ":") == 2) below[row[1]] = row[2] " "
    next
  }
  FNR == 1 {
    folder = FILENAME; sub(/\/[^\/]*$/, "", folder)
    own = FILENAME; has_own = sub(/\.c$/, ".h", own) && (getline line < own) >= 0
    if (has_own) close(own)
    stem = own; sub(/\.h$/, "", stem)
    first = 1
  }
  /^[ \t]*#[ \t]*include[ \t]*"/ {
    name = $0; sub(/^[^"]*"/, "", name); sub(/".*/, "", name)
    if (first && has_own && name != own && index(name, stem "_") != 1) fault("the first include must be \"" own "\"")
    first = 0
    from = name
    if (!sub(/\/[^\/]*$/, "", from)) fault("\"" name "\" must be named from the root, with its folder")
    else if (from ~ /\.\./) fault("\"" name "\" leaves its folder")
    else if (from != folder && index(below[folder], " " from " ") == 0) fault(folder "/ must not include \"" name "\"")
  }
  /^[ \t]*#[ \t]*include[ \t]*</ {
    name = $0; sub(/^[^<]*</, "", name); sub(/>.*/, "", name)
    if (first && has_own) fault("the first include must be \"" own "\"")
    first = 0
    if (name ~ /^libxml\//) once("libxml2", "petri")
    else if (name ~ /^(graphviz\/|gvc|cgraph|cdt)/) once("graphviz", "base")
    else if (name ~ /^zstd/) once("zstd", "trace")
    else if (name ~ /^zlib/) once("zlib", "trace")
    else if (name ~ /^llvm-c\//) { if (FILENAME !~ /^frontend\/c\/(bitcode|bitcode_instruction|bitcode_file|bitcode_locals|bitcode_symbols|prepare|by_value|literals|copied|members|member_pointers|key_destructors|throws|destructors|cxx|cxx_threads|cxx_vectors|ternaries|c11)\.c$/) fault("LLVM is for frontend/c/bitcode*.c, prepare.c, by_value.c, literals.c, copied.c, members.c, member_pointers.c, key_destructors.c, throws.c, destructors.c, cxx.c, cxx_threads.c, cxx_vectors.c, ternaries.c and c11.c alone") }
    else if (name ~ /\// && name !~ /^(sys|linux|arpa|netinet)\//) {
      library = name
      sub(/\/.*/, "", library)
      once(library, "")
    }
  }
  END { exit bad }' - $files || status=1

for file in $files; do
  case $file in
  *.h)
    # shellcheck disable=SC2086 # flags are several words
    message=$(printf '#include "%s"\nextern int nothing;\n' "$file" |
      ${CC:-cc} ${LAYERS_CFLAGS:--std=c17 -D_GNU_SOURCE} -I. -fsyntax-only -x c - 2>&1) || {
      echo "$file: does not compile alone"
      printf '%s\n' "$message" | sed 's/^/  /'
      status=1
    }
    ;;
  esac
done
exit $status
