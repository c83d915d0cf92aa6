/* sor.h: samples/c/sor.c for three threads. A program that includes it may say otherwise of one thing. */
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef BARRIER
#define BARRIER() pthread_barrier_wait(&barrier)
#endif
#ifndef NUMBER
#define NUMBER(i) (i)
#endif
#ifndef END
#define END(t) ((int)((long long)size * ((t) + 1) / THREADS))
#endif
#ifndef COLOUR
#define COLOUR(i, sweep) (((i) + (sweep)) % 2)
#endif
#ifndef SWEEPS
#define SWEEPS(t) n_sweeps
#endif
#ifndef ROW
#define ROW(i) calloc((size_t)size, sizeof **grid)
#endif

enum { THREADS = 3 };

static int size, n_sweeps;
static double **grid;
static pthread_barrier_t barrier;
static int numbers[THREADS];

static void make_rows(int from, int to) {
  ATOMIC_BEGIN("make_rows");
  for (int i = from; i < to; i++) {
    grid[i] = ROW(i);
    grid[i][0] = 1;
  }
  ATOMIC_END();
}

static void relax_row(double *row, const double *above, const double *below, int n, int colour) {
  for (int j = 1 + colour; j < n - 1; j += 2) row[j] = (above[j] + below[j] + row[j - 1] + row[j + 1]) / 4 + row[j];
}

static void sweep(int from, int to, int n, int number) {
  const int first = from > 1 ? from : 1, end = to < n - 1 ? to : n - 1;
  ATOMIC_BEGIN("sweep");
  for (int i = first; i < end; i++) relax_row(grid[i], grid[i - 1], grid[i + 1], n, COLOUR(i, number));
  ATOMIC_END();
}

static double sum_of_rows(void) {
  double sum = 0;
  ATOMIC_BEGIN("sum_of_rows");
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) sum += grid[i][j];
  ATOMIC_END();
  return sum;
}

static void *work(void *argument) {
  const int me = *(const int *)argument, from = (int)((long long)size * me / THREADS), to = END(me);
  make_rows(from, to);
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < SWEEPS(me); i++) {
    sweep(from, to, size, i);
    BARRIER();
  }
  sum_of_rows();
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  if (argc != 3) return 3;
  size = atoi(argv[1]);
  n_sweeps = atoi(argv[2]);
  grid = calloc((size_t)size, sizeof *grid);
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = NUMBER(i);
    if (pthread_create(&threads[i], NULL, work, &numbers[i])) return 3;
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
