#!/bin/sh
# make.sh FOLDER [SIZES [SMALL]]: makes the corpus of docs/corpus.md in FOLDER: programs, nets and runs with their right
# verdicts, and manifest.json. Runs have up to 10^SIZES events (default 6, at most 8). With SMALL only a few of each.
# Each verdict is known from how its input was made, or stands in it; and is compared with every engine that can answer
# in $SECONDS_EACH seconds (default 1). Ends with 1, with no manifest, if one says something else, or none anything. Needs $BIN, and beside
# it differential, gen-trace, bench-shapes and net-of.
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/bench/corpus
folder=${1:?a folder} sizes=${2:-6} small=$3
BIN=$(cd "${BIN:-$root/build/release/bin}" && pwd)
PATH=$BIN:$PATH
LC_ALL=C
export PATH LC_ALL
beside=${BIN%/bin} limit=${SECONDS_EACH:-1}
case $sizes in [2-8]) ;; *) echo "make.sh: SIZES is 2 to 8: '$sizes'" >&2; exit 3 ;; esac
[ "$sizes" -le 6 ] || command -v zstd >/dev/null || { echo "make.sh: SIZES=$sizes needs zstd" >&2; exit 3; }
mkdir -p "$folder" || exit 3
folder=$(cd "$folder" && pwd)
rm -rf "$folder/sml" "$folder/c" "$folder/nets" "$folder/runs" "$folder/manifest.json"
mkdir "$folder/sml" "$folder/c" "$folder/nets" "$folder/runs" || exit 3
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
: >"$work/entries"
wrong=0

fail() {
  echo "make.sh: $*" >&2
  wrong=1
}

# --- the manifest ---

text_json() { awk '
  { gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); gsub(/\t/, "\\t"); all = all (NR > 1 ? " " : "") $0 }
  END { gsub(/  +/, " ", all); printf "\"%s\"", all }'; }

# a list of the lines
lines_json() { awk 'NF { printf "%s\"%s\"", (n++ ? ", " : "["), $0 } END { printf "%s", (n ? "]" : "[]") }'; }

# of the entry: id kind file question verdict events source why; options, blocks and known are JSON
options='[]' blocks='[]'
put_entry() {
  [ -s "$work/checked" ] || fail "$id: no engine can tell"
  [ -n "$events" ] || fail "$id: its size is not known"
  {
    printf '{"id": "%s", "kind": "%s", "file": "%s", "question": "%s", ' "$id" "$kind" "$file" "$question"
    printf '"verdict": "%s", "options": %s, "events": %s, ' "$verdict" "$options" "$events"
    printf '"bytes": %s, ' "$(wc -c <"$folder/$file" | tr -d ' ')"
    printf '"blocks": %s, "checked": %s, ' "$blocks" "$(sort -u "$work/checked" | lines_json)"
    printf '"source": %s, "why": %s}\n' "$(printf '%s' "$source" | text_json)" "$(printf '%s' "$why" | text_json)"
  } >>"$work/entries"
}

write_manifest() {
  {
    printf '{"schema": "causal-corpus/1",\n"entries": [\n'
    sed '$!s/$/,/' "$work/entries"
    printf ']}\n'
  } >"$folder/manifest.json"
}

# --- the engines ---

# ENGINE COMMAND...: what it says, on its last line "verdict: ...", is the verdict, or it does not know
says() {
  engine=$1
  shift
  answer=$("$@" 2>"$work/err" </dev/null | sed -n 's/^verdict: //p')
  case $answer in
  "$verdict") echo "$engine" >>"$work/checked" ;;
  unknown) ;;
  *) fail "$id: $engine says '$answer', not '$verdict': $(head -n 1 "$work/err")" ;;
  esac
}

# FILE OPTION...: the engines of causalcheck
causalcheck_says() {
  input=$1
  shift
  says causalcheck causalcheck -q --timeout=120 "$@" "$input"
  says unfolding causalcheck -q --timeout="$limit" --prove=unfold "$@" "$input"
  says full-colouring causalcheck -q --timeout="$limit" --prove=unfold --colouring=full "$@" "$input"
  says mcmillan-order causalcheck -q --timeout="$limit" --prove=unfold --order=mcmillan "$@" "$input"
  says unreduced causalcheck -q --timeout="$limit" --prove=unfold --no-reduce "$@" "$input"
}

