// At the end of a thread what it has kept is given to a destructor: before it is joined, and as others do theirs.
// expect: after atomic
// expect: before violated
// expect: count violated
// expect: own atomic
// expect: sum atomic
// race: 30 30
// race: 30 31
// race: 30 53
// race: 30 54
// race: 31 31
// race: 31 53
// race: 31 54
#include <causal.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, counted;

static void done(void *kept) {
  ATOMIC_BEGIN("sum");
  pthread_mutex_lock(&lock);
  total += *(int *)kept;
  total += *(int *)kept;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
  ATOMIC_BEGIN("count");
  counted++;
  counted++;
  ATOMIC_END();
  free(kept);
}

static void *work(void *unused) {
  int *number = calloc(1, sizeof *number);
  pthread_setspecific(key, number);
  ATOMIC_BEGIN("own");
  *number += 1;
  *number += 1;
  ATOMIC_END();
  if (rand()) pthread_exit(NULL);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_key_create(&key, done);
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  ATOMIC_BEGIN("before");
  counted++;
  counted++;
  ATOMIC_END();
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  ATOMIC_BEGIN("after");
  total++;
  total++;
  ATOMIC_END();
}
