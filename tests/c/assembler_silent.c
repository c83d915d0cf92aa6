// Assembler that says that it uses no memory uses none; nor does what only waits.
// expect: twice atomic
#include "two.h"

static int n;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned swapped(unsigned number) {
  __asm__("bswap %0" : "=r"(number) : "0"(number));
  return number;
}

static void first(void) {
  ATOMIC_BEGIN("twice");
  pthread_mutex_lock(&lock);
  n = (int)swapped(1);
  __asm__ volatile("pause" ::: "memory");
  __asm__ volatile("" : "+m"(n) : : "memory");
  n++;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static void second(void) {
  pthread_mutex_lock(&lock);
  n++;
  pthread_mutex_unlock(&lock);
}