# NET OPTION...: a certificate of the verdict holds for the net
certificate_holds() {
  net=$1
  shift
  causalcheck -q --timeout=120 --certificate="$work/proof" "$@" "$net" >"$work/out" 2>"$work/err"
  case $? in 0 | 1) ;; *) return ;; esac
  if certcheck -q "$@" "$net" "$work/proof" 2>"$work/err"; then echo certificate >>"$work/checked"
  else fail "$id: the certificate does not hold: $(head -n 1 "$work/err")"
  fi
}

# FILE: all engines of the tests say the same, explicit search among them; those count that have decided all blocks
engines_agree() {
  LIMIT=20 "$beside/differential" -v "$1" >"$work/engines" 2>&1 ||
    { grep -q 'longer than' "$work/engines" || fail "$id: $(grep -m 1 FAILED "$work/engines")"; return; }
  all=violated
  if grep -q 'granularity=statement: .* 0 violated, 0 unknown' "$work/engines"; then all=atomic; fi
  [ "$all" = "$verdict" ] || fail "$id: the engines of the tests say '$all', not '$verdict'"
  # some are for nets alone
  sed -n 's/.* s, *0 blocks unknown: //p' "$work/engines" |
    grep -vx -e definition-short -e full-unreduced-mcmillan -e chain-mcmillan -e chain-unreduced-mcmillan >>"$work/checked"
}

# --- programs ---

expected_of() { sed -n "s,^// *$1: *,,p" "$2"; }

# FILE: the comment in front, without what is said to the tests
comment_of() {
  sed -n '/^\/\//!q; s|^// \{0,1\}||p' "$1" | sed '/^\(run\|expect\|expect-block\|ask\): /d' | sed '/^$/d'
}

blocks_json() {
  expected_of expect-block "$1" | sed 's/ *$//; s/\(.*\): \(.*\)/{"name": "\1", "verdict": "\2"}/' |
    awk '{ printf "%s%s", (NR > 1 ? ", " : "["), $0 } END { printf "%s", (NR ? "]" : "[]") }'
}

# OPTION...: of each block that the text says something of
blocks_are_right() {
  whole=$verdict
  expected_of expect-block "$folder/$file" >"$work/blocks"
  while IFS=': ' read -r block verdict <&4; do
    says "block $block" causalcheck -q --timeout="$limit" -W no-all -b "$block" "$@" "$folder/$file"
  done 4<"$work/blocks"
  verdict=$whole
  sed '/^block /d' "$work/checked" >"$work/new" && mv "$work/new" "$work/checked"
}

# OPTION...: the rest is known of an SML program
put_program() {
  : >"$work/checked"
  sml2net -W no-all --stats -o "$work/net.pnml" "$@" "$folder/$file" 2>"$work/size" || fail "$id: $(cat "$work/size")"
  events=$(sed -n 's/.*transitions \([0-9]*\).*/\1/p' "$work/size")
  causalcheck_says "$folder/$file" -W no-all "$@"
  says paper-encoding causalcheck -q --timeout="$limit" --prove=unfold --encoding=paper -W no-all "$@" "$folder/$file"
  certificate_holds "$work/net.pnml"
  blocks_are_right "$@"
  # counts that -D gives stand in the text for the tests' engines
  if [ "$events" -le 300 ]; then
    cp "$folder/$file" "$work/plain.sml"
    for define; do
      case $define in *=*) sed "s/\\b${define%%=*}\\b/${define#*=}/g" "$work/plain.sml" >"$work/new" ;; *) continue ;; esac
      mv "$work/new" "$work/plain.sml"
    done
    engines_agree "$work/plain.sml"
  fi
  options=$(printf '%s\n' "$@" | lines_json)
  put_entry
}

