// A loop that goes over all elements of an array, by an index or by an address, forwards or backwards, does what it
// does to each of them: so all locks are held behind it. What it does to the elements between is done once to each.
// expect: add atomic
// expect: backwards atomic
// expect: beside atomic
// expect: beside atomic
// expect: by address atomic
// expect: each atomic
// expect: few atomic
// expect: in turn violated
// expect: last first atomic
// expect: move atomic
// expect: other index atomic
// expect: until atomic
#include "two.h"

#include <stdlib.h>

enum { N = 20, FEW = 3 };

typedef struct {
  pthread_mutex_t lock;
  int n;
} Object;

static Object objects[N], few[FEW];
static int numbers[N];
static pthread_mutex_t locks[N];

static void move(Object *from, Object *to) {
  Object *low = from < to ? from : to, *high = from < to ? to : from;
  ATOMIC_BEGIN("move");
  pthread_mutex_lock(&low->lock);
  if (low != high) pthread_mutex_lock(&high->lock);
  from->n--;
  to->n++;
  if (low != high) pthread_mutex_unlock(&high->lock);
  pthread_mutex_unlock(&low->lock);
  ATOMIC_END();
}

static int sum(void) {
  int all = 0;
  for (int i = 0; i < N; i++) all += objects[i].n;
  return all;
}

static void unlock_all(void) {
  for (int i = 0; i < N; i++) pthread_mutex_unlock(&objects[i].lock);
}

static int add(void) {
  ATOMIC_BEGIN("add");
  for (int i = 0; i < N; i++) pthread_mutex_lock(&objects[i].lock);
  const int all = sum();
  unlock_all();
  ATOMIC_END();
  return all;
}

static int add_backwards(void) {
  ATOMIC_BEGIN("backwards");
  for (int i = N - 1; i >= 0; i--) pthread_mutex_lock(&objects[i].lock);
  const int all = sum();
  unlock_all();
  ATOMIC_END();
  return all;
}

static int add_last_first(void) {
  ATOMIC_BEGIN("last first");
  for (unsigned i = N; i != 0; i--) pthread_mutex_lock(&objects[i - 1].lock);
  const int all = sum();
  unlock_all();
  ATOMIC_END();
  return all;
}

static int add_by_address(void) {
  int all = 0;
  ATOMIC_BEGIN("by address");
  for (Object *o = objects; o < objects + N; o++) pthread_mutex_lock(&o->lock);
  for (Object *o = objects; o != objects + N; o++) all += o->n;
  for (Object *o = objects; o < &objects[N]; o++) pthread_mutex_unlock(&o->lock);
  ATOMIC_END();
  return all;
}

static int add_until(void) {
  size_t i = 0;
  ATOMIC_BEGIN("until");
  do pthread_mutex_lock(&objects[i].lock);
  while (++i < sizeof objects / sizeof *objects);
  const int all = sum();
  unlock_all();
  ATOMIC_END();
  return all;
}

static int add_from_one(void) {
  ATOMIC_BEGIN("other index");
  for (int i = 1; i <= N; i++) pthread_mutex_lock(&objects[i - 1].lock);
  const int all = sum();
  unlock_all();
  ATOMIC_END();
  return all;
}

/* Each in turn is changed alone: of two of them others may see one alone. */
static void add_in_turn(void) {
  ATOMIC_BEGIN("in turn");
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&objects[i].lock);
    objects[i].n++;
    pthread_mutex_unlock(&objects[i].lock);
  }
  ATOMIC_END();
}

static void add_each(void) {
  for (int i = 0; i < N; i++) {
    ATOMIC_BEGIN("each");
    pthread_mutex_lock(&objects[i].lock);
    objects[i].n++;
    objects[i].n++;
    pthread_mutex_unlock(&objects[i].lock);
    ATOMIC_END();
  }
}

/* An array that is short: all its elements are known. */
static void add_few(int i) {
  int all = 0;
  ATOMIC_BEGIN("few");
  for (int k = 0; k < FEW; k++) pthread_mutex_lock(&few[k].lock);
  for (int k = 0; k < FEW; k++) all += few[k].n;
  few[i].n = all;
  few[0].n = all;
  for (int k = 0; k < FEW; k++) pthread_mutex_unlock(&few[k].lock);
  ATOMIC_END();
}

/* The locks are in an array of their own. */
static void add_beside(int i) {
  ATOMIC_BEGIN("beside");
  pthread_mutex_lock(&locks[i]);
  numbers[i]++;
  numbers[i]++;
  pthread_mutex_unlock(&locks[i]);
  ATOMIC_END();
}

static int add_all_beside(void) {
  int all = 0;
  ATOMIC_BEGIN("beside");
  for (int i = 0; i < N; i++) pthread_mutex_lock(&locks[i]);
  for (int i = 0; i < N; i++) all += numbers[i];
  for (int i = 0; i < N; i++) pthread_mutex_unlock(&locks[i]);
  ATOMIC_END();
  return all;
}

static void first(void) {
  move(&objects[rand() % N], &objects[rand() % N]);
  add_each();
  add_few(rand() % FEW);
  add_beside(rand() % N);
}

static void second(void) {
  add();
  add_backwards();
  add_last_first();
  add_by_address();
  add_until();
  add_from_one();
  add_in_turn();
  add_few(rand() % FEW);
  add_beside(rand() % N);
  add_all_beside();
}
