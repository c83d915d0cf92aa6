/* A flag that is taken by compare-and-swap; the twin gives it back in between.
 * count 2: \|acq\(&busy\)
 * count 2: \|rel\(&busy\)
 * not: \((busy)\)
 */
#include "twin.h"

static atomic_int busy;
static int balance;

static void lock(void) {
  int is_free = 0;
  while (!atomic_compare_exchange_weak(&busy, &is_free, 1)) is_free = 0;
}

static void unlock(void) { atomic_store(&busy, 0); }

static void deposit(void) {
  ATOMIC_BEGIN("deposit");
  lock();
  const int old = balance;
  BROKEN(unlock(); lock();)
  balance = old + 1;
  unlock();
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
  run_both();
  return balance - 2;
}
