#!/bin/sh
# bundle.sh CHECKER.js CHECKER.wasm VIEWER.c TO: the page in one file, from the sources in this folder, what emscripten made, and
# samples/*.sml. The viewer is in the checker; of VIEWER.c (scripts/page.awk) only the hashes of its script and style are needed.
cd "$(dirname "$0")/.." || exit 1
set -e
glue=$1 wasm=$2 viewer=$3 to=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# FILE: its hash as a Content-Security-Policy has it. Three hexadecimal digits are two of base64.
hash_of() {
  sha256sum "$1" | awk '{
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    hex = substr($1, 1, 64) "00"
    for (i = 1; i <= 66; i += 3) {
      n = 0
      for (j = i; j < i + 3; j++) n = 16 * n + index("0123456789abcdef", substr(hex, j, 1)) - 1
      text = text substr(digits, int(n / 64) + 1, 1) substr(digits, n % 64 + 1, 1)
    }
    printf "\047sha256-%s=\047", substr(text, 1, 43)
  }'
}

# the samples as JSON: name, text, and the options of each of their "// run:" lines
samples() {
  awk 'function string(text) {
         gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); gsub(/\t/, "\\t", text); gsub(/</, "\\u003c", text)
         return "\"" text "\""
       }
       function finish() { if (name) printf "%s{\"name\":%s,\"options\":[%s],\"text\":\"%s\"}", between, string(name), options, text; between = "," }
       BEGIN { printf "[" }
       FNR == 1 { if (NR > 1) finish(); name = FILENAME; sub(/.*\//, "", name); options = text = "" }
       /^\/\/ run:/ { given = $0; sub(/^\/\/ run: */, "", given); options = options (options ? "," : "") string(given) }
       { line = string($0); text = text substr(line, 2, length(line) - 2) "\\n" }
       END { finish(); printf "]\n" }' samples/*.sml
}

# FILE: its bytes as text, as bytesOfText in load.js reads it
to_text() {
  od -An -v -tu1 "$1" | LC_ALL=C awk '
    function put(seven) {
      if (absent) {
        two = 128 * (absent - 1) + seven + 128
        printf "%c%c", 192 + int(two / 64), 128 + two % 64
        absent = 0
      } else if (seven in is_absent) absent = is_absent[seven]
      else printf "%c", seven
    }
    BEGIN { is_absent[0] = 1; is_absent[13] = 2; is_absent[60] = 3 }
    {
      for (i = 1; i <= NF; i++) {
        held = held * 256 + $i
        for (bits += 8; bits >= 7; ) {
          bits -= 7
          put(int(held / 2 ^ bits))
          held %= 2 ^ bits
        }
      }
    }
    END { put(held * 2 ^ (7 - bits)); put(65); put(65) }'
}

# TAG: the lines of that element of the viewer, with the newline before them
element_of() {
  sed -n 's/^  "\(.*\)",*$/\1/p' "$viewer" | sed 's/\\\(.\)/\1/g' | sed -n "/^<$1>\$/,/^<\/$1>\$/p" | sed '1s/.*//; $d'
}

cat "$glue" web/ask.js web/worker.js >"$work/worker"
cat web/page.js web/self_test.js >"$work/page"
samples >"$work/samples"
cp "$wasm" "$work/wasm"
{
  for part in samples page worker wasm; do printf ',"%s":%d' $part "$(wc -c <"$work/$part")"; done | sed 's/,/{/; s/$/}\n/'
  for part in samples page worker wasm; do cat "$work/$part"; done
} >"$work/all"
xz --format=lzma --lzma1=preset=9e,lc=4,pb=0 <"$work/all" >"$work/packed"
to_text "$work/packed" >"$work/PACKED"
sed 's,^ *//.*,,; s/^ *//; /^$/d' web/load.js >"$work/LOAD"
cp web/page.css "$work/STYLE"
element_of script >"$work/viewer"
element_of style >"$work/viewer-style"
for part in LOAD STYLE; do hash_of "$work/$part" >"$work/$part-HASH"; done
hash_of "$work/viewer" >"$work/VIEWER-HASH"
hash_of "$work/viewer-style" >"$work/VIEWER-STYLE-HASH"

# @NAME@ becomes the file of that name, without a newline that the hash would not know
awk -v work="$work" '
  function put(name, line, n, file) {
    file = work "/" name
    while ((getline line <file) > 0) printf "%s%s", n++ ? "\n" : "", line
    if (name == "LOAD" || name == "STYLE") printf "\n"
    close(file)
  }
  {
    rest = $0
    while (match(rest, /@[A-Z-]+@/)) {
      printf "%s", substr(rest, 1, RSTART - 1)
      put(substr(rest, RSTART + 1, RLENGTH - 2))
      rest = substr(rest, RSTART + RLENGTH)
    }
    print rest
  }' web/page.html >"$to.new"
mv "$to.new" "$to"
