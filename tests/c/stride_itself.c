// The step hangs on the number that goes on, or on another one whose step hangs on this one.
// expect: scale violated
// expect: both violated
// race: 21 21
// race: 21 22
// race: 22 22
// race: 32 32
// race: 32 33
// race: 33 33
#include <causal.h>

#include <pthread.h>

static int data[1000], more[1000];
static unsigned numbers[4];

static void *run(void *argument) {
  const unsigned me = *(unsigned *)argument;
  ATOMIC_BEGIN("scale");
  for (unsigned i = me; i < 1000; i += i > 500 ? 3 : 4) {
    data[i] *= 2;
    data[i]++;
  }
  ATOMIC_END();
  unsigned i = me, k = me;
  ATOMIC_BEGIN("both");
  while (i < 1000 && k < 1000) {
    const unsigned before = i;
    i += k > 500 ? 3 : 4;
    k += before > 500 ? 4 : 3;
    if (k < 1000) {
      more[k] *= 2;
      more[k]++;
    }
  }
  ATOMIC_END();
  return NULL;
}

int main(void) {
  pthread_t ids[4];
  for (unsigned t = 0; t < 4; t++) {
    numbers[t] = t;
    if (pthread_create(&ids[t], NULL, run, &numbers[t])) return 3;
  }
  for (unsigned t = 0; t < 4; t++) pthread_join(ids[t], NULL);
  return 0;
}
