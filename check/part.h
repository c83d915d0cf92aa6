/* part.h: the part of a net in which only some of its threads take steps (docs/certificates.md, "Parts"). */
#ifndef CHECK_PART_H
#define CHECK_PART_H

#include "petri/net.h"

/* A net of its own, with all places, threads, objects and blocks of the whole under the same numbers, and with the
 * transitions of the threads that are kept (per thread of the notes) and those of no thread, but for the ones that take
 * from a place which gets no token even if each place is looked at by itself. The whole must have notes. The caller
 * frees it. */
Net *part_of_net(Heap *heap, const Net *whole, const bool *kept);

#endif
