/* A semaphore that is used as a lock; the twin gives it back in between.
 * count 2: \|acq\(&sem\)
 * count 2: \|rel\(&sem\)
 * not: (sig|wait)\(
 */
#include "twin.h"

#include <semaphore.h>

static sem_t sem;
static int balance;

static void deposit(void) {
  ATOMIC_BEGIN("deposit");
  sem_wait(&sem);
  const int old = balance;
  BROKEN(sem_post(&sem); sem_wait(&sem);)
  balance = old + 1;
  sem_post(&sem);
  ATOMIC_END();
}

static void *first(void *argument) {
  deposit();
  return argument;
}

static void *second(void *argument) {
  deposit();
  return argument;
}

int main(void) {
  sem_init(&sem, 0, 1);
  run_both();
  return balance - 2;
}
