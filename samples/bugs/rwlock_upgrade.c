/* rwlock_upgrade.c: a table of names under a readers' lock. Who does not find a name gives the readers' lock back,
 * takes the writers' lock, and adds the name, without looking again: another thread may have added it in between.
 *
 * Fixed: the writers' lock from the start. Transactions: `add_name`, `length`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static const char *names[8];
static int n;

static int is_there(const char *name) {
  for (int i = 0; i < n; i++)
    if (strcmp(names[i], name) == 0) return 1;
  return 0;
}

static void add_name(const char *name) {
  ATOMIC_BEGIN("add_name");
#ifdef FIXED
  pthread_rwlock_wrlock(&lock);
  if (!is_there(name)) names[n++] = name;
  pthread_rwlock_unlock(&lock);
#else
  pthread_rwlock_rdlock(&lock);
  const int found = is_there(name);
  pthread_rwlock_unlock(&lock);
  if (!found) { /* from here on another thread may add it */
    pthread_rwlock_wrlock(&lock);
    names[n++] = name;
    pthread_rwlock_unlock(&lock);
  }
#endif
  ATOMIC_END();
}

static size_t length(void) {
  size_t all = 0;
  ATOMIC_BEGIN("length");
  pthread_rwlock_rdlock(&lock);
  for (int i = 0; i < n; i++) all += strlen(names[i]);
  pthread_rwlock_unlock(&lock);
  ATOMIC_END();
  return all;
}

static void *client(void *unused) {
  (void)unused;
  later();
  add_name("Turing");
  printf("%zu letters\n", length());
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, client, NULL)) return 1;
  add_name("Dijkstra");
  pthread_join(other, NULL);
  return 0;
}
