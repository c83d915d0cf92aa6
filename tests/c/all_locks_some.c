// Loops that do not take the locks of all elements: each lacks something that those of tests/c/all_locks.c have.
// expect: part violated
// expect: second violated
// race: 25 36
// race: 25 47
// race: 26 36
// race: 26 47
#include "two.h"

#include <stdlib.h>

enum { N = 20 };

typedef struct {
  pthread_mutex_t lock;
  int n;
} Object;

static Object part[N], second_one[N];

static void move(Object *from, Object *to) {
  Object *low = from < to ? from : to, *high = from < to ? to : from;
  pthread_mutex_lock(&low->lock);
  if (low != high) pthread_mutex_lock(&high->lock);
  from->n--;
  to->n++;
  if (low != high) pthread_mutex_unlock(&high->lock);
  pthread_mutex_unlock(&low->lock);
}

/* The array is longer than the loop's bound. */
static int add_part(void) {
  int all = 0;
  ATOMIC_BEGIN("part");
  for (int i = 0; i < N - 2; i++) pthread_mutex_lock(&part[i].lock);
  for (int i = 0; i < N; i++) all += part[i].n;
  for (int i = 0; i < N - 2; i++) pthread_mutex_unlock(&part[i].lock);
  ATOMIC_END();
  return all;
}

/* Each second one. */
static int add_second(void) {
  int all = 0;
  ATOMIC_BEGIN("second");
  for (int i = 0; i < N; i += 2) pthread_mutex_lock(&second_one[i].lock);
  for (int i = 0; i < N; i++) all += second_one[i].n;
  for (int i = 0; i < N; i += 2) pthread_mutex_unlock(&second_one[i].lock);
  ATOMIC_END();
  return all;
}

static void first(void) {
  add_part();
  add_second();
}

static void second(void) {
  move(&part[rand() % N], &part[rand() % N]);
  move(&second_one[rand() % N], &second_one[rand() % N]);
}
