/* compare.c: a thread compares two variables, which two others write: every fourth time 0, 1, 2 and 3. It prints a line "1" or "0" per comparison,
 * whether they were the same. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 200000 };

typedef struct {
  volatile long value;
  long more[63];
} Big;

Big left __attribute__((aligned(512))), right __attribute__((aligned(512)));
static char same[STEPS];

static void *compare(void *argument) {
  int (*volatile real)(const void *, const void *, size_t) = memcmp; /* no compiler's own */
  for (int i = 0; i < STEPS; i++) {
    same[i] = real(&left, &right, sizeof left) == 0;
    if (i % 32 == 0) sched_yield();
  }
  return argument;
}

static void *count(void *argument) {
  Big *big = argument;
  for (int i = 0; i < STEPS; i++) {
    big->value = i % 4;
    if (i % 8 == 0) sched_yield();
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, compare, NULL);
  pthread_create(&threads[1], NULL, count, &left);
  pthread_create(&threads[2], NULL, count, &right);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < STEPS; i++) printf("%d\n", same[i]);
  return 0;
}
