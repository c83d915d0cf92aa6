/* What a thread returns, or ends with, is what is joined. */
// expect: sum atomic
// expect: late violated
// race: 25 25
// race: 25 26
// race: 26 26
#include <causal.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct {
  int from, sum;
} Part;

static Part own = {4, 0};

static void *count(void *arg) {
  Part *part = malloc(sizeof *part);
  part->from = *(int *)arg;
  ATOMIC_BEGIN("sum");
  part->sum = part->from;
  part->sum += part->from;
  ATOMIC_END();
  ATOMIC_BEGIN("late");
  own.sum++;
  own.sum++;
  ATOMIC_END();
  if (part->from > 1) pthread_exit(&own);
  return part;
}

int main(void) {
  pthread_t threads[2];
  int from[2] = {1, 2}, sum = 0;
  void *result;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, &from[i]);
  pthread_join(threads[0], &result);
  Part *part = result;
  sum += part->sum;
  part->sum = 0;
  pthread_join(threads[1], &result);
  part = result;
  return sum + part->sum;
}
