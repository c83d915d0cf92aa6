// More threads than objects that are told apart: what is violated is so, and nothing is proved.
// expect: once unknown
// expect: twice violated
// gap: 30 has 9 threads, and only 8 objects with a lock are told apart
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { N = 50, THREADS = 8 };

typedef struct {
  pthread_mutex_t lock;
  int n;
} Object;

static Object *objects[N];

static void *run(void *unused) {
  Object *o = objects[rand() % N], *p = objects[rand() % N];
  ATOMIC_BEGIN("once");
  pthread_mutex_lock(&o->lock);
  o->n++;
  pthread_mutex_unlock(&o->lock);
  ATOMIC_END();
  return p;
}

static Object *make(void) {
  Object *o = malloc(sizeof *o);
  if (!o || pthread_mutex_init(&o->lock, NULL)) exit(1);
  return o;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < N; i++) objects[i] = make();
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, run, NULL)) return 1;
  Object *o = objects[rand() % N];
  ATOMIC_BEGIN("twice");
  pthread_mutex_lock(&o->lock);
  o->n++;
  pthread_mutex_unlock(&o->lock);
  pthread_mutex_lock(&o->lock);
  o->n++;
  pthread_mutex_unlock(&o->lock);
  ATOMIC_END();
  return 0;
}
