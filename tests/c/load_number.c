/* What a thread is told before it is created is a number: which element is the next one, and that it has no input. */
// expect: next atomic
// expect: pass atomic
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
#ifdef CHANGED
  own->number = rand();
#endif
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
