#include "petri/text_out.h"

#include <string.h>

static void empty_buffer(TextOut *out) {
  fwrite(out->bytes, 1, out->n, out->stream);
  out->n = 0;
  if (out->heap) heap_poll(out->heap);
}

void text_out_bytes(TextOut *out, const char *bytes, size_t length) {
  if (length > sizeof out->bytes - out->n) empty_buffer(out);
  if (length > sizeof out->bytes) {
    fwrite(bytes, 1, length, out->stream);
    return;
  }
  if (length) memcpy(out->bytes + out->n, bytes, length);
  out->n += length;
}

void text_out_string(TextOut *out, const char *string) { text_out_bytes(out, string, strlen(string)); }

void text_out_number(TextOut *out, uint64_t number) {
  char digits[20];
  size_t at = sizeof digits;
  do digits[--at] = (char)('0' + number % 10);
  while (number /= 10);
  text_out_bytes(out, digits + at, sizeof digits - at);
}

void text_out_item(TextOut *out, uint64_t number) {
  text_out_bytes(out, " ", 1);
  text_out_number(out, number);
}

bool text_out_end(TextOut *out) {
  empty_buffer(out);
  return !ferror(out->stream);
}
