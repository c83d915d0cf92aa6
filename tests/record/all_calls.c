/* All calls are in the log, also those of main, of what threads start with, and those inside of others. What is split is
 * the increment, of which the two halves are atomic; those around it inherit that.
 * atomic: all-calls
 * except: pause_here
 * has: begin\(main\)\|all_calls.c
 * has: begin\(work\)
 * has: begin\(add\)
 * has: begin\(get\)
 * not: begin\(pause_here\)
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int shared;
static atomic_int step;

static __attribute__((noinline)) int get(void) { return shared; }
static __attribute__((noinline)) void set(int value) { shared = value; }

static __attribute__((noinline)) void pause_here(int number) {
  while (atomic_load(&step) != number) {}
}

/* With a write of the other thread in between, if `meets`. */
static __attribute__((noinline)) void add(int meets) {
  const int value = get();
  if (meets) atomic_store(&step, 1), pause_here(2);
  set(value + 1);
}

static void *work(void *argument) {
  pause_here(1);
  set(10);
  atomic_store(&step, 2);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  add(1);
  pthread_join(thread, NULL);
  printf("%d\n", get());
  return 0;
}
