// What realloc returns is what it got, or has the same in it.
// expect: kept violated
// expect: moved violated
// expect: within violated
// race: 31 44
// race: 31 45
// race: 31 46
// race: 31 48
// race: 34 44
// race: 34 47
// race: 37 49
// race: 37 50
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
