/* table_growth.c: a table of entries grows when it is full. It is copied outside of the lock, so that others need not
 * wait for the allocation; but an entry that comes in meanwhile is in the old table only. A table grows seldom: here
 * once, after 1000 entries.
 *
 * Fixed: the lock is held while the table grows. Transaction: `put`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 1000, ENTRIES = 1200 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *table;
static size_t n, room = FIRST;

/* the lock is held */
static void grow(void) {
  const size_t had = n;
  const int *old = table;
#ifndef FIXED
  pthread_mutex_unlock(&lock); /* here an entry can be put into the old table */
#endif
  int *new = malloc(2 * had * sizeof *new);
  if (!new) abort();
#ifndef FIXED
  pthread_mutex_lock(&lock);
#endif
  memcpy(new, old, had * sizeof *new);
  table = new;
  n = had;
  room = 2 * had;
}

static void put(int entry) {
  ATOMIC_BEGIN("put");
  pthread_mutex_lock(&lock);
  if (n == room) grow();
  if (n < room) table[n++] = entry;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static void *client(void *unused) {
  (void)unused;
  later();
  put(-1);
  return NULL;
}

int main(void) {
  pthread_t other;
  table = malloc(FIRST * sizeof *table);
  if (!table || pthread_create(&other, NULL, client, NULL)) return 1;
  for (int i = 0; i < ENTRIES; i++) put(i);
  pthread_join(other, NULL);
  printf("%zu entries\n", n);
  return 0;
}
