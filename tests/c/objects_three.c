// Three threads: what comes between both writes of the block goes from the first object to the second one by the lock
// of a third one. With two objects that are told apart it is not seen.
// expect: write violated
// race: 25 37
// race: 26 37
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { N = 10 };

typedef struct {
  pthread_mutex_t lock;
  int x;
} Object;

static Object objects[N];

static void *writer(void *unused) {
  Object *p = &objects[rand() % N], *q = &objects[rand() % N];
  pthread_mutex_lock(&p->lock);
  pthread_mutex_lock(&q->lock);
  ATOMIC_BEGIN("write");
  p->x = 1;
  q->x = 1;
  ATOMIC_END();
  pthread_mutex_unlock(&q->lock);
  pthread_mutex_unlock(&p->lock);
  return unused;
}

static void look(void) {
  Object *p = &objects[rand() % N], *q = &objects[rand() % N];
  int sum = 0;
  pthread_mutex_lock(&p->lock);
  sum += q->x;
  pthread_mutex_unlock(&p->lock);
  (void)sum;
}

static void *reader(void *unused) {
  look();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  if (pthread_create(&threads[0], NULL, writer, NULL)) return 1;
  if (pthread_create(&threads[1], NULL, reader, NULL)) return 1;
  look();
  return 0;
}
