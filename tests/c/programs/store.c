#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int own;
int get(void) {
  pthread_mutex_lock(&lock);
  const int x = own;
  pthread_mutex_unlock(&lock);
  return x;
}
void put(int x) {
  pthread_mutex_lock(&lock);
  own = x;
  pthread_mutex_unlock(&lock);
}
