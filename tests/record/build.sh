# build.sh: part of run.sh: the compiler's command lines that `tracerec cc` has to understand, the names that the compilers may use, and the
# order of races.

cp "$here/mutex.c" .
printf 'int seven(void) { return 7; }\n' >seven.c
printf 'extern int seven(void);\nint main(void) { return seven(); }\n' >main.c
printf 'prog: main.o seven.o\n\t$(CC) $^ -o $@\n' >Makefile
printf '#include <unistd.h>\nint done;\nint main(void) { usleep(600000); done = 1; return 0; }\n' >late.c
printf 'unsigned n, i, all[61];\nint main(void) { for (i = 0; i < 100000; i++) all[i * i %% 61] = n++; return 7; }\n' >many.c
printf -- '-c "main.c"\n-o from\\ file.o' >response
printf '#include <causal.h>\n#include <thread>\nint n;\nint main() { ATOMIC_BEGIN("b"); std::thread t([] { n++; }); t.join(); ATOMIC_END(); return n - 1; }\n' >plus.cc

printf '#include <pthread.h>\nint both;\nvoid *work(void *x) { both++; return x; }\nint main(void) { pthread_t t; pthread_create(&t, 0, work, 0); both++; return pthread_join(t, 0); }\n' >plain.c
printf '#include <causal.h>\nint main(void) { ATOMIC_BEGIN("b"); ATOMIC_END(); return 0; }\n' >header.c
ln -s "$(command -v gcc)" x86_64-unknown-linux-gcc-99.1
cat >names.cc <<'END'
#include <mutex>
#include <thread>
namespace bank {
namespace { int total; }
template <typename T> __attribute__((noinline)) T add(T x) { total += x; return total; }
struct Named { int name; };
struct Counted { int name; };
struct Account : Named, Counted { int balance, name; std::mutex lock; int operator()(int k) { std::lock_guard<std::mutex> g(lock); Named::name++; Counted::name++; name++; return balance += add<int>(k); } } account[2];
}
int main() { std::thread t([] { bank::account[1](1); }); t.join(); return bank::account[1](1) - 3; }
END

