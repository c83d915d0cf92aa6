#!/bin/sh
# c.sh [NAME...]: what c2net and causalcheck say of tests/c/*.c and *.cc, or of these; and of samples/c and samples/bugs, as
# tests/c/samples.txt has it. Ends with "c: N passed, N failed, N skipped".
#
# A program says what is expected of it: "// expect: BLOCK atomic", "violated" or "unknown", for each block, and "// gap:
# LINE WHAT" for all that is not in its net, and "// race: LINE LINE" for the lines of accesses that race. "// races:
# undecided": which are, takes too long. "// sml: NAME": as an SML program it is not tried, as it takes long, and is like
# that other one.
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=${BIN:-$root/bin}:$PATH
ASAN_OPTIONS=exitcode=99:detect_leaks=0:$ASAN_OPTIONS
export PATH ASAN_OPTIONS
part=c
. "$root/tests/count.sh"
cd "$root" || exit 1

# FILE OPTION...: $work/net, and what it lacks in $work/gaps
translate() {
  file=$1
  shift
  within 120 c2net -v -o "$work/net" "$file" -- -Irecord "$@" 2>"$work/err" || return 1
  sed -n 's/^[^:]*:\([0-9]*\):[0-9]*: warning: \(.*\): nothing can be proved$/\1 \2/p' "$work/err" | sort >"$work/gaps"
}

# asks about $work/net: $work/said, and its verdict in $work/verdict
judge() {
  within 120 causalcheck "$work/net" >"$work/said" 2>"$work/err"
  grep '^verdict: ' "$work/said" >"$work/verdict"
}

# of that, a line "BLOCK VERDICT" for each block: the same one in several functions has one verdict
verdicts() {
  sed -n "
    s/.*cannot tell whether block '\([^']*\)' .*/\1 unknown/p
    s/.*: block '\([^']*\)' .*is not causally atomic.*/\1 violated/p
    s/.*: block '\([^']*\)' .*is causally atomic.*/\1 atomic/p" "$work/said" | sort
}

# WHAT FILE OPTION...: as an SML program it has that verdict
check_sml() {
  name=$1 file=$2
  shift 2
  testing "$name: as SML"
  within 120 c2net --emit=sml -o "$work/sml" "$file" -- -Irecord "$@" 2>"$work/err" &&
    within 120 sml2net "$work/sml" 2>"$work/err" | within 120 causalcheck -q - >"$work/verdict2" 2>"$work/err2"
  if [ -s "$work/verdict" ] && cmp -s "$work/verdict" "$work/verdict2"; then pass
  else fail "$name: as SML: $(cat "$work/verdict") becomes $(cat "$work/verdict2") $(cat "$work/err" "$work/err2" | tr '\n' ' ')"
  fi
}

# NAME FILE: the races of $work/net; where there is to be none, what takes long to find out is not waited for
check_races() {
  grep -q '^// races: undecided' "$2" && return
  testing "$1: races"
  sed -n 's,^// race: ,,p' "$2" | sort -u >"$work/expected"
  limit=100s
  [ -s "$work/expected" ] || limit=10s
  within 120 causalcheck --races --timeout=$limit "$work/net" 2>"$work/err" |
    sed -n 's/^[^:]*:\([0-9]*\):[0-9]*: error: .* race on .* at [^:]*:\([0-9]*\):[0-9]*$/\1 \2/p' | sort -u >"$work/found"
  if [ ! -s "$work/err" ] && cmp -s "$work/expected" "$work/found"; then pass
  else fail "$1: races: $(diff "$work/expected" "$work/found" | grep '^[<>]' | tr '\n' ' ') $(cat "$work/err")"
  fi
}

# FILE
check_program() {
  name=$(basename "${1%.c*}")
  testing "$name"
  if ! translate "$1"; then
    fail "$name: it is not translated: $(tr '\n' ' ' <"$work/err")"
    return
  fi
  judge
  grep -q '^// sml: ' "$1" || check_sml "$name" "$1"
  check_races "$name" "$1"
  sed -n 's,^// expect: ,,p' "$1" | sort >"$work/expected"
  sed -n 's,^// gap: ,,p' "$1" | sort >"$work/lacks"
  verdicts >"$work/found"
  if ! cmp -s "$work/expected" "$work/found"; then
    fail "$name: $(diff "$work/expected" "$work/found" | grep '^[<>]' | tr '\n' ' ')"
  elif ! cmp -s "$work/lacks" "$work/gaps"; then
    fail "$name: what is not in the net: $(diff "$work/lacks" "$work/gaps" | grep '^[<>]' | tr '\n' ' ')"
  else
    pass
  fi
}

