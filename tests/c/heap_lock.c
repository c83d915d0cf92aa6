// A lock in memory that is allocated once is followed.
// expect: add atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

typedef struct {
  pthread_mutex_t lock;
  int n;
} Counter;

static void add(Counter *c) {
  ATOMIC_BEGIN("add");
  pthread_mutex_lock(&c->lock);
  c->n++;
  pthread_mutex_unlock(&c->lock);
  ATOMIC_END();
}

static void *run(void *counter) {
  add(counter);
  return NULL;
}

int main(void) {
  pthread_t other;
  Counter *c = malloc(sizeof *c);
  if (!c || pthread_mutex_init(&c->lock, NULL)) return 1;
  c->n = 0;
  if (pthread_create(&other, NULL, run, c)) return 1;
  add(c);
  pthread_join(other, NULL);
  free(c);
  return 0;
}
