/* early_flag.c: as early_post.c, with an atomic flag that a worker looks at until it is set. It is set before the
 * request is complete. Here the worker looks first, and is slow once it has seen it. This is a data race, too.
 *
 * Fixed: the flag is set last. Transactions: `submit`, `serve`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static atomic_bool ready;
static struct {
  int file, length;
} request;

static void submit(int file, int length) {
  ATOMIC_BEGIN("submit");
  request.file = file;
#ifndef FIXED
  atomic_store(&ready, true); /* from here on it can be served */
#endif
  request.length = length;
#ifdef FIXED
  atomic_store(&ready, true);
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
  while (!atomic_load(&ready)) sched_yield();
  later();
  printf("served: %d\n", serve());
  pthread_join(other, NULL);
  return 0;
}
