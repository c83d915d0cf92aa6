/* A counter of a byte or two comes back to its numbers soon. */
// expect: byte violated
// race: 18 18
// race: 18 19
// race: 19 19
#include <causal.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic signed char next;
static int slots[128];

static void *work(void *unused) {
  for (int i = 0; i < 1000; i++) {
    const signed char slot = atomic_fetch_add(&next, 1);
    if (slot < 0) continue;
    ATOMIC_BEGIN("byte");
    slots[slot]++;
    slots[slot]++;
    ATOMIC_END();
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
