/* Two threads take turns with a condition variable: a wait gives the lock back and takes it again.
 * has: ^T1:play\|w\(turn\)
 * has: ^T2:play\|w\(turn\)
 * alternate: w\(turn\)
 * not: &changed#
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn, numbers[2] = {0, 1};

static void *play(void *argument) {
  const int me = *(int *)argument;
  for (int i = 0; i < 50; i++) {
    pthread_mutex_lock(&lock);
    while (turn % 2 != me) pthread_cond_wait(&changed, &lock);
    turn++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  const struct timespec past = {0, 0};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, play, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  pthread_mutex_lock(&lock);
  printf("%d %d\n", turn, pthread_cond_timedwait(&changed, &lock, &past));
  pthread_mutex_unlock(&lock);
  return 0;
}
