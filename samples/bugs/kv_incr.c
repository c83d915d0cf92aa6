/* kv_incr.c: a key-value server keeps its values as text, each under the lock of its item. `incr` gets the value under
 * that lock, computes, and sets it under the lock again: an increment that comes in between is lost.
 *
 * Fixed: `incr` holds the lock from get to set. Transaction: `incr`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 12 };

typedef struct {
  pthread_mutex_t lock;
  char value[DIGITS];
} Item;

static Item hits = {PTHREAD_MUTEX_INITIALIZER, "41"};

/* the lock is held */
static long get(const Item *item) {
  char value[DIGITS];
  memcpy(value, item->value, DIGITS);
  return strtol(value, NULL, 10);
}

static void set(Item *item, long number) {
  char value[DIGITS] = "";
  snprintf(value, DIGITS, "%ld", number);
  memcpy(item->value, value, DIGITS);
}

static void incr(Item *item, long by) {
  ATOMIC_BEGIN("incr");
  pthread_mutex_lock(&item->lock);
  const long number = get(item);
#ifndef FIXED
  pthread_mutex_unlock(&item->lock); /* here the value can change */
  pthread_mutex_lock(&item->lock);
#endif
  set(item, number + by);
  pthread_mutex_unlock(&item->lock);
  ATOMIC_END();
}

static void *client(void *unused) {
  (void)unused;
  later();
  incr(&hits, 1);
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, client, NULL)) return 1;
  incr(&hits, 1);
  pthread_join(other, NULL);
  printf("hits: %s\n", hits.value);
  return 0;
}
