/* backward.h: for how many threads is a block violated, if some threads are there any number of times? Exactly, by a
 * search backwards from the step with which a causal chain comes back (P. A. Abdulla, K. Cerans, B. Jonsson, Y.-K.
 * Tsay, "General decidability theorems for infinite-state systems", LICS 1996). docs/proofs.md has what is searched,
 * and why it ends, and is right. */
#ifndef PROVE_BACKWARD_H
#define PROVE_BACKWARD_H

#include "prove/counted.h"
#include "prove/links.h"
#include "prove/upward.h"

#include <stdio.h>

/* The search, for one block after the other. */
typedef struct Backward Backward;

/* What came of it. */
typedef enum {
  BACKWARD_NEVER, /* the block is atomic for all tuples of open numbers */
  BACKWARD_FOUND, /* it is violated for some tuple */
  BACKWARD_LIMIT, /* there are more elements than there may be */
  BACKWARD_ASKED  /* the work was asked to end (heap_asked) */
} BackwardAnswer;

/* The net has notes, and is 1-safe; it has to live as long. NULL, with *err, if it cannot be searched (ERR_INPUT: it is
 * not as docs/proofs.md says; ERR_LIMIT: it has too many local states), or the work was asked to end (ERR_LIMIT). */
Backward *backward_new(Heap *heap, const Net *net, const OpenNumbers *open, Err *err);
void backward_free(Backward *backward); /* NULL is allowed */

/* May some thread take a step that begins the block, as far as the facts tell? If not, none ever does. */
bool backward_begins(const Backward *backward, uint32_t block);

/* As cutoff_others (prove/cutoff.h). */
uint32_t backward_cutoff(const Backward *backward);

/* BACKWARD_NEVER: the proof of it is written to `certificate`, unless that is NULL (docs/certificates.md), as one of
 * the net with two threads for each open number; errors are those of the stream. BACKWARD_FOUND: `tuple` is the first
 * one for which the block is violated, in the order of counted_next. *n_elements are those of the search; at most
 * max_elements, or any number if that is 0. */
BackwardAnswer backward_search(Backward *backward, uint32_t block, uint64_t max_elements, FILE *certificate,
                               uint32_t *tuple, uint64_t *n_elements);

#endif
