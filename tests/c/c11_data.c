// What tss_set is given tss_get gives back to the same thread.
// expect: own atomic
// expect: shared violated
// race: 30 30
// race: 30 31
// race: 31 31
#include <causal.h>
#include <stdlib.h>
#include <threads.h>

static tss_t own, shared;
static int number;

static int run(void *unused) {
  (void)unused;
  tss_set(own, calloc(1, sizeof(int)));
  ATOMIC_BEGIN("own");
  int *at = tss_get(own);
  ++*at;
  ++*at;
  ATOMIC_END();
  return 0;
}

static int run_shared(void *unused) {
  (void)unused;
  tss_set(shared, &number);
  ATOMIC_BEGIN("shared");
  int *at = tss_get(shared);
  ++*at;
  ++*at;
  ATOMIC_END();
  return 0;
}

int main(void) {
  thrd_t first, second, third, fourth;
  tss_create(&own, free);
  tss_create(&shared, NULL);
  thrd_create(&first, run, NULL);
  thrd_create(&fourth, run, NULL);
  thrd_create(&second, run_shared, NULL);
  thrd_create(&third, run_shared, NULL);
  thrd_join(first, NULL);
  thrd_join(second, NULL);
  thrd_join(third, NULL);
  thrd_join(fourth, NULL);
  tss_delete(own);
  return 0;
}
