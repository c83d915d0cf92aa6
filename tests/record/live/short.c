/* short.c: `short THREADS [inside]`: so many threads, one after another, add to a counter; one more `inside` of a block
 * that reads it before and after. */
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *work(void *argument) {
  ATOMIC_BEGIN("add");
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
  return argument;
}

static int run(void) {
  pthread_t t;
  return pthread_create(&t, NULL, work, NULL) || pthread_join(t, NULL);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < n; i++)
    if (run()) return 3;
  ATOMIC_BEGIN("twice");
  const int seen = counter;
  if (argc > 2 && run()) return 3;
  const int changed = counter - seen;
  ATOMIC_END();
  return changed != argc > 2;
}
