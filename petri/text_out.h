/* text_out.h: fast writing of large texts: bytes and numbers through a buffer. Errors are those of the stream, reported
 * at the end. */
#ifndef PETRI_TEXT_OUT_H
#define PETRI_TEXT_OUT_H

#include "base/heap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Starts as {.stream = stream, .heap = heap}: the writing is left where the heap is due to stop (heap_poll);
 * without a heap it goes on to its end. */
typedef struct {
  FILE *stream;
  Heap *heap;
  size_t n; /* bytes in the buffer */
  char bytes[1 << 14];
} TextOut;

/* Append bytes, a NUL-terminated string, a number in decimal, and a blank with a number. Errors of the stream are
 * reported by text_out_end. */
void text_out_bytes(TextOut *out, const char *bytes, size_t length);
void text_out_string(TextOut *out, const char *string);
void text_out_number(TextOut *out, uint64_t number);
void text_out_item(TextOut *out, uint64_t number);

/* Gives the stream what is still in the buffer. False if any write to it has failed. */
bool text_out_end(TextOut *out);

#endif