# PROGRAM VARIANT VERDICT
check_sample() {
  testing "$1 $2"
  define= file=samples/$1.c
  [ "$2" != fixed ] || define=-DFIXED
  [ -e "$file" ] || file=${file}c
  if ! translate "$file" $define; then
    fail "$1 $2: it is not translated: $(tr '\n' ' ' <"$work/err")"
    return
  fi
  judge
  verdict=$(cat "$work/verdict")
  if [ "$verdict" = "verdict: $3" ]; then pass
  else fail "$1 $2: expected $3, but: $verdict $(tr '\n' ' ' <"$work/err")"
  fi
  # shellcheck disable=SC2086
  check_sml "$1 $2" "$file" $define
}

# SAMPLE LEVEL: bitcode that clang has optimised is translated, too
check_level() {
  testing "$1 $2"
  within 60 "$clang" -w -D_GNU_SOURCE "$2" -g -c -emit-llvm -DCAUSAL_RECORD -Irecord "samples/$1.c" -o "$work/level.bc" &&
    within 60 c2net -o "$work/net" "$work/level.bc" 2>"$work/err"
  code=$?
  if [ $code = 0 ]; then pass
  else fail "$1 $2: exit code $code: $(tr '\n' ' ' <"$work/err")"
  fi
}

# FILE: causalcheck says of a C program what it says of its net
check_direct() {
  testing "causalcheck $1"
  c2net "$1" 2>"$work/err" | within 60 causalcheck - >"$work/piped" 2>>"$work/err"
  code=$?
  within 60 causalcheck "$1" >"$work/direct" 2>"$work/err2"
  if [ $? = $code ] && [ $code != 3 ] && cmp -s "$work/piped" "$work/direct" && cmp -s "$work/err" "$work/err2"; then pass
  else fail "causalcheck $1: $(diff "$work/piped" "$work/direct" | head -3 | tr '\n' ' ')"
  fi
}

# CODE SAID ARGUMENT...: what c2net and causalcheck end with, and what one of them says
check_several() {
  expected=$1 words=$2
  shift 2
  testing "several: $*"
  { within 60 c2net -o "$work/net" "$@" && within 60 causalcheck "$work/net"; } >"$work/out" 2>&1
  code=$?
  if [ $code = "$expected" ] && grep -q "$words" "$work/out"; then pass
  else fail "several: $*: exit code $code: $(tr '\n' ' ' <"$work/out")"
  fi
}

# no deadlock is denied: not all that waits in C does so in the net
check_waiting() {
  testing "no deadlock is denied"
  within 60 causalcheck --deadlock -q tests/c/waiting.c >"$work/out" 2>"$work/err"
  code=$?
  c2net --emit=sml tests/c/waiting.c 2>"$work/err" | within 60 causalcheck --deadlock -q >"$work/out2" 2>>"$work/err"
  code2=$?
  if [ $code = 2 ] && [ $code2 = 2 ] && cmp -s "$work/out" "$work/out2"; then pass
  else fail "no deadlock is denied: exit code $code: $(cat "$work/out" "$work/out2" "$work/err" | tr '\n' ' ')"
  fi
}

# what fails is said once, whatever stands behind it
check_failure() {
  testing "SML of a program that is none"
  echo 'int main(' >"$work/bad.c"
  c2net --emit=sml "$work/bad.c" 2>"$work/err" | sml2net 2>"$work/err2" | causalcheck >"$work/out" 2>"$work/err3"
  code=$?
  if [ $code = 3 ] && [ -s "$work/err" ] && ! cat "$work/err2" "$work/err3" | grep -q .; then pass
  else fail "SML of a program that is none: exit code $code: $(cat "$work/err2" "$work/err3")"
  fi
}

# what is unknown in many places is not said of each
check_many() {
  testing "many gaps"
  {
    echo 'extern int unknown(void);' && echo 'int main(void) {'
    yes 'unknown();' | head -n 30
    echo '}'
  } >"$work/many.c"
  c2net -o "$work/net" "$work/many.c" 2>"$work/err"
  if [ "$(grep -c "many.c:[0-9].*calls 'unknown'" "$work/err")" = 20 ] && [ "$(grep -c '<gap' "$work/net")" -ge 30 ] &&
    grep -q "many.c: warning: 10 more places: calls 'unknown', which is not known" "$work/err"; then pass
  else fail "many gaps: $(cat "$work/err")"
  fi
}

