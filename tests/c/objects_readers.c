// Objects with a reader-writer lock of their own: who reads shares it, who writes does not.
// expect: all atomic
// expect: read atomic
// expect: upgrade violated
// expect: while reading violated
// expect: write atomic
// race: 66 66
#include "two.h"

#include <stdlib.h>

enum { N = 20 };

typedef struct {
  pthread_rwlock_t lock;
  int n;
} Object;

static Object objects[N], other[N];
static pthread_rwlock_t locks[N / 4];
static int numbers[N];

static int read_twice(Object *o) {
  ATOMIC_BEGIN("read");
  pthread_rwlock_rdlock(&o->lock);
  const int n = o->n - o->n;
  pthread_rwlock_unlock(&o->lock);
  ATOMIC_END();
  return n;
}

static void write(Object *o) {
  ATOMIC_BEGIN("write");
  pthread_rwlock_wrlock(&o->lock);
  o->n++;
  o->n++;
  pthread_rwlock_unlock(&o->lock);
  ATOMIC_END();
}

static int read_all(void) {
  int all = 0;
  ATOMIC_BEGIN("all");
  for (int i = 0; i < N; i++) pthread_rwlock_rdlock(&objects[i].lock);
  for (int i = 0; i < N; i++) all += objects[i].n;
  for (int i = 0; i < N; i++) all -= objects[i].n;
  for (int i = 0; i < N; i++) pthread_rwlock_unlock(&objects[i].lock);
  ATOMIC_END();
  return all;
}

static void upgrade(Object *o) {
  ATOMIC_BEGIN("upgrade");
  pthread_rwlock_rdlock(&o->lock);
  const int n = o->n;
  pthread_rwlock_unlock(&o->lock); /* here it may be changed */
  pthread_rwlock_wrlock(&o->lock);
  o->n = n + 1;
  pthread_rwlock_unlock(&o->lock);
  ATOMIC_END();
}

static void write_while_reading(int i) {
  ATOMIC_BEGIN("while reading");
  pthread_rwlock_rdlock(&locks[i / 4]);
  numbers[i]++; /* others may do so, too */
  pthread_rwlock_unlock(&locks[i / 4]);
  ATOMIC_END();
}

static void first(void) {
  read_twice(&objects[rand() % N]);
  write(&objects[rand() % N]);
  upgrade(&other[rand() % N]);
  write_while_reading(rand() % N);
}

static void second(void) {
  write(&objects[rand() % N]);
  read_all();
  upgrade(&other[rand() % N]);
  write_while_reading(rand() % N);
}
