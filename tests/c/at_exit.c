/* What runs when main has returned, or exit() is called, may meet what threads do that have not been joined. */
// expect: joined atomic
// expect: left violated
// expect: over atomic
// race: 33 39
// race: 34 39
#include <causal.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int joined_, left_, over_;

static void locked(void) {
  pthread_mutex_lock(&lock);
  joined_++;
  pthread_mutex_unlock(&lock);
}

static void *joined(void *unused) {
  ATOMIC_BEGIN("joined");
  pthread_mutex_lock(&lock);
  joined_++;
  joined_++;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
  pthread_exit(unused);
}

static void *left(void *unused) {
  ATOMIC_BEGIN("left");
  left_++;
  left_++;
  ATOMIC_END();
  return unused;
}

static void seen(void) { printf("%d %d\n", left_, over_); }

static void *over(void *unused) {
  ATOMIC_BEGIN("over");
  over_++;
  over_++;
  ATOMIC_END();
  return unused;
}

int main(void) {
  pthread_t threads[3];
  atexit(locked);
  if (atexit(seen) != 0) {
    perror("atexit");
    exit(1);
  }
  pthread_create(&threads[0], NULL, joined, NULL);
  pthread_create(&threads[1], NULL, left, NULL);
  pthread_create(&threads[2], NULL, over, NULL);
  pthread_join(threads[2], NULL);
}
