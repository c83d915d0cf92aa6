// Threads that create threads like themselves: as many are there, one by the other, as -n says.
// expect: held unknown
// expect: free violated
// gap: 25 creates threads here again and again, of which 2 are there
// gap: 25 creates threads that create threads here, of which 2 are there, one by the other
// gap: 27 joins a thread that is not known
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n, m;

static void *search(void *unused) {
  pthread_t other;
  ATOMIC_BEGIN("held");
  pthread_mutex_lock(&lock);
  n++, n++;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
  ATOMIC_BEGIN("free");
  m++;
  ATOMIC_END();
  if (rand() > 9 && pthread_create(&other, NULL, search, NULL) == 0) {
    search(NULL);
    pthread_join(other, NULL);
  }
  return unused;
}

int main(void) {
  search(NULL);
  return 0;
}
// race: 23 23
