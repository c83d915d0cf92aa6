// A function with variable arguments reads what it was given: so what two threads share is seen by it.
// expect: tells violated
// expect: counts atomic
// race: 18 44
// race: 19 44
#include "two.h"

#include <stdarg.h>
#include <stdio.h>

static char text[8] = "a";

static void tell(const char *format, ...) {
  char line[32];
  va_list more, again;
  va_start(more, format);
  va_copy(again, more);
  vsnprintf(line, sizeof line, format, more);
  vsnprintf(line, sizeof line, format, again);
  va_end(again);
  va_end(more);
}

static int sum(int n, ...) {
  va_list more;
  int all = 0;
  va_start(more, n);
  for (int i = 0; i < n; i++) all += *va_arg(more, int *);
  va_end(more);
  return all;
}

static void first(void) {
  int a = 1, b = 2;
  ATOMIC_BEGIN("tells");
  tell("%s", text);
  ATOMIC_END();
  ATOMIC_BEGIN("counts");
  a = sum(2, &a, &b);
  b = sum(2, &a, &b);
  ATOMIC_END();
}

static void second(void) { text[0] = 'b'; }
