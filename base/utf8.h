/* utf8.h: one character of UTF-8 (RFC 3629) at a time. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of the character at `text`, of which `length` > 0 bytes may be read, and its code point in *point. 0 if
 * they are no character: a stray or missing continuation, an overlong form, a surrogate, beyond U+10FFFF. */
static inline uint32_t utf8_decode(const char *text, size_t length, uint32_t *point) {
  const unsigned char first = (unsigned char)text[0];
  if (first < 0x80) return *point = first, 1;
  const uint32_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc0 || first >= 0xf8 || bytes > length) return 0;
  uint32_t value = first & (0x7fu >> bytes);
  for (uint32_t i = 1; i < bytes; i++) {
    const unsigned char next = (unsigned char)text[i];
    if ((next & 0xc0) != 0x80) return 0;
    value = value << 6 | (next & 0x3f);
  }
  const uint32_t smallest = bytes == 2 ? 0x80 : bytes == 3 ? 0x800 : 0x10000;
  if (value < smallest || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return 0;
  *point = value;
  return bytes;
}

#endif
