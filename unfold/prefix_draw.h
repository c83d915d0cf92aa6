/* prefix_draw.h: a prefix as a picture. */
#ifndef UNFOLD_PREFIX_DRAW_H
#define UNFOLD_PREFIX_DRAW_H

#include "unfold/unfold.h"

#include <stdio.h>

/* The prefix in the DOT language, through graphviz: conditions are ellipses with the name of their place, called c1,
 * c2, ..., those of the initial marking with a dot; events are boxes with the name of their transition, e1, e2, ...; a
 * cut-off has a dashed border and a dashed arrow to its corresponding event, or says that it leads to the initial
 * marking. False, with ERR_IO, if graphviz fails. */
bool prefix_write_dot(Heap *heap, const Prefix *prefix, FILE *out, Err *err);

#endif
