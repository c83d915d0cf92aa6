// What a function of the library returns, whatever it calls back, need not be the same number twice.
// expect: add violated
// race: 30 30
// race: 30 31
// race: 31 31
#include <causal.h>

#include <ftw.h>
#include <pthread.h>
#include <stdlib.h>

enum { N = 64 };

static pthread_mutex_t locks[N];
static int counts[N];

static int see(const char *path, const struct stat *status, int type) {
  (void)path, (void)status, (void)type;
  return 1;
}

static unsigned slot(unsigned key) { return (key + (unsigned)ftw("here", see, 3)) % N; }

static void *run(void *argument) {
  const unsigned key = (unsigned)(long)argument;
  ATOMIC_BEGIN("add");
  pthread_mutex_t *const lock = &locks[slot(key)];
  pthread_mutex_lock(lock);
  int *const count = &counts[slot(key)];
  ++*count;
  ++*count;
  pthread_mutex_unlock(lock);
  ATOMIC_END();
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[2];
  if (argc != 3) return 3;
  for (int i = 0; i < N; i++) pthread_mutex_init(&locks[i], NULL);
  for (int t = 0; t < 2; t++)
    if (pthread_create(&threads[t], NULL, run, (void *)atol(argv[t + 1]))) return 3;
  for (int t = 0; t < 2; t++) pthread_join(threads[t], NULL);
  return 0;
}
