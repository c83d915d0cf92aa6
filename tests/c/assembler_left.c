// Assembler without instructions leaves an address that it is given; a number that some computes leads nowhere.
// expect: left atomic
// expect: number atomic
#include "two.h"

#include <stdint.h>

static int c;
static uint64_t n;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t twice(uint64_t number) {
  __asm__("add %0, %0" : "+r"(number));
  return number;
}

static void first(void) {
  int *q = &c;
  __asm__ volatile("" : "+r"(q) : : "memory");
  ATOMIC_BEGIN("left");
  *q = 1, *q = 2;
  ATOMIC_END();
  pthread_mutex_lock(&lock);
  ATOMIC_BEGIN("number");
  n = twice(n);
  n++;
  ATOMIC_END();
  pthread_mutex_unlock(&lock);
}

static void second(void) {
  pthread_mutex_lock(&lock);
  n = twice(1);
  pthread_mutex_unlock(&lock);
}
