// What a thread has left is taken in the loop that counts down, once it has been joined.
// expect: own atomic
// expect: take atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef ROUND
#define ROUND                 \
  {                           \
    pthread_join(t[n], NULL); \
    take(&work[n]);           \
  }
#endif

#ifndef PLACE
#define PLACE(i) i
#define ROUNDS while (n--)
#endif

typedef struct {
  long sum;
} Work;

static void *run(void *given) {
  Work *work = given;
  ATOMIC_BEGIN("own");
  work->sum++;
  work->sum++;
  ATOMIC_END();
  return NULL;
}

static void take(Work *work) {
  ATOMIC_BEGIN("take");
  work->sum++;
  work->sum++;
  ATOMIC_END();
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4;
  const int all = n, k = argc > 2 ? atoi(argv[2]) : 0;
  pthread_t *t = calloc(n, sizeof *t);
  Work *work = calloc(n, sizeof *work);
  for (int i = 0; i < n; i++) pthread_create(&t[PLACE(i)], NULL, run, &work[PLACE(i)]);
  ROUNDS ROUND;
  return all == k;
}
