// Buckets with locks, in an array: of a short one each element is told apart, of a long one as many as there are
// threads. An index that is computed again, or is not the same number, may lead to another bucket.
// expect: known atomic
// expect: long atomic
// expect: narrow violated
// expect: next violated
// expect: parts violated
// expect: short atomic
// expect: whole violated
// race: 28 110
// race: 28 28
// race: 29 110
// race: 29 29
// race: 72 72
#include "two.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  pthread_mutex_t lock;
  int n, m;
} Bucket;

static Bucket few[3], many[100], parts[100], next[100], narrow[300], whole[3];

static void add(Bucket *b) {
  b->n++;
  b->m++;
}

static void add_next(int i) {
  ATOMIC_BEGIN("next");
  pthread_mutex_lock(&next[i].lock);
  add(&next[i] + 1); /* not this one */
  pthread_mutex_unlock(&next[i].lock);
  ATOMIC_END();
}

static void add_short(int i) {
  ATOMIC_BEGIN("short");
  pthread_mutex_lock(&few[i].lock);
  add(&few[i]);
  pthread_mutex_unlock(&few[i].lock);
  ATOMIC_END();
}

static void add_long(int i) {
  Bucket *b = &many[i];
  ATOMIC_BEGIN("long");
  pthread_mutex_lock(&b->lock);
  many[i].n++;
  add(b);
  pthread_mutex_unlock(&many[i].lock);
  ATOMIC_END();
}

static void add_parts(int i) {
  ATOMIC_BEGIN("parts");
  pthread_mutex_lock(&parts[i].lock);
  parts[i].n++;
  pthread_mutex_unlock(&parts[i].lock);
  pthread_mutex_lock(&parts[i].lock);
  parts[i].m++;
  pthread_mutex_unlock(&parts[i].lock);
  ATOMIC_END();
}

static void add_narrow(signed char i) {
  ATOMIC_BEGIN("narrow");
  pthread_mutex_lock(&narrow[(unsigned char)i].lock);
  narrow[i + 128].n++;
  pthread_mutex_unlock(&narrow[(unsigned char)i].lock);
  ATOMIC_END();
}

static void add_known(void) {
  ATOMIC_BEGIN("known");
  pthread_mutex_lock(&few[1].lock);
  add(&few[1]);
  pthread_mutex_unlock(&few[1].lock);
  ATOMIC_END();
}

static void add_whole(int i) {
  ATOMIC_BEGIN("whole");
  pthread_mutex_lock(&whole[i].lock);
  add(&whole[i]);
  add(&whole[i]);
  pthread_mutex_unlock(&whole[i].lock);
  ATOMIC_END();
}

static void work(void) {
  add_next(rand() % 99);
  add_short(rand() % 3);
  add_long(rand() % 100);
  add_parts(rand() % 100);
  add_narrow((signed char)rand());
  add_known();
}

static void first(void) {
  work();
  add_whole(rand() % 3);
}

static void second(void) {
  work();
  memset(whole, 0, sizeof whole);
}
