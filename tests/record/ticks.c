/* Signal handlers come in the middle of loops, at any instruction, and jump out of some: nothing that the loops did is lost, or is something else.
 * count 120000: ^T0[^|]*\|w\(row\[[0-9]*\]\)\|[^:]*ticks.c:28:
 * count 300: ^T0[^|]*\|w\(row\[77\]\)\|[^:]*ticks.c:28:
 * has: ^T0[^|]*\|w\(ticks\)\|[^:]*ticks.c:21:
 * not: ^T0[^|]*\|[rw]\((0x|row\+|away\+)
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

enum { N = 400, ROUNDS = 300 };

static volatile int row[N], away[N], ticks;
static volatile sig_atomic_t may_jump;
static sigjmp_buf out;

static void tick(int signal) {
  (void)signal;
  ticks++;
  if (!may_jump) return;
  may_jump = 0;
  siglongjmp(out, 1);
}

static void whole(void) {
  for (int i = 0; i < N; i++) row[i] = i;
}

/* It is left when the next signal comes. */
static void in_part(void) {
  if (sigsetjmp(out, 1)) return;
  may_jump = 1;
  for (int i = 0; i < 100 * N; i++) away[i % N] = i;
  may_jump = 0;
}

static void *other(void *argument) {
  whole();
  for (int i = 0; i < N; i++) away[i] = 0;
  ticks = 0;
  return argument;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, other, NULL) || pthread_join(thread, NULL)) return 3;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = tick;
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 100}, {0, 100}}, NULL);
  for (int i = 0; i < ROUNDS; i++) {
    whole();
    if (i % 10 == 0) in_part();
  }
  return 0;
}
