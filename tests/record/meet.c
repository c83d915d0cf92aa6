/* Barriers, once, semaphores, spin locks.
 * has: acq\(&spin\)
 * count 1: w\(made\)
 * count 1: sig\(&once\)
 * count 2: wait\(&once\)
 * count 3: sig\(&barrier\)
 * count 3: wait\(&barrier\)
 * not: &barrier#
 * count 40: sig\(&full
 * count 39: wait\(&full
 * alternate: w\(ping\)
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static sem_t full[2];
static int made, parts[3], sums[3], ping, spun;

static void make(void) { made = 5; }

static void *work(void *argument) {
  const int me = (int)(long)argument;
  pthread_once(&once, make);
  parts[me] = made + me;
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 3; i++) sums[me] += parts[i];
  for (int i = 0; i < 20; i++) {
    pthread_spin_lock(&spin);
    spun++;
    pthread_spin_unlock(&spin);
  }
  for (int i = 0; me < 2 && i < 20; i++) {
    sem_wait(&full[me]);
    ping++;
    sem_post(&full[!me]);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  pthread_barrier_init(&barrier, NULL, 3);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&full[0], 0, 1);
  sem_init(&full[1], 0, 0);
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  printf("%d %d %d %d %d\n", sums[0], sums[1], sums[2], spun, ping);
  pthread_barrier_destroy(&barrier);
  sem_destroy(&full[0]);
  return 0;
}
