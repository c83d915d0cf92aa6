/* readers.c: as values.c, but the variables are seldom written, each in a line of its own, so that they are open to
 * readers most of the time; after a while others are accessed. */
#define SELDOM 50
#define VARIABLES 800
#define WHICH(i, random) (i / 200 * 8 + random % 8)
#include "steps.h"

#include <sched.h>

struct {
  volatile long value;
  long more[7];
} shared[VARIABLES] __attribute__((aligned(64)));

static inline long access(char op, int variable, long value) {
  if (value % 16 == 0) sched_yield();
  if (op == 'r') return shared[variable].value;
  shared[variable].value = value;
  return value;
}

int main(void) {
  take_steps();
  return 0;
}