add_sample() { # FILE
  name=$(basename "$1" .sml)
  kind=sml file=sml/$name.sml question=atomic source=samples/$name.sml
  why=$(comment_of "$1") verdict=$(expected_of expect "$1") blocks=$(blocks_json "$1")
  cp "$1" "$folder/$file"
  expected_of run "$1" | sed 's/-W [a-z-]*//g' | sort -u >"$work/runs"
  [ -s "$work/runs" ] || echo >"$work/runs"
  while read -r arguments <&3; do
    id=$(echo "sml/$name $arguments" | sed 's/ -D / /g; s/ *$//; s/ /,/g')
    # shellcheck disable=SC2086 # several words
    put_program $arguments
  done 3<"$work/runs"
}

# VERDICT SHAPE THREADS WHY
add_shape() {
  id=sml/$2-$3 kind=sml file=sml/$2-$3.sml question=atomic verdict=$1 why=$4 blocks='[]' source="bench/shapes.c: $2 $3"
  "$beside/bench-shapes" "$2" "$3" >"$folder/$file"
  put_program
}

# SEED: nothing is known of it but what all engines say, so that of the explicit search is the verdict
add_random() {
  id=sml/random-$1 kind=sml file=sml/random-$1.sml question=atomic blocks='[]'
  source="tests/differential.c: --show=$1" why="Random; explicit search, by the definition."
  "$beside/differential" --show="$1" >"$folder/$file"
  verdict=$(causalcheck -q -W no-all --prove=unfold --colouring=full "$folder/$file" 2>/dev/null | sed 's/^verdict: //')
  case $verdict in atomic | violated) put_program ;; *) rm "$folder/$file" ;; esac
}

add_programs() {
  if [ -n "$small" ]; then
    for name in figure1 figure5a peterson double_checked; do add_sample "$root/samples/$name.sml"; done
    add_random 4
    add_shape violated forgotten 6 "The first thread gives up its lock between a read and a write of the same block."
    return
  fi
  for sample in "$root"/samples/*.sml; do add_sample "$sample"; done
  seed=0
  while [ $seed -lt 40 ]; do seed=$((seed + 1)); add_random $seed; done
  for n in 6 60 600; do
    add_shape atomic well $n "Each block is one critical section, and each variable belongs to one lock."
    add_shape atomic nested $n "Each block takes up to three locks, and gives none up before it has all; each variable belongs to one lock."
    add_shape violated forgotten $n "The first thread gives up its lock between a read and a write of the same block."
    add_shape violated templates $n "The block 'bad' of half of the threads reads in one critical section and writes in another."
    add_shape atomic philosophers $n "Each block holds both forks' locks from before its first access to after its last."
    add_shape atomic publish $n "All values are made before the flag is set for which the others wait, and nobody writes afterwards."
    add_shape atomic ownership $n "A flag says who owns the value, and only the owner uses it and hands it over, after its block."
  done
  add_shape violated wrong 200 "The first thread holds another lock than the threads that use the same variable."
}

# --- C ---

# PROGRAM VARIANT VERDICT WHY
add_c() {
  id=c/$1-$2 kind=c file=c/$1.c question=atomic verdict=$3 why=$4 blocks='[]' source=samples/bugs/$1.c
  options='[]'
  define=
  [ "$2" = bug ] || { define=-DFIXED; options='["-DFIXED"]'; }
  [ -e "$folder/$file" ] || cp "$root/samples/bugs/$1.c" "$folder/c"
  : >"$work/checked"
  # shellcheck disable=SC2086 # one word, or none
  c2net --stats -o "$work/net.pnml" "$folder/$file" -- -I"$root/record" $define 2>"$work/size" ||
    { fail "$id: $(cat "$work/size")"; return; }
  events=$(sed -n 's/.*transitions \([0-9]*\).*/\1/p' "$work/size")
  causalcheck_says "$work/net.pnml"
  certificate_holds "$work/net.pnml"
  [ -n "$small" ] || predict_c
  put_entry
}

# from a run in which nothing goes wrong
predict_c() {
  tracerec cc $define "$folder/$file" -o "$work/program" -pthread >"$work/out" 2>&1 &&
    (cd "$work" && tracerec run -o run.bin ./program >out 2>&1) || return
  case $verdict in violated) expected=predicted ;; *) expected=none ;; esac
  answer=$(tracepredict -q "$work/run.bin" 2>"$work/err" | sed 's/^verdict: //')
  case $answer in
  "$expected") echo prediction >>"$work/checked" ;;
  unknown) ;;
  *) fail "$id: the prediction from a recorded run is '$answer', not '$expected'" ;;
  esac
}

