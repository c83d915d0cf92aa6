/* lost_counter.c: a counter of visitors without a lock. `visitors++` reads and writes: of two at the same time one is
 * lost. This is a data race, too.
 *
 * Fixed: under a lock. Transaction: `visit`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int visitors;

static void visit(void) {
  ATOMIC_BEGIN("visit");
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  visitors++;
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  ATOMIC_END();
}

static void *visitor(void *unused) {
  (void)unused;
  later();
  visit();
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, visitor, NULL)) return 1;
  visit();
  pthread_join(other, NULL);
  pthread_mutex_lock(&lock);
  printf("%d visitors\n", visitors);
  pthread_mutex_unlock(&lock);
  return 0;
}
