/* What was told is changed while the others are being created. */
// expect: next atomic
// expect: pass violated
// race: 34 40
// race: 35 36
// race: 35 37
// race: 35 40
// race: 36 36
// race: 36 37
// race: 37 37
#include <causal.h>
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3 };

typedef struct {
  int number, *input, output;
  pthread_mutex_t lock;
  long hits;
} Worker;

static Worker workers[THREADS];

static void *work(void *arg) {
  Worker *own = arg, *next = &workers[(own->number + 1) % THREADS];
  ATOMIC_BEGIN("next");
  pthread_mutex_lock(&next->lock);
  next->hits++;
  next->hits++;
  pthread_mutex_unlock(&next->lock);
  ATOMIC_END();
  ATOMIC_BEGIN("pass");
  if (own->input) {
    *own->input += 1;
    workers[0].output++;
    workers[0].output++;
  }
  ATOMIC_END();
  next->input = &own->output;
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    workers[i].number = i;
    workers[i].input = NULL;
    pthread_mutex_init(&workers[i].lock, NULL);
  }
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, &workers[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}
