// A loop goes over all elements, and does not take their locks: those of another array, one again and again, or each
// until the next one.
// expect: one violated
// expect: other violated
// expect: released violated
// race: 27 38
// race: 27 62
// race: 28 38
// race: 28 62
#include "two.h"

#include <stdlib.h>

enum { N = 20 };

typedef struct {
  pthread_mutex_t lock;
  int n;
} Object;

static Object other[N], released[N], one[N], another[N];

static void move(Object *from, Object *to) {
  Object *low = from < to ? from : to, *high = from < to ? to : from;
  pthread_mutex_lock(&low->lock);
  if (low != high) pthread_mutex_lock(&high->lock);
  from->n--;
  to->n++;
  if (low != high) pthread_mutex_unlock(&high->lock);
  pthread_mutex_unlock(&low->lock);
}

/* The locks of another array. */
static int add_other(void) {
  int all = 0;
  ATOMIC_BEGIN("other");
  for (int i = 0; i < N; i++) pthread_mutex_lock(&another[i].lock);
  for (int i = 0; i < N; i++) all += other[i].n;
  for (int i = 0; i < N; i++) pthread_mutex_unlock(&another[i].lock);
  ATOMIC_END();
  return all;
}

/* Each lock is given back before the next one is taken. */
static int add_released(void) {
  int all = 0;
  ATOMIC_BEGIN("released");
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&released[i].lock);
    all += released[i].n;
    pthread_mutex_unlock(&released[i].lock);
  }
  ATOMIC_END();
  return all;
}

/* One that is not all. */
static int add_one(int i) {
  int all = 0;
  ATOMIC_BEGIN("one");
  for (int k = 0; k < N; k++) pthread_mutex_lock(&one[i].lock), all++, pthread_mutex_unlock(&one[i].lock);
  for (int i = 0; i < N; i++) all += one[i].n;
  ATOMIC_END();
  return all;
}

static void first(void) {
  add_other();
  add_released();
  add_one(rand() % N);
}

static void second(void) {
  move(&other[rand() % N], &other[rand() % N]);
  move(&released[rand() % N], &released[rand() % N]);
  move(&one[rand() % N], &one[rand() % N]);
}
