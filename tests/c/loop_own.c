// Threads that are created in a loop have their own arguments, and are joined each.
// expect: own atomic
// expect: next violated
// expect: after atomic
// expect: between violated
// race: 29 30
// race: 29 44
// race: 29 45
#include <causal.h>

#include <pthread.h>
#include <stddef.h>

typedef struct {
  int number, own, next;
} Worker;

static Worker workers[3];
static pthread_t threads[3];

static void *run(void *argument) {
  Worker *worker = argument;
  ATOMIC_BEGIN("own");
  worker->own++;
  worker->own++;
  ATOMIC_END();
  Worker *other = worker == &workers[2] ? &workers[0] : worker + 1;
  ATOMIC_BEGIN("next");
  worker->next++;
  other->next++;
  ATOMIC_END();
  return NULL;
}

int main(void) {
  for (int i = 0; i < 3; i++) workers[i] = (Worker){i, 0, 0};
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, &workers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  ATOMIC_BEGIN("after");
  workers[0].own++;
  workers[0].own++;
  ATOMIC_END();
  ATOMIC_BEGIN("between");
  workers[2].next++;
  workers[2].next++;
  ATOMIC_END();
  pthread_join(threads[2], NULL);
  return 0;
}
