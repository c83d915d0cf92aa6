// A part is from an address to another one.
// expect: fill atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 2, N = 100 };

#ifdef WRONG
#define BEFORE <=
#else
#define BEFORE <
#endif

typedef struct {
  int *begin, *end;
} Slice;

static int data[N + 1];

static void *work(void *argument) {
  const Slice *slice = argument;
  ATOMIC_BEGIN("fill");
  for (int *p = slice->begin; p BEFORE slice->end; p++) {
    *p = 1;
    *p += 1;
  }
  ATOMIC_END();
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  Slice slices[THREADS];
  for (int i = 0; i < THREADS; i++) {
    slices[i].begin = data + i * N / THREADS;
    slices[i].end = data + (i + 1) * N / THREADS;
    if (pthread_create(&threads[i], NULL, work, &slices[i])) return 1;
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
