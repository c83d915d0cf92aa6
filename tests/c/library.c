// Functions of the library read and write what they are given.
// expect: write violated
// expect: read violated
// expect: parts violated
// race: 21 32
// race: 21 33
// race: 22 32
// race: 22 33
// race: 25 30
#include "two.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char text[8] = "1", copy[8];
static int number, seen;

static void first(void) {
  ATOMIC_BEGIN("write");
  snprintf(text, sizeof text, "%d", 5);
  text[0] = '2';
  ATOMIC_END();
  ATOMIC_BEGIN("parts");
  read(0, &number, sizeof number);
  ATOMIC_END();
}

static void second(void) {
  seen = number;
  ATOMIC_BEGIN("read");
  strcpy(copy, text);
  puts(text);
  ATOMIC_END();
}
