// A loop that takes locks is left before its end, or what counts in it is set, or one is left out: not all are held.
// expect: early violated
// expect: set violated
// expect: some violated
// race: 28 43
// race: 28 57
// race: 28 69
// race: 29 43
// race: 29 57
// race: 29 69
#include "two.h"

#include <stdlib.h>

enum { N = 20 };

typedef struct {
  pthread_mutex_t lock;
  int n;
} Object;

static Object early[N], some[N], set[N];

static void move(Object *from, Object *to) {
  Object *low = from < to ? from : to, *high = from < to ? to : from;
  pthread_mutex_lock(&low->lock);
  if (low != high) pthread_mutex_lock(&high->lock);
  from->n--;
  to->n++;
  if (low != high) pthread_mutex_unlock(&high->lock);
  pthread_mutex_unlock(&low->lock);
}

/* The loop is left before its end. */
static int add_early(int end) {
  int all = 0, n = 0;
  ATOMIC_BEGIN("early");
  for (int i = 0; i < N; i++) {
    if (i == end) break;
    pthread_mutex_lock(&early[i].lock);
    n++;
  }
  for (int i = 0; i < N; i++) all += early[i].n;
  for (int i = 0; i < n; i++) pthread_mutex_unlock(&early[i].lock);
  ATOMIC_END();
  return all;
}

/* What counts is set in between. */
static int add_set(int more) {
  int all = 0;
  ATOMIC_BEGIN("set");
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&set[i].lock);
    if (i == more) i = N - 1;
  }
  for (int i = 0; i < N; i++) all += set[i].n;
  for (int i = 0; i < N; i++) pthread_mutex_unlock(&set[i].lock);
  ATOMIC_END();
  return all;
}

/* All but one. */
static int add_some(int except) {
  int all = 0;
  ATOMIC_BEGIN("some");
  for (int i = 0; i < N; i++)
    if (i != except) pthread_mutex_lock(&some[i].lock);
  for (int i = 0; i < N; i++) all += some[i].n;
  for (int i = 0; i < N; i++)
    if (i != except) pthread_mutex_unlock(&some[i].lock);
  ATOMIC_END();
  return all;
}

static void first(void) {
  add_some(rand() % N);
  add_early(rand() % N);
  add_set(rand() % N);
}

static void second(void) {
  move(&some[rand() % N], &some[rand() % N]);
  move(&early[rand() % N], &early[rand() % N]);
  move(&set[rand() % N], &set[rand() % N]);
}
