#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

bool err_set(Err *err, ErrKind kind, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  err->kind = kind;
  vsnprintf(err->text, sizeof err->text, format, arguments);
  va_end(arguments);
  return false;
}
