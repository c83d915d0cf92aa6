# bounded.sh: part of run.sh: logs of bounded size, and the raw logs of many short threads.

cat >bounded.c <<'END2'
#include <causal.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int balance, rounds, ready;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
pthread_barrier_t both;
int look(void) { pthread_mutex_lock(&lock); int b = balance; pthread_mutex_unlock(&lock); return b; }
void put(int b) { pthread_mutex_lock(&lock); balance = b; pthread_mutex_unlock(&lock); }
void good(void) { ATOMIC_BEGIN("good"); pthread_mutex_lock(&lock); balance++; pthread_mutex_unlock(&lock); ATOMIC_END(); }
/* between its halves the other one writes */
void split(int first) {
  ATOMIC_BEGIN("split");
  int b = first ? look() : 0;
  pthread_barrier_wait(&both);
  if (!first) put(7);
  pthread_barrier_wait(&both);
  if (first) put(b + 1);
  ATOMIC_END();
}
void *work(void *x) {
  const int first = x != NULL, when = rounds < 0;
  if (when) split(first);
  for (int i = 0; i < abs(rounds); i++) good();
  pthread_barrier_wait(&both); /* so that neither has begun long before the other */
  if (!when) split(first);
  return x;
}
int main(int argc, char **argv) {
  pthread_t t[2];
  rounds = atoi(argv[1]);
  pthread_barrier_init(&both, NULL, 2);
  pthread_mutex_lock(&own); /* and it is held to the end */
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, i ? argv : NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  pthread_mutex_unlock(&own);
  printf("%d\n", argc);
}
END2
cat >short.c <<'END2'
#include <causal.h>
#include <pthread.h>
int n;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *work(void *x) {
  ATOMIC_BEGIN("add");
  pthread_mutex_lock(&lock);
  n++;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
  return x;
}
int main(void) {
  for (int i = 0; i < 1000; i++) {
    pthread_t t[2];
    for (int k = 0; k < 2; k++) pthread_create(&t[k], NULL, work, NULL);
    for (int k = 0; k < 2; k++) pthread_join(t[k], NULL);
  }
  return n != 2000;
}
END2
# each joined, or else detached, at once, or when it has ended; the memory that the program has taken at most, in MB
cat >ended.c <<'END2'
#include <causal.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
int n;
sem_t done;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *work(void *x) {
  ATOMIC_BEGIN("add");
  pthread_mutex_lock(&lock);
  n++;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
  sem_post(&done);
  return x;
}
int main(int argc, char **argv) {
  pthread_attr_t loose;
  struct rusage used;
  pthread_attr_init(&loose);
  pthread_attr_setdetachstate(&loose, PTHREAD_CREATE_DETACHED);
  sem_init(&done, 0, 0);
  for (int i = 0; i < 3000; i++) {
    pthread_t t;
    if (pthread_create(&t, *argv[1] == 'd' ? &loose : NULL, work, NULL)) return 9;
    if (*argv[1] == 'j') pthread_join(t, NULL);
    sem_wait(&done);
    if (*argv[1] == 'l') pthread_detach(t);
  }
  getrusage(RUSAGE_SELF, &used);
  printf("%ld\n", used.ru_maxrss / 1024);
  return argc != 2 || n != 3000;
}
END2
# the lock that is held when the log begins has been taken before
cat >spin.c <<'END2'
#include <causal.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
atomic_int held;
int n, other;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_barrier_t all;
void fill(void) { ATOMIC_BEGIN("fill"); pthread_mutex_lock(&lock); other++; pthread_mutex_unlock(&lock); ATOMIC_END(); }
void add(void) {
  ATOMIC_BEGIN("add");
  while (atomic_exchange(&held, 1)) usleep(100);
  n++;
  atomic_store(&held, 0);
  ATOMIC_END();
}
void *work(void *x) {
  for (int i = 0; i < 100000; i++) fill();
  pthread_barrier_wait(&all);
  for (int i = 0; i < 20; i++) add();
  return x;
}
int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&all, NULL, 3);
  atomic_exchange(&held, 1);
  for (int k = 0; k < 2; k++) pthread_create(&t[k], NULL, work, NULL);
  pthread_barrier_wait(&all);
  usleep(5000);
  atomic_store(&held, 0);
  for (int k = 0; k < 2; k++) pthread_join(t[k], NULL);
  return n != 40;
}
END2
# the same: one thread has it in a block, in which the other one tries to take it, once, and goes on
cat >tries.c <<'END2'
#include <causal.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int held;
int other;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_barrier_t all;
void fill(void) { ATOMIC_BEGIN("fill"); pthread_mutex_lock(&lock); other++; pthread_mutex_unlock(&lock); ATOMIC_END(); }
void hold(void) {
  ATOMIC_BEGIN("hold");
  while (atomic_exchange(&held, 1)) {}
  pthread_barrier_wait(&all);
  pthread_barrier_wait(&all);
  atomic_store(&held, 0);
  ATOMIC_END();
}
int try(void) {
  pthread_barrier_wait(&all);
  const int failed = atomic_exchange(&held, 1);
  pthread_barrier_wait(&all);
  return failed;
}
void *work(void *x) {
  int failed = 1;
  for (int i = 0; i < 100000; i++) fill();
  failed = try();
  pthread_barrier_wait(&all);
  for (int i = 0; i < 4; i++)
    if ((i % 2 == 0) == (x != NULL)) hold(), pthread_barrier_wait(&all);
    else failed &= try(), pthread_barrier_wait(&all);
  return failed ? x : NULL;
}
int main(void) {
  pthread_t t[2];
  void *result;
  pthread_barrier_init(&all, NULL, 3);
  atomic_exchange(&held, 1);
  for (int k = 0; k < 2; k++) pthread_create(&t[k], NULL, work, k ? &held : NULL);
  pthread_barrier_wait(&all);
  pthread_barrier_wait(&all);
  atomic_store(&held, 0);
  for (int i = 0; i < 13; i++) pthread_barrier_wait(&all);
  for (int k = 0; k < 2; k++) pthread_join(t[k], &result);
  return !result;
}
END2
"$tool" cc -O1 tries.c -o tries -pthread || exit 1
"$tool" cc -O1 ended.c -o ended -pthread || exit 1
"$tool" cc -O1 spin.c -o spin -pthread || exit 1
"$tool" cc -O1 bounded.c -o bounded -pthread && "$tool" cc -O1 short.c -o short -pthread || exit 1

