/* A barrier of C++20; the twin writes after it has arrived.
 * has: \|sig\(&barrier
 * has: \|wait\(&barrier
 * not: \([&]?std::__detail::__waiter_pool_base
 * flags: -std=c++20
 */
#include <barrier>

#include "twin.h"

static std::barrier barrier(2);
static int value;

static int twice(void) {
  ATOMIC_BEGIN("twice");
  const int sum = value + *(volatile int *)&value;
  ATOMIC_END();
  return sum;
}

static void *first(void *argument) {
  barrier.arrive_and_wait();
  usleep(30000);
  return twice() == 2 ? argument : nullptr;
}

static void *second(void *argument) {
  value = 1;
  barrier.arrive_and_wait();
  BROKEN(value = 1;)
  return argument;
}

int main() {
  run_both();
  return 0;
}
