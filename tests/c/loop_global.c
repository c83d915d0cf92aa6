/* The number of rounds is a variable that nobody changes. */
// expect: own atomic
// expect: next atomic
#include <causal.h>
#include <pthread.h>

static int n_threads = 3;
int n_rounds = 4;
static long hits[3];
static pthread_mutex_t locks[3];

static void *work(void *arg) {
  const int me = *(int *)arg;
  for (int i = 0; i < n_rounds; i++) {
    ATOMIC_BEGIN("own");
    hits[me]++;
    hits[me]++;
    ATOMIC_END();
    ATOMIC_BEGIN("next");
    pthread_mutex_lock(&locks[(me + 1) % n_threads]);
    pthread_mutex_unlock(&locks[(me + 1) % n_threads]);
    ATOMIC_END();
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  int numbers[3];
  for (int i = 0; i < n_threads; i++) {
    numbers[i] = i;
    pthread_mutex_init(&locks[i], NULL);
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  for (int i = 0; i < n_threads; i++) pthread_join(threads[i], NULL);
  return hits[0] > hits[1];
}
