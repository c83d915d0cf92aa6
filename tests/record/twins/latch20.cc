/* A latch of C++20; the twin writes after it has counted down.
 * has: \|sig\(&latch\)
 * has: \|wait\(&latch\)
 * not: \(&?std::__detail::__waiter_pool_base
 * flags: -std=c++20
 */
#include <latch>

#include "twin.h"

static std::latch latch(1);
static int value;

static int twice(void) {
  ATOMIC_BEGIN("twice");
  const int sum = value + *(volatile int *)&value;
  ATOMIC_END();
  return sum;
}

static void *first(void *argument) {
  latch.wait();
  usleep(30000);
  return twice() == 2 ? argument : nullptr;
}

static void *second(void *argument) {
  value = 1;
  latch.count_down();
  BROKEN(value = 1;)
  return argument;
}

int main() {
  run_both();
  return 0;
}
