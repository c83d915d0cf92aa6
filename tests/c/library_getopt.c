// getopt() may put main's arguments in order, and what it finds is read: that is no gap.
// expect: counts atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n, step = 1;

static void *run(void *unused) {
  ATOMIC_BEGIN("counts");
  pthread_mutex_lock(&lock);
  n += step;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
  return unused;
}

int main(int argc, char **argv) {
  pthread_t threads[2];
  for (int option; (option = getopt(argc, argv, "s:")) != -1;)
    if (option == 's') step = atoi(optarg);
  for (int t = 0; t < 2; t++) pthread_create(&threads[t], NULL, run, NULL);
  for (int t = 0; t < 2; t++) pthread_join(threads[t], NULL);
  return 0;
}
