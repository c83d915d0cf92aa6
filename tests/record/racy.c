/* Racy accesses are logged in the order in which they took effect: a turn that is passed on by plain accesses.
 * modes: exact
 * alternate: w\(turn\)
 * alternate: w\(data\)
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static volatile int turn;
static volatile int data;

static void *play(void *argument) {
  const int me = (int)(long)argument;
  for (int i = 0; i < 300; i++) {
    while (turn % 2 != me) sched_yield();
    data++;
    turn++;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, play, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%d %d\n", turn, data);
  return 0;
}