# what a person reads where a program, or what is said of it, is wrong
check_messages() {
  cd tests/c/several || return
  check_several 1 'writes own of main in between' locals.c
  check_several 1 'writes passed of start in between' locals.c -- -DPASSED
  "$clang" -O1 -Xclang -disable-llvm-passes -c -emit-llvm -DCAUSAL_RECORD -I"$root/record" locals.c -o "$work/bare.bc"
  check_several 1 'writes local of main in between' "$work/bare.bc"
  check_several 3 "expected a word behind '-D', for clang" locals.c -- -D
  cd "$root" || exit 1
  testing "one mistake, one message"
  printf 'int main(void) {\n  return y;\n}\n' >"$work/bad.c"
  causalcheck "$work/bad.c" >"$work/out" 2>"$work/err"
  code=$?
  if [ $code = 3 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" = 3 ] && grep -q 'bad.c:2:10: error: ' "$work/err"; then pass
  else fail "one mistake, one message: exit code $code: $(tr '\n' ' ' <"$work/out") $(tr '\n' ' ' <"$work/err")"
  fi
  testing "the memory limit has its name"
  c2net --max-memory=100K -o "$work/net" tests/c/several/locals.c 2>"$work/err"
  code=$?
  if [ $code = 2 ] && grep -q 'c2net: the memory limit of 100K was reached (--max-memory=SIZE sets it)' "$work/err"; then pass
  else fail "the memory limit has its name: exit code $code: $(tr '\n' ' ' <"$work/err")"
  fi
  testing "functions of the system's headers are no blocks"
  printf '#include <stdlib.h>\nstatic int twice(const char *s) { return 2 * atoi(s); }\nint main(void) { return twice("1"); }\n' >"$work/inline.c"
  c2net --functions -o "$work/net" "$work/inline.c" -- -O2 >"$work/out" 2>"$work/err"
  if grep -q '<function name="atoi"' "$work/net" && [ "$(grep -c '<block name' "$work/net")" = 1 ]; then pass
  else fail "functions of the system's headers are no blocks: $(grep '<function\|<transaction' "$work/net") $(cat "$work/err")"
  fi
  testing "macros are for clang"
  causalcheck -D N=2 tests/c/several/locals.c 2>"$work/err"
  code=$?
  if [ $code = 3 ] && grep -q "a macro of C is defined by 'c2net tests/c/several/locals.c -- -DNAME=N | causalcheck'" "$work/err"; then pass
  else fail "macros are for clang: exit code $code: $(tr '\n' ' ' <"$work/err")"
  fi
}

# of what comes from one place the first ones are said, with that place; -v says all
check_causes() {
  {
    echo '#include <causal.h>' && echo 'extern int *get(void), *take(void);' && echo 'static int *kept;' && echo 'static void keep(int *p) { kept = p; }'
    echo 'int main(void) {' && echo 'keep(get());'
    yes '++*kept;' | head -n 9
    echo 'int *q = take();' && echo '++*q;'
    for i in 1 2 3 4 5 6 7 8 9; do printf 'int *x%s = take();\n++*x%s;\n' $i $i; done
    echo 'return *kept; }'
  } >"$work/causes.c"
  testing "causes of gaps"
  c2net -o "$work/net" "$work/causes.c" 2>"$work/err"
  if [ "$(grep -c 'causes.c:[0-9]*:[0-9]*: warning: accesses memory that is not known: nothing' "$work/err")" = 10 ] &&
    grep -q "causes.c:6:6: note: the address comes from here: what 'get' returns or writes" "$work/err" &&
    grep -q "causes.c: warning: 7 more places: accesses memory that is not known: the address comes from .*causes.c:6:6$" "$work/err" &&
    grep -q "causes.c: warning: 3 more places: accesses memory that is not known: the addresses come from 3 other places (-v tells each)" "$work/err"; then pass
  else fail "causes of gaps: $(cat "$work/err")"
  fi
  testing "causes of gaps: all"
  causalcheck --allow-empty -v "$work/causes.c" >"$work/out" 2>"$work/err"
  if [ "$(grep -c 'warning: accesses memory that is not known: nothing' "$work/err")" = 20 ] && [ "$(grep -c '<gap' "$work/net")" -ge 30 ] &&
    ! grep -q 'more place' "$work/err"; then pass
  else fail "causes of gaps: all: $(cat "$work/err")"
  fi
}

# the table of the library's functions says of arguments what their prototypes say
check_rows() {
  testing "the rows of the library"
  glib=$(pkg-config --cflags glib-2.0 2>/dev/null) # in words
  if ! within 60 "$clang" -fsyntax-only -w -U_FORTIFY_SOURCE -DCAUSAL_RECORD -Irecord $glib -Xclang -ast-dump tests/c/rows/headers.c >"$work/dump" 2>"$work/err"; then
    skip "the rows of the library: $(head -1 "$work/err")"
    return
  fi
  LC_ALL=C awk -v sizes="$work/sizes.c" -f tests/c/rows/rows.awk tests/c/rows/exceptions.txt "$work/dump" frontend/c/effects*.c >"$work/out" 2>&1
  if [ $? = 0 ] && [ ! -s "$work/out" ] && within 60 "$clang" -fsyntax-only -w -Irecord $glib -include tests/c/rows/headers.c "$work/sizes.c" >"$work/out" 2>&1; then pass
  else fail "the rows of the library: $(tr '\n' ';' <"$work/out")"
  fi
}

check_all_several() {
  cd tests/c/several || return
  check_several 1 'T2 writes own' main.c store.c
  check_several 1 'verdict: violated' store.c main.c -n 3 -- -DSAME
  check_several 2 "calls 'get', which is not known" main.c
  check_several 3 'symbol multiply defined' main.c store.c store.c
  check_several 3 "no function 'main'" store.c
  check_several 3 "expected a FILE before '--'" -- -DX
  for name in main store; do
    "$clang" -O1 -Xclang -disable-llvm-passes -g -c -emit-llvm -DCAUSAL_RECORD -I"$root/record" $name.c -o "$work/$name.bc"
  done
  check_several 1 'verdict: violated' "$work/main.bc" store.c
  check_several 3 'compiled already' "$work/main.bc" store.c -- -DX
  cd "$root" || exit 1
}

# a compilation database: quotes and blanks, both forms, folders, duplicates, other languages
check_all_projects() {
  find tests/c/project | sort >"$work/before"
  cd tests/c/project || return
  check_several 1 "app/main.c:6:3: error: block 'in cr'" compile_commands.json
  check_several 1 'store/store.c:5:23: note: T2 writes own' compile_commands.json
  check_several 0 'store/fast.S: warning: it is left out' compile_commands.json -- -DLOCKED
  check_several 2 "calls 'fast', which is not known" compile_commands.json -- -DLOCKED -DFAST
  check_several 2 'store/store.c: is compiled in several ways' twice.json
  check_several 3 'symbol multiply defined' compile_commands.json store/store.c
  check_several 3 'entry 2: expected "directory"' wordless.json
  check_several 3 'neither C nor C++ in it' foreign.json
  check_several 3 'not a compilation database' object.json
  check_several 3 'none.c: clang cannot compile it' gone.json
  check_several 3 'compiled in the folder .*none: No such file' folder.json
  check_several 1 "app/main.c:6:3: error: block 'from file'" response.json
  cd app || return
  check_several 1 '^main.c:6:3: error: block' ../compile_commands.json
  cd "$root" || exit 1
  testing "a compilation database leaves no files"
  find tests/c/project | sort >"$work/after"
  cmp -s "$work/before" "$work/after" && pass || fail "a compilation database leaves files: $(diff "$work/before" "$work/after")"
}

# a compilation database of several programs
check_all_programs() {
  cd tests/c/programs || return
  check_several 3 "server.c: a second 'main'.*--main=FILE" compile_commands.json
  check_several 1 "block 'server'" compile_commands.json --main=server.c
  check_several 1 "block 'client'" compile_commands.json --main=client.c
  check_several 3 'mock.c and store.c: both define' mock.json --main=server.c
  check_several 0 "block 'test' .*atomic" mock.json --main=mock.c
  check_several 1 'set.c: warning: is left out, and has constructors' run.json --main=server.c
  check_several 1 "block 'server'" run.json
  check_several 2 'store.c: warning: is left out, and defines what is defined weakly' weak.json --main=weak.c
  check_several 1 "block 'server'" inline.json --main=server.c
  check_several 0 "block 'weak' .*atomic" differs.json --main=weak.c
  check_several 3 'mock.c is not in the compilation database' run.json --main=mock.c
  check_several 3 'none.c: No such file' run.json --main=none.c
  check_several 3 'none of the files is a compilation database' server.c store.c --main=server.c
  cd "$root" || exit 1
}

# WHAT COMMAND...: it does what it should
check_that() {
  what=$1
  shift
  testing "bitcode: $what"
  "$@" >"$work/out" 2>&1 && pass || fail "bitcode: $what: $(tr '\n' ' ' <"$work/out")"
}

build() { make -s CC="tracerec cc --emit=bitcode" "$@"; }
several_objects() { (cd app && tracerec cc --emit=bitcode -c ../store/store.c ../store/unused.c && c2net store.o unused.o store.o | grep -q '<pnml'); }
at_once() { tracerec cc --emit=bitcode -Istore -DNAME='"at once"' app/main.c store/store.c store/fast.S -o "$1" -pthread; }
odd_name() { at_once "$1" && c2net "$1" | causalcheck -q | grep violated; }
without_clang() {
  C2NET_CC=/nonexistent tracerec cc --emit=bitcode -c store/store.c -o none.o
  [ $? = 3 ] && [ ! -e none.o ] && C2NET_CC=/nonexistent tracerec cc --emit=bitcode -c store/store.c 2>&1 | grep 'needs clang'
}
from_a_file() { printf -- '-c store/store.c -o from.o\n' >words && tracerec cc --emit=bitcode @words && c2net --emit=bitcode -o from.bc from.o; }
gcc_alone() { tracerec gcc --emit=bitcode -Istore -c nested.c -o store/store.o 2>err && grep 'warning: nested.c: there is no bitcode' err; }
gcc_options() { tracerec cc --emit=bitcode -fipa-pta -mpreferred-stack-boundary=4 -Istore -c store/store.c -o gcc.o 2>&1 && c2net --emit=bitcode -o gcc.bc gcc.o; }
leaves_alone() { tracerec cc --emit=bitcode -E store/store.c -o /dev/null && tracerec cc --emit=bitcode -c store/store.c -o /dev/null && [ ! -e /dev/null.bc ]; }
linked_again() { c2net --emit=bitcode -o whole.bc prog && c2net whole.bc | causalcheck -q | grep violated; }

# a program of two folders, one of which is an archive with an object that is not taken
check_all_bitcode() {
  rm -rf "$work/project"
  cp -r tests/c/project "$work/project" && cd "$work/project" || return
  printf '#include "store.h"\nint get(void) { int one(void) { return 1; } return one(); }\nvoid put(int x) {}\npthread_mutex_t lock;\n' >nested.c
  check_that "a project" build prog
  check_several 1 'store/store.c:5:23: note: T2 writes own' prog
  check_direct prog
  check_several 3 "compiled already: there is no use for '-DX'" prog -- -DX
  check_that "what is linked is one file" linked_again
  check_that "several objects" several_objects
  check_that "compiled and linked at once" at_once both
  check_several 1 "block 'at once'" both
  check_that "a path with odd characters" odd_name 'a "b\c%dü'
  check_that "without clang" without_clang
  check_that "what makes no object" leaves_alone
  touch -d '+1 hour' both.2.bc
  check_several 3 'both.2.bc was made of newer sources than both' both
  rm both.2.bc
  check_several 3 'both.2.bc: No such file' both
  check_several 3 'does not say what bitcode' "$(command -v make)"
  printf 'int main(void) { return 0; }\n' >small.c
  check_several 3 'addresses do not have 64 bits' small.c -- -m32
  check_that "locked" build -B DEFINES=-DLOCKED prog
  check_several 0 'verdict: atomic' prog
  check_that "options of gcc alone" gcc_options
  check_that "a response file" from_a_file
  check_that "what gcc alone can compile" gcc_alone
  check_that "that is linked" build DEFINES=-DLOCKED prog
  check_several 2 "calls 'get', which is not known" prog
  cd "$root" || exit 1
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
else
  for file in tests/c/*.c tests/c/*.cc; do
    is_wanted "$(basename "${file%.c*}")" && check_program "$file"
  done
  while read -r program variant verdict rest; do
    case $program in "#"* | "") continue ;; esac
    is_wanted "$(basename "$program")" && check_sample "$program" "$variant" "$verdict"
  done <tests/c/samples.txt
  is_wanted several && check_all_several && check_failure && check_many && check_causes
  is_wanted messages && check_messages
  is_wanted waiting && check_waiting
  is_wanted rows && check_rows
  is_wanted project && check_all_projects
  is_wanted programs && check_all_programs
  if is_wanted bitcode; then
    if tracerec --version >/dev/null 2>&1; then check_all_bitcode
    else skip "bitcode: tracerec is not built here"
    fi
  fi
  if is_wanted causalcheck; then
    check_direct samples/bugs/kv_incr.c
    check_direct samples/bugs/atomic_add.c
    check_direct tests/c/project/compile_commands.json
  fi
  for name in bugs/bank_account bugs/binlog_rotate bugs/file_table c/tsp; do
    is_wanted "$(basename "$name")" && check_level "$name" -O0 && check_level "$name" -O1 && check_level "$name" -O2
  done
fi
count_end
