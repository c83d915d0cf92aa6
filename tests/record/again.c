/* Handlers jump out of the recorder while it takes two loops of equal periods for each other: what is logged of either
 * is what it did.
 * modes: exact
 * has: ^T0[^|]*\|w\(up\[[0-9]*\]\.c\)
 * has: ^T0[^|]*\|w\(down\[[0-9]*\]\.c\)
 * not: ^T0[^|]*\|[rw]\((0x|up\[[0-9]{3,}\]|down\[([0-9]{1,2}|[2-9][0-9][0-9]|[0-9]{4,})\]|up\+|down\+)
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

enum { N = 300, ROW = 12, ROUNDS = 6000 };

static volatile struct {
  int a, b, c;
} up[N], down[N];
static volatile sig_atomic_t may_jump;
static sigjmp_buf out;

static void tick(int signal) {
  (void)signal;
  if (!may_jump) return;
  may_jump = 0;
  siglongjmp(out, 1);
}

/* 0 .. 99 */
static __attribute__((noinline)) void walk_up(int from) {
  for (int i = from; i < from + ROW; i++) {
    up[i].a = i;
    up[i].b = i;
    up[i].c = i;
  }
}

/* 199 .. 100 */
static __attribute__((noinline)) void walk_down(int from) {
  for (int i = from; i > from - ROW; i--) {
    down[i].a = i;
    down[i].b = i;
    down[i].c = i;
  }
}

static void walk(void) {
  if (sigsetjmp(out, 1)) return;
  may_jump = 1;
  for (int i = 0; i < 20; i++) {
    walk_up(i * 37 % 80);
    walk_down(199 - i * 29 % 80);
  }
  may_jump = 0;
}

static void *other(void *argument) {
  for (int i = 0; i < N; i++) {
    up[i].a = up[i].b = up[i].c = 0;
    down[i].a = down[i].b = down[i].c = 0;
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, other, NULL) || pthread_join(thread, NULL)) return 3;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = tick;
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 50}, {0, 50}}, NULL);
  for (int i = 0; i < ROUNDS; i++) walk();
  return 0;
}
