/* sor.c: successive over-relaxation of a grid by threads: `sor [THREADS [SIZE [ITERATIONS]]]`; after the kernel of that
 * name of the Java Grande benchmarks (multithreaded, section 2).
 *
 * The grid has SIZE x SIZE cells, coloured like a chess board. A sweep computes all cells of one colour from their
 * neighbours, which have the other one; then all threads meet at a barrier. Each thread has its own rows, which it
 * makes, relaxes and adds up, so that only the rows at their edges are shared.
 *
 * Transactions: `make_rows`, `sum_of_rows`, and `sweep`, one thread's part of a sweep. Serializable: a sweep writes
 * cells of one colour, and other threads read only cells of the other one, which no thread writes before the barrier.
 * So the sweeps between two barriers have no conflict. The sum is the same in each run. */
// expect: serializable
// other runs: serializable
// run: 3 40 10
// run: 10 22 5
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const double OMEGA = 1.25;

typedef struct {
  pthread_t thread;
  int from, to; /* its rows */
  double sum;   /* of them */
} Worker;

static int size, iterations;
static double **grid;
static pthread_barrier_t barrier;

static void *allocate(size_t n, size_t bytes) {
  void *memory = calloc(n, bytes);
  if (memory) return memory;
  fprintf(stderr, "sor: out of memory\n");
  exit(3);
}

/* The grid is warm on one side, and cold elsewhere. */
static void make_rows(int from, int to) {
  ATOMIC_BEGIN("make_rows");
  for (int i = from; i < to; i++) {
    grid[i] = allocate((size_t)size, sizeof **grid);
    grid[i][0] = 1;
  }
  ATOMIC_END();
}

/* Sets every second cell of the row, but not those at its ends. */
static void relax_row(double *row, const double *above, const double *below, int n, int colour) {
  for (int j = 1 + colour; j < n - 1; j += 2)
    row[j] = OMEGA / 4 * (above[j] + below[j] + row[j - 1] + row[j + 1]) + (1 - OMEGA) * row[j];
}

static void sweep(int from, int to, int n, int colour) {
  const int first = from > 1 ? from : 1, end = to < n - 1 ? to : n - 1;
  ATOMIC_BEGIN("sweep");
  for (int i = first; i < end; i++) relax_row(grid[i], grid[i - 1], grid[i + 1], n, (i + colour) % 2);
  ATOMIC_END();
}

static double sum_of_rows(int from, int to) {
  double sum = 0;
  ATOMIC_BEGIN("sum_of_rows");
  for (int i = from; i < to; i++)
    for (int j = 0; j < size; j++) sum += grid[i][j];
  ATOMIC_END();
  return sum;
}

static void *work(void *argument) {
  Worker *me = argument;
  const int from = me->from, to = me->to, n = size, n_sweeps = 2 * iterations;
  make_rows(from, to);
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < n_sweeps; i++) {
    sweep(from, to, n, i % 2);
    pthread_barrier_wait(&barrier);
  }
  me->sum = sum_of_rows(from, to);
  for (int i = from; i < to; i++) free(grid[i]);
  return NULL;
}

/* The calling thread is the first worker. */
static double relax(int n_threads) {
  Worker *workers = allocate((size_t)n_threads, sizeof *workers);
  double sum = 0;
  grid = allocate((size_t)size, sizeof *grid);
  pthread_barrier_init(&barrier, NULL, (unsigned)n_threads);
  for (int i = 0; i < n_threads; i++) {
    workers[i].from = (int)((long long)size * i / n_threads);
    workers[i].to = (int)((long long)size * (i + 1) / n_threads);
    if (i > 0 && pthread_create(&workers[i].thread, NULL, work, &workers[i])) exit(3);
  }
  work(&workers[0]);
  for (int i = 0; i < n_threads; i++) {
    if (i > 0) pthread_join(workers[i].thread, NULL);
    sum += workers[i].sum;
  }
  pthread_barrier_destroy(&barrier);
  free(grid);
  free(workers);
  return sum;
}

int main(int argc, char **argv) {
  const int n_threads = argc > 1 ? atoi(argv[1]) : 4;
  size = argc > 2 ? atoi(argv[2]) : 100;
  iterations = argc > 3 ? atoi(argv[3]) : 100;
  if (argc > 4 || n_threads < 1 || size < 3 || iterations < 0) {
    fprintf(stderr, "usage: sor [THREADS [SIZE [ITERATIONS]]]\n");
    return 3;
  }
  printf("%.6f\n", relax(n_threads));
  return 0;
}
