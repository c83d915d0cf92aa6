/* any_sor.h: samples/c/sor.c, as many threads as the program is told. A program that includes it may say otherwise of
 * one thing. */
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef BARRIER
#define BARRIER() pthread_barrier_wait(&barrier)
#endif
#ifndef COUNT
#define COUNT(n) (n)
#endif
#ifndef END
#define END(t) ((int)((long long)size * ((t) + 1) / n_threads))
#endif
#ifndef COLOUR
#define COLOUR(i, sweep) (((i) + (sweep)) % 2)
#endif
#ifndef ROW
#define ROW(i) calloc((size_t)size, sizeof **grid)
#endif
#ifndef CHANGE
#define CHANGE()
#endif

typedef struct {
  pthread_t thread;
  int from, to;
} Worker;

static int n_threads, size, n_sweeps;
static double **grid;
static Worker *workers;
static pthread_barrier_t barrier;

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

static void *work(void *argument) {
  const Worker *me = argument;
  make_rows(me->from, me->to);
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < n_sweeps; i++) {
    sweep(me->from, me->to, size, i);
    BARRIER();
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 4) return 3;
  n_threads = atoi(argv[1]);
  size = atoi(argv[2]);
  n_sweeps = atoi(argv[3]);
  workers = calloc((size_t)n_threads, sizeof *workers);
  grid = calloc((size_t)size, sizeof *grid);
  pthread_barrier_init(&barrier, NULL, (unsigned)COUNT(n_threads));
  for (int i = 0; i < n_threads; i++) {
    workers[i].from = (int)((long long)size * i / n_threads);
    workers[i].to = END(i);
    if (pthread_create(&workers[i].thread, NULL, work, &workers[i])) return 3;
    CHANGE();
  }
  for (int i = 0; i < n_threads; i++) pthread_join(workers[i].thread, NULL);
  return 0;
}
