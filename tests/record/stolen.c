/* A line whose holder is stuck is taken from it: in a system call that is not recorded, or in code that is not; and the holder takes it again before its
 * next access. So accesses that are in turn are logged in turn.
 * modes: exact
 * alternate: (r|w)\(asleep\)
 * alternate: (r|w)\(running\)
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __clang__
#define UNRECORDED __attribute__((no_sanitize("thread"), noinline))
#else
#define UNRECORDED __attribute__((no_sanitize_thread, noinline))
#endif

enum { ROUNDS = 20 };

static volatile int asleep, running;
static int turn, pipes[2][2];

/* The pipe's other end belongs to the other thread. */
UNRECORDED static void say(int to) {
  syscall(SYS_write, pipes[to][1], "", (size_t)1);
}

UNRECORDED static void hear(int at) {
  char byte;
  syscall(SYS_read, pipes[at][0], &byte, (size_t)1);
}

UNRECORDED static void pass(int to) { __atomic_store_n(&turn, to, __ATOMIC_RELEASE); }

UNRECORDED static void await(int me) {
  while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != me) {}
}

static void *other(void *sum) {
  int *const total = sum;
  for (int i = 0; i < ROUNDS; i++) {
    hear(1);
    *total += asleep;
    say(0);
  }
  for (int i = 0; i < ROUNDS; i++) {
    await(1);
    *total += running;
    pass(0);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  int total = 0;
  if (pipe(pipes[0]) || pipe(pipes[1])) return 1;
  pthread_create(&thread, NULL, other, &total);
  for (int i = 1; i <= ROUNDS; i++) {
    asleep = i;
    say(1);
    hear(0);
  }
  for (int i = 1; i <= ROUNDS; i++) {
    running = i;
    pass(1);
    await(0);
  }
  pthread_join(thread, NULL);
  printf("%d\n", total);
  return 0;
}
