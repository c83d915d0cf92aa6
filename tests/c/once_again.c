// What the program writes to a pthread_once_t may be that nothing has run yet: then it runs once more.
// expect: again violated
// expect: filled violated
// expect: copied violated
// expect: beside atomic
// race: 34 34
// race: 34 77
// race: 34 82
// race: 40 40
// race: 40 77
// race: 40 82
// race: 46 46
// race: 46 77
// race: 46 82
// race: 77 82
#include "two.h"

#include <stdlib.h>
#include <string.h>
#include <threads.h>

typedef struct {
  pthread_once_t once;
  int other;
} State;

static pthread_once_t again = PTHREAD_ONCE_INIT;
static once_flag filled = ONCE_FLAG_INIT;
static State copied, begin, *beside;
static int a, b, c, d;

static void make_again(void) {
  ATOMIC_BEGIN("again");
  a = 1, a = 2;
  ATOMIC_END();
}

static void make_filled(void) {
  ATOMIC_BEGIN("filled");
  b = 1, b = 2;
  ATOMIC_END();
}

static void make_copied(void) {
  ATOMIC_BEGIN("copied");
  c = 1, c = 2;
  ATOMIC_END();
}

static void make_beside(void) {
  ATOMIC_BEGIN("beside");
  d = 1, d = 2;
  ATOMIC_END();
}

static void all(void) {
  pthread_once(&again, make_again);
  call_once(&filled, make_filled);
  pthread_once(&copied.once, make_copied);
  pthread_once(&beside->once, make_beside);
}

__attribute__((constructor)) static void begin_beside(void) {
  State *state = malloc(sizeof *state);
  if (!state) abort();
  state->once = PTHREAD_ONCE_INIT; /* nobody else knows of it yet */
  beside = state;
  all();
  again = PTHREAD_ONCE_INIT;
  memset(&filled, 0, sizeof filled);
  copied = begin;
  beside->other = 1;
}

static void first(void) {
  all();
  a = b = c = 3;
}

static void second(void) {
  all();
  a = b = c = 3;
}
