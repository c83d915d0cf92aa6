/* choosing.h: `tracerec run --sample --start-after --only-in`: what of the accesses is to be recorded. */
#ifndef TOOLS_TRACEREC_CHOOSING_H
#define TOOLS_TRACEREC_CHOOSING_H

#include "base/err.h"
#include "base/heap.h"
#include "base/options.h"
#include "record/raw.h"

/* As on the command line; each element of a list may be several, with commas between. */
typedef struct {
  OptionList sample, below; /* functions; folders */
  const char *start;        /* a function, or NULL */
} Choosing;

bool choosing_is_some(const Choosing *choosing);

/* Fills header->choice, and its table, of choice.size bytes, which is the heap's; NULL where all is recorded. False,
 * with *err, if the program has no such functions, or no code from there. */
bool choosing_make(Heap *heap, const Choosing *choosing, const char *program, RawHeader *header, uint8_t **table,
                   Err *err);

#endif
