/* net_threads.h: the threads of a net that does not say which it has: as a text, and from its invariants.
 * docs/net_formats.md has the text. */
#ifndef PETRI_NET_THREADS_H
#define PETRI_NET_THREADS_H

#include "base/file.h"
#include "petri/net.h"

#include <stdio.h>

/* Gives the net the threads of the file as its units, in place of those that it has. False, with ERR_INPUT,
 * "file:line: ...", if it has notes, which say it, or the text is none, names a place that the net has not, or one
 * twice. */
bool net_threads_read(Heap *heap, const InFile *file, Net *net, Err *err);

/* Gives the net units in place of those that it has: disjoint sets of places that hold one token together, always, as
 * each transition takes one from such a set and puts one there, or does neither; so a set is a place invariant of
 * weights 0 and 1. They are looked for from each place that is marked at first and in no set yet, in the order of the
 * places, with a bounded number of steps; for each choice the place with the lowest number comes first. Each is named
 * after its marked place. What is not found is in no unit. */
void net_threads_find(Heap *heap, Net *net);

/* Prints the units as a text that net_threads_read reads. */
void net_threads_print(const Net *net, FILE *out);

#endif
