// Numbers that are followed are read where some may be there still: one is not joined, or created behind the joins, or
// the place of its handle is another one's; or it is read before the joins.
// races: undecided
// expect: before violated
// expect: behind violated
// expect: fewer violated
// expect: first violated
// expect: lost violated
// expect: negative violated
// expect: same violated
#include <causal.h>

#include <pthread.h>
#include <stdio.h>

enum { MOST = 100 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define WORK(name)                        \
  static int name##_count;                \
  static void *name##_work(void *arg) {   \
    pthread_mutex_lock(&lock);            \
    if (name##_count < 5) name##_count++; \
    pthread_mutex_unlock(&lock);          \
    return arg;                           \
  }

#define REPORT(name)            \
  ATOMIC_BEGIN(#name);          \
  printf("%d\n", name##_count); \
  printf("%d\n", name##_count); \
  ATOMIC_END()

#define CREATE(name, i) pthread_create(&t[i], NULL, name##_work, NULL)

WORK(before)
WORK(behind)
WORK(fewer)
WORK(first)
WORK(lost)
WORK(negative)
WORK(same)

static void before(int n, pthread_t *t) {
  for (int i = 0; i < n; i++) CREATE(before, i);
  REPORT(before);
  for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
}

static void behind(int n, pthread_t *t) {
  for (int i = 0; i < n; i++) CREATE(behind, i);
  for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
  CREATE(behind, 0);
  REPORT(behind);
}

static void fewer(int n, int m, pthread_t *t) {
  for (int i = 0; i < n; i++) CREATE(fewer, i);
  for (int i = 0; i < m; i++) CREATE(fewer, n + i);
  for (int i = 0; i < n + m - 1; i++) pthread_join(t[i], NULL);
  REPORT(fewer);
}

static void first(int n, pthread_t *t) {
  CREATE(first, 0);
  for (int i = 1; i < n; i++) CREATE(first, i);
  for (int i = 1; i < n; i++) pthread_join(t[i], NULL);
  REPORT(first);
}

static void lost(int n, pthread_t *t) {
  for (int i = 0; i < n; i++) CREATE(lost, i / 2);
  for (int i = 0; i < (n + 1) / 2; i++) pthread_join(t[i], NULL);
  REPORT(lost);
}

static void negative(int n, int m, pthread_t *t) {
  for (int i = 0; i < n; i++) CREATE(negative, i);
  for (int i = 0; i < n + m; i++) pthread_join(t[i], NULL);
  REPORT(negative);
}

static void same(int n, int m, pthread_t *t) {
  for (int i = 0; i < n; i++) CREATE(same, i);
  for (int i = 0; i < m; i++) CREATE(same, n + i - 1);
  for (int i = 0; i < n + m; i++) pthread_join(t[i], NULL);
  REPORT(same);
}

int main(int argc, char **argv) {
  static pthread_t tables[7][MOST];
  (void)argv;
  if (argc > MOST / 2) return 1;
  before(argc, tables[0]);
  behind(argc, tables[1]);
  fewer(argc, argc, tables[2]);
  first(argc, tables[3]);
  lost(argc, tables[6]);
  negative(argc, argc - 3, tables[4]);
  same(argc, argc, tables[5]);
  return 0;
}
