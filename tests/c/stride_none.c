// What a loop goes on by at the end of a round is not computed in the first one: what it is divided by may be 0 then.
// expect: quotient violated
// expect: rest violated
// expect: sign violated
// race: 19 19
// race: 19 20
// race: 20 20
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, SIZE = 64 };

static unsigned n, m, k;
static int sign, a[SIZE], b[SIZE], c[SIZE];

static void use(int *slot) {
  *slot += 1;
  *slot += 1;
}

static void *run(void *argument) {
  const unsigned me = (unsigned)(long)argument;
  ATOMIC_BEGIN("quotient");
  for (unsigned i = 0; i < n; i += k / m) {
    use(&a[(size_t)m * me]);
    if (!m) break;
  }
  ATOMIC_END();
  ATOMIC_BEGIN("rest");
  for (unsigned i = 0; i < n; i += k % m + 1) {
    use(&b[(size_t)m * me]);
    if (!m) break;
  }
  ATOMIC_END();
  ATOMIC_BEGIN("sign");
  for (int i = 0; i < SIZE; i += 100 / sign) {
    if (sign) break;
    use(&c[sign * (int)me]);
    if (!sign) break;
  }
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 5) return 1;
  n = (unsigned)atoi(argv[1]), m = (unsigned)atoi(argv[2]), k = (unsigned)atoi(argv[3]), sign = atoi(argv[4]);
  pthread_t threads[THREADS];
  for (int t = 0; t < THREADS; t++)
    if (pthread_create(&threads[t], NULL, run, (void *)(long)t)) return 1;
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  return 0;
}