here_values=$here/values
runs_with() { # runs_with STATUS PROGRAM...
  expected=$1
  shift
  "$tool" run -o log "$@"
  [ $? = "$expected" ] && "$show" log >/dev/null
}
refuses_static() { ! "$tool" cc -static main.c seven.c -o static 2>err && grep -q -e -static err; }
warns_of_openmp() {
  "$tool" cc -fopenmp -c main.c -o main.o 2>err && ! grep -q fopenmp err && "$tool" cc -fopenmp main.o seven.c -o openmp 2>err &&
    grep -q 'warning: -fopenmp: .* is not recorded' err && runs_with 7 ./openmp
}
# what is added to the command line makes no warning, which might be an error
no_warnings() {
  printf '#include <stdatomic.h>\nstatic inline int two(void) { return 2; }\nint main(void) { atomic_thread_fence(memory_order_seq_cst); return two() - 2; }\n' >fence.c &&
    "$tool" "$1" -O2 -Wall -Wextra -Winline -Werror fence.c -o fence 2>err && runs_with 0 ./fence || { cat err; return 1; }
}
depends() { "$tool" cc -MMD -c main.c -o main.o && grep -q main.c main.d; }
shared() {
  "$tool" cc -shared -fPIC seven.c -o libseven.so && "$tool" cc main.c -L. -lseven -Wl,-rpath,"$PWD" -o loads && runs_with 7 ./loads
}
outlives() {
  "$tool" cc late.c -o late && "$tool" run --keep-local -o log sh -c './late & sleep 0.2' && "$show" log | grep -q 'w(done)'
}
limited() {
  "$tool" cc -O0 many.c -o many && (ulimit -f 1000 && "$tool" run --keep-local -o log ./many 2>err; [ $? = 7 ]) && grep -q 'cut short' err && "$show" log | grep -q 'w(n)' &&
    (ulimit -f 1 && "$tool" run -o log2 ./many 2>err; [ $? = 3 ]) && grep -q 'tracerec: .*large' err
}
names_of_source() {
  "$tool" c++ -O0 names.cc -o names -pthread && "$tool" run --atomic='bank::Account::operator()' -o log ./names && "$show" log >log.txt &&
    grep -q 'w(bank::(anonymous namespace)::total)|names.cc:5:[0-9]*:bank::add<int>$' log.txt && grep -q 'begin(bank::Account::operator())' log.txt &&
    grep -q 'w(bank::account\[1\].balance)' log.txt && grep -q 'acq(&bank::account\[1\].lock)' log.txt &&
    [ "$(grep -o 'w(bank::account\[1\].name[^)]*)' log.txt | sort | uniq -c | awk '{ print $1 $2 }' | wc -l)" = 3 ]
}
explains_values() {
  "$tool" $1 $2 "$here_values/$3.c" -o values -pthread && "$tool" run -o log ./values >printed && "$show" log >log.txt &&
    awk -f "$here_values/$4.awk" printed log.txt
}
# warns_of_strip FLAG REGEX: the program is linked so, or `strip`ped so
warns_of_strip() {
  "$tool" cc plain.c -o bare -pthread && strip $1 bare && "$tool" run --atomic=work -o log ./bare 2>err && grep -qE "warning: $PWD/bare $2" err
}
warns_of_change() {
  "$tool" cc plain.c -o changed -pthread && "$tool" run --keep-raw -o log ./changed && ! "$show" log | grep -q '0x' && touch changed &&
    "$tool" salvage log.raw.* -o log 2>err && grep -q "$PWD/changed has changed or was removed since the run" err && "$show" log | grep -q '0x' && rm log.raw.*
}
# names of folders and files are told from the project's folder, wherever the compiler ran, and whatever it was given
has_places() { # has_places FOLDER FILE PLACE
  mkdir -p project/src project/include project/build/deeper elsewhere &&
    printf '#include "../include/both.h"\n#include <pthread.h>\nint both;\nvoid *work(void *x) { add(); return x; }\nint main(void) { pthread_t t; pthread_create(&t, 0, work, 0); add(); return pthread_join(t, 0); }\n' >project/src/main.c &&
    printf 'extern int both;\nstatic inline void add(void) { both++; }\n' >project/include/both.h &&
    (cd "$1" && "$tool" cc "$2" -o it -pthread && "$tool" run -o log ./it && "$show" log >shown && grep -q "w(both)|$3:2:[0-9]*:add" shown) || { cat "$1/shown"; return 1; }
}
# records_as COMPILER: the compiler by that name, with the flags that clang needs where it is one
records_as() {
  "$tool" "$1" plain.c -o plain -pthread && "$tool" run -o log ./plain && [ "$("$show" log | grep -c 'w(both)')" = 2 ] &&
    { [ -z "$2" ] || "$tool" "$1" -v -c plain.c 2>&1 | grep -q -e "$2"; }
}
finds_header() {
  for flags in "$("$tool" --cflags)" "$(DESTDIR=$PWD/installed make -C "$here/../.." -s install prefix=/opt >/dev/null 2>&1 && installed/opt/bin/tracerec --cflags)"; do
    eval "gcc $flags -Werror -c header.c -o header.o" || return 1
  done
  case $flags in -I*/installed/opt/*) ;; *) return 1 ;; esac
}
has_names() {
  nm "$(dirname "$tool")/../lib/tracerec/librecord.a" 2>/dev/null | sed -n 's/.* [TW] //p' | sort -u >names
  {
    for n in 1 2 4 8 16; do
      for kind in read write read_write volatile_read volatile_write unaligned_read unaligned_write unaligned_read_write \
        unaligned_volatile_read unaligned_volatile_write; do
        echo "__tsan_$kind$n"
      done
    done
    for n in 8 16 32 64 128; do
      for kind in load store exchange fetch_add fetch_sub fetch_and fetch_or fetch_xor fetch_nand compare_exchange_strong \
        compare_exchange_weak compare_exchange_val; do
        echo "__tsan_atomic${n}_$kind"
      done
    done
    for kind in init func_entry func_exit read_range write_range vptr_read vptr_update atomic_thread_fence atomic_signal_fence \
      ignore_thread_begin ignore_thread_end memcpy memmove memset; do
      echo "__tsan_$kind"
    done
  } | sort -u | comm -23 - names | grep . && return 1
  return 0
}

check "-c, and a program of two objects" sh -c "'$tool' cc -c main.c && '$tool' cc -c seven.c && '$tool' cc main.o seven.o -o two"
check "it runs" runs_with 7 ./two
check "a Makefile" make -s CC="'$tool' cc"
check "-MMD" depends
check "a response file" "$tool" cc @response
check "it compiles only" test -e "from file.o"
check "-shared" shared
check "-static is refused" refuses_static
check "-fopenmp is warned of" warns_of_openmp
check "nothing that is added is warned of" no_warnings cc
check "-E" sh -c "'$tool' cc -E main.c | grep -q seven"
check "--version" "$tool" cc --version
check "stdin" sh -c "'$tool' cc -x c - -x none seven.o -o stdin <main.c"
check "-fPIE -pie" "$tool" cc -fPIE -pie main.c seven.c -o pie
check "-no-pie" sh -c "'$tool' cc -no-pie mutex.c -o nopie -pthread"
check "it runs" runs_with 0 ./nopie
check "it has names" sh -c "'$show' log | grep -q '|mutex.c:[0-9]*:[0-9]*:main'"
check "TRACEREC_CC" env TRACEREC_CC="gcc -Wall" "$tool" cc main.c seven.c -o two
check "a compiler with a path" records_as "$(command -v gcc)"
check "a compiler with a target and a version" records_as ./x86_64-unknown-linux-gcc-99.1
for compiler in gcc-12 x86_64-linux-gnu-gcc-12 clang-14; do
  if command -v "$compiler" >/dev/null; then check "$compiler" records_as "$compiler"
  else echo "SKIP $compiler: not installed"; fi
done
if command -v clang >/dev/null; then
  mkdir "clang folder" && ln -s "$(command -v clang)" "clang folder/cc"
  check "a cc that is clang, in a folder with a blank" records_as "$PWD/clang folder/cc" tsan-compound-read-before-write
  check "nothing that is added for clang is warned of" no_warnings clang
  check "a wrapper before clang" env TRACEREC_CC="env clang" "$tool" cc plain.c -o plain -pthread
  mkdir clang && ln -s "$(command -v gcc)" clang/gcc
  check "gcc in a folder called clang" records_as "$PWD/clang/gcc"
fi
check "a stripped program is named" warns_of_strip "" "is stripped"
check "a program without lines is named" warns_of_strip -g "has no debug information"
check "a program that has changed is named" warns_of_change
check "places: compiled in the project" has_places project src/main.c include/both.h
check "places: compiled in a folder of it" has_places project/src main.c ".*/project/include/both.h"
check "places: compiled in a folder of it, absolute" has_places project/build "$PWD/project/src/main.c" include/both.h
check "places: compiled elsewhere, absolute" has_places elsewhere "$PWD/project/src/main.c" project/include/both.h
check "places: compiled elsewhere, relative" has_places elsewhere ../project/src/../src/main.c project/include/both.h
check "causal.h is found, built and installed" finds_header
check "a program without the recorder" sh -c "gcc main.c seven.c -o none; '$tool' run -o log2 ./none; [ \$? = 3 ] && [ ! -e log2 ]"
check "a program that is not there" sh -c "'$tool' run -o log2 ./nothing; [ \$? = 127 ] && [ ! -e log2 ]"
check "the log on stdout" sh -c "'$tool' run ./nopie 2>err | head -c 6 | grep -q CAUSAL && grep -q "^2$" err"
check "a process that a script leaves behind is awaited" outlives
check "a limit of the size of files" limited
check "an unrecorded run" sh -c "./two; [ \$? = 7 ]"
check "all names" has_names
for compiler in $compilers; do
  for level in -O0 -O2; do
    check "the order of racy accesses explains their values, $compiler $level" explains_values $compiler $level values values
    check "the order of accesses that are mostly reads explains their values, $compiler $level" explains_values $compiler $level readers values
    check "so does that of a read which is held, $compiler $level" explains_values $compiler $level window values
    check "and of those of threads that are far apart, $compiler $level" explains_values $compiler $level clocks values
    check "the order of racy copies explains their values, $compiler $level" explains_values $compiler $level copies values
    check "the order of racy accesses explains comparisons, $compiler $level" explains_values $compiler $level compare compare
  done
done
if command -v g++ >/dev/null; then
  check "C++" "$tool" c++ plus.cc -o plus -pthread
  check "it runs" runs_with 0 ./plus
  check "names of C++" names_of_source
else
  skip "build: C++: g++ is not installed"
fi
