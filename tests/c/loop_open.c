// Any other loop creates any number of threads: what is proved holds for all numbers.
// expect: add atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *run(void *unused) {
  ATOMIC_BEGIN("add");
  pthread_mutex_lock(&lock);
  n++;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  for (int i = 0; i < argc; i++)
    if (pthread_create(&thread, NULL, run, argv)) return 1;
  return 0;
}
