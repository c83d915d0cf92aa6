/* binlog_rotate.c: a database writes each change of its tables into a log, from which it can be repaired. When the log
 * is full it is closed, and the next one opened: two critical sections. A change that is made in between finds the log
 * closed, takes it for switched off, and is never written.
 *
 * Fixed: the log is closed and opened under the lock. Transactions: `rotate`, `insert`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static struct {
  pthread_mutex_t lock;
  bool is_open;
  int file;    /* the number of the log that is written */
  int entries; /* in all logs */
} binlog = {.lock = PTHREAD_MUTEX_INITIALIZER, .is_open = true, .file = 1};
static int rows; /* under the lock, too */

static void rotate(void) {
  ATOMIC_BEGIN("rotate");
  pthread_mutex_lock(&binlog.lock);
  binlog.is_open = false;
#ifndef FIXED
  pthread_mutex_unlock(&binlog.lock); /* here no log is open */
  pthread_mutex_lock(&binlog.lock);
#endif
  binlog.file++;
  binlog.is_open = true;
  pthread_mutex_unlock(&binlog.lock);
  ATOMIC_END();
}

static void insert(void) {
  ATOMIC_BEGIN("insert");
  pthread_mutex_lock(&binlog.lock);
  rows++;
  if (binlog.is_open) binlog.entries++;
  pthread_mutex_unlock(&binlog.lock);
  ATOMIC_END();
}

static void *client(void *unused) {
  (void)unused;
  later();
  insert();
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, client, NULL)) return 1;
  rotate();
  pthread_join(other, NULL);
  printf("%d rows, %d in the log\n", rows, binlog.entries);
  return 0;
}
