#include "distil/faults.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void fault_warn(Heap *heap, CharVec *text, const char *format, ...) {
  char line[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  const size_t length = strlen(line);
  vec_reserve(heap, text, length + 2);
  memcpy(text->at + text->n, line, length);
  text->n += (uint32_t)length;
  text->at[text->n++] = '\n';
  text->at[text->n] = '\0';
}

void fault_note(Fault *fault, Places *places, uint64_t code, uint32_t thread, const char *label, const char *how) {
  char place[512];
  if (fault->n++) return;
  places_line(places, code - 1, place, sizeof place);
  const char *quote = label ? "'" : "";
  snprintf(fault->first, sizeof fault->first, "%s%.200s%s%s%s by T%u%s", quote, label ? label : "", label ? "' " : "",
           *place ? "at " : "", place, thread, how);
}

void fault_report(Heap *heap, const Fault *fault, const char *what, CharVec *text) {
  if (fault->n > 1) fault_warn(heap, text, "%s: %s (and %u more)", what, fault->first, fault->n - 1);
  else if (fault->n) fault_warn(heap, text, "%s: %s", what, fault->first);
}
