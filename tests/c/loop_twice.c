// A loop in a loop comes more often than it counts.
// expect: add atomic
#include <causal.h>

#include <pthread.h>
#include <stddef.h>

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
  for (int k = 0; k < argc; k++)
    for (int i = 0; i < 2; i++)
      if (pthread_create(&thread, NULL, run, argv)) return 1;
  return 0;
}
