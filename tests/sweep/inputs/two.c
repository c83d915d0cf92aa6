/* Two threads that count, one of them in a transaction without a lock. */
#include <pthread.h>

int counter;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) void twice(void) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
  }
}

static void *other(void *argument) {
  pthread_mutex_lock(&lock);
  counter = 7;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  twice();
  return pthread_join(thread, NULL);
}
