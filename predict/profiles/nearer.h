/* nearer.h: of the events that leave a thread in a cycle, those that come soonest: profiles know the last ones, and a
 * run that has a cycle is the shorter the sooner they come. */
#ifndef PREDICT_PROFILES_NEARER_H
#define PREDICT_PROFILES_NEARER_H

#include "base/vec.h"
#include "trace/trace.h"

/* An access of the thread like event `out`, after event `in`, is looked for; the variable is not freed between it and
 * `out`. */
typedef struct {
  uint64_t in, out;
  uint32_t thread, object;
  uint32_t location; /* that it must have, if that counts */
  bool write, at_location;
  bool final;     /* once found it stays: the variable is never freed */
  uint64_t found; /* the event; `out` as long as there is no nearer one */
  uint32_t next;  /* the next one about the same object, + 1; or 0 */
} Sought;

/* All that is looked for in the events of a run. */
typedef struct {
  Heap *heap;
  VEC(Sought) all;
  U32Vec of_object;  /* per object: the first one, + 1; or 0 */
  uint32_t n_open;   /* that may still become nearer */
  uint64_t n_events; /* that were looked at */
} Nearer;

/* Nothing is looked for. All that is has to be added, as a copy, before the first event. Memory is the heap's until
 * fini. */
void nearer_init(Nearer *nearer, Heap *heap);
void nearer_fini(Nearer *nearer);
void nearer_add(Nearer *nearer, const Sought *sought);

/* The next events of the run, from its first one on. False if no more are needed. */
bool nearer_feed(Nearer *nearer, const TraceEvent *events, uint32_t n);

#endif
