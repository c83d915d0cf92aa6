#!/bin/sh
# refine.sh PROGRAMS [NAME...]: what c2net says of C programs against what they do. PROGRAMS has `refine`, `random` and
# `shares` (tests/refine).
#
#   - Recorded runs of samples/bugs, both variants, of samples/c, and of random programs are runs of the nets.
#   - A random program has its verdict as an SML program, too; and all races that gcc's ThreadSanitizer sees in runs.
#   - What is proved of a random program with a long array is so with a short one, each of whose elements is told apart.
#   - Where it is proved that threads' parts of an array never meet, they do not, whatever numbers there are: random
#     programs with numbers of 8 bits, all of which are tried.
#   - No block of a random program that is causally atomic by its net is split in a run: as it comes, or as `tracerec
#     stress` makes it.
#
# C_SEEDS=1-500 says which random programs (default 1-12). Ends with "refine: N passed, N failed, N skipped".
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=${BIN:-$root/bin}:$PATH
ASAN_OPTIONS=exitcode=99:detect_leaks=0:$ASAN_OPTIONS
export PATH ASAN_OPTIONS
part=refine
. "$root/tests/count.sh"
programs=$1
shift
seeds=${C_SEEDS:-1-12}
cd "$root" || exit 1

# FILE OPTION...: $work/program, to be recorded, and $work/net
translate() {
  file=$1
  shift
  standard=c17 library=
  case $file in *.cc) standard=c++17 library=-lstdc++ ;; esac
  # shellcheck disable=SC2086 # none, or one word
  within 60 tracerec "$clang" -O0 -w -std=$standard -D_GNU_SOURCE "$@" "$file" -o "$work/program" -pthread -lm $library 2>"$work/err" &&
    within 60 c2net -n 2 -o "$work/net" "$file" -- -std=$standard -D_GNU_SOURCE "$@" 2>"$work/err"
}

# NAME ARGUMENT...: a run that is one of the net; what it does not say within its limits is no fault
check_run() {
  name=$1
  shift
  rm -f "$work/run.bin"
  within 60 tracerec run -o "$work/run.bin" -- "$work/program" "$@" >"$work/out" 2>"$work/err"
  check_log "$name"
}

# A round of locks that fails is left out of the net, or is not; which one, the run does not say.
check_log() {
  within 60 "$programs/refine" "$work/net" "$work/run.bin" >"$work/out" 2>"$work/err"
  code=$?
  if [ $code = 1 ]; then
    within 60 "$programs/refine" "$work/net" "$work/run.bin" rounds >"$work/out" 2>"$work/err"
    code=$?
  fi
  case $code in
  0) pass ;;
  2 | 124) skip "$1: $(cat "$work/out")" ;;
  *) fail "$1: $(cat "$work/out" "$work/err" | tr '\n' ' ')" ;;
  esac
}

# NAME FILE VARIANT ARGUMENT...
check_sample() {
  name="$1 $3" file=$2 variant=$3
  shift 3
  testing "$name"
  define=
  [ "$variant" != fixed ] || define=-DFIXED
  if translate "$file" $define; then check_run "$name" "$@"
  else fail "$name: $(tr '\n' ' ' <"$work/err")"
  fi
}

# A net of the mended program lacks what the mistake does.
check_teeth() {
  testing "a net without the mistake"
  translate samples/bugs/kv_incr.c -DFIXED && mv "$work/net" "$work/mended" && translate samples/bugs/kv_incr.c &&
    within 60 tracerec run -o "$work/run.bin" -- "$work/program" >"$work/out" 2>"$work/err"
  within 60 "$programs/refine" "$work/mended" "$work/run.bin" >"$work/out" 2>"$work/err"
  [ $? = 1 ] && pass || fail "a run of the mistake is one of the mended program: $(cat "$work/out" "$work/err")"
}

