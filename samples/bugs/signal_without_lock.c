/* signal_without_lock.c: a producer counts a new item and signals it without the queue's lock. It can come between the
 * consumer's test for 0 and its wait, and the signal finds nobody; or between the read and the write of the consumer's
 * `n--`, and is not counted. This is a data race, too.
 *
 * Fixed: the producer takes the lock. Transactions: `put`, `take`, which begins once there is something to take: the
 * wait for it is where others are to come in between. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int items[8], n;

static void put(int item) {
  ATOMIC_BEGIN("put");
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  items[n] = item;
  n++;
  pthread_cond_signal(&more);
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  ATOMIC_END();
}

static int take(void) {
  pthread_mutex_lock(&lock);
  while (n == 0) pthread_cond_wait(&more, &lock);
  ATOMIC_BEGIN("take");
  n--;
  const int item = items[n];
  ATOMIC_END();
  pthread_mutex_unlock(&lock);
  return item;
}

static void *consumer(void *unused) {
  (void)unused;
  later();
  printf("item: %d\n", take());
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, consumer, NULL)) return 1;
  put(7);
  put(8);
  pthread_join(other, NULL);
  return 0;
}
