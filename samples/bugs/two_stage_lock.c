/* two_stage_lock.c: an index, with its own lock, says where a record stands; the records have another lock. A reader
 * takes the two one after the other. A record that is moved in between is read where it no longer stands.
 *
 * Fixed: the reader keeps the first lock until it has read. Transactions: `read_record`, `move_record`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>

enum { EMPTY = -1 };

static pthread_mutex_t index_lock = PTHREAD_MUTEX_INITIALIZER, records_lock = PTHREAD_MUTEX_INITIALIZER;
static int place = 2;
static int records[4] = {EMPTY, EMPTY, 42, EMPTY};

static int read_record(void) {
  ATOMIC_BEGIN("read_record");
  pthread_mutex_lock(&index_lock);
  const int at = place;
#ifndef FIXED
  pthread_mutex_unlock(&index_lock); /* here the record can be moved */
#endif
  pthread_mutex_lock(&records_lock);
  const int record = records[at];
  pthread_mutex_unlock(&records_lock);
#ifdef FIXED
  pthread_mutex_unlock(&index_lock);
#endif
  ATOMIC_END();
  return record;
}

static void move_record(int to) {
  ATOMIC_BEGIN("move_record");
  pthread_mutex_lock(&index_lock);
  pthread_mutex_lock(&records_lock);
  records[to] = records[place];
  records[place] = EMPTY;
  place = to;
  pthread_mutex_unlock(&records_lock);
  pthread_mutex_unlock(&index_lock);
  ATOMIC_END();
}

static void *mover(void *unused) {
  (void)unused;
  later();
  move_record(0);
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, mover, NULL)) return 1;
  printf("record: %d\n", read_record());
  pthread_join(other, NULL);
  return 0;
}