# NAME: no block that is atomic is split in this run; rounds that fail are events of it, and may split one
check_blocks() {
  ! grep -q 'rounds that fail' "$work/out" || return
  within 60 tracecheck --notion=causal -a "$work/run.bin" >"$work/out" 2>&1
  for block in $atomic; do
    grep "transaction '$block'" "$work/out" | grep -q "is not causally atomic" &&
      fail "$1: block $block is atomic by its net, and split in a run"
  done
}

# NAME: as an SML program it has the verdict of the net
check_sml() {
  within 20 causalcheck -q "$work/net" >"$work/verdict" 2>"$work/err" || [ $? = 1 ] || return
  within 60 c2net -n 2 --emit=sml "$work/random.c" -- -std=c17 -D_GNU_SOURCE 2>"$work/err" |
    within 60 causalcheck -q - >"$work/verdict2" 2>"$work/err"
  cmp -s "$work/verdict" "$work/verdict2" && pass || fail "$1: as SML: $(cat "$work/verdict2" "$work/err" | tr '\n' ' ')"
}

# The lines of each two accesses of which ThreadSanitizer says that they raced, the lesser one first. Accesses that a flag orders
# race, too, if the flag does, but are never about to happen at once: behind a race on a flag a run says nothing more.
told_races() {
  grep -n flag "$work/random.c" | cut -d: -f1 >"$work/flags"
  awk '
    FILENAME ~ /flags$/ { flag[$1] = 1; next }
    FNR == 1 { over = 0 }
    /WARNING: ThreadSanitizer: data race/ { n = 0; wanted = 0 }
    /^ *(Previous )?(atomic )?([Ww]rite|[Rr]ead) of size/ { wanted = 1; next }
    wanted && /^ *#0 / {
      wanted = 0
      if (match($0, /random\.c:[0-9]+/)) line[++n] = substr($0, RSTART + 9, RLENGTH - 9)
      if (n == 2 && !over) print (line[1] + 0 < line[2] + 0) ? line[1] " " line[2] : line[2] " " line[1]
      if (n == 2) over = over || flag[line[1]] || flag[line[2]]
    }' "$work/flags" "$@" | sort -u
}

found_races() {
  sed -n 's/^[^:]*:\([0-9]*\):[0-9]*: error: .* race on .* at [^:]*:\([0-9]*\):[0-9]*$/\1 \2/p' | sort -u
}

# NAME: what ThreadSanitizer sees to race in runs is a race of the net
check_races() {
  within 60 gcc -O0 -g -w -std=c17 -D_GNU_SOURCE -fsanitize=thread -Irecord "$work/random.c" -o "$work/sanitized" \
    -pthread -lm 2>"$work/err" || return
  for run in 1 2 3; do
    TSAN_OPTIONS=exitcode=66 within 60 "$work/sanitized" >"$work/out" 2>"$work/tsan$run"
  done
  told_races "$work/tsan1" "$work/tsan2" "$work/tsan3" >"$work/told"
  within 60 causalcheck --races "$work/net" 2>"$work/err" >"$work/races"
  [ $? -lt 2 ] || return
  found_races <"$work/races" >"$work/found"
  missed=$(comm -23 "$work/told" "$work/found" | tr '\n' ',')
  [ -z "$missed" ] && pass || fail "$1: these lines race in a run, and not in the net: $missed"
}

# NET: its blocks that are causally atomic
atomic_blocks() {
  within 20 causalcheck "$1" 2>&1 | sed -n "s/.*: block '\([^']*\)' .*is causally atomic.*/\1/p" | sort -u
}

# NAME: with a long array, of which not all elements are told apart, no more is proved
check_long() {
  mv "$work/net" "$work/short"
  mv "$work/program" "$work/program.short"
  within 60 c2net -n 2 -o "$work/net" "$work/random.c" -- -std=c17 -D_GNU_SOURCE -DPOOL=9 2>"$work/err"
  atomic_blocks "$work/net" >"$work/proved"
  atomic_blocks "$work/short" >"$work/proved2"
  wrong=$(comm -23 "$work/proved" "$work/proved2" | tr '\n' ' ')
  if [ -z "$wrong" ]; then pass
  elif within 20 causalcheck "$work/short" >"$work/out" 2>&1 || [ $? = 1 ]; then fail "$1: atomic with a long array alone: $wrong"
  fi
  within 60 tracerec "$clang" -O0 -w -std=c17 -D_GNU_SOURCE -DPOOL=9 "$work/random.c" -o "$work/program" -pthread 2>"$work/err"
  check_run "$1: long"
  mv "$work/short" "$work/net"
  mv "$work/program.short" "$work/program"
}

