/* An index of an array in a structure stays in it: the member behind it, and the next structure, are others. */
// expect: item atomic
// expect: count atomic
// expect: own atomic
#include <causal.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  int items[8];
  int n;
  pthread_mutex_t lock;
  struct {
    int at, cells[4];
  } rows[3];
} Store;

static Store stores[2];

static void *work(void *arg) {
  Store *own = &stores[(intptr_t)arg], *other = &stores[1 - (intptr_t)arg];
  const int random = rand();
  ATOMIC_BEGIN("item");
  pthread_mutex_lock(&other->lock);
  other->items[random]++;
  pthread_mutex_unlock(&other->lock);
  ATOMIC_END();
  ATOMIC_BEGIN("count");
  own->n++;
  own->n++;
  ATOMIC_END();
  ATOMIC_BEGIN("own");
  own->rows[random].cells[random]++;
  own->rows[random].cells[random]++;
  ATOMIC_END();
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_mutex_init(&stores[i].lock, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
