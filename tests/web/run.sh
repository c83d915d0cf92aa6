#!/bin/sh
# run.sh WEB BUILD: the playground that `make web` has put into the folder WEB: its answers are those of the build's causalcheck, on all
# samples and on 600 random programs; limits; the page. Ends with "web: N passed, N failed, N skipped".
cd "$(dirname "$0")/../.." || exit 1
part=web
. tests/count.sh
web=$1 build=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
if [ ! -e "$web/playground.html" ]; then
  skip "all: emscripten is missing"
  count_end
  exit
fi

# MODE FILE...
check() {
  mode=$1
  testing "$mode"
  within 900 node tests/web/check.js "$web" "$build/bin/causalcheck" "$@" >"$work/log" 2>&1
  sed -n 's/^FAILED: //p' "$work/log" >"$work/failed"
  while IFS= read -r line; do fail "$line"; done <"$work/failed"
  good=$(sed -n '$s/^passed //p' "$work/log")
  if [ -n "$good" ]; then passed=$((passed + good)); else tail -n 5 "$work/log" | cut -c1-300 && fail "$mode: it does not come to an end"; fi
  grep '^Acquire1' "$work/log"
}
if command -v node >/dev/null; then
  check same samples/*.sml
  for seed in $(seq 600); do
    "$build/differential" --show="$seed" >"$work/random$seed.sml"
    [ -s "$work/random$seed.sml" ] || fail "random program $seed: there is none"
  done
  check same "$work"/random*.sml
  check limits samples/acquire1.sml
  check speed samples/acquire1.sml
else
  skip "the answers: node is missing"
fi

testing "the page"
size=$(wc -c <"$web/playground.html")
if [ "$size" -le 200000 ]; then pass; else fail "the page: it has $size bytes, more than 200,000"; fi
if grep -av '@[A-Z-]*HASH@' "$web/playground.html" | grep -aq "Content-Security-Policy.*default-src 'none'"; then pass; else fail "the page: its policy"; fi
for browser in chromium chromium-browser google-chrome none; do command -v $browser >/dev/null && break; done
if [ "$browser" = none ] || ! command -v node >/dev/null; then
  skip "the page: chromium or node is missing"
else
  case $web in /*) at=$web ;; *) at=$PWD/$web ;; esac
  within 60 node tests/web/browser.js "$browser" "$work/profile" "file://$at/playground.html#self-test=" >"$work/said" 2>&1
  said=$(cut -d'|' -f1 "$work/said")
  if [ "$said" = passed ]; then pass; else fail "the page: its test of itself: ${said:-it does not come to an end}"; fi
  echo "the page: a new verdict after $(cut -d'|' -f2 "$work/said") ms"
fi
count_end
