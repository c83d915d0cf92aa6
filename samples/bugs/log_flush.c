/* log_flush.c: a server writes an entry into the log's buffer, and then flushes the buffer to the file. Each of the two
 * holds the lock. A thread that sweeps the log in between clears what was never flushed: the entry is lost.
 *
 * Fixed: the entry is written and flushed under the lock. Transactions: `log_entry`, `sweep`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct {
  pthread_mutex_t lock;
  char buffer[64];
  size_t length;
  char file[64];
  size_t flushed;
} server_log = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void log_entry(const char *entry) {
  const size_t length = strlen(entry);
  ATOMIC_BEGIN("log_entry");
  pthread_mutex_lock(&server_log.lock);
  memcpy(server_log.buffer + server_log.length, entry, length);
  server_log.length += length;
#ifndef FIXED
  pthread_mutex_unlock(&server_log.lock); /* here the buffer can be cleared */
  pthread_mutex_lock(&server_log.lock);
#endif
  memcpy(server_log.file + server_log.flushed, server_log.buffer, server_log.length);
  server_log.flushed += server_log.length;
  server_log.length = 0;
  pthread_mutex_unlock(&server_log.lock);
  ATOMIC_END();
}

static void sweep(void) {
  ATOMIC_BEGIN("sweep");
  pthread_mutex_lock(&server_log.lock);
  server_log.length = 0;
  pthread_mutex_unlock(&server_log.lock);
  ATOMIC_END();
}

static void *sweeper(void *unused) {
  (void)unused;
  later();
  sweep();
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, sweeper, NULL)) return 1;
  log_entry("GET /index.html");
  pthread_join(other, NULL);
  printf("log: %s\n", server_log.file);
  return 0;
}
