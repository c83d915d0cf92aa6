// Threads are created, and some are not joined: those behind which the loop is left in another way, that are not counted,
// whose result is another one's, or is taken for the opposite.
// races: undecided
// expect: another violated
// expect: another violated
// expect: fewer violated
// expect: fewer violated
// expect: left violated
// expect: left violated
// expect: opposite violated
// expect: opposite violated
// expect: skipped violated
// expect: skipped violated
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { MOST = 64 };

#define WORK(name)                      \
  static int name##s[MOST];             \
  static void *name##_work(void *sum) { \
    ATOMIC_BEGIN(#name);                \
    ++*(int *)sum;                      \
    ++*(int *)sum;                      \
    ATOMIC_END();                       \
    return NULL;                        \
  }

#define SUM(name)                                   \
  ATOMIC_BEGIN(#name);                              \
  for (int i = 0; i < MOST; i++) ++name##s[i];      \
  for (int i = 0; i < MOST; i++) sum += name##s[i]; \
  ATOMIC_END()

#define CREATE(name, i) pthread_create(&t[i], NULL, name##_work, &name##s[i])

WORK(another)
WORK(fewer)
WORK(left)
WORK(opposite)
WORK(skipped)

static int ask_another(int n) {
  pthread_t t[MOST];
  int created = 0, sum = 0;
  for (int i = 0; i < n; i++) {
    int result = CREATE(another, i);
    result = rand();
    if (result != 0) break;
    created++;
  }
  for (int i = 0; i < created; i++) pthread_join(t[i], NULL);
  SUM(another);
  return sum;
}

static int join_fewer(int n) {
  pthread_t t[MOST];
  int created = 0, sum = 0;
  for (int i = 0; i < n; i++) {
    if (CREATE(fewer, i) != 0) break;
    created++;
  }
  for (int i = 0; i < created - 1; i++) pthread_join(t[i], NULL);
  SUM(fewer);
  return sum;
}

static int leave(int n) {
  pthread_t t[MOST];
  int created = 0, sum = 0;
  for (int i = 0; i < n; i++) {
    if (CREATE(left, i) != 0) break;
    if (rand()) break;
    created++;
  }
  for (int i = 0; i < created; i++) pthread_join(t[i], NULL);
  SUM(left);
  exit(sum);
}

static int take_opposite(int n) {
  pthread_t t[MOST];
  int created = 0, sum = 0;
  for (int i = 0; i < n; i++) {
    if (CREATE(opposite, i) == 0) break;
    created++;
  }
  for (int i = 0; i < created; i++) pthread_join(t[i], NULL);
  SUM(opposite);
  return sum;
}

static int skip(int n) {
  pthread_t t[MOST];
  int created = 0, sum = 0;
  for (int i = 0; i < n; i++)
    if (CREATE(skipped, i) == 0) created++;
  for (int i = 0; i < created; i++) pthread_join(t[i], NULL);
  SUM(skipped);
  return sum;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1;
  if (n < 0 || n > MOST) return 1;
  const int sum = ask_another(n) + join_fewer(n) + take_opposite(n) + skip(n);
  return sum + leave(n);
}
