// A semaphore that begins with 1 excludes; one with 2 does not.
// expect: one atomic
// expect: two violated
// race: 22 22
#include <causal.h>

#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t one, two;
static int n, m;

static void *run(void *unused) {
  ATOMIC_BEGIN("one");
  sem_wait(&one);
  n++;
  sem_post(&one);
  ATOMIC_END();
  ATOMIC_BEGIN("two");
  sem_wait(&two);
  m++;
  sem_post(&two);
  ATOMIC_END();
  return unused;
}

int main(void) {
  pthread_t other;
  if (sem_init(&one, 0, 1) || sem_init(&two, 0, 2)) return 1;
  if (pthread_create(&other, NULL, run, NULL)) return 1;
  run(NULL);
  pthread_join(other, NULL);
  return 0;
}
