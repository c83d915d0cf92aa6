/* Two threads take turns: count(3) in the main thread has work() in its middle, which writes what it reads again. */
#include "count.h"
#include <causal.h>

#include <pthread.h>
#include <semaphore.h>

static sem_t go, done;

static void *work(void *argument) {
  sem_wait(&go);
  ATOMIC_BEGIN("work");
  total = 7;
  count(1);
  ATOMIC_END();
  sem_post(&done);
  return argument;
}

int main(void) {
  pthread_t thread;
  sem_init(&go, 0, 0);
  sem_init(&done, 0, 0);
  pthread_create(&thread, 0, work, 0);
  ATOMIC_BEGIN("both");
  count(3);
  sem_post(&go);
  sem_wait(&done);
  count(3);
  ATOMIC_END();
  pthread_join(thread, 0);
  return total == 11 ? 0 : 1;
}
