/* copies.h: are the copies of a variable, as the notes name them, always one and the same value? */
#ifndef PETRI_COPIES_H
#define PETRI_COPIES_H

#include "petri/net.h"

/* Per variable or lock of the notes in `agree`: each value of each of its copies has one place; each copy has one token
 * at first, all of the same value; and each transition next to them either takes one place and puts its token back, or
 * takes all copies, of one value, and puts all, of one value. Of those without copies, true. The net has notes. */
void copies_find(Heap *heap, const Net *net, bool *agree);

/* Per variable or lock of the notes in `twins`: are two places the same value of the same copy? The net has notes. */
void copies_find_twins(Heap *heap, const Net *net, bool *twins);

#endif
