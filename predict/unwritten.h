/* unwritten.h: in another run of the same threads, does one read what nobody has written yet?
 *
 * Most likely such a run cannot happen: a thread that finds no data there, say, of a queue that is still empty, does
 * something else. What a recorded run read before any write had a value from the start. */
#ifndef PREDICT_UNWRITTEN_H
#define PREDICT_UNWRITTEN_H

#include "predict/cycle.h"
#include "trace/trace.h"

/* Of one run, or of several of the same program: the reads and writes that can matter. */
typedef struct Unwritten Unwritten;

/* The events of all runs, one after another; `runs`: the first events of all but the first. Neither is kept. An object
 * that was freed is another one afterwards, to the end of its run. */
Unwritten *unwritten_new(Heap *heap, const TraceEvent *events, uint64_t n, const uint64_t *runs, uint32_t n_runs);
void unwritten_free(Unwritten *unwritten); /* NULL is allowed */

/* Is there such a read in the run? Its steps are within the events. Takes time in the reads and writes that can
 * matter: of each thread and object, the first write, and the first read of what another thread has written. */
bool unwritten_is_read(Unwritten *unwritten, const Schedule *schedule);

#endif
