/* wrong_lock.c: each side holds a lock, but not the same one: the sum and the number of measurements are changed under
 * `values`, and the mean is computed under `printing`. It may see one of the two changed and the other not. This is a
 * data race, too.
 *
 * Fixed: `values` on both sides. Transactions: `measure`, `mean`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t values = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
#define MEAN_LOCK values
#else
#define MEAN_LOCK printing
static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;
#endif
static int sum = 20, n = 2;

static void measure(int value) {
  ATOMIC_BEGIN("measure");
  pthread_mutex_lock(&values);
  sum += value;
  n++;
  pthread_mutex_unlock(&values);
  ATOMIC_END();
}

static int mean(void) {
  ATOMIC_BEGIN("mean");
  pthread_mutex_lock(&MEAN_LOCK);
  const int result = sum / n;
  pthread_mutex_unlock(&MEAN_LOCK);
  ATOMIC_END();
  return result;
}

static void *print(void *unused) {
  (void)unused;
  later();
  printf("mean: %d\n", mean());
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, print, NULL)) return 1;
  measure(40);
  pthread_join(other, NULL);
  return 0;
}
