// What realloc returns is what it got, or has the same in it.
// expect: kept violated
// expect: moved violated
// expect: within violated
// race: 32 45
// race: 32 46
// race: 32 47
// race: 32 49
// race: 35 44
// race: 35 45
// race: 35 48
// race: 38 50
// race: 38 51
#include "two.h"

#include <stdlib.h>

typedef struct {
  int n;
} Node;
typedef struct {
  Node *node;
  int own;
} Holder;

static Node shared;
static Holder *holder;
static int *numbers;

static void first(void) {
  ATOMIC_BEGIN("kept");
  holder->own++;
  ATOMIC_END();
  ATOMIC_BEGIN("moved");
  holder->node->n++;
  ATOMIC_END();
  ATOMIC_BEGIN("within");
  numbers = realloc(numbers, 16);
  ATOMIC_END();
}

static void second(void) {
  Holder *old = malloc(sizeof *old);
  old->node = &shared;
  holder = old;
  Holder *now = realloc(old, 2 * sizeof *old);
  now->own = 1;
  now->node->n = 2;
  old->own = 3;
  numbers = malloc(8);
  numbers[0] = 1;
}
