// A handler may run at any time: nothing is proved. That a signal is ignored does nothing.
// expect: add unknown
// gap: 20 may run 'stop' at any time, when a signal comes
#include "two.h"

#include <signal.h>

static int n;
static volatile sig_atomic_t stopped;

static void stop(int number) {
  (void)number;
  stopped = 1;
}

static void first(void) {
  struct sigaction action = {0};
  signal(SIGPIPE, SIG_IGN);
  action.sa_handler = stop;
  sigaction(SIGINT, &action, NULL);
  ATOMIC_BEGIN("add");
  n++;
  ATOMIC_END();
}

static void second(void) {}
