/* What one thread alone has accessed for a long time, with atomic operations in between, for which it gives all lines
 * back and takes them again, is accessed by another thread in the end: nothing is left out.
 * count 50001: ^T1[^|]*\|w\(early\)
 * count 50001: ^T1[^|]*\|r\(early\)
 * count 50000: ^T1[^|]*\|w\(late\)
 * count 50000: ^T1[^|]*\|r\(late\)
 * count 1: ^T0\|r\(early\)
 * count 1: ^T0\|r\(late\)
 * not: own
 */
#include <pthread.h>
#include <stdatomic.h>

static struct { volatile int own[16]; } none __attribute__((aligned(64)));
static volatile int early __attribute__((aligned(64))), late __attribute__((aligned(64)));
static _Atomic int flag __attribute__((aligned(64)));

/* The first chunks have `early` alone; what comes later has `late`, and one of `early`. */
static void *work(void *argument) {
  for (int i = 0; i < 50000; i++) {
    none.own[i % 16]++;
    early++;
    (void)atomic_load(&flag);
  }
  for (int i = 0; i < 50000; i++) {
    none.own[i % 16]++;
    late++;
    (void)atomic_load(&flag);
  }
  early++;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  atomic_store(&flag, 1);
  pthread_join(thread, NULL);
  return early + late == 100001 ? 0 : 1;
}
