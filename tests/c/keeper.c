// One lock for several elements of another array: the number of the element says which one. Two of them may have the
// same one, or not. The lock of the same number is one for each.
// expect: below atomic
// expect: both atomic
// expect: by mask atomic
// expect: by quotient atomic
// expect: by rest atomic
// expect: by shift atomic
// expect: few atomic
// expect: same atomic
#include "two.h"

#include <stdlib.h>

enum { N = 48, LOCKS = 8, FEW = 3 };

typedef struct {
  pthread_mutex_t lock;
  int used;
} Bucket;

static pthread_mutex_t locks[LOCKS], masks[LOCKS], shifted[N / 8], few_locks[FEW], own[N], both_locks[LOCKS];
static Bucket buckets[N / 4];
static int counts[N], masked[N], shifts[N], few[N], same[N], quotients[N], both[N];

static void add_by_rest(int i) {
  pthread_mutex_t *lock = &locks[i % LOCKS];
  ATOMIC_BEGIN("by rest");
  pthread_mutex_lock(lock);
  counts[i]++;
  counts[i]++;
  pthread_mutex_unlock(lock);
  ATOMIC_END();
}

static void add_by_mask(unsigned i) {
  ATOMIC_BEGIN("by mask");
  pthread_mutex_lock(&masks[i & (LOCKS - 1)]);
  masked[i]++;
  masked[i]++;
  pthread_mutex_unlock(&masks[i & (LOCKS - 1)]);
  ATOMIC_END();
}

static void add_by_shift(size_t i) {
  ATOMIC_BEGIN("by shift");
  pthread_mutex_lock(&shifted[i >> 3]);
  shifts[i]++;
  shifts[i]++;
  pthread_mutex_unlock(&shifted[i >> 3]);
  ATOMIC_END();
}

static int *quotient_of(int i) { return &quotients[i]; }
static Bucket *bucket_of(int i) { return &buckets[i / 4]; }

static void add_by_quotient(int i) {
  Bucket *b = bucket_of(i);
  ATOMIC_BEGIN("by quotient");
  pthread_mutex_lock(&b->lock);
  b->used++;
  (*quotient_of(i))++;
  (*quotient_of(i))++;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

/* One of a few locks, each of which is known. */
static void add_few(int i) {
  ATOMIC_BEGIN("few");
  pthread_mutex_lock(&few_locks[i % FEW]);
  few[i]++;
  few[i]++;
  pthread_mutex_unlock(&few_locks[i % FEW]);
  ATOMIC_END();
}

static void add_same(int i) {
  ATOMIC_BEGIN("same");
  pthread_mutex_lock(&own[i]);
  same[i]++;
  same[i]++;
  pthread_mutex_unlock(&own[i]);
  ATOMIC_END();
}

/* A number that is one less in both. */
static void add_below(int i) {
  const int k = i - 1;
  ATOMIC_BEGIN("below");
  pthread_mutex_lock(&own[k]);
  same[k]++;
  same[k]++;
  pthread_mutex_unlock(&own[k]);
  ATOMIC_END();
}

/* Two elements under both locks, which may be one. */
static void move(int i, int k) {
  pthread_mutex_t *a = &both_locks[i % LOCKS], *b = &both_locks[k % LOCKS];
  pthread_mutex_t *low = a < b ? a : b, *high = a < b ? b : a;
  ATOMIC_BEGIN("both");
  pthread_mutex_lock(low);
  if (low != high) pthread_mutex_lock(high);
  both[i]--;
  both[k]++;
  if (low != high) pthread_mutex_unlock(high);
  pthread_mutex_unlock(low);
  ATOMIC_END();
}

static void work(void) {
  add_by_rest(rand() % N);
  add_by_mask((unsigned)rand() % N);
  add_by_shift((size_t)rand() % N);
  add_by_quotient(rand() % N);
  add_few(rand() % N);
  add_same(rand() % N);
  add_below(1 + rand() % (N - 1));
  move(rand() % N, rand() % N);
}

static void first(void) { work(); }
static void second(void) { work(); }
