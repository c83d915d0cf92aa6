// A loop that goes on until an address, or a number, is equal to its end does not go past it.
// expect: back atomic
// expect: index atomic
// expect: slice atomic
// expect: steps atomic
#include <causal.h>

#include <pthread.h>
#include <stddef.h>

enum { N = 1000, T = 4, CHUNK = N / T };

static int slice[N], back[N], index_[N], steps[N];

static void *work(void *arg) {
  const int id = *(int *)arg;
  int *begin = slice + id * CHUNK, *end = begin + CHUNK;
  ATOMIC_BEGIN("slice");
  for (int *p = begin; p != end; p++) *p = 2 * *p;
  ATOMIC_END();
  ATOMIC_BEGIN("back");
  for (int *p = back + (id + 1) * CHUNK; p != back + id * CHUNK; p--) p[-1] = 2 * p[-1];
  ATOMIC_END();
  ATOMIC_BEGIN("index");
  for (int i = id * CHUNK; i != (id + 1) * CHUNK; i++) index_[i] = 2 * index_[i];
  ATOMIC_END();
  ATOMIC_BEGIN("steps");
  for (int i = id * 4; i != id * 4 + 4; i += 2) steps[i] = steps[i] + steps[i + 1];
  ATOMIC_END();
  return NULL;
}

int main(void) {
  pthread_t t[T];
  int ids[T];
  for (int i = 0; i < T; i++) {
    ids[i] = i;
    if (pthread_create(&t[i], NULL, work, &ids[i])) return 1;
  }
  for (int i = 0; i < T; i++) pthread_join(t[i], NULL);
  return 0;
}
