/* spin_flag.c: a stack under a flag that is taken by compare-and-swap. `swap_top` pops and pushes, and gives the flag
 * back in between: another thread's element may come below the new one, or the stack is seen empty.
 *
 * Fixed: the flag is held from pop to push. Transactions: `swap_top`, `depth`. */
#include "later.h"

#include <causal.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int flag;
static int stack[8] = {1, 2}, n = 2;

static void lock(void) {
  int is_free = 0;
  while (!atomic_compare_exchange_weak(&flag, &is_free, 1)) is_free = 0;
}

static void unlock(void) { atomic_store(&flag, 0); }

static int swap_top(int element) {
  ATOMIC_BEGIN("swap_top");
  lock();
  const int top = stack[--n];
#ifndef FIXED
  unlock(); /* here an element is missing */
  lock();
#endif
  stack[n++] = element;
  unlock();
  ATOMIC_END();
  return top;
}

static int depth(void) {
  ATOMIC_BEGIN("depth");
  lock();
  const int result = n;
  unlock();
  ATOMIC_END();
  return result;
}

static void *client(void *unused) {
  (void)unused;
  later();
  printf("depth: %d\n", depth());
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, client, NULL)) return 1;
  const int top = swap_top(3);
  pthread_join(other, NULL);
  printf("top: %d\n", top);
  return 0;
}
