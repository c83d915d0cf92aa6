/* bluetooth.c: a driver counts the requests that are being served, itself included. Who stops it sets a flag, and takes
 * itself off the count; who comes to 0 releases the driver. A request tests the flag, then adds itself: if the driver
 * is stopped in between, the request uses a driver that was released. All accesses are atomic operations.
 *
 * Fixed: flag and count change together, under a lock. Transactions: `enter`, `stop`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t driver = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool stopping, released;
static atomic_int users = 1;

static void leave(void) {
  if (atomic_fetch_sub(&users, 1) == 1) atomic_store(&released, true);
}

static bool enter(void) {
  ATOMIC_BEGIN("enter");
#ifdef FIXED
  pthread_mutex_lock(&driver);
#endif
  const bool may = !atomic_load(&stopping);
  if (may) atomic_fetch_add(&users, 1); /* is the driver still there? */
#ifdef FIXED
  pthread_mutex_unlock(&driver);
#endif
  ATOMIC_END();
  return may;
}

static void stop(void) {
  ATOMIC_BEGIN("stop");
#ifdef FIXED
  pthread_mutex_lock(&driver);
#endif
  atomic_store(&stopping, true);
  leave();
#ifdef FIXED
  pthread_mutex_unlock(&driver);
#endif
  ATOMIC_END();
}

static void *stopper(void *unused) {
  (void)unused;
  later();
  stop();
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, stopper, NULL)) return 1;
  if (enter()) leave();
  pthread_join(other, NULL);
  pthread_mutex_lock(&driver);
  printf("released: %d\n", atomic_load(&released));
  pthread_mutex_unlock(&driver);
  return 0;
}
