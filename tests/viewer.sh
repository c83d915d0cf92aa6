#!/bin/sh
# viewer.sh: opens pages of --html in a headless chromium, where tests/viewer.js steps through them, and reads what it
# found in the page that is left. Ends with "viewer: N passed, N failed, N skipped".
cd "$(dirname "$0")/.." || exit 1
PATH=${BIN:-$PWD/bin}:$PATH
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
part=viewer
. tests/count.sh

browser=$(command -v chromium || command -v chromium-browser)

# NAME TOOL ARGUMENTS...: the page of a result, with the test behind its script
open_page() {
  name=$1
  shift
  testing "$name"
  [ -n "$browser" ] || { skip "$name: no chromium here"; return; }
  "$@" --format=html >"$work/page.html" 2>/dev/null
  { sed '/^<\/body>/,$d' "$work/page.html"; echo '<script>'; cat tests/viewer.js; echo '</script></body></html>'; } >"$work/test.html"
  within 30 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --window-size=1280,900 \
    --dump-dom "file://$work/test.html" >"$work/dom" 2>/dev/null
  said=$(sed -n 's,.*<pre id="said">\([^<]*\)</pre>.*,\1,p' "$work/dom")
  if [ "$said" = good ]; then pass; else fail "$name: ${said:-the page did not say anything}"; fi
}

printf 'int x;\nbegin:b\nx := 1; x := 2\nend\n||\nx := 3 // </script><b id="bad">\n' >"$work/<b>.sml"
printf 'begin\n' >"$work/bad.sml"
open_page run causalcheck samples/figure5a.sml
open_page values causalcheck samples/bluetooth.sml
open_page hostile causalcheck "$work/<b>.sml"
open_page atomic causalcheck samples/figure5b.sml
open_page error causalcheck "$work/bad.sml"
open_page trace tracecheck samples/kv.std
open_page predicted tracepredict samples/kv.std
count_end
