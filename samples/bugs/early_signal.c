/* early_signal.c: as early_post.c, with a condition variable: the one who waits for the request is woken before it is
 * complete. Here the worker waits first, and is slow once it is woken. This is a data race, too.
 *
 * Fixed: the request is complete before it is signalled. Transactions: `submit`, `serve`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;
static struct {
  int file, length;
} request;

static void signal_ready(void) {
  pthread_mutex_lock(&lock);
  ready = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

static void submit(int file, int length) {
  ATOMIC_BEGIN("submit");
  request.file = file;
#ifndef FIXED
  signal_ready(); /* from here on it can be served */
#endif
  request.length = length;
#ifdef FIXED
  signal_ready();
#endif
  ATOMIC_END();
}

static int serve(void) {
  ATOMIC_BEGIN("serve");
  const int end = request.file + request.length;
  ATOMIC_END();
  return end;
}

static void *client(void *unused) {
  (void)unused;
  later();
  submit(3, 512);
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, client, NULL)) return 1;
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  later();
  printf("served: %d\n", serve());
  pthread_join(other, NULL);
  return 0;
}
