#include "petri/pnml_text.h"

#include "base/utf8.h"

#include <string.h>

/* A NUL ends a character that is cut off, so never more than the string is read. */
size_t pnml_char_length(const char *at) {
  uint32_t point;
  const uint32_t length = utf8_decode(at, 4, &point);
  return !length || point < 0x20 || point == 0x7f || point == 0xfffe || point == 0xffff ? 0 : length;
}

bool pnml_is_plain(const char *name) {
  const size_t length = strlen(name);
  if (length == 0 || name[0] == ' ' || name[length - 1] == ' ') return false;
  for (size_t i = 0, n; i < length; i += n) {
    n = pnml_char_length(name + i);
    if (!n) return false;
  }
  return true;
}

static int hex_digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

bool pnml_unescape(Heap *heap, const char *text, size_t length, CharVec *result) {
  vec_reserve(heap, result, length);
  for (size_t i = 0; i < length; i++) {
    char byte = text[i];
    if (byte == '\\' && i + 1 < length && text[i + 1] == '\\') {
      i++;
    } else if (byte == '\\') {
      if (i + 3 >= length || text[i + 1] != 'x' || hex_digit(text[i + 2]) < 0 || hex_digit(text[i + 3]) < 0)
        return false;
      byte = (char)(hex_digit(text[i + 2]) << 4 | hex_digit(text[i + 3]));
      if (!byte) return false;
      i += 3;
    }
    vec_push(heap, result, byte);
  }
  return true;
}
