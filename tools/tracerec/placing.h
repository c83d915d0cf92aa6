/* placing.h: a witness says by lines of the source what is to come; the log of any run says where their code is.
 * docs/confirming.md, "The witness file". */
#ifndef TOOLS_TRACEREC_PLACING_H
#define TOOLS_TRACEREC_PLACING_H

#include "ask/seen.h"
#include "base/arena.h"

/* A violation. Strings are the arena's. */
typedef struct {
  const char *title;
  const char *steps; /* a step file of one plan; NULL: it cannot be followed, */
  const char *why;   /* and why not */
  SeenCycle cycle;   /* its first event is the block's begin, its last one is in the block */
} Placed;

typedef struct {
  Arena arena;
  VEC(Placed) cases; /* the heap's */
  Heap *heap;
} Placing;

/* Reads the witness file, and looks its places up in the log. *placing is to be given back with placing_fini, whatever
 * comes. False, with *err, if one of the two cannot be read. */
bool placing_make(Heap *heap, const char *witness, const char *log, Placing *placing, Err *err);
void placing_fini(Placing *placing);

/* Is the last event of the cycle in the very block that the first one begins, and not only in a transaction around it?
 * The events are numbers in the log, as of seen_in. False, with *err, if it cannot be read. */
bool placing_is_inside(Heap *heap, const char *log, uint64_t first, uint64_t last, bool *inside, Err *err);

#endif
