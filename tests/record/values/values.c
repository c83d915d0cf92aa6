/* values.c: threads read and write a few variables without any order. */
#include "steps.h"

volatile long shared[VARIABLES];

static inline long access(char op, int variable, long value) {
  if (op == 'r') return shared[variable];
  shared[variable] = value;
  return value;
}

int main(void) {
  take_steps();
  return 0;
}
