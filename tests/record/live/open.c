/* open.c: `open STEPS`: three threads read and write a line, one after the other, as the steps say: "0( 0r 1w 0r 0)" is
 * a transaction of thread 0 with two reads, and a write of thread 1 in between; R and W are of the line's last word. */
#include <causal.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

enum { THREADS = 3, WORDS = 8 };

static volatile long line[WORDS] __attribute__((aligned(64)));
static sem_t turn[THREADS];
static const char *steps;

/* In the function in which the transaction begins: what comes after that is told in full. */
static inline __attribute__((always_inline)) void take(char step) {
  switch (step) {
  case '(': ATOMIC_BEGIN("block"); break;
  case ')': ATOMIC_END(); break;
  case 'r': (void)line[0]; break;
  case 'w': line[0] = 1; break;
  case 'R': (void)line[WORDS - 1]; break;
  default: line[WORDS - 1] = 1;
  }
}

static void *work(void *argument) {
  const int me = (int)(intptr_t)argument;
  for (const char *at = steps; *at; at += 2) {
    if (at[0] - '0' == me) {
      sem_wait(&turn[me]);
      take(at[1]);
      if (at[2]) sem_post(&turn[at[3] - '0']);
    }
    if (at[2]) at++;
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  steps = argc > 1 ? argv[1] : "0r";
  for (int i = 0; i < THREADS; i++) sem_init(&turn[i], 0, i == steps[0] - '0');
  for (intptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
