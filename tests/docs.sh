#!/bin/sh
# docs.sh [PAGE...]: checks that the docs say what the tools do: README.md, docs/ and samples/*/, or these pages. Ends
# with "docs: N passed, N failed, N skipped".
#
# - The commands in a page, lines "    $ COMMAND", print the lines that stand below them. A line of "..." stands for any
#   lines, a line that ends with "..." for any end. The commands of a page are run in turn, in one folder with samples/.
# - docs/tools/TOOL.md has the options of TOOL --help, no more and no less, and makes a manual page without complaints.
# - A link leads to a file; a line has at most 120 columns, but for tables and what tools print.
# - `make site` makes pages whose links lead somewhere.
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=${BIN:-$root/bin}:$PATH
ASAN_OPTIONS=exitcode=99:$ASAN_OPTIONS
LC_ALL=C
export PATH ASAN_OPTIONS LC_ALL
part=docs
. "$root/tests/count.sh"

limited() { within 120 "$@"; }

# PAGE: its commands as $work/N.command, what stands below them as $work/N.want
examples_of() {
  rm -f "$work"/*.command "$work"/*.want
  awk -v work="$work" '
    /^    [$] / { n++; inside = 1; printf "%s\n", substr($0, 7) >(work "/" n ".command"); printf "" >(work "/" n ".want"); next }
    !/^    / { inside = 0 }
    inside { print substr($0, 5) >(work "/" n ".want") }' "$1"
}

# WANT GOT: which of two clients comes first differs from run to run
agree() {
  for file in "$1" "$2"; do sed 's/T[0-9]*:deposit/T:deposit/g' "$file" >"$file.plain"; done
  awk '
    function alike(want, got) {
      if (want !~ /[.][.][.]$/) return want == got
      return index(got, substr(want, 1, length(want) - 3)) == 1
    }
    NR == FNR { want[++n] = $0; next }
    { got[++m] = $0 }
    END {
      for (i = j = 1; i <= n; i++) {
        if (want[i] == "...") { any = 1; continue }
        while (any && j <= m && !alike(want[i], got[j])) j++
        if (j > m || !alike(want[i], got[j++])) exit 1
        any = 0
      }
      exit !any && j <= m
    }' "$1.plain" "$2.plain"
}

can_sanitize() {
  echo 'int main(void) { return 0; }' | gcc -fsanitize=thread -x c - -o "$work/sanitized" 2>"$work/err" &&
    limited "$work/sanitized" 2>"$work/err"
}

reads_c() { grep -q -e c2net -e 'causalcheck .*[.]c' "$1"; }

# PAGE
run_examples() {
  examples_of "$root/$1"
  [ -e "$work/1.command" ] || return
  if grep -q tracerec "$work"/*.command && ! command -v tracerec >/dev/null; then
    skip "$1: tracerec is not there"
    return
  fi
  if grep -q fsanitize=thread "$work"/*.command && ! can_sanitize; then
    skip "$1: gcc -fsanitize=thread makes no program that runs here"
    return
  fi
  rm -rf "$work/in" && mkdir "$work/in" && ln -s "$root/samples" "$work/in/samples"
  n=1
  while [ -e "$work/$n.command" ]; do
    testing "$1: $(cat "$work/$n.command")"
    if reads_c "$work/$n.command" && ! { command -v c2net && command -v clang; } >/dev/null; then
      skip "$1: $(cat "$work/$n.command"): c2net or clang is not there"
      n=$((n + 1))
      continue
    fi
    (cd "$work/in" && limited sh "$work/$n.command" </dev/null >"$work/got" 2>&1)
    if agree "$work/$n.want" "$work/got"; then pass
    else
      fail "$1: $(cat "$work/$n.command"): it prints:"
      cat "$work/got"
    fi
    n=$((n + 1))
  done
}

# the options of the help texts on stdin, with their groups: "Output: -o, --output=FILE"; of tracerec, whose page is by command, without
help_options() {
  sed -n 's/^\([A-Z][a-z ]*:\)$/\1/p; s/^  *\(\(-[a-zA-Z], \)\{0,1\}--[^ ]*\).*/\1/p' | with_groups
}
# shellcheck disable=SC2016 # Markdown's quotation marks
page_options() {
  sed -n 's/^### \([A-Z].*\)/\1:/p; s/^[*] \(`-[^:]*`\): .*/\1/p' "$1" | tr -d '`' | with_groups
}
with_groups() {
  awk -v plain="$tool" '/^[A-Z]/ { group = $0; next } { print (plain == "tracerec" ? "" : group " ") $0 }' | sort -u
}

