/* batched_count.c: a server counts its requests in a batch, whose lock is held briefly; every thousandth time the batch
 * is added to the total, which has a lock of its own, and set to 0. In between both locks are free: a request that is
 * counted then is in neither. It takes a thousand requests to get there.
 *
 * Fixed: the lock of the batch is held until it is 0. Transaction: `count`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>

enum { BATCH = 1000, REQUESTS = 1100 };

static pthread_mutex_t batch_lock = PTHREAD_MUTEX_INITIALIZER, total_lock = PTHREAD_MUTEX_INITIALIZER;
static int batch, total;

/* the lock of the batch is held */
static void add_up(void) {
  const int counted = batch;
#ifndef FIXED
  pthread_mutex_unlock(&batch_lock); /* here the batch can grow */
#endif
  pthread_mutex_lock(&total_lock);
  total += counted;
  pthread_mutex_unlock(&total_lock);
#ifndef FIXED
  pthread_mutex_lock(&batch_lock);
#endif
  batch = 0;
}

static void count(void) {
  ATOMIC_BEGIN("count");
  pthread_mutex_lock(&batch_lock);
  batch++;
  if (batch == BATCH) add_up();
  pthread_mutex_unlock(&batch_lock);
  ATOMIC_END();
}

static void *client(void *unused) {
  (void)unused;
  later();
  count();
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, client, NULL)) return 1;
  for (int i = 0; i < REQUESTS; i++) count();
  pthread_join(other, NULL);
  printf("requests: %d\n", total + batch);
  return 0;
}
