// The number of what is used is another one than that of the lock; two arrays have elements of one instance, which are
// not the same for that.
// expect: apart violated
// expect: both violated
// expect: less violated
// expect: longer violated
// expect: other violated
// race: 29 29
// race: 37 44
// race: 38 44
// race: 44 53
// race: 44 54
// race: 61 62
// race: 62 62
// race: 71 71
#include "two.h"

#include <stdlib.h>

enum { N = 48 };

static pthread_mutex_t locks[N];
static int counts[N], sums[N], left[N], right[N], some[N], longer[N + 1];

static void do_other(int i, int k) {
  ATOMIC_BEGIN("other");
  pthread_mutex_lock(&locks[i]);
  counts[i]++;
  sums[i] = sums[k] + sums[k];
  pthread_mutex_unlock(&locks[i]);
  ATOMIC_END();
}

/* One thread sees both of one number. */
static void write_both(int i, int k) {
  ATOMIC_BEGIN("both");
  left[i] = 1;
  right[k] = 1;
  ATOMIC_END();
}

static void see_both(int i) {
  pthread_mutex_lock(&locks[i]);
  if (left[i]) right[i]++;
  pthread_mutex_unlock(&locks[i]);
}

/* They are never equal. */
static void do_apart(int i) {
  int *p = &left[i], *q = &right[i];
  if (p == q) return;
  ATOMIC_BEGIN("apart");
  *p = 2;
  *p = 3;
  ATOMIC_END();
}

static void do_less(int i) {
  ATOMIC_BEGIN("less");
  pthread_mutex_lock(&locks[i]);
  some[i]++;
  some[i - 1]++;
  pthread_mutex_unlock(&locks[i]);
  ATOMIC_END();
}

/* A false alarm: the arrays have other lengths. */
static void do_longer(int i) {
  ATOMIC_BEGIN("longer");
  pthread_mutex_lock(&locks[i]);
  longer[i]++;
  pthread_mutex_unlock(&locks[i]);
  ATOMIC_END();
}

static void first(void) {
  do_other(rand() % N, rand() % N);
  write_both(rand() % N, rand() % N);
  see_both(rand() % N);
  do_apart(rand() % N);
  do_less(1 + rand() % (N - 1));
  do_longer(rand() % N);
}

static void second(void) {
  do_other(rand() % N, rand() % N);
  see_both(rand() % N);
  do_less(1 + rand() % (N - 1));
  do_longer(rand() % N);
}
