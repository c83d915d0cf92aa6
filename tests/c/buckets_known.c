// An index that is a known number, of a long array: it is one element for as long as the value is the same one.
// expect: any atomic
// expect: me atomic
// expect: other violated
// race: 36 36
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { N = 20 };

typedef struct {
  pthread_mutex_t lock;
  int n;
} Bucket;

static Bucket buckets[N], others[N];

static void work(long me) {
  Bucket *any = &buckets[rand() % N];
  ATOMIC_BEGIN("any");
  pthread_mutex_lock(&any->lock);
  any->n++;
  any->n++;
  pthread_mutex_unlock(&any->lock);
  ATOMIC_END();
  ATOMIC_BEGIN("me");
  pthread_mutex_lock(&buckets[me].lock);
  buckets[me].n++;
  buckets[me].n++;
  pthread_mutex_unlock(&buckets[me].lock);
  ATOMIC_END();
  ATOMIC_BEGIN("other");
  pthread_mutex_lock(&others[me].lock);
  others[me / 2].n++; /* not the lock's */
  pthread_mutex_unlock(&others[me].lock);
  ATOMIC_END();
}

static void *run(void *me) {
  work((long)me);
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, run, (void *)1)) return 1;
  work(0);
  return 0;
}