# programs of which the frontend for C knows the right verdict; where it knows none, tests/c/samples.txt says why
add_c_programs() {
  command -v c2net >/dev/null || { echo "make.sh: SKIP: C programs: there is no c2net (make setup-c)" >&2; return; }
  cp "$root"/samples/bugs/*.h "$root/record/causal.h" "$folder/c"
  sed -n 's,^bugs/,,p' "$root/tests/c/samples.txt" >"$work/rows"
  while read -r name variant answer reason <&3; do
    if [ -n "$reason" ] || ! [ -e "$root/samples/bugs/$name.c" ]; then continue; fi
    case "$small $name" in ' '* | *kv_incr) ;; *) continue ;; esac
    wrong_there=$(sed -n "s/^| \`$name\` | \([^|]*[^ |]\) *|.*/\1/p" "$root/samples/bugs/README.md")
    case $variant in
    bug) add_c "$name" bug "$answer" "$wrong_there" ;;
    *) add_c "$name" fixed "$answer" "As with the bug ($wrong_there), but without it." ;;
    esac
  done 3<"$work/rows"
}

# --- nets ---

# ID FILE VERDICT WHY: can a marking be reached that enables nothing?
add_deadlock() {
  id=nets/$1 kind=net file=nets/$2 question=deadlock verdict=$3 why=$4 options='[]' blocks='[]'
  : >"$work/checked"
  netconv --stats "$folder/$file" "$work/copy.pnml" >"$work/out" 2>&1
  events=$(sed -n 's/.*transitions \([0-9]*\).*/\1/p' "$work/out" | head -n 1)
  deadlock_says erv-order --order=erv
  deadlock_says mcmillan-order --order=mcmillan
  netunfold -q --timeout="$limit" -d --certificate="$work/proof" "$folder/$file" >"$work/out" 2>&1
  case $? in 0 | 1)
    if certcheck -q "$folder/$file" "$work/proof"; then echo certificate >>"$work/checked"
    else fail "$id: the certificate does not hold"
    fi ;;
  esac
  put_entry
}

deadlock_says() { # ENGINE OPTION...
  engine=$1
  shift
  netunfold -q --timeout="$limit" -d "$@" "$folder/$file" >"$work/out" 2>&1
  case $? in 0) answer=none ;; 1) answer=deadlock ;; 2) return ;; *) answer=$(cat "$work/out") ;; esac
  if [ "$answer" = "$verdict" ]; then echo "$engine" >>"$work/checked"; else fail "$id: $engine says '$answer', not '$verdict'"; fi
}

add_family() { # FAMILY SIZE VERDICT WHY
  source="bench/families.h: $1 of size $2"
  "$beside/net-of" "$1" "$2" "$folder/nets/$1-$2.ll_net" && add_deadlock "$1-$2" "$1-$2.ll_net" "$3" "$4"
}

add_net_block() {
  id=nets/account-block kind=net file=nets/account.pnml question=atomic verdict=violated events=4 blocks='[]'
  source=samples/nets/account.pnml why="Each process reads the account and writes it; the other one may write in between."
  options='["--begin=start", "--end=finish"]'
  : >"$work/checked"
  causalcheck_says "$folder/$file" --begin=start --end=finish
  certificate_holds "$folder/$file" --begin=start --end=finish
  put_entry
}

