/* Each thread has what the other one wants, again and again: nobody waits for the other for long. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { ROUNDS = 300, OWN = 64 };

static struct {
  int at[16];
} cells[2 * OWN] __attribute__((aligned(64)));

/* Both come here; the recorder does not see it. */
static __attribute__((noinline, no_sanitize("thread"))) void meet(int round) {
  static int here;
  __atomic_add_fetch(&here, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&here, __ATOMIC_SEQ_CST) < 2 * (round + 1)) usleep(10);
}

static void *run(void *argument) {
  const int me = argument != NULL;
  for (int i = 0; i < ROUNDS; i++) {
    for (int k = 0; k < 24; k++) cells[me * OWN + k % 8].at[0]++;
    meet(i);
    for (int k = 0; k < 8; k++) cells[!me * OWN + k].at[2 + me]++;
  }
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, &t);
  run(NULL);
  pthread_join(t, NULL);
  int sum = 0;
  for (int i = 0; i < 2 * OWN; i++)
    for (int k = 0; k < 4; k++) sum += cells[i].at[k];
  printf("%d\n", sum);
  return sum != 2 * ROUNDS * 32;
}
