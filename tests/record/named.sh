# named.sh: part of run.sh: names of blocks and threads, and call stacks, as the tools tell them; with debug information that is split, missing or
# damaged.

cat >kv.c <<'END'
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
struct item {
  pthread_mutex_t lock;
  int value;
  struct item *next;
};
static jmp_buf back;
static struct item *new_item(void) {
  struct item *i = calloc(1, sizeof *i);
  pthread_mutex_init(&i->lock, NULL);
  return i;
}
static int get(struct item *i) {
  pthread_mutex_lock(&i->lock);
  int value = i->value;
  pthread_mutex_unlock(&i->lock);
  return value;
}
static void set(struct item *i, int value) {
  pthread_mutex_lock(&i->lock);
  i->value = value;
  pthread_mutex_unlock(&i->lock);
}
static void deeper(int n) {
  if (n) deeper(n - 1);
  else longjmp(back, 1);
}
static void incr(struct item *i) {
  const int value = get(i);
  if (!setjmp(back)) deeper(3);
  set(i, value + 1);
}
static void *client(void *item) {
  incr(item);
  incr(item);
  return NULL;
}
static void twice(struct item *i) {
  incr(i);
  incr(i);
}
int main(void) {
  pthread_t thread;
  struct item *other = new_item(), *item = new_item();
  other->next = item;
  twice(item);
  pthread_create(&thread, NULL, client, item);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, client, item);
  while (get(item) < 6) {}
  twice(item);
  pthread_join(thread, NULL);
  printf("%d\n", get(item));
  free(other->next);
  free(other);
  return 0;
}
END

cat >plus.cc <<'END'
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
struct Node {
  long before;
  int key;
};
struct Base {
  virtual ~Base() {}
  long first;
};
struct Derived : Base {
  long second;
};
namespace app {
std::mutex lock;
Node *node;
std::vector<long> *numbers;
std::shared_ptr<Node> shared;
Derived *derived;
void worker(int n) {
  std::lock_guard<std::mutex> guard(lock);
  node->key += n;
  (*numbers)[1] += n;
  shared->key += n;
  derived->first += n;
  derived->second += n;
}
struct Job {
  int n;
  void run() { worker(n); }
};
int later() {
  worker(3);
  return 1;
}
Node *make() {
  Node *n = new Node();
  return n;
}
Derived *derive() { return new Derived(); }
}
int main() {
  app::node = app::make();
  app::numbers = new std::vector<long>(40);
  app::shared = std::make_shared<Node>();
  app::derived = app::derive();
  std::thread a(app::worker, 1);
  app::Job job{2};
  std::thread b(&app::Job::run, &job);
  std::thread c([] { app::worker(4); });
  auto f = std::async(std::launch::async, app::later);
  a.join(), b.join(), c.join(), f.get();
  app::worker(0);
  return app::node->key == 10 ? 0 : 1;
}
END

record_kv() { "$tool" "$@" kv.c -o kv -pthread && "$tool" run --keep-raw --atomic=incr -o log.bin ./kv >count && rm -f raw && mv log.bin.raw.* raw; }
has() { grep -qE "$2" "$1" || { echo "no $2 in:" && cat "$1" && false; }; }
objects() { "$show" "$1" | sed -n 's/^[^|]*|[a-z]*(\([^|]*\))|.*/\1/p' | sort -u; }