add_nets() {
  cp "$root"/samples/nets/*.pnml "$root"/samples/nets/*.ll_net "$folder/nets"
  source=samples/nets/philosophers.pnml
  add_deadlock philosophers philosophers.pnml deadlock "Each philosopher holds one fork, and waits for the other one."
  source=samples/nets/mutex.ll_net
  add_deadlock mutex mutex.ll_net none "Whoever has the lock gives it back."
  add_net_block
  [ -n "$small" ] && return
  ring="A ring of cells for mutual exclusion: the token can always be passed on."
  for n in 2 4 8; do add_family dme $n none "$ring"; done
  for n in 2 3; do add_family key $n deadlock "A manager of keyboard and screen; the certificate has the run to the deadlock."; done
  for n in 4 8 12; do add_family rw $n none "Readers and writers: whoever is in leaves."; done
  for n in 100 1000; do add_family loops $n none "Each transition takes a token and puts it back."; done
  for n in 10 100; do add_family swap $n none "All tokens go there and back at once."; done
}

# --- runs ---

# of 10^$1 events, $2 a family, $3 what is planted: split, ring, crossed or nothing
make_run() {
  n=1$(printf '%0*d' "$1" 0)
  case $3 in split) more=5 ;; ring) more=12 ;; crossed) more=8 ;; *) more=0 ;; esac
  file=runs/$2${3:+-$3}-1e$1.std
  events=$n source="bench/gen_trace.c: $2, 4 threads, 64 variables, seed $1; bench/corpus/plant.awk: ${3:-nothing}"
  { "$beside/gen-trace" -f std -t 4 -n 64 -e $((n - more)) -s "$1" "$2" || fail "gen-trace"; } |
    if [ -n "$3" ]; then awk -v what="$3" -v events=$((n - more)) -f "$here/plant.awk"; else cat; fi |
    if [ "$1" -gt 6 ]; then zstd -q -c; else cat; fi >"$work/run"
  [ "$1" -le 6 ] || file=$file.zst
  mv "$work/run" "$folder/$file"
}

# QUESTION VERDICT WHY: of the run that make_run made
add_answer() {
  kind=run question=$1 verdict=$2 why=$3 options='[]' blocks='[]'
  id=$(basename "$file" .zst)
  id=runs/${id%.std}:$1
  : >"$work/checked"
  if [ "$1" = serializable ]; then
    says scg tracecheck -q "$folder/$file"
    for engine in cg vc; do says $engine tracecheck -q --timeout="$limit" --engine=$engine "$folder/$file"; done
  else
    says scg tracecheck -q --notion=causal "$folder/$file"
    says vc tracecheck -q --timeout="$limit" --notion=causal --engine=vc "$folder/$file"
  fi
  if [ "$events" -le 1000 ]; then
    answer=$(awk -v notion="$1" -f "$here/check_run.awk" "$folder/$file")
    if [ "$answer" = "$verdict" ]; then echo explicit >>"$work/checked"; else fail "$id: explicit search says '$answer'"; fi
  fi
  put_entry
}

add_run() { # EXPONENT FAMILY PLANTED
  make_run "$@"
  case $3 in
  split)
    add_answer serializable violated "P2 writes p between a read and a write of p in one transaction of P1."
    add_answer causal violated "A chain leads out of P1's transaction to P2's write of p, and back." ;;
  ring)
    add_answer serializable violated "The transactions of P1, P2 and P3 are a cycle: by p, q and s."
    add_answer causal violated "A chain leads out of P1's transaction, through those of P2 and P3, and back." ;;
  crossed)
    add_answer serializable violated "The transactions of P1 and P2 are a cycle: P2 is first by q, P1 by p."
    add_answer causal atomic "P2 writes q first and p last, P1 p and then q: no chain leads out of one of them and back." ;;
  *)
    add_answer serializable serializable "The family is made so: what a transaction uses nobody else writes meanwhile."
    add_answer causal atomic "It is serializable." ;;
  esac
}

add_runs() {
  exponent=2
  while [ $exponent -le "$sizes" ]; do
    for family in sor lufact elevator readers chain threads; do
      case "$small$family" in ?*sor | ?*threads | sor | lufact | elevator | readers | chain | threads) ;; *) continue ;; esac
      add_run $exponent $family ''
    done
    for planted in split ring crossed; do add_run $exponent elevator $planted; done
    exponent=$((exponent + 1))
  done
}

add_programs
add_c_programs
add_nets
add_runs
[ $wrong = 0 ] || { echo "make.sh: verdicts differ: there is no manifest" >&2; exit 1; }
write_manifest
echo "$(wc -l <"$work/entries" | tr -d ' ') entries: $folder/manifest.json"
