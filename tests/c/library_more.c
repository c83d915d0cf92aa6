// What functions of the library do that are asked for more: what they reach through addresses, and what they hide.
// expect: write violated
// expect: names violated
// expect: sorts violated
// expect: own atomic
// race: 27 76
// race: 28 76
// race: 36 78
// race: 37 78
// race: 38 78
// race: 43 77
#include "two.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <time.h>

static char text[8];
static int numbers[3] = {3, 1, 2}, last;

/* The text is reached through the vector. */
static void write_it(void) {
  struct iovec all[1] = {{text, sizeof text}};
  ATOMIC_BEGIN("write");
  writev(1, all, 1);
  writev(1, all, 1);
  ATOMIC_END();
}

/* All calls write what they return. */
static void name_it(void) {
  time_t now = 0;
  ATOMIC_BEGIN("names");
  const struct tm *broken = gmtime(&now);
  const int day = broken->tm_mday;
  if (day) broken = gmtime(&now);
  ATOMIC_END();
}

static int compare(const void *left, const void *right) {
  last = *(const int *)left;
  return *(const int *)left - *(const int *)right;
}

/* What is called back writes. */
static void sort_it(void) {
  ATOMIC_BEGIN("sorts");
  qsort(numbers, 3, sizeof *numbers, compare);
  ATOMIC_END();
}

/* What is read is the thread's own. */
static void tell(const char *format, ...) {
  va_list more;
  va_start(more, format);
  vprintf(format, more);
  va_end(more);
}

static void first(void) {
  char own[4] = "a";
  write_it();
  name_it();
  sort_it();
  ATOMIC_BEGIN("own");
  tell("%s %d\n", own, 1);
  own[0] = 'b';
  tell("%s %d\n", own, 2);
  ATOMIC_END();
}

static void second(void) {
  time_t now = 1;
  text[0] = 'a';
  last = 1;
  (void)localtime(&now);
}
