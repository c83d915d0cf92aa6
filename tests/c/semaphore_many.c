// A semaphore that is posted in a loop has any number.
// expect: add violated
// race: 16 16
#include <causal.h>

#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t many;
static int n;

static void *run(void *unused) {
  ATOMIC_BEGIN("add");
  sem_wait(&many);
  n++;
  ATOMIC_END();
  return unused;
}

int main(int argc, char **argv) {
  pthread_t other;
  if (sem_init(&many, 0, 0) || pthread_create(&other, NULL, run, argv)) return 1;
  for (int i = 0; i < argc; i++) sem_post(&many);
  run(NULL);
  pthread_join(other, NULL);
  return 0;
}
