// Rows of matrices, which others read.
// expect: multiply atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3, N = 60 };

#ifdef WRONG
#define AT(m, i, j) m[j][i]
#else
#define AT(m, i, j) m[i][j]
#endif

static double a[N][N], b[N][N], c[N][N];

static void *work(void *argument) {
  const long me = (long)argument;
  ATOMIC_BEGIN("multiply");
  for (long i = me * N / THREADS; i < (me + 1) * N / THREADS; i++)
    for (int j = 0; j < N; j++) {
      c[i][j] = 0;
      for (int k = 0; k < N; k++) AT(c, i, j) += a[i][k] * b[k][j];
    }
  ATOMIC_END();
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, (void *)i)) return 1;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
