#!/bin/sh
# corpus.sh: a small corpus is made (bench/corpus), and the tools are run over it; and who says something wrong is found
# out. Needs $BIN, and beside it what make.sh needs. Ends with "corpus: N passed, N failed, N skipped".
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck disable=SC2034 # count.sh reads it
part=corpus
# shellcheck source=tests/count.sh
. "$root/tests/count.sh"
BIN=$(cd "${BIN:-$root/build/release/bin}" && pwd)
export BIN
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
ASAN_OPTIONS=detect_leaks=0:$ASAN_OPTIONS
export ASAN_OPTIONS

# WHAT CODE TEXT COMMAND...: its exit code, and a line that it prints
ends() {
  what=$1 code=$2 text=$3
  shift 3
  testing "$what"
  within 600 "$@" >"$work/out" 2>&1
  got=$?
  if [ $got = "$code" ] && grep -q "$text" "$work/out"; then pass
  else fail "$what: exit code $got, not $code, or no line '$text': $(head -n 3 "$work/out" | tr '\n' ' ')"
  fi
}

ends "it is made" 0 ' entries: ' "$root/bench/corpus/make.sh" "$work/corpus" 3 small
ends "the tools are right" 0 '^| run  | causal  .*|     0 |     0 |' "$root/bench/corpus/run.sh" "$work/corpus"
if grep -q 'WRONG\|unknown:' "$work/out"; then fail "the tools are right: $(grep -m 1 'WRONG\|unknown:' "$work/out")"; else pass; fi

testing "the manifest"
if ! command -v jq >/dev/null; then skip "the manifest: jq is not installed"
elif jq -r '.entries[].file' "$work/corpus/manifest.json" >"$work/files" 2>"$work/out" && [ -s "$work/files" ] &&
  (cd "$work/corpus" && tr '\n' '\0' <"$work/files" | xargs -0 ls >/dev/null 2>"$work/out"); then pass
else fail "the manifest: $(head -n 1 "$work/out")"
fi

ends "a tool that is wrong" 1 '^WRONG: runs/.*:causal' "$root/bench/corpus/run.sh" -c run:causal=true "$work/corpus"
ends "a tool that crashes" 0 '^unknown: runs/' "$root/bench/corpus/run.sh" -c 'run:causal=exit 139;' "$work/corpus"
ends "a tool that hangs" 0 '^unknown: nets/' "$root/bench/corpus/run.sh" -t 1 -c 'net:atomic=sleep 20;' "$work/corpus"

# an engine that errs: there is no manifest
mkdir -p "$work/liar/bin"
ln -s "$BIN"/* "$work/liar/bin" && ln -s "${BIN%/bin}/differential" "${BIN%/bin}/gen-trace" "${BIN%/bin}/bench-shapes" \
  "${BIN%/bin}/net-of" "$work/liar"
rm "$work/liar/bin/tracecheck"
printf '#!/bin/sh\ncase "$*" in *engine=vc*) echo verdict: violated ;; *) exec %s "$@" ;; esac\n' "$BIN/tracecheck" \
  >"$work/liar/bin/tracecheck"
chmod +x "$work/liar/bin/tracecheck"
ends "an engine that errs" 1 "says 'violated', not 'serializable'" env BIN="$work/liar/bin" \
  "$root/bench/corpus/make.sh" "$work/none" 2 small
if [ -e "$work/none/manifest.json" ]; then fail "an engine that errs: there is a manifest"; else pass; fi
count_end
