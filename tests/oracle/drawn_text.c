#include "tests/oracle/drawn_text.h"

#include "base/hash.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

enum { MAX_LINE = 200 };

uint32_t drawn_number(DrawnText *drawn, uint32_t n) { return (uint32_t)(hash_word(drawn->seed + drawn->draws++) % n); }

bool drawn_chance(DrawnText *drawn, uint32_t per_cent) { return drawn_number(drawn, 100) < per_cent; }

void drawn_put(DrawnText *drawn, const char *format, ...) {
  char text[MAX_LINE];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  assert(length < MAX_LINE);
  for (int i = 0; i < length; i++) vec_push(drawn->heap, drawn->text, text[i]);
}
