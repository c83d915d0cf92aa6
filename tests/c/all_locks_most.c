// All locks are taken but one: what is read twice of its element may change in between.
// expect: first violated
// expect: last violated
// expect: short violated
// race: 34 45
// race: 34 46
// race: 34 56
// race: 34 57
// race: 34 67
// race: 34 68
// race: 35 45
// race: 35 46
// race: 35 56
// race: 35 57
// race: 35 67
// race: 35 68
#include "two.h"

#include <stdlib.h>

enum { N = 20, SHORT = 4 };

typedef struct {
  pthread_mutex_t lock;
  int n;
} Object;

static Object last[N], first_one[N], few[SHORT];

static void move(Object *from, Object *to) {
  Object *low = from < to ? from : to, *high = from < to ? to : from;
  pthread_mutex_lock(&low->lock);
  if (low != high) pthread_mutex_lock(&high->lock);
  from->n--;
  to->n++;
  if (low != high) pthread_mutex_unlock(&high->lock);
  pthread_mutex_unlock(&low->lock);
}

/* All but the last one; all but the first one. */
static int add_last(void) {
  int all = 0;
  ATOMIC_BEGIN("last");
  for (int i = 0; i < N - 1; i++) pthread_mutex_lock(&last[i].lock);
  for (int i = 0; i < N; i++) all += last[i].n;
  for (int i = 0; i < N; i++) all += last[i].n;
  for (int i = 0; i < N - 1; i++) pthread_mutex_unlock(&last[i].lock);
  ATOMIC_END();
  return all;
}

static int add_first(void) {
  int all = 0;
  ATOMIC_BEGIN("first");
  for (int i = N - 1; i > 0; i--) pthread_mutex_lock(&first_one[i].lock);
  for (int i = 0; i < N; i++) all += first_one[i].n;
  for (int i = 0; i < N; i++) all += first_one[i].n;
  for (int i = N - 1; i > 0; i--) pthread_mutex_unlock(&first_one[i].lock);
  ATOMIC_END();
  return all;
}

static int add_short(void) {
  int all = 0;
  ATOMIC_BEGIN("short");
  for (int i = 1; i < SHORT; i++) pthread_mutex_lock(&few[i].lock);
  for (int i = 0; i < SHORT; i++) all += few[i].n;
  for (int i = 0; i < SHORT; i++) all += few[i].n;
  for (int i = 1; i < SHORT; i++) pthread_mutex_unlock(&few[i].lock);
  ATOMIC_END();
  return all;
}

static void first(void) {
  add_last();
  add_first();
  add_short();
}

static void second(void) {
  move(&last[rand() % N], &last[rand() % N]);
  move(&first_one[rand() % N], &first_one[rand() % N]);
  move(&few[rand() % SHORT], &few[rand() % SHORT]);
}
