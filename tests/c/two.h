/* two.h: two threads that run `first` and `second`, which the program defines. */
#include <causal.h>

#include <pthread.h>
#include <stddef.h>

static void first(void);
static void second(void);

static void *run_second(void *unused) {
  second();
  return unused;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, run_second, NULL)) return 1;
  first();
  pthread_join(other, NULL);
  return 0;
}
