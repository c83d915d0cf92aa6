// Functions of the library read and write what they are given.
// expect: write violated
// expect: read violated
// race: 17 24
// race: 17 25
// race: 18 24
// race: 18 25
#include "two.h"

#include <stdio.h>
#include <string.h>

static char text[8] = "1", copy[8];

static void first(void) {
  ATOMIC_BEGIN("write");
  snprintf(text, sizeof text, "%d", 5);
  text[0] = '2';
  ATOMIC_END();
}

static void second(void) {
  ATOMIC_BEGIN("read");
  strcpy(copy, text);
  puts(text);
  ATOMIC_END();
}
