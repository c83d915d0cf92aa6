/* A block that was freed comes again as part of another one, which begins elsewhere: it was freed before the other thread writes to it, also in the
 * order of the log, and also where the clock of who freed it had run far ahead. So there is nothing that two threads access in one life.
 * not: \((0x[0-9a-f]+)\)
 */
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __clang__
#define UNRECORDED __attribute__((no_sanitize("thread"), noinline))
#else
#define UNRECORDED __attribute__((no_sanitize_thread, noinline))
#endif

enum { MEETINGS = 100, BLOCK = 4096, BOTH = 6000 };

static int turn;
static sem_t full[2];

UNRECORDED static void pass(int to) { __atomic_store_n(&turn, to, __ATOMIC_RELEASE); }

UNRECORDED static void await(int me) {
  while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != me) {}
}

UNRECORDED static int is_in(const char *block, const char *other) { return block <= other && other < block + BOTH; }

static void meet(int who) {
  for (int i = 0; i < MEETINGS; i++) {
    sem_wait(&full[who]);
    sem_post(&full[!who]);
  }
}

static void *meeter(void *argument) {
  meet(1);
  return argument;
}

static void *other(void *argument) {
  await(1);
  char *block = malloc(BOTH);
  for (int i = BOTH; i > 0; i -= 8) block[i - 1] = 1;
  printf("%d\n", is_in(block, argument));
  return argument;
}

int main(void) {
  pthread_t threads[2];
  mallopt(M_ARENA_MAX, 1);
  sem_init(&full[0], 0, 1);
  sem_init(&full[1], 0, 0);
  char *volatile first = malloc(BLOCK);
  char *second = malloc(BLOCK);
  char *volatile behind = malloc(BLOCK);
  for (int i = 0; i < BLOCK; i++) second[i] = 1;
  pthread_create(&threads[0], NULL, meeter, NULL);
  pthread_create(&threads[1], NULL, other, second);
  free(first);
  meet(0);
  free(second);
  pass(1);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  free(behind);
  return 0;
}
