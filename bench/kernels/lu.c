/* lu.c: `lu [THREADS [SIZE [BLOCK]]]`: factors a dense matrix in blocks, each of which one thread owns, as the kernel
 * LU of SPLASH-2 does: diagonal block, blocks of its row and column, all others, with barriers between. */
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int threads, size, block;
static double *matrix; /* by columns of blocks, each block by itself */
static pthread_barrier_t barrier;

static double *at(int row, int column) {
  const int blocks = size / block;
  return matrix + ((size_t)column * (size_t)blocks + (size_t)row) * (size_t)(block * block);
}

static void diagonal(double *a) {
  for (int k = 0; k < block; k++)
    for (int j = k + 1; j < block; j++) {
      a[k + j * block] /= a[k + k * block];
      for (int i = k + 1; i < block; i++) a[i + j * block] -= a[i + k * block] * a[k + j * block];
    }
}

static void divide(double *a, const double *d) {
  for (int k = 0; k < block; k++)
    for (int j = k + 1; j < block; j++)
      for (int i = 0; i < block; i++) a[i + j * block] -= a[i + k * block] * d[k + j * block];
}

static void reduce(double *a, const double *b, const double *c) {
  for (int k = 0; k < block; k++)
    for (int j = 0; j < block; j++)
      for (int i = 0; i < block; i++) a[i + j * block] -= b[i + k * block] * c[k + j * block];
}

static int is_mine(int me, int row, int column) { return (row + column * 3) % threads == me; }

static void step(int me, int k) {
  const int blocks = size / block;
  ATOMIC_BEGIN("diagonal");
  if (is_mine(me, k, k)) diagonal(at(k, k));
  ATOMIC_END();
  pthread_barrier_wait(&barrier);
  ATOMIC_BEGIN("perimeter");
  for (int i = k + 1; i < blocks; i++) {
    if (is_mine(me, i, k)) divide(at(i, k), at(k, k));
    if (is_mine(me, k, i)) divide(at(k, i), at(k, k));
  }
  ATOMIC_END();
  pthread_barrier_wait(&barrier);
  ATOMIC_BEGIN("interior");
  for (int j = k + 1; j < blocks; j++)
    for (int i = k + 1; i < blocks; i++)
      if (is_mine(me, i, j)) reduce(at(i, j), at(i, k), at(k, j));
  ATOMIC_END();
  pthread_barrier_wait(&barrier);
}

static void *work(void *argument) {
  const int me = (int)(long)argument;
  for (int k = 0; k < size / block; k++) step(me, k);
  return argument;
}

int main(int argc, char **argv) {
  pthread_t handles[64];
  double sum = 0;
  threads = argc > 1 ? atoi(argv[1]) : 4;
  size = argc > 2 ? atoi(argv[2]) : 256;
  block = argc > 3 ? atoi(argv[3]) : 16;
  if (threads < 1 || threads > 64 || block < 1 || size % block) return 3;
  matrix = malloc((size_t)size * (size_t)size * sizeof *matrix);
  if (!matrix) return 3;
  for (int i = 0; i < size * size; i++) matrix[i] = 1 + (i * 7919 % 1000) / 1000.0;
  for (int i = 0; i < size; i++) at(i / block, i / block)[(i % block) * (block + 1)] += size;
  pthread_barrier_init(&barrier, NULL, (unsigned)threads);
  for (long i = 0; i < threads; i++) pthread_create(&handles[i], NULL, work, (void *)i);
  for (int i = 0; i < threads; i++) pthread_join(handles[i], NULL);
  for (int i = 0; i < size * size; i++) sum += matrix[i];
  printf("sum %.6g\n", sum);
  return 0;
}
