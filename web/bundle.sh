#!/bin/sh
# bundle.sh CHECKER.js CHECKER.wasm TO: the page in one file, from the sources in this folder, what emscripten made and samples/*.sml.
cd "$(dirname "$0")/.." || exit 1
set -e
glue=$1 wasm=$2 to=$3
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

gzip -9nc "$wasm" | base64 | tr -d '\n' >"$work/PACKED"
cat "$glue" web/ask.js web/worker.js >"$work/WORKER"
samples >"$work/SAMPLES"
cat web/page.js web/self_test.js >"$work/PAGE"
cp web/page.css "$work/STYLE"
if grep -il '</script\|<!--' "$work/WORKER" "$work/SAMPLES" "$work/PAGE"; then
  echo "bundle.sh: these would end their element" >&2
  exit 1
fi
hash_of "$work/PAGE" >"$work/SCRIPT-HASH"
hash_of "$work/STYLE" >"$work/STYLE-HASH"

# @NAME@ becomes the file of that name, without a newline that the hash would not know
awk -v work="$work" '
  function put(name, line, n, file) {
    file = work "/" name
    while ((getline line <file) > 0) printf "%s%s", n++ ? "\n" : "", line
    if (name == "PAGE" || name == "STYLE") printf "\n"
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
