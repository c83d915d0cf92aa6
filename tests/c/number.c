// A thread uses the elements of arrays that have the number that was passed to it.
// expect: own atomic
// expect: part atomic
// expect: next violated
// expect: shifted violated
// expect: shared violated
// expect: read violated
// expect: role atomic
// race: 34 35
// race: 38 38
// race: 41 41
// race: 44 44
#include <causal.h>

#include <pthread.h>
#include <stddef.h>

enum { THREADS = 3 };

static int own[THREADS], part[2 * THREADS], next[THREADS], shifted[THREADS], shared[THREADS], at[THREADS];
static int numbers[THREADS], role;

static void work(int me, int also) {
  ATOMIC_BEGIN("own");
  own[me]++;
  own[me]++;
  ATOMIC_END();
  ATOMIC_BEGIN("part");
  part[2 * me]++;
  part[2 * me + 1]++;
  part[2 * me]++;
  ATOMIC_END();
  ATOMIC_BEGIN("next");
  next[me]++;
  if (me + 1 < THREADS) next[me + 1]++;
  ATOMIC_END();
  ATOMIC_BEGIN("shifted");
  shifted[me / 2]++;
  ATOMIC_END();
  ATOMIC_BEGIN("shared");
  shared[also]++;
  ATOMIC_END();
  ATOMIC_BEGIN("read");
  at[numbers[me]]++;
  ATOMIC_END();
  ATOMIC_BEGIN("role");
  if (me == 1) {
    role++;
    role++;
  }
  ATOMIC_END();
}

static void *run(void *argument) {
  const long me = (long)argument;
  work((int)me, (int)me % 2);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
