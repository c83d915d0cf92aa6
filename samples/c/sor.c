/* sor.c: successive over-relaxation of a grid by threads: `sor THREADS SIZE ITERATIONS`.
 *
 * The grid has SIZE x SIZE cells, coloured like a chess board. A sweep computes all cells of one colour from their neighbours, which have the other
 * one; then all threads meet at a barrier. Each thread has its own rows, so that only the rows at their edges are shared. The update of a row is a
 * transaction. There are no races, and every run is serializable. */
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const double OMEGA = 1.25;

static int n_threads, size, iterations;
static double **grid;
static pthread_barrier_t barrier;

static void relax_row(double *row, const double *above, const double *below, int colour) {
  ATOMIC_BEGIN("relax_row");
  for (int j = 1 + colour; j < size - 1; j += 2)
    row[j] = OMEGA / 4 * (above[j] + below[j] + row[j - 1] + row[j + 1]) + (1 - OMEGA) * row[j];
  ATOMIC_END();
}

static void *work(void *argument) {
  const int me = *(int *)argument, rows = size - 2;
  const int from = 1 + rows * me / n_threads, to = 1 + rows * (me + 1) / n_threads;
  for (int sweep = 0; sweep < 2 * iterations; sweep++) {
    for (int i = from; i < to; i++) relax_row(grid[i], grid[i - 1], grid[i + 1], (i + sweep) % 2);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

/* The edge is warm on one side, and the rest cold. */
static void make_grid(void) {
  grid = malloc((size_t)size * sizeof *grid);
  for (int i = 0; grid && i < size; i++) {
    grid[i] = calloc((size_t)size, sizeof **grid);
    if (!grid[i]) grid = NULL;
    else grid[i][0] = 1;
  }
  if (grid) return;
  fprintf(stderr, "sor: out of memory\n");
  exit(3);
}

int main(int argc, char **argv) {
  n_threads = argc == 4 ? atoi(argv[1]) : 0;
  size = argc == 4 ? atoi(argv[2]) : 0;
  iterations = argc == 4 ? atoi(argv[3]) : 0;
  if (n_threads < 1 || size < 3 || iterations < 0) {
    fprintf(stderr, "usage: sor THREADS SIZE ITERATIONS\n");
    return 3;
  }
  make_grid();
  pthread_t *threads = malloc((size_t)n_threads * sizeof *threads);
  int *numbers = malloc((size_t)n_threads * sizeof *numbers);
  if (!threads || !numbers) return 3;
  pthread_barrier_init(&barrier, NULL, (unsigned)n_threads);
  for (int i = 0; i < n_threads; i++) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, work, &numbers[i])) return 3;
  }
  for (int i = 0; i < n_threads; i++) pthread_join(threads[i], NULL);
  double sum = 0;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) sum += grid[i][j];
  printf("%.6f\n", sum);
  for (int i = 0; i < size; i++) free(grid[i]);
  free(grid);
  free(threads);
  free(numbers);
  return 0;
}
