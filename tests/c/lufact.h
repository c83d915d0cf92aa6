/* lufact.h: samples/c/lufact.c for three threads. A program that includes it may say otherwise of one thing. */
#include <causal.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef FIRST
#define FIRST(k) ((k) + 1)
#endif
#ifndef EXCHANGE
#define EXCHANGE(k, pivot)
#endif
#ifndef SECOND_BARRIER
#define SECOND_BARRIER() pthread_barrier_wait(&barrier)
#endif

enum { THREADS = 3 };

static int size;
static double **columns;
static pthread_barrier_t barrier;

static int find_pivot(int k, int n) {
  int best = k;
  ATOMIC_BEGIN("find_pivot");
  for (int i = k + 1; i < n; i++)
    if (fabs(columns[k][i]) > fabs(columns[k][best])) best = i;
  ATOMIC_END();
  return best;
}

static void exchange(double *column, int k, int pivot) {
  const double number = column[pivot];
  column[pivot] = column[k];
  column[k] = number;
}

static void scale(int k, int pivot, int n) {
  ATOMIC_BEGIN("scale");
  EXCHANGE(k, pivot);
  double *column = columns[k];
  if (pivot != k) exchange(column, k, pivot);
  for (int i = k + 1; i < n; i++) column[i] /= -column[k];
  ATOMIC_END();
}

static void eliminate(int from, int to, int k, int pivot, int n) {
  ATOMIC_BEGIN("eliminate");
  const double *scaled = columns[k];
  for (int j = from; j < to; j++) {
    double *column = columns[j];
    if (pivot != k) exchange(column, k, pivot);
    for (int i = k + 1; i < n; i++) column[i] += column[k] * scaled[i];
  }
  ATOMIC_END();
}

static void *factorize(void *argument) {
  const int me = (int)(long)argument, n = size;
  for (int k = 0; k < n - 1; k++) {
    const int rest = n - k - 1, share = (rest + THREADS - 1) / THREADS;
    const int from = FIRST(k) + me * share, to = from + share < n ? from + share : n;
    const int pivot = find_pivot(k, n);
    pthread_barrier_wait(&barrier);
    if (me == 0) scale(k, pivot, n);
    SECOND_BARRIER();
    eliminate(from, to, k, pivot, n);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  if (argc != 2) return 3;
  size = atoi(argv[1]);
  columns = calloc((size_t)size, sizeof *columns);
  for (int j = 0; j < size; j++) {
    columns[j] = calloc((size_t)size, sizeof **columns);
    for (int i = 0; i < size; i++) columns[j][i] = rand();
  }
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (long i = 1; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, factorize, (void *)i)) return 3;
  factorize(NULL);
  for (int i = 1; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
