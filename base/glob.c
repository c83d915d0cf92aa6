#include "base/glob.h"

/* Of several '*' the last one that was met is the only one that may have to be longer. */
bool glob_matches(const char *pattern, const char *text, size_t length) {
  const char *star = NULL, *end = text + length, *behind = text;
  while (text < end) {
    if (*pattern == '*') {
      star = pattern++;
      behind = text;
    } else if (*pattern && (*pattern == '?' || *pattern == *text)) {
      pattern++, text++;
    } else if (star) {
      pattern = star + 1;
      text = ++behind;
    } else {
      return false;
    }
  }
  while (*pattern == '*') pattern++;
  return *pattern == '\0';
}
