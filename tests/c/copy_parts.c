// A copy is done in parts, and others may come between them; an access of one word is not.
// expect: copy violated
// expect: fill violated
// expect: text violated
// expect: word atomic
// race: 22 36
// race: 25 37
// race: 28 38
// race: 28 39
// race: 31 40
// race: 31 41
#include "two.h"

#include <string.h>

static struct { int a, b, c; } from, filled, to;
static char text[10], shown[10];
static long word;

static void first(void) {
  ATOMIC_BEGIN("copy");
  to = from;
  ATOMIC_END();
  ATOMIC_BEGIN("fill");
  memset(&filled, 0, sizeof filled);
  ATOMIC_END();
  ATOMIC_BEGIN("text");
  strcpy(shown, text);
  ATOMIC_END();
  ATOMIC_BEGIN("word");
  word = 1;
  ATOMIC_END();
}

static void second(void) {
  from.a = from.c = 1;
  filled.a = filled.c = 1;
  text[0] = 'a';
  text[1] = '\0';
  word = 2;
  word = 3;
}