stacks() {
  record_kv "$@" && "$BIN/tracepredict" log.bin >text
  has text 'note: T[0-9](:client)? called set at kv.c:34:[0-9]* in incr, called at kv.c:3[789]:[0-9]* in client$' &&
    has text 'note: T[0-9](:client)? called get at kv.c:32:[0-9]* in incr, called at kv.c:[0-9:]* in [a-z]*' && ! grep -q deeper text &&
    "$BIN/tracepredict" --format=json log.bin >json
  has json '"place": \{"file": "kv.c", "line": 24, "column": [0-9]*, "function": "set"\}, "stack": \[\{"file": "kv.c", "line": 34, "column": [0-9]*, "function": "incr"\}, \{"file": "kv.c", "line": 3[789], "column": [0-9]*, "function": "client"\}\]' &&
    "$BIN/tracepredict" --format=sarif log.bin >sarif
  has sarif '"stack": {"frames": \[|"stack": \{'
}
same_names() {
  record_kv "$@" && objects log.bin >first && "$tool" run --atomic=incr -o log.bin ./kv >count && objects log.bin >second && cmp first second &&
    has first '^kv.c:12:new_item\([0-9]*\)#2->value$' && ! grep 0x first
}
merged() {
  record_kv "$1" && mv log.bin one.bin && "$tool" run --atomic=incr -o two.bin ./kv >count
  "$BIN/tracepredict" -q --merge one.bin two.bin >text
  has text '^verdict: predicted'
}
plus() {
  "$tool" "$@" plus.cc -o plus -pthread && "$tool" run -o log.bin ./plus 2>err && objects log.bin >text && "$show" log.bin | cut -d '|' -f 1 | sort -u >threads
  has text '^plus.cc:40:app::make\(16\)->key$' && has text '^plus.cc:47:main\(320\)\+8' && has text '^plus.cc:48:main\([0-9]*\)->.*' &&
    has text '^plus.cc:43:app::derive\([0-9]*\)(->first|\+8)$' &&
    has threads '^T1:app::worker$' && has threads '^T2:app::Job::run$' && has threads '^T3:main::.*::operator\(\)' && has threads '^T4:app::later$'
}
stripped() {
  record_kv gcc && cp -p kv whole && objcopy --strip-debug whole kv && "$tool" run --atomic=incr -o log.bin ./kv >count 2>err
  cp -p whole kv
  objects log.bin >text
  has text '^new_item\([0-9]*\)#2\+40$' && has err 'no debug information'
}
split() {
  record_kv "$1" -gsplit-dwarf && objects log.bin >text
  has text '^kv.c:12:new_item\([0-9]*\)#2->value$'
}

# damage SEED: some bytes of a section of debug information of kv are others; its size and its time stay
damage() {
  cp -p whole kv
  objdump -h whole | awk -v seed="$1" '
    BEGIN { n = 0 }
    $2 ~ /^\.debug_/ { offset[n] = $6; size[n] = $3; n++ }
    function hex(text,  i, value) {
      for (i = 1; i <= length(text); i++) value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
      return value
    }
    END {
      srand(seed)
      section = int(rand() * n)
      from = hex(offset[section]); bytes = hex(size[section])
      for (i = 0; i < 1 + seed % 20; i++) printf "%d %03o\n", from + int(rand() * (seed % 3 ? bytes : 200 < bytes ? 200 : bytes)), int(rand() * 256)
    }' | while read -r at byte; do printf "\\$byte" | dd of=kv bs=1 seek="$at" conv=notrunc 2>/dev/null; done
  touch -r whole kv
}
damaged() {
  record_kv "$1" && cp -p kv whole
  seed=1
  while [ $seed -le 60 ]; do
    damage $seed
    timeout 20 "$tool" salvage raw -o log.bin 2>err || { echo "seed $seed: $?" && cat err && return 1; }
    "$BIN/tracepredict" --format=json log.bin >json
    [ $? -lt 2 ] && grep -q '"events": [1-9][0-9]' json || { echo "seed $seed: the log is not whole" && return 1; }
    seed=$((seed + 1))
  done
}
# the second half of what is known of types is zeros
torn() {
  record_kv "$1" && cp -p kv whole
  objdump -h whole | awk '$2 == ".debug_info" { print $6, $3 }' >at
  read -r offset size <at
  dd if=/dev/zero of=kv bs=1 seek=$((0x$offset + 0x$size / 2)) count=$((0x$size / 2)) conv=notrunc 2>/dev/null
  touch -r whole kv
  "$tool" salvage raw -o log.bin && objects log.bin >text && has text '^(kv.c:12:)?new_item\([0-9]*\)#2'
}

for cc in $compilers; do
  plus=g++
  [ "$cc" = gcc ] || plus=clang++
  for level in -O0 -O1 -O2; do
    check "call stacks, $cc $level" stacks "$cc" $level
    check "the same names in each run, $cc $level" same_names "$cc" $level
    check "C++, $plus $level" plus "$plus" $level
  done
  check "merged runs, $cc" merged "$cc"
  check "-gsplit-dwarf, $cc" split "$cc"
  check "damaged debug information, $cc" damaged "$cc"
  check "half of the debug information, $cc" torn "$cc"
done
check "C++ with its library linked statically" plus g++ -static-libstdc++
check "no debug information" stripped gcc
