/* converting.h: a run is written in another format. */
#ifndef ASK_CONVERTING_H
#define ASK_CONVERTING_H

#include "ask/run_input.h"

#include <stdio.h>

/* Writes all events of the run, the source's only one; if it is read from stdin, it must have some. `plain`: without
 * the later operations, as far as the older ones can say the same (docs/traces.md). Leaves the
 * heap_try() where the heap is asked to stop. False, with *err, if the run cannot be read, or the format cannot
 * hold it. */
bool converting_run(Heap *heap, const RunSource *source, TraceFormat format, bool plain, FILE *out, RunRemarks *remarks,
                    Err *err);

#endif
