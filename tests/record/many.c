/* Threads whose stacks come again and again in the same place do not share them.
 * not: \|[rw]\(0x
 * has: ^T150:work\|exit
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void add(int *value) { *value += 1; }

static void *work(void *argument) {
  int own = 0;
  add(&own);
  pthread_mutex_lock(&lock);
  shared += own;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t threads[10];
  for (int round = 0; round < 15; round++) {
    for (int i = 0; i < 10; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 10; i++) pthread_join(threads[i], NULL);
  }
  printf("%d\n", shared);
  return 0;
}
