/* instance.h: nets in which numbers of threads were left open (Notes.counts). Such a net has two threads for each open
 * number, and stands for all nets that have any number of them; this makes one of those. */
#ifndef PETRI_INSTANCE_H
#define PETRI_INSTANCE_H

#include "petri/net.h"

/* The most threads of an instance. */
#define INSTANCE_MAX_THREADS 10000

/* Are the threads that are counted in pairs, each pair a group of its own with a number below the number of threads,
 * and is the net the same if the two are swapped? Are the places by which a thread holds a lock, and those where a
 * counted thread is, its own alone? And are the copies by which counted threads read always all of one value
 * (petri/copies.h)? False, with ERR_INPUT, if not. The net has notes. */
bool instance_check(Heap *heap, const Net *net, Err *err);

/* The two of each pair: fills thread[0 .. threads - 1] with the other one, or NOTE_NONE for a thread that is not
 * counted, and place[0 .. places - 1] with the one that a place is swapped with, maybe itself. False, with ERR_INPUT, as
 * instance_check. */
bool instance_pairs(Heap *heap, const Net *net, uint32_t *thread, uint32_t *place, Err *err);

/* The net with these numbers, one for each of Notes.counts, which it has none of itself. A variable keeps a copy if all
 * who had copies of their own are gone. The net must have passed instance_check; the caller frees the result. NULL,
 * with ERR_LIMIT, if there would be too many threads. */
Net *instance_of(Heap *heap, const Net *net, const uint32_t *numbers, Err *err);

#endif
