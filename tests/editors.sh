#!/bin/sh
# editors.sh: checks editors/ and contrib/. Ends with "editors: N passed, N failed, N skipped".
#
# - The words of SML that the frontend knows are those that the editors colour.
# - Vim, without a screen, colours a model and finds what :make says.
# - The extension for Visual Studio Code marks in a stand-in for the editor what causalcheck says; it can be packed.
# - contrib/check.sh ends with the worst verdict.
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=${BIN:-$root/bin}:$PATH
ASAN_OPTIONS=exitcode=99:$ASAN_OPTIONS
LC_ALL=C
export PATH ASAN_OPTIONS LC_ALL
part=editors
. "$root/tests/count.sh"

limited() { within 120 "$@"; }
vim=$root/editors/vim code=$root/editors/vscode

# what is between quotation marks in the table of keywords, and the words of the rows
words() {
  sed -n 's/^ *ROW([^"]*"\([a-z]*\)".*/\1/p' "$root/frontend/sml/statement_rows.h"
  sed -n '/KEYWORDS\[\]/,/};/p' "$root/frontend/sml/lex.c" | grep -o '"[a-z]*"' | tr -d '"'
}

check_words() {
  words | sort -u >"$work/words"
  for file in "$vim/syntax/smlt.vim" "$code/syntaxes/smlt.tmLanguage.json"; do
    testing "${file##*/}: words"
    while read -r word; do
      grep -q "[ (|]$word\([ |)]\|\$\)" "$file" || echo "$word"
    done <"$work/words" >"$work/missing"
    if [ -s "$work/words" ] && ! [ -s "$work/missing" ]; then pass
    else fail "${file#"$root/"}: it does not know: $(tr '\n' ' ' <"$work/missing")"
    fi
  done
}

check_vim() {
  testing "vim"
  command -v vim >/dev/null || { skip "vim: it is not installed"; return; }
  cp "$root/samples/figure5a.sml" "$work/model.smlt"
  (cd "$work" && HOME=$work limited vim -es -N -u NONE -i NONE --cmd "set runtimepath^=$vim" \
    --cmd 'filetype plugin on | syntax on' model.smlt -c 'silent make!' \
    -c 'call writefile(map(getqflist(), {_, q -> q.lnum . ":" . q.col . " " . q.type . " " . q.text}), "found")' \
    -c 'call writefile([&filetype, synIDattr(synID(9, 1, 0), "name"), synIDattr(synID(1, 4, 0), "name")], "found", "a")' \
    -c 'qa!' >out 2>&1 </dev/null)
  cat >"$work/want" <<END
8:1 e block of thread T1 is not causally atomic
10:1 n T1 writes Y here
15:1 n T2 reads Y in between
11:1 n T1 writes Y again
smlt
smltStatement
smltComment
END
  if cmp -s "$work/want" "$work/found"; then pass
  elif grep -qi 'not available\|E319' "$work/out"; then skip "vim: it is one without scripts"
  else fail "vim: it finds: $(cat "$work/found" 2>&1)"
  fi
}

check_code() {
  testing "vscode"
  command -v node >/dev/null || { skip "vscode: node is not installed"; return; }
  printf '// run: -D N=2\nint \303\204; lock l;\nN * { begin:a \303\204 := 1; \303\204 := 2 end }\n' >"$work/model.smlt"
  cat >"$work/want" <<END
model.smlt:2:13-14 warning lock 'l' is never used
model.smlt:3:7-35 error block 'a' of threads T1, T2 is not causally atomic
  3:15-35 T1 writes \303\204 here
  3:15-35 T2 writes \303\204 in between
  3:23-35 T1 writes \303\204 again
Run of model.smlt: a page
END
  sed 's/\\303\\204/'"$(printf '\303\204')/" "$work/want" >"$work/wanted"
  limited node "$root/tests/editors/vscode.js" "$code/extension.js" "$(command -v causalcheck)" "$work/model.smlt" >"$work/found" 2>&1
  if cmp -s "$work/wanted" "$work/found"; then pass; else fail "vscode: it marks: $(cat "$work/found")"; fi
  limited node "$root/tests/editors/vscode.js" "$code/extension.js" "$work/none" "$work/model.smlt" >"$work/found" 2>&1
  if grep -q 'ENOENT' "$work/found"; then pass; else fail "vscode: without causalcheck: $(cat "$work/found")"; fi
  for file in "$code/package.json" "$code/language-configuration.json" "$code/syntaxes/smlt.tmLanguage.json"; do
    if node -e 'JSON.parse(require("fs").readFileSync(process.argv[1]))' "$file" 2>"$work/err"; then pass
    else fail "${file#"$root/"}: $(cat "$work/err")"
    fi
  done
}

check_package() {
  testing "vscode: package"
  command -v zip >/dev/null && command -v unzip >/dev/null || { skip "vscode: zip or unzip is not installed"; return; }
  limited "$root/scripts/vsix.sh" "$work/causal.vsix" >"$work/out" 2>&1 && unzip -o -q "$work/causal.vsix" -d "$work/packed"
  if cmp -s "$code/extension.js" "$work/packed/extension/extension.js" &&
    grep -q 'Id="causal" Version="[0-9.]*" Publisher="causal"' "$work/packed/extension.vsixmanifest"; then pass
  else fail "vscode: package: $(cat "$work/out")"
  fi
}

# CODE PATTERNS [VARIABLE=VALUE...]
ends() {
  code=$1 FILES=$2
  shift 2
  (cd "$root" && export FILES SARIF="$work/sarif" && limited env "$@" contrib/check.sh >"$work/out" 2>&1)
  got=$?
  if [ $got = "$code" ]; then pass; else fail "contrib/check.sh: $FILES: exit code $got instead of $code: $(cat "$work/out")"; fi
}

check_contrib() {
  testing "contrib/check.sh"
  few='ARGUMENTS=--max-events=1 --prove=unfold'
  ends 0 samples/figure5b.sml
  ends 1 'samples/figure5?.sml'
  ends 2 samples/figure5b.sml "$few"
  ends 0 samples/figure5b.sml "$few" UNKNOWN=pass
  ends 3 'samples/figure5a.sml samples/none*.sml'
  if grep -q '"columnKind"' "$work/sarif/samples_figure5a.sml.sarif"; then pass; else fail "contrib/check.sh: no SARIF"; fi
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
check_words
check_vim
check_code
check_package
check_contrib
count_end
