/* runners.h: which threads run each block. */
#ifndef REPORT_RUNNERS_H
#define REPORT_RUNNERS_H

#include "petri/net.h"

/* The threads of each block of some notes. */
typedef struct {
  const uint32_t *start;   /* blocks + 1 */
  const uint32_t *threads; /* those of block b are threads[start[b] ..], ascending */
} Runners;

/* Some threads, ascending. */
typedef struct {
  const uint32_t *at;
  uint32_t n;
} ThreadList;

/* The threads that have the `begin` of the block among their transitions. The net has notes; NULL: there are no blocks.
 */
Runners runners_of(Arena *arena, const Net *net);

/* The threads that run the block. */
static inline ThreadList runners_list(const Runners *runners, uint32_t block) {
  return (ThreadList){runners->threads + runners->start[block], runners->start[block + 1] - runners->start[block]};
}

/* Those of the list that are copies of the thread, itself included. */
ThreadList runners_copies(Arena *arena, const Notes *notes, ThreadList list, uint32_t thread);

/* "thread T1", "threads T1, T2", "threads T1, T3..T102". */
const char *runners_phrase(Arena *arena, const Notes *notes, ThreadList list);

#endif
