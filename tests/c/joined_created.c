// Threads are created until that fails, and as many are joined: whoever has been created was counted.
// expect: head atomic
// expect: head atomic
// expect: result atomic
// expect: result atomic
// expect: round atomic
// expect: round atomic
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
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

#define SUM(name)                                       \
  ATOMIC_BEGIN(#name);                                  \
  for (int i = 0; i < MOST; i++) sum += name##s[i];     \
  for (int i = 0; i < MOST; i++) sum += 2 * name##s[i]; \
  ATOMIC_END()

WORK(head)
WORK(result)
WORK(round)

static int count_rounds(int n) {
  pthread_t t[MOST];
  int created = 0, sum = 0;
  for (int i = 0; i < n; i++) {
    if (pthread_create(&t[i], NULL, round_work, &rounds[i]) != 0) break;
    created++;
  }
  for (int i = 0; i < created; i++) pthread_join(t[i], NULL);
  SUM(round);
  return sum;
}

static int count_in_head(int n) {
  pthread_t t[MOST];
  int created, sum = 0;
  for (created = 0; created < n; created++)
    if (pthread_create(&t[created], NULL, head_work, &heads[created])) break;
  for (int i = 0; i < created; i++) pthread_join(t[i], NULL);
  SUM(head);
  return sum;
}

static int look_at_result(int n) {
  pthread_t t[MOST];
  int created = 0, sum = 0;
  while (created < n) {
    const int result = pthread_create(&t[created], NULL, result_work, &results[created]);
    if (result != 0) {
      fprintf(stderr, "%d\n", result);
      if (created == 0) exit(1);
      break;
    }
    created++;
  }
  for (int i = 0; i < created; i++) pthread_join(t[i], NULL);
  SUM(result);
  return sum;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1;
  if (n < 0 || n > MOST) return 1;
  return count_rounds(n) + count_in_head(n) + look_at_result(n);
}
