/* circular_list.c: jobs go round. A thread takes the first one, works on it, and puts it back as the last one. Each of
 * the two steps holds the list's lock; in between the list lacks a job, and another thread that counts the jobs, or
 * takes the next one and is faster, finds a list that no order of turns explains.
 *
 * Fixed: the lock is held for the whole turn. Transactions: `turn`, `total`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdio.h>

enum { ROOM = 8 };

static struct {
  pthread_mutex_t lock;
  int jobs[ROOM];
  unsigned first, n;
} list = {.lock = PTHREAD_MUTEX_INITIALIZER, .jobs = {1, 2, 3}, .n = 3};

static void turn(void) {
  ATOMIC_BEGIN("turn");
  pthread_mutex_lock(&list.lock);
  int job = list.jobs[list.first];
  list.first = (list.first + 1) % ROOM;
  list.n--;
#ifndef FIXED
  pthread_mutex_unlock(&list.lock); /* here the job is in no list */
  pthread_mutex_lock(&list.lock);
#endif
  list.jobs[(list.first + list.n) % ROOM] = job;
  list.n++;
  pthread_mutex_unlock(&list.lock);
  ATOMIC_END();
}

static int total(void) {
  int sum = 0;
  ATOMIC_BEGIN("total");
  pthread_mutex_lock(&list.lock);
  for (unsigned i = 0; i < list.n; i++) sum += list.jobs[(list.first + i) % ROOM];
  pthread_mutex_unlock(&list.lock);
  ATOMIC_END();
  return sum;
}

static void *count(void *unused) {
  (void)unused;
  later();
  printf("total: %d\n", total());
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, count, NULL)) return 1;
  turn();
  pthread_join(other, NULL);
  return 0;
}
