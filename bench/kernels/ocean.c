/* ocean.c: `ocean [THREADS [SIZE [STEPS]]]`: currents on a grid, as the kernel Ocean of SPLASH-2 does: each thread has
 * some rows of several grids, relaxes them, red and black cells in turn, and adds its error up under a lock. */
#include <causal.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { GRIDS = 4 };

static int threads, size, steps;
static double *grids[GRIDS];
static double error;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

static double *row(int grid, int i) { return grids[grid] + (size_t)i * (size_t)size; }

static double relax_row(int i, int colour) {
  double *psi = row(0, i), sum = 0;
  const double *above = row(0, i - 1), *below = row(0, i + 1), *force = row(1, i);
  for (int j = 1 + (i + colour) % 2; j < size - 1; j += 2) {
    const double new = (above[j] + below[j] + psi[j - 1] + psi[j + 1] - force[j]) / 4;
    sum += fabs(new - psi[j]);
    psi[j] = new;
  }
  return sum;
}

static void jacobian(int from, int to) {
  for (int i = from; i < to; i++) {
    const double *psi = row(0, i), *above = row(0, i - 1), *below = row(0, i + 1), *depth = row(2, i);
    double *force = row(1, i), *speed = row(3, i);
    for (int j = 1; j < size - 1; j++) {
      speed[j] = (above[j] - below[j]) * (psi[j + 1] - psi[j - 1]) / 8;
      force[j] = force[j] * .99 + speed[j] * depth[j] * .01;
    }
  }
}

static void add_error(double mine) {
  ATOMIC_BEGIN("add_error");
  pthread_mutex_lock(&lock);
  error += mine;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static void *work(void *argument) {
  const int me = (int)(long)argument, rows = size - 2, from = 1 + rows * me / threads,
            to = 1 + rows * (me + 1) / threads;
  for (int s = 0; s < steps; s++) {
    double mine = 0;
    for (int colour = 0; colour < 2; colour++) {
      ATOMIC_BEGIN("relax");
      for (int i = from; i < to; i++) mine += relax_row(i, colour);
      ATOMIC_END();
      pthread_barrier_wait(&barrier);
    }
    add_error(mine);
    ATOMIC_BEGIN("jacobian");
    jacobian(from, to);
    ATOMIC_END();
    pthread_barrier_wait(&barrier);
  }
  return argument;
}

int main(int argc, char **argv) {
  pthread_t handles[64];
  threads = argc > 1 ? atoi(argv[1]) : 4;
  size = argc > 2 ? atoi(argv[2]) : 258;
  steps = argc > 3 ? atoi(argv[3]) : 20;
  if (threads < 1 || threads > 64 || size < 66) return 3;
  for (int g = 0; g < GRIDS; g++) {
    grids[g] = malloc((size_t)size * (size_t)size * sizeof **grids);
    if (!grids[g]) return 3;
    for (int i = 0; i < size * size; i++) grids[g][i] = (i * 7919 % 1000) / 1000.0;
  }
  pthread_barrier_init(&barrier, NULL, (unsigned)threads);
  for (long i = 0; i < threads; i++) pthread_create(&handles[i], NULL, work, (void *)i);
  for (int i = 0; i < threads; i++) pthread_join(handles[i], NULL);
  printf("error %.6g\n", error);
  return 0;
}
