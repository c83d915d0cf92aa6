/* waits.c: threads that wait in all ways: for conditions, barriers, semaphores, readers' locks, each other and a flag.
 * All is in order: each transaction holds the lock of what it changes. */
#include <causal.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t free_places;
static atomic_int done;
static int turn, sum, table[THREADS];

static void add(int n) {
  ATOMIC_BEGIN("add");
  pthread_mutex_lock(&lock);
  sum += n;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static void set(int i, int value) {
  ATOMIC_BEGIN("set");
  pthread_rwlock_wrlock(&readers);
  table[i] = value;
  pthread_rwlock_unlock(&readers);
  ATOMIC_END();
}

static int total(void) {
  int n = 0;
  ATOMIC_BEGIN("total");
  pthread_rwlock_rdlock(&readers);
  for (int i = 0; i < THREADS; i++) n += table[i];
  pthread_rwlock_unlock(&readers);
  ATOMIC_END();
  return n;
}

static void await_turn(int i) {
  pthread_mutex_lock(&lock);
  while (turn != i) pthread_cond_wait(&changed, &lock);
  turn = (turn + 1) % THREADS;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
  const int i = *(int *)argument;
  for (int round = 0; round < ROUNDS; round++) {
    await_turn(i);
    add(1);
    sem_wait(&free_places);
    set(i, round);
    usleep(1500);
    sem_post(&free_places);
    pthread_barrier_wait(&barrier);
    add(total() < 0);
  }
  atomic_fetch_add(&done, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS);
  sem_init(&free_places, 0, 2);
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, work, &numbers[i])) return 1;
  }
  while (atomic_load(&done) < THREADS) {} /* spins */
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  printf("%d %d\n", sum, total());
  return sum != THREADS * ROUNDS || total() != THREADS * (ROUNDS - 1);
}
