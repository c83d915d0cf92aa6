// An index that is a difference of sizes is less than 0: it leads to what is before the address that it goes on from.
// expect: mine violated
// expect: other violated
// race: 22 30
// race: 22 31
// race: 23 30
// race: 23 31
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

static double data[64];
static size_t x, y;

static void *run(void *argument) {
  double *p = data + 4;
  const size_t i = x, j = y;
  (void)argument;
  if (i >= j) return NULL;
  ATOMIC_BEGIN("mine");
  p[(long)(i - j)] += 1;
  p[(long)(i - j)] += 1;
  ATOMIC_END();
  return NULL;
}

static void *run_other(void *argument) {
  ATOMIC_BEGIN("other");
  data[3] += 1;
  data[3] += 1;
  ATOMIC_END();
  return argument;
}

int main(int argc, char **argv) {
  pthread_t threads[2];
  if (argc != 3) return 3;
  x = strtoul(argv[1], NULL, 10), y = strtoul(argv[2], NULL, 10);
  if (pthread_create(&threads[0], NULL, run, NULL) || pthread_create(&threads[1], NULL, run_other, NULL)) return 3;
  for (int t = 0; t < 2; t++) pthread_join(threads[t], NULL);
  return 0;
}
