// Each row is memory of its own, which is made before.
// expect: fill atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3 };

#ifdef WRONG
#define ROW(i) ((i) == 1 ? rows[0] : malloc((size_t)n * sizeof **rows))
#else
#define ROW(i) malloc((size_t)n * sizeof **rows)
#endif

static int n;
static double **rows;

static void *work(void *argument) {
  const int me = *(int *)argument;
  ATOMIC_BEGIN("fill");
  for (int i = me * n / THREADS; i < (me + 1) * n / THREADS; i++)
    for (int j = 0; j < n; j++) {
      rows[i][j] = i;
      rows[i][j] += j;
    }
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  int numbers[THREADS] = {0, 1, 2};
  n = argc > 1 ? atoi(argv[1]) : 100;
  rows = malloc((size_t)n * sizeof *rows);
  for (int i = 0; i < n; i++) rows[i] = ROW(i);
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, &numbers[i])) return 1;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
