/* starters.h: which threads start others. */
#ifndef PETRI_STARTERS_H
#define PETRI_STARTERS_H

#include "base/vec.h"
#include "petri/net.h"

/* Of these `n` threads of the notes, and those without which they cannot take their first steps as far as places by
 * themselves go: who puts a token on an input of such a step that has none at the start, who those need likewise, and
 * so on. A list of the heap's, ascending. The net must have notes. */
U32Vec starters_with(Heap *heap, const Net *net, const uint32_t *threads, uint32_t n);

#endif
