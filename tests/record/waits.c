/* A thread looks at a flag until it changes, with accesses of its own in between; its log goes on in another chunk now
 * and then, and what it waits for is known all the same.
 * count 1000: wait\(&flag\)
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { ROUNDS = 1000, LOOKS = 3, OWN = 32 /* lines of their own */ };

static pthread_mutex_t between = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static _Alignas(64) int own[OWN];
static volatile int asked, set; /* not recorded */

/* So often it looks in vain; then the flag is set before it looks again. */
__attribute__((noinline, no_sanitize("thread"))) static void in_vain(int round, int looks) {
  if (looks < LOOKS) return;
  asked = round;
  while (set < round) sched_yield();
}

__attribute__((noinline, no_sanitize("thread"))) static void await_asked(int round) {
  while (asked < round) sched_yield();
}

__attribute__((noinline, no_sanitize("thread"))) static void tell_set(int round) { set = round; }

static void *setter(void *unused) {
  for (int round = 1; round <= ROUNDS; round++) {
    await_asked(round);
    atomic_store(&flag, round);
    tell_set(round);
  }
  return unused;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, setter, NULL)) return 1;
  for (int round = 1; round <= ROUNDS; round++) {
    for (int looks = 1; atomic_load(&flag) < round; looks++) {
      for (int i = 0; i < OWN; i += 2) own[i] = looks;
      in_vain(round, looks);
    }
    pthread_mutex_lock(&between);
    pthread_mutex_unlock(&between);
  }
  pthread_join(other, NULL);
  printf("%d\n", own[0]);
  return 0;
}