says() { # EXIT LINE COMMAND...
  code=$1 line=$2
  shift 2
  within 60 "$@" >out 2>err
  got=$?
  [ $got = "$code" ] && cat out err | grep -qF -- "$line" && return
  echo "exit $got"
  cat out err
  return 1
}
# KB: so much of the disk has the raw log taken, at most
raw_within() { [ "$(du -k log.raw.* | cut -f 1)" -le "$1" ] || { du -k log.raw.*; return 1; }; }
is_sound() { "$show" log >shown && awk -f "$here/sound.awk" shown; }
record_raw() { rm -f log.raw.*; "$tool" run --keep-raw -o log "$@"; }

check "a long run" record_raw --max-log=1M ./bounded 100000
check "its raw log is bounded" raw_within 1700
check "it has the end" says 1 'verdict: violated' "$BIN/tracecheck" -q log
check "it begins in the middle" says 1 'the log begins in the middle of the run' "$BIN/tracecheck" log
check "nothing is predicted" says 2 'the log begins in the middle of the run, and does not say what was held then' "$BIN/tracepredict" log
check "by blocks, too" says 2 'unknown' "$BIN/tracecheck" -q --analysis=blocks log
check "no events of the begin" sh -c "'$show' log >shown; ! grep -q '^T0|fork' shown && grep -q 'begin(good)' shown"
check "a violation that is lost" record_raw --max-log=1M ./bounded -100000
check "is unknown" says 2 'verdict: unknown' "$BIN/tracecheck" -q log
check "in a copy, too" sh -c "'$BIN/tracecheck' --convert=bin log >copy; '$BIN/tracecheck' -q copy; [ \$? = 2 ]"
check "where all is kept" sh -c "'$tool' run -o log ./bounded -100000 && '$BIN/tracecheck' -q log; [ \$? = 1 ]"
check "salvaged it is the same" sh -c "'$tool' salvage log.raw.* -o again 2>err && '$BIN/tracecheck' -q again; [ \$? = 2 ]"
check "a run that fits" record_raw --max-log=10M ./bounded -10
check "is all there" is_sound
check "and its verdict is one" says 1 'verdict: violated' "$BIN/tracecheck" -q log
check "short threads" record_raw ./short
check "take no 64 KB each" raw_within 17000
check "and are all there" sh -c "'$show' log | grep -c 'begin(add)' >n; [ \$(cat n) = 2000 ]"
check "what is serializable is that" says 0 'verdict: serializable' "$BIN/tracecheck" -q log
for how in joined detached later; do
  check "threads that were $how" sh -c "'$tool' run -o log ./ended $how >used"
  check "leave nothing behind ($how)" sh -c '[ "$(cat used)" -lt 50 ]'
  check "and are all there ($how)" sh -c "'$show' log | grep -c 'begin(add)' >n; [ \$(cat n) = 3000 ]"
  check "with one verdict ($how)" says 0 'verdict: serializable' "$BIN/tracecheck" -q log
done
check "bounded" record_raw --max-log=1M ./short
check "they take no more" raw_within 1700
check "with the end" says 2 'verdict: unknown' "$BIN/tracecheck" -q log
check "a lock of one's own" record_raw --max-log=1M ./spin
check "is no variable" says 2 'verdict: unknown' "$BIN/tracecheck" -q log
check "attempts to take it" record_raw --max-log=1M ./tries
check "are nothing" says 2 'verdict: unknown' "$BIN/tracecheck" -q log
check "and where the log has its begin" sh -c "'$tool' run -o log ./tries && '$BIN/tracecheck' -q log"
check "no log when it is watched" says 1 'violated' "$tool" run --monitor --no-log ./bounded 10
check "no log alone" says 3 '--no-log needs --monitor' "$tool" run --no-log ./bounded 10
check "no log, and one" says 3 'exclude each other' "$tool" run --monitor --no-log -o log ./bounded 10
check "too little" says 3 '--max-log expects from 1M to 1024G' "$tool" run --max-log=64K -o log ./bounded 10
