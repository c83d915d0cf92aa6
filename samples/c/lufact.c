/* lufact.c: solves a dense system of linear equations by LU factorization: `lufact [THREADS [SIZE [SEED]]]`; after the
 * kernel of that name of the Java Grande benchmarks (multithreaded, section 2), which is Linpack's dgefa and dgesl.
 *
 * The matrix has SIZE columns of SIZE numbers. In step k every thread looks for the pivot of column k, the first one
 * brings it to the diagonal and divides the elements below by it, and then the threads share the columns to the right,
 * from which they subtract multiples of column k. Barriers separate these three phases. The right-hand side makes all
 * unknowns 1; the greatest error is printed, the same in each run.
 *
 * Transactions: `find_pivot` and `eliminate`, of each thread in each step, `scale`, of the first one, and before and
 * after that `make_system` and `solve`. Serializable: between two barriers no thread writes what another one reads, and
 * each column to the right of k is written by one thread. */
// expect: serializable
// other runs: serializable
// run: 3 24
// run: 10 16 7
#include <causal.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  pthread_t thread;
  int number;
} Worker;

static int n_threads, size;
static double **columns;
static int *pivots; /* by step: the row that was exchanged with the row of that number */
static pthread_barrier_t barrier;

static void *allocate(size_t n, size_t bytes) {
  void *memory = calloc(n, bytes);
  if (memory) return memory;
  fprintf(stderr, "lufact: out of memory\n");
  exit(3);
}

/* ---- the factors ---- */

/* The row of the greatest number of column k, from row k on. */
static int find_pivot(int k, int n) {
  int best = k;
  ATOMIC_BEGIN("find_pivot");
  const double *column = columns[k];
  for (int i = k + 1; i < n; i++)
    if (fabs(column[i]) > fabs(column[best])) best = i;
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
  double *column = columns[k];
  if (pivot != k) exchange(column, k, pivot);
  const double factor = -1 / column[k];
  for (int i = k + 1; i < n; i++) column[i] *= factor;
  pivots[k] = pivot;
  ATOMIC_END();
}

static void add_multiple(double *to, double factor, const double *from, int begin, int end) {
  for (int i = begin; i < end; i++) to[i] += factor * from[i];
}

/* Columns `from` to `to` - 1. */
static void eliminate(int from, int to, int k, int pivot, int n) {
  ATOMIC_BEGIN("eliminate");
  const double *scaled = columns[k];
  for (int j = from; j < to; j++) {
    double *column = columns[j];
    if (pivot != k) exchange(column, k, pivot);
    add_multiple(column, column[k], scaled, k + 1, n);
  }
  ATOMIC_END();
}

static void *factorize(void *argument) {
  const int me = ((const Worker *)argument)->number, all = n_threads, n = size;
  for (int k = 0; k < n - 1; k++) {
    const int rest = n - k - 1, share = (rest + all - 1) / all;
    const int from = k + 1 + me * share, to = from + share < n ? from + share : n;
    const int pivot = find_pivot(k, n);
    pthread_barrier_wait(&barrier);
    if (me == 0) scale(k, pivot, n);
    pthread_barrier_wait(&barrier);
    eliminate(from, to, k, pivot, n);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

/* The calling thread is the first worker. */
static void factorize_all(void) {
  Worker *workers = allocate((size_t)n_threads, sizeof *workers);
  pthread_barrier_init(&barrier, NULL, (unsigned)n_threads);
  for (int i = 1; i < n_threads; i++) {
    workers[i].number = i;
    if (pthread_create(&workers[i].thread, NULL, factorize, &workers[i])) exit(3);
  }
  factorize(&workers[0]);
  for (int i = 1; i < n_threads; i++) pthread_join(workers[i].thread, NULL);
  pthread_barrier_destroy(&barrier);
  free(workers);
}

/* ---- the system ---- */

/* Numbers between -2 and 2. */
static void make_system(double *right, unsigned seed) {
  unsigned state = seed;
  ATOMIC_BEGIN("make_system");
  for (int j = 0; j < size; j++) {
    columns[j] = allocate((size_t)size, sizeof **columns);
    for (int i = 0; i < size; i++) {
      state = state * 1664525 + 1013904223;
      columns[j][i] = (double)(state >> 16) / 16384 - 2;
      right[i] += columns[j][i];
    }
  }
  ATOMIC_END();
}

/* The right-hand side becomes the solution. */
static void solve(double *right) {
  ATOMIC_BEGIN("solve");
  for (int k = 0; k < size - 1; k++) {
    exchange(right, k, pivots[k]);
    add_multiple(right, right[k], columns[k], k + 1, size);
  }
  for (int k = size - 1; k >= 0; k--) {
    right[k] /= columns[k][k];
    add_multiple(right, -right[k], columns[k], 0, k);
  }
  ATOMIC_END();
}

static double greatest_error(const double *solution) {
  double greatest = 0;
  for (int i = 0; i < size; i++)
    if (fabs(solution[i] - 1) > greatest) greatest = fabs(solution[i] - 1);
  return greatest;
}

int main(int argc, char **argv) {
  n_threads = argc > 1 ? atoi(argv[1]) : 4;
  size = argc > 2 ? atoi(argv[2]) : 100;
  const unsigned seed = argc > 3 ? (unsigned)atoi(argv[3]) : 1325;
  if (argc > 4 || n_threads < 1 || size < 1) {
    fprintf(stderr, "usage: lufact [THREADS [SIZE [SEED]]]\n");
    return 3;
  }
  columns = allocate((size_t)size, sizeof *columns);
  pivots = allocate((size_t)size, sizeof *pivots);
  double *right = allocate((size_t)size, sizeof *right);
  make_system(right, seed);
  factorize_all();
  solve(right);
  printf("greatest error %.1e\n", greatest_error(right));
  for (int j = 0; j < size; j++) free(columns[j]);
  free(columns);
  free(pivots);
  free(right);
  return 0;
}
