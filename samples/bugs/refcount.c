/* refcount.c: who wants a session tests that somebody still refers to it, and then counts himself. Both are atomic
 * operations, but if the last reference is dropped in between, the session is freed, and used.
 *
 * Fixed: test and count under a lock that dropping takes, too. Transactions: `acquire`, `drop`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
  atomic_int references;
  bool freed;
} session = {.references = 1};

static bool acquire(void) {
  ATOMIC_BEGIN("acquire");
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  const bool is_alive = atomic_load(&session.references) > 0;
  if (is_alive) atomic_fetch_add(&session.references, 1); /* is it still alive? */
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  ATOMIC_END();
  return is_alive;
}

static void drop(void) {
  ATOMIC_BEGIN("drop");
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  const int references = atomic_fetch_sub(&session.references, 1) - 1;
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  if (references == 0) session.freed = true;
  ATOMIC_END();
}

static void *owner(void *unused) {
  (void)unused;
  later();
  drop();
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, owner, NULL)) return 1;
  if (acquire()) drop();
  pthread_join(other, NULL);
  pthread_mutex_lock(&lock);
  printf("freed: %d\n", session.freed);
  pthread_mutex_unlock(&lock);
  return 0;
}
