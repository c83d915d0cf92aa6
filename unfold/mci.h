/* mci.h: a prefix as an .mci file, which deadlock and reachability checkers of the field read.
 *
 * Numbers are 32-bit integers in the machine's own byte order; events, conditions, places and transitions are numbered
 * from 1.
 *
 *     number of conditions, number of events
 *     per event: its transition
 *     per condition: its place; its event, or 0 for an initial one; the events that take it; 0
 *     per cut-off: its number, that of the corresponding event or 0 for the initial marking;  then 0
 *     0  (an empty list, in which other tools keep events that they stopped at)
 *     number of places, number of transitions, length of the longest name
 *     the names of the places, each with a NUL; a NUL; those of the transitions likewise; a NUL
 *
 * Causes have smaller numbers than their effects, as those tools expect. */
#ifndef UNFOLD_MCI_H
#define UNFOLD_MCI_H

#include "unfold/unfold.h"

#include <stdio.h>

/* Is each number of the prefix one that the format can hold? */
bool mci_can_hold(const Prefix *prefix);

/* Writes the prefix, which must be so. A prefix that is not complete looks like one that is: the format cannot say it.
 * Errors are those of the stream. */
void mci_write(Heap *heap, const Prefix *prefix, FILE *out);

#endif
