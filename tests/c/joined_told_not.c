// Where one is not joined yet, or no more is known of the lock than that it is tried, or what comes behind it.
// expect: before violated
// expect: behind violated
// expect: left violated
// expect: told violated
// expect: tried violated
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16, BOXES = 4 };

static struct {
  pthread_mutex_t lock;
  long n;
} boxes[BOXES];

static pthread_mutex_t before_lock = PTHREAD_MUTEX_INITIALIZER, behind_lock = PTHREAD_MUTEX_INITIALIZER,
                       left_lock = PTHREAD_MUTEX_INITIALIZER, tried_lock = PTHREAD_MUTEX_INITIALIZER;
static long before_n, behind_n, left_n, tried_n, other_n;

#define WORK(name)                      \
  static void *name##_work(void *arg) { \
    pthread_mutex_lock(&name##_lock);   \
    name##_n++;                         \
    pthread_mutex_unlock(&name##_lock); \
    return arg;                         \
  }

#define ADD(name)                   \
  pthread_mutex_lock(&name##_lock); \
  name##_n++;                       \
  pthread_mutex_unlock(&name##_lock);

#define TWICE(name)    \
  ATOMIC_BEGIN(#name); \
  ADD(name)            \
  ADD(name)            \
  ATOMIC_END()

#define CREATE(name) \
  for (int i = 0; i < n; i++) pthread_create(&t[i], NULL, name##_work, NULL)
#define JOIN \
  for (int i = 0; i < n; i++) pthread_join(t[i], NULL)

WORK(before)
WORK(behind)
WORK(left)

static void *tried_work(void *arg) {
  if (pthread_mutex_trylock(&tried_lock)) return arg;
  tried_n++;
  pthread_mutex_unlock(&tried_lock);
  return NULL;
}

static void before(int n, pthread_t *t) {
  CREATE(before);
  TWICE(before);
  JOIN;
}

/* Another one is created while it has the lock. */
static void behind(int n, pthread_t *t) {
  CREATE(behind);
  JOIN;
  pthread_mutex_lock(&behind_lock);
  pthread_create(t, NULL, behind_work, NULL);
  pthread_mutex_unlock(&behind_lock);
  TWICE(behind);
  pthread_join(*t, NULL);
}

static void left(int n, pthread_t *t) {
  pthread_t one;
  CREATE(left);
  pthread_create(&one, NULL, left_work, NULL);
  JOIN;
  TWICE(left);
  pthread_join(one, NULL);
}

static void *other_work(void *arg) {
  other_n++;
  return arg;
}

/* It gives back what it took before the joins, and tries to take it again. */
static void tried(int n, pthread_t *t) {
  pthread_t one;
  CREATE(tried);
  pthread_mutex_lock(&tried_lock);
  JOIN;
  pthread_mutex_unlock(&tried_lock);
  pthread_create(&one, NULL, other_work, NULL);
  if (pthread_mutex_trylock(&tried_lock) == 0) {
    ATOMIC_BEGIN("tried");
    other_n++;
    other_n++;
    ATOMIC_END();
  }
  pthread_join(one, NULL);
}

static void *told_work(void *arg) {
  const size_t i = (size_t)arg % BOXES;
  pthread_mutex_lock(&boxes[i].lock);
  boxes[i].n++;
  pthread_mutex_unlock(&boxes[i].lock);
  return NULL;
}

static void told(int n, pthread_t *t) {
  long sum = 0;
  for (int i = 0; i < BOXES; i++) pthread_mutex_init(&boxes[i].lock, NULL);
  for (int i = 0; i < n; i++) pthread_create(&t[i], NULL, told_work, (void *)(size_t)rand());
  for (int i = 0; i < n - 1; i++) pthread_join(t[i], NULL);
  ATOMIC_BEGIN("told");
  for (int i = 0; i < 2 * BOXES; i++) sum += boxes[i % BOXES].n;
  ATOMIC_END();
  printf("%ld\n", sum);
}

int main(int argc, char **argv) {
  static pthread_t tables[5][MOST];
  const int n = argc > 1 ? atoi(argv[1]) : 4;
  if (n > MOST) return 1;
  before(n, tables[0]);
  behind(n, tables[1]);
  left(n, tables[2]);
  tried(n, tables[3]);
  told(n, tables[4]);
  return 0;
}
