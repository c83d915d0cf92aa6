/* A merged value comes from where control may come from: here it does not go past the branch. */
// expect: first atomic
// expect: other atomic
#include <causal.h>
#include <pthread.h>

static pthread_mutex_t locks[2];
static int counts[2];

static void add(int which) {
  pthread_mutex_t *lock = &locks[0];
  int *count = &counts[0];
  if (which) {
    lock = &locks[1];
    count = &counts[1];
  }
  pthread_mutex_lock(lock);
  *count += 1;
  *count += 1;
  pthread_mutex_unlock(lock);
}

static void *work(void *unused) {
  ATOMIC_BEGIN("first");
  add(0);
  ATOMIC_END();
  ATOMIC_BEGIN("other");
  add(1);
  ATOMIC_END();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_mutex_init(&locks[i], NULL);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
