/* shuffle.h: the numbers below n in an order that is another one in each run, and in each call. */
#ifndef SHUFFLE_H
#define SHUFFLE_H

#include <stdint.h>
#include <time.h>

static inline void shuffle(int *numbers, int n) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  uint64_t random = (uint64_t)time.tv_nsec ^ (uint64_t)time.tv_sec << 32;
  for (int i = 0; i < n; i++) {
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const int k = (int)((random >> 33) % (uint64_t)(i + 1));
    numbers[i] = numbers[k];
    numbers[k] = i;
  }
}

#endif
