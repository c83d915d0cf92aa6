# build.sh: part of run.sh: the compiler's command lines that `tracerec cc` has to understand, the names that the compilers may use, and the
# order of races.

check() { # check WHAT COMMAND...
  what=$1
  shift
  if "$@" >"$work/out" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "record: FAILED: build: $what"
    cat "$work/out"
  fi
}

here=$PWD
tool=$(cd "$BIN" && pwd)/tracerec
mkdir "$work/build" && cd "$work/build" || exit 1
cp "$here/mutex.c" .
printf 'int seven(void) { return 7; }\n' >seven.c
printf 'extern int seven(void);\nint main(void) { return seven(); }\n' >main.c
printf 'prog: main.o seven.o\n\t$(CC) $^ -o $@\n' >Makefile
printf '#include <unistd.h>\nint done;\nint main(void) { usleep(600000); done = 1; return 0; }\n' >late.c
printf 'int n, i;\nint main(void) { for (i = 0; i < 100000; i++) n++; return 7; }\n' >many.c
printf -- '-c "main.c"\n-o from\\ file.o' >response
printf '#include <causal.h>\n#include <thread>\nint n;\nint main() { ATOMIC_BEGIN("b"); std::thread t([] { n++; }); t.join(); ATOMIC_END(); return n - 1; }\n' >plus.cc

cat >names.cc <<'END'
#include <thread>
namespace bank {
namespace { int total; }
template <typename T> __attribute__((noinline)) T add(T x) { total += x; return total; }
struct Account { int balance; int operator()(int k) { return balance += add<int>(k); } } account;
}
int main() { std::thread t([] { bank::account(1); }); t.join(); return bank::account(1) - 3; }
END

here_values=$here/values
case $show in /*) here= ;; *) here=$here/ ;; esac
runs_with() { # runs_with STATUS PROGRAM...
  expected=$1
  shift
  "$tool" run -o log "$@"
  [ $? = "$expected" ] && "$here$show" log >/dev/null
}
refuses_static() { ! "$tool" cc -static main.c seven.c -o static 2>err && grep -q -e -static err; }
depends() { "$tool" cc -MMD -c main.c -o main.o && grep -q main.c main.d; }
shared() {
  "$tool" cc -shared -fPIC seven.c -o libseven.so && "$tool" cc main.c -L. -lseven -Wl,-rpath,"$PWD" -o loads && runs_with 7 ./loads
}
outlives() {
  "$tool" cc late.c -o late && "$tool" run --keep-local -o log sh -c './late & sleep 0.2' && "$here$show" log | grep -q 'w(done)'
}
limited() {
  "$tool" cc -O0 many.c -o many && (ulimit -f 600 && "$tool" run --keep-local -o log ./many 2>err; [ $? = 7 ]) && grep -q 'cut short' err && "$here$show" log | grep -q 'w(n)' &&
    (ulimit -f 1 && "$tool" run -o log2 ./many 2>err; [ $? = 3 ]) && grep -q 'tracerec: .*large' err
}
names_of_source() {
  "$tool" c++ -O0 names.cc -o names -pthread && "$tool" run --atomic='bank::Account::operator()' -o log ./names && "$here$show" log >log.txt &&
    grep -q 'w(bank::(anonymous namespace)::total)|names.cc:4:[0-9]*:bank::add<int>$' log.txt && grep -q 'begin(bank::Account::operator())' log.txt
}
explains_values() {
  "$tool" $1 $2 "$here_values/$3.c" -o values -pthread && "$tool" run -o log ./values >printed && "$here$show" log >log.txt &&
    awk -f "$here_values/$4.awk" printed log.txt
}
has_names() {
  nm "$(dirname "$tool")/../lib/tracerec/librecord.a" 2>/dev/null | sed -n 's/.* T //p' | sort -u >names
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
check "a Makefile" make -s CC="$tool cc"
check "-MMD" depends
check "a response file" "$tool" cc @response
check "it compiles only" test -e "from file.o"
check "-shared" shared
check "-static is refused" refuses_static
check "-E" sh -c "'$tool' cc -E main.c | grep -q seven"
check "--version" "$tool" cc --version
check "stdin" sh -c "'$tool' cc -x c - -x none seven.o -o stdin <main.c"
check "-fPIE -pie" "$tool" cc -fPIE -pie main.c seven.c -o pie
check "-no-pie" sh -c "'$tool' cc -no-pie mutex.c -o nopie -pthread"
check "it runs" runs_with 0 ./nopie
check "TRACEREC_CC" env TRACEREC_CC="gcc -Wall" "$tool" cc main.c seven.c -o two
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
    check "the order of racy copies explains their values, $compiler $level" explains_values $compiler $level copies values
    check "the order of racy accesses explains comparisons, $compiler $level" explains_values $compiler $level compare compare
  done
done
if command -v g++ >/dev/null; then
  check "C++" "$tool" c++ plus.cc -o plus -pthread
  check "it runs" runs_with 0 ./plus
  check "names of C++" names_of_source
fi
cd "$OLDPWD" || exit 1
