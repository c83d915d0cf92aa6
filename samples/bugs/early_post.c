/* early_post.c: a request is handed to a worker by a semaphore, which is posted before the request is complete. A
 * worker that is quick reads a length that nobody has written. This is a data race, too.
 *
 * Fixed: the semaphore is posted last. Transactions: `submit`, `serve`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t ready;
static struct {
  int file, length;
} request;

static void submit(int file, int length) {
  ATOMIC_BEGIN("submit");
  request.file = file;
#ifndef FIXED
  sem_post(&ready); /* from here on it can be served */
#endif
  request.length = length;
#ifdef FIXED
  sem_post(&ready);
#endif
  ATOMIC_END();
}

static int serve(void) {
  ATOMIC_BEGIN("serve");
  const int end = request.file + request.length;
  ATOMIC_END();
  return end;
}

static void *worker(void *unused) {
  (void)unused;
  later();
  sem_wait(&ready);
  printf("served: %d\n", serve());
  return NULL;
}

int main(void) {
  pthread_t other;
  if (sem_init(&ready, 0, 0) || pthread_create(&other, NULL, worker, NULL)) return 1;
  submit(3, 512);
  pthread_join(other, NULL);
  return 0;
}
