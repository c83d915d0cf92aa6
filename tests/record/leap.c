/* A handler jumps out of whatever it has interrupted: nothing stays locked, and half an event is none.
 * modes: exact
 * has: T1:other\|w\(shared\)
 * has: T1:other\|w\(last\)
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

enum { JUMPS = 2000 };

static volatile sig_atomic_t armed;
static volatile int jumps, over, last;
static sigjmp_buf back;
static long shared;

static void on_alarm(int number) {
  (void)number;
  if (!armed) return;
  armed = 0;
  siglongjmp(back, 1);
}

static void *other(void *argument) {
  while (!over) {
    shared++;
    sched_yield();
  }
  last = 1;
  return argument;
}

static void write_much(void) {
  void *(*volatile set)(void *, int, size_t) = memset; /* no compiler's own */
  for (int i = 0; armed; i++) set(&shared, i, sizeof shared);
}

int main(void) {
  const struct itimerval time = {{0, 50}, {0, 50}};
  const struct sigaction action = {.sa_handler = on_alarm};
  pthread_t thread;
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarm, NULL);
  pthread_create(&thread, NULL, other, NULL);
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &time, NULL);
  pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
  sigsetjmp(back, 1);
  while (jumps < JUMPS) {
    jumps++;
    armed = 1;
    write_much();
  }
  pthread_sigmask(SIG_BLOCK, &alarm, NULL);
  over = 1;
  pthread_join(thread, NULL);
  printf("%d\n", last);
  return 0;
}
