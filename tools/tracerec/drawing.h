/* drawing.h: pictures of a violation that a recorded run has. */
#ifndef TOOLS_TRACEREC_DRAWING_H
#define TOOLS_TRACEREC_DRAWING_H

#include "base/err.h"
#include "base/heap.h"

#include <stdbool.h>
#include <stdint.h>

/* The files that are wanted; NULL: not this one. */
typedef struct {
  const char *dot, *svg, *html;
} Drawing;

/* Draws the violation of the log in whose transactions these events are, or, where the monitor reports another instance
 * of it, the first one. True if the log has none, and nothing was drawn. False, with *err, if that fails. */
bool drawing_write(Heap *heap, const char *log, const uint64_t *events, uint32_t n, const Drawing *files, Err *err);

#endif
