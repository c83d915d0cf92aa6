/* trace_families.h: runs for the bench, of any length. All are serializable, so that a monitor must go through all of
 * them.
 *
 *     sor        a grid, red and black: in a phase each thread updates its cells of one colour, a few in a transaction,
 *                reading the neighbours; a barrier ends the phase
 *
 *     lufact     a matrix: one thread normalises a column, then each thread updates its columns with it, one in a
 *                transaction
 *
 *     elevator   transactions that lock one floor each, and read and write what is there
 *
 *     readers    transactions that read variables which all read, and write one of the thread's own
 *
 *     chain      there are always as many open transactions as threads, each of which has read what the one before has
 *                written
 *
 *     threads    ever new threads with a transaction and a variable each, as many at a time as is said; the main thread
 *                forks and joins them */
#ifndef BENCH_TRACE_FAMILIES_H
#define BENCH_TRACE_FAMILIES_H

#include "trace/trace.h"

typedef struct {
  const char *family;
  uint32_t threads, entities; /* at least 2 threads, and 4 entities for each */
  uint64_t events, seed;
} FamilyRun;

/* Takes the next events. */
typedef void FamilyTake(void *argument, const TraceEvent *events, uint32_t n);

/* Makes the run, which has just that many events. False if there is no such family, or it has too few threads or
 * entities. */
bool family_make(Heap *heap, const FamilyRun *run, FamilyTake *take, void *argument);

#endif
