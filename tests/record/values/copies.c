/* copies.c: as values.c, but the variables are structs that are copied, from and to memory whose address is known elsewhere. */
#include "steps.h"

#include <string.h>

typedef struct {
  long value, more[15];
} __attribute__((aligned(128))) Big; /* so that none is copied in pieces */

Big shared[VARIABLES];

static inline long access(char op, int variable, long value) {
  Big big = {.value = value};
  __asm__ volatile("" : : "r"(&big) : "memory");
  if (op == 'r') memcpy(&big, &shared[variable], sizeof big);
  else shared[variable] = big;
  __asm__ volatile("" : : "r"(&big) : "memory");
  return big.value;
}

int main(void) {
  take_steps();
  return 0;
}
