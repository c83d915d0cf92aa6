/* window.c: a variable that two threads have read by turns is read by one of them, which is held before the very
 * instruction, for the page is not there; meanwhile the other one writes it. Prints what steps.h prints. */
#include "unrecorded.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

enum { VARIABLES = 64, TURNS = 6 };

/* Just a page. */
struct {
  volatile long value;
  long more[7];
} shared[VARIABLES] __attribute__((aligned(4096)));

static long seen[VARIABLES][TURNS];
static pthread_barrier_t barrier;

/* These are accessed by no instruction that is recorded. */
static int held, written;
UNRECORDED static int get(const int *flag) { return __atomic_load_n(flag, __ATOMIC_SEQ_CST); }
UNRECORDED static void set(int *flag, int value) { __atomic_store_n(flag, value, __ATOMIC_SEQ_CST); }

/* Microseconds of this thread. After 1000 it would be taken for done. */
UNRECORDED static long time_run(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/* Of the thread that reads, and if that is not waited for also of the one that writes, which does so at once. */
UNRECORDED static void fault(int signal) {
  const bool writes = get(&held);
  (void)signal;
  set(&held, 1);
  for (const long end = time_run() + 700; !writes && !get(&written) && time_run() < end;) {}
  mprotect(shared, sizeof shared, PROT_READ | PROT_WRITE);
}

static void *read_last(void *argument) {
  for (int v = 0; v < VARIABLES; v++) {
    for (int i = 0; i < TURNS; i++) {
      pthread_barrier_wait(&barrier);
      if (i % 2 == 0) seen[v][i] = shared[v].value;
      pthread_barrier_wait(&barrier);
    }
    pthread_barrier_wait(&barrier);
    seen[v][0] = shared[v].value;
    pthread_barrier_wait(&barrier);
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  signal(SIGSEGV, fault);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&thread, NULL, read_last, NULL);
  for (int v = 0; v < VARIABLES; v++) {
    for (int i = 0; i < TURNS; i++) {
      pthread_barrier_wait(&barrier);
      if (i % 2) seen[v][i] = shared[v].value;
      pthread_barrier_wait(&barrier);
    }
    set(&held, 0);
    set(&written, 0);
    mprotect(shared, sizeof shared, PROT_NONE);
    pthread_barrier_wait(&barrier);
    while (!get(&held)) sched_yield();
    shared[v].value = v + 1;
    set(&written, 1);
    pthread_barrier_wait(&barrier);
  }
  pthread_join(thread, NULL);
  for (int v = 0; v < VARIABLES; v++) {
    for (int i = 0; i < TURNS; i++) printf("%s r %d 0\n", i % 2 ? "T0" : "T1:read_last", v);
    printf("T0 w %d %d\nT1:read_last r %d %ld\n", v, v + 1, v, seen[v][0]);
  }
  return 0;
}
