/* A semaphore of C++20; the twin writes after the release.
 * has: \|sig\(&semaphore
 * has: \|wait\(&semaphore
 * flags: -std=c++20
 */
#include <semaphore>

#include "twin.h"

static std::counting_semaphore<4> semaphore(0);
static int value;

static int twice(void) {
  ATOMIC_BEGIN("twice");
  const int sum = value + *(volatile int *)&value;
  ATOMIC_END();
  return sum;
}

static void *first(void *argument) {
  semaphore.acquire();
  usleep(30000);
  return twice() == 2 ? argument : nullptr;
}

static void *second(void *argument) {
  value = 1;
  semaphore.release();
  BROKEN(value = 1;)
  return argument;
}

int main() {
  run_both();
  return 0;
}
