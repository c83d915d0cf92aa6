/* A wait for an atomic variable of C++20; the twin writes after the store.
 * has: \|sig\(&ready
 * has: \|wait\(&ready
 * flags: -std=c++20
 */
#include <atomic>

#include "twin.h"

static std::atomic<int> ready;
static int value;

static int twice(void) {
  ATOMIC_BEGIN("twice");
  const int sum = value + *(volatile int *)&value;
  ATOMIC_END();
  return sum;
}

static void *first(void *argument) {
  ready.wait(0);
  usleep(30000);
  return twice() == 2 ? argument : nullptr;
}

static void *second(void *argument) {
  value = 1;
  ready = 1;
  ready.notify_all();
  BROKEN(value = 1;)
  return argument;
}

int main() {
  run_both();
  return 0;
}
