/* A counter; the twin's addition is a load and a store.
 * count 2: \|rmw\(balance\)
 * not: \|(r|w|sig|wait)\(&?balance\)\|.*deposit
 */
#include "twin.h"

static atomic_int balance;

static void deposit(void) {
  ATOMIC_BEGIN("deposit");
  CORRECT(atomic_fetch_add(&balance, 1);)
  BROKEN(atomic_store(&balance, atomic_load(&balance) + 1);)
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
