# names.sh: part of run.sh: programs whose own names are those of the runtime, or of the C library's functions that it stands in for.

# the names in the runtime that a program may use, one a line
nm "$BIN/../lib/tracerec/librecord.a" "$BIN"/../record/*.o 2>/dev/null | awk 'NF == 3 && $2 != "W" { print $3 }' |
  grep -E '^[A-Za-z][A-Za-z0-9_]*$' | sort -u >names

{
  echo '#include <pthread.h>'
  sed 's/.*/int & = 1;/' names
  echo 'static int both_;'
  echo 'static void *work_(void *argument_) { both_++; return argument_; }'
  echo 'int main(void) {'
  echo '  pthread_t thread_; int sum_ = 0;'
  echo '  pthread_create(&thread_, NULL, work_, NULL); both_++; pthread_join(thread_, NULL);'
  sed 's/.*/  sum_ += &;/' names
  echo "  return sum_ == $(wc -l <names) && both_ == 2 ? 0 : 1;"
  echo '}'
} >names.c

cat >own.c <<'END'
int select(int n) { return n + 1; }
int read(int n) { return n + 2; }
int poll(int n) { return n + 3; }
int sleep(int n) { return n + 4; }
static char pool[1 << 22];
static unsigned long used;
void *malloc(unsigned long n) {
  unsigned long *size = (unsigned long *)(pool + __atomic_fetch_add(&used, (n + 31) & ~15ul, __ATOMIC_SEQ_CST));
  *size = n;
  return size + 2;
}
void free(void *memory) { (void)memory; }
void *calloc(unsigned long n, unsigned long size) { return malloc(n * size); }
void *realloc(void *memory, unsigned long n) {
  char *new = malloc(n);
  for (unsigned long i = 0; memory && i < n && i < ((unsigned long *)memory)[-2]; i++) new[i] = ((char *)memory)[i];
  return new;
}
extern int pthread_create(unsigned long *, void *, void *(*)(void *), void *), pthread_join(unsigned long, void **);
int both;
void *work(void *argument) { both++; free(malloc(3)); return argument; }
int main(void) {
  unsigned long thread;
  pthread_create(&thread, 0, work, 0);
  both++;
  pthread_join(thread, 0);
  return select(1) + read(1) + poll(1) + sleep(1) == 14 && both == 2 ? 0 : 1;
}
END

printf 'int header = 5;\nint self(void) { return header++; }\n' >library.c
printf 'extern int self(void);\nint header = 1, real;\nint main(void) { return self() == 1 && header == 2 && real == 0 ? 0 : 1; }\n' >loads.c

# links_and_runs FILE COMPILER...: it ends with 0, and what both threads do is in the log
links_and_runs() {
  file=$1
  shift
  "$tool" "$@" "$file.c" -o "$file" -pthread && "$tool" run -o log "./$file" && [ "$("$show" log | grep -c 'w(both')" = 2 ]
}
in_libraries() {
  "$tool" "$1" -c library.c -o library.o && ar rcs library.a library.o && ! "$tool" "$1" loads.c library.a -o twice 2>err &&
    grep -q 'multiple definition\|duplicate symbol' err && ! grep -q librecord err &&
    "$tool" "$1" -shared -fPIC library.c -o libown.so -Wl,-z,defs && "$tool" "$1" loads.c -L. -lown -Wl,-rpath,"$PWD" -o loads && "$tool" run -o log ./loads
}

check "there are names" [ "$(wc -l <names)" -gt 50 ]
for compiler in $compilers; do
  for flags in -O0 -no-pie "-O2 -flto" "-ffunction-sections -Wl,--gc-sections" -fuse-ld=gold -fuse-ld=lld; do
    case $flags in -fuse-ld=*) command -v "ld.${flags#*=}" >/dev/null || { echo "SKIP ld.${flags#*=}: not installed"; continue; } ;; esac
    # shellcheck disable=SC2086 # flags are several words
    check "all names of the runtime, $compiler $flags" links_and_runs names $compiler $flags
    # shellcheck disable=SC2086
    check "functions by names of the C library, $compiler $flags" links_and_runs own $compiler -fno-builtin -w $flags
  done
  check "a library with such names, $compiler" in_libraries "$compiler"
done
