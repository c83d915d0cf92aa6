/* An atomic_flag that is used as a lock; the twin takes it too late.
 * count 2: \|acq\(&busy\)
 * count 2: \|rel\(&busy\)
 * not: \((busy)\)
 */
#include "twin.h"

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int balance;

static void deposit(void) {
  ATOMIC_BEGIN("deposit");
  BROKEN(const int old = balance;)
  while (atomic_flag_test_and_set(&busy)) sched_yield();
  CORRECT(const int old = balance;)
  balance = old + 1;
  atomic_flag_clear(&busy);
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