# SEED
check_random() {
  name="random $1"
  testing "$name"
  "$programs/random" "$1" >"$work/random.c"
  if ! translate "$work/random.c"; then
    fail "$name: $(tr '\n' ' ' <"$work/err")"
    return
  fi
  check_sml "$name"
  check_races "$name"
  check_long "$name"
  atomic=$(atomic_blocks "$work/net")
  check_run "$name" && check_blocks "$name"
  [ -n "$atomic" ] || return
  within 60 tracerec stress --runs=8 --leg=5 -o "$work/run.bin" -- "$work/program" >"$work/out" 2>&1
  [ $? = 1 ] || return
  check_log "$name: stress"
  check_blocks "$name: stress"
}

# SEED
check_shares() {
  name="shares $1"
  testing "$name"
  "$programs/shares" "$1" >"$work/shares.c"
  if ! within 60 c2net -o "$work/net" "$work/shares.c" -- -w -Irecord 2>"$work/err"; then
    fail "$name: $(tr '\n' ' ' <"$work/err")"
  elif [ "$(within 60 causalcheck -q "$work/net" 2>"$work/err")" != "verdict: atomic" ]; then pass
  elif ! "$clang" -O1 -w -DENUMERATE -Irecord "$work/shares.c" -o "$work/shares" 2>"$work/err"; then
    fail "$name: $(tr '\n' ' ' <"$work/err")"
  elif within 120 "$work/shares" >"$work/out" 2>&1; then pass
  else fail "$name: $(cat "$work/out")"
  fi
}

is_wanted() {
  case $wanted in "  " | *" $1 "*) return 0 ;; *) return 1 ;; esac
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
wanted=" $* "
clang=clang-$(llvm-config --version 2>/dev/null | cut -d. -f1)
command -v "$clang" >/dev/null || clang=clang
if ! command -v c2net >/dev/null; then
  skip "c2net: it is not built, as LLVM is missing (make setup-c)"
elif ! command -v "$clang" >/dev/null; then
  skip "clang: it is not installed"
elif ! tracerec --version >/dev/null 2>&1; then
  skip "tracerec: it is not built here"
else
  is_wanted teeth && check_teeth
  echo 'int main(void) { return 0; }' >"$work/empty.c"
  gcc -fsanitize=thread "$work/empty.c" -o "$work/empty" 2>"$work/err" && "$work/empty" ||
    skip "ThreadSanitizer: it does not work here: no races are compared"
  for file in samples/bugs/*.c samples/bugs/*.cc tests/c/cxx_threads.cc tests/c/cxx_virtual.cc; do
    name=$(basename "${file%.c*}")
    is_wanted "$name" || continue
    check_sample "$name" "$file" bug
    check_sample "$name" "$file" fixed
  done
  # as many threads as -n 2 makes
  while read -r name arguments; do
    is_wanted "$name" && check_sample "$name" "samples/c/$name.c" "" $arguments </dev/null
  done <<END
deposit
elevator 2 4 4
hashtable
lufact 2 4
tsp 2 4
raytracer 2 8
sor 2 4 1
END
  is_wanted joined_told && check_sample joined_told tests/c/joined_told.c "" 2
  seed=${seeds%-*}
  while [ "$seed" -le "${seeds#*-}" ]; do
    is_wanted random && check_random "$seed"
    for quarter in 0 1 2 3; do is_wanted shares && check_shares $((seed * 4 + quarter)); done
    seed=$((seed + 1))
  done
fi
count_end
