/* One of several semaphores is not followed, as its number is not known: so none of them is. */
// expect: serve violated
// expect: give violated
// race: 25 25
// race: 25 26
// race: 25 37
// race: 25 38
// race: 26 26
// race: 26 37
// race: 26 38
#include <causal.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>

static sem_t idle, first, second;
static sem_t *const clients[2] = {&first, &second};
static int table;

static void *serve(void *arg) {
  for (int i = 0; i < 3; i++) {
    sem_wait(clients[(intptr_t)arg]);
    ATOMIC_BEGIN("serve");
    table--;
    table--;
    ATOMIC_END();
    sem_post(&idle);
  }
  return NULL;
}

static void *give(void *unused) {
  for (int i = 0; i < 6; i++) {
    sem_wait(&idle);
    ATOMIC_BEGIN("give");
    table++;
    table++;
    ATOMIC_END();
    sem_post(clients[rand() % 2]);
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  sem_init(&idle, 0, 1);
  sem_init(&first, 0, 0);
  sem_init(&second, 0, (unsigned)rand());
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, serve, (void *)(intptr_t)i);
  pthread_create(&threads[2], NULL, give, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}
