/* hangs.c [hang [early]]: a block that another thread can split; after it, or `early`, before the other thread is
 * there, a lock that is held already. */
#include <causal.h>

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void add(void) {
  pthread_mutex_lock(&lock);
  n++;
  pthread_mutex_unlock(&lock);
}

static void *other(void *unused) {
  add();
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  (void)argv;
  pthread_mutex_lock(&own);
  if (argc > 2) pthread_mutex_lock(&own);
  if (pthread_create(&thread, NULL, other, NULL)) return 1;
  ATOMIC_BEGIN("twice");
  add();
  add();
  ATOMIC_END();
  pthread_join(thread, NULL);
  if (argc > 1) pthread_mutex_lock(&own);
  return 0;
}