check_options() {
  testing "$tool: options"
  { "$tool" --help; [ "$tool" != tracerec ] || { tracerec run --help; tracerec salvage --help; tracerec confirm --help; tracerec split --help; tracerec stress --help; }; } >"$work/help"
  help_options <"$work/help" >"$work/is"
  page_options "$root/docs/tools/$tool.md" >"$work/said"
  if [ -s "$work/is" ] && cmp -s "$work/is" "$work/said"; then pass
  else fail "docs/tools/$tool.md: options that differ from those of $tool --help: $(diff "$work/is" "$work/said" | grep '^[<>]' | tr '\n' ' ')"
  fi
}

check_manual() {
  testing "$tool: manual"
  awk -v version=0 -v date=2026-01-01 -f "$root/scripts/man.awk" "$root/docs/tools/$tool.md" >"$work/manual.1" 2>&1 ||
    { fail "docs/tools/$tool.md: no manual: $(cat "$work/manual.1")"; return; }
  if command -v mandoc >/dev/null && ! mandoc -T lint "$work/manual.1" >"$work/err" 2>&1; then
    fail "docs/tools/$tool.md: its manual: $(cat "$work/err")"
    return
  fi
  command -v groff >/dev/null || { skip "docs/tools/$tool.md: its manual: groff is not installed"; return; }
  if groff -man -ww -z -Tascii "$work/manual.1" 2>"$work/err" && ! [ -s "$work/err" ]; then pass
  else fail "docs/tools/$tool.md: its manual: $(cat "$work/err")"
  fi
}

check_tools() {
  for page in "$root"/docs/tools/*.md; do
    tool=${page##*/} tool=${tool%.md}
    command -v "$tool" >/dev/null || { skip "docs/tools/$tool.md: $tool is not there"; continue; }
    check_options
    check_manual
  done
}

# PAGE
check_links() {
  testing "$1: links"
  folder=$(dirname "$root/$1")
  # shellcheck disable=SC2016
  sed 's/`[^`]*`//g' "$root/$1" | grep -o ']([^)#]*' | sed 's/^](//; /^https*:/d' | sort -u >"$work/links"
  while read -r link; do
    if [ -e "$folder/$link" ]; then pass; else fail "$1: a link to $link, which is not there"; fi
  done <"$work/links"
}

# PAGE
check_lines() {
  testing "$1: lines"
  awk 'length > 120 && !/^[|]/ && !/^    /' "$root/$1" >"$work/long"
  if [ -s "$work/long" ]; then fail "$1: lines of more than 120 columns: $(head -n 1 "$work/long")"; else pass; fi
}

check_site() {
  testing "site"
  command -v cmark-gfm >/dev/null || { skip "site: cmark-gfm is not installed"; return; }
  if ! limited "$root/scripts/site.sh" "$work/site" >"$work/got" 2>&1; then
    fail "site: $(cat "$work/got")"
    return
  fi
  find "$work/site" -name '*.html' | while read -r page; do
    grep -o '\(href\|src\)="[^":]*"' "$page" | sed 's/^[a-z]*="//; s/"$//' | sort -u | while read -r link; do
      target=$(dirname "$page")/${link%%#*} name=${link#*#}
      [ "${link%%#*}" ] || target=$page
      [ -e "$target" ] || echo "${page#"$work/site/"}: a link to $link, which is not there"
      [ "$name" = "$link" ] || grep -q "id=\"$name\"" "$target" || echo "${page#"$work/site/"}: a link to $link: no such heading"
    done
  done >"$work/dead"
  if [ -s "$work/dead" ]; then fail "site: $(head -n 3 "$work/dead")"; else pass; fi
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
if [ $# -eq 0 ]; then
  check_tools
  check_site
  # shellcheck disable=SC2046 # one page a word
  set -- $(cd "$root" && echo README.md NEWS.md docs/*.md docs/tools/*.md samples/*/README.md)
fi
for page; do
  check_links "$page"
  check_lines "$page"
  run_examples "$page"
done
count_end
