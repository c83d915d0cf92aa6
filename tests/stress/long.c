/* long.c: two threads that count, in transactions with a lock, so often that the raw log needs some megabytes. */
#include <causal.h>

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, counts[1000];

static void *work(void *argument) {
  for (int i = 0; i < 20000; i++) {
    ATOMIC_BEGIN("count");
    pthread_mutex_lock(&lock);
    count++;
    counts[i % 1000]++;
    pthread_mutex_unlock(&lock);
    ATOMIC_END();
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  return pthread_join(thread, NULL);
}
