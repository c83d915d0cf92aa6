#include "petri/pnml_text.h"

#include <stdint.h>
#include <string.h>

/* The code point of a sequence of `length` bytes, of which the first said the length; 0 if it is no such sequence. */
static uint32_t code_point(const unsigned char *at, size_t length) {
  uint32_t code = at[0] & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; i++) {
    if ((at[i] & 0xc0) != 0x80) return 0; /* the NUL too */
    code = code << 6 | (at[i] & 0x3f);
  }
  return code;
}

size_t pnml_char_length(const char *text) {
  static const uint32_t lowest[5] = {0, 0, 0x80, 0x800, 0x10000}; /* by length: what is below has a shorter form */
  const unsigned char *at = (const unsigned char *)text;
  if (at[0] < 0x80) return at[0] >= 0x20 && at[0] != 0x7f;
  if (at[0] < 0xc0 || at[0] > 0xf7) return 0;
  const size_t length = at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
  const uint32_t code = code_point(at, length);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff, no_character = code == 0xfffe || code == 0xffff;
  return code < lowest[length] || code > 0x10ffff || surrogate || no_character ? 0 : length;
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
      if (i + 3 >= length || text[i + 1] != 'x' || hex_digit(text[i + 2]) < 0 || hex_digit(text[i + 3]) < 0) return false;
      byte = (char)(hex_digit(text[i + 2]) << 4 | hex_digit(text[i + 3]));
      if (!byte) return false;
      i += 3;
    }
    vec_push(heap, result, byte);
  }
  return true;
}
