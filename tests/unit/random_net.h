/* random_net.h: nets for round trips: any structure, notes and units, and names that no one would give. */
#ifndef TESTS_UNIT_RANDOM_NET_H
#define TESTS_UNIT_RANDOM_NET_H

#include "petri/net.h"

#include <stdio.h>

/* The same seed gives the same net. With `with_notes` it may have units and notes; the names have any bytes but those
 * in `without`. */
Net *random_net(Heap *heap, uint64_t seed, bool with_notes, const char *without);

/* Are they equal in all that a net says? Writes the first difference to stdout. Units and notes are only compared if
 * asked for. */
bool same_net(const Net *a, const Net *b, bool with_notes);

/* What `write` puts out for the net, NUL-terminated, owned by the heap. */
char *written_net(Heap *heap, const Net *net, bool (*write)(const Net *net, FILE *out), size_t *length);

#endif
