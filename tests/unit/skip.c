#include "tests/unit/skip.h"

#include <CUnit/CUnit.h>
#include <CUnit/TestRun.h>
#include <stdarg.h>
#include <stdio.h>

static unsigned n_skips; /* CUnit's tests take no argument that could hold it */

void skip(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("\nunit: SKIP: %s: ", CU_get_current_test()->pName);
  vprintf(format, arguments);
  printf("\n");
  va_end(arguments);
  n_skips++;
}

unsigned skip_count(void) { return n_skips; }
