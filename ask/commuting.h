/* commuting.h: calls that commute with each other (docs/suppressions.md), in a run whose readers know no such thing.
 *
 * An access is in the outermost open call of such a function; with accesses in other calls that the same entry names it
 * is in no conflict, with all others as ever. Readers of a run know reads and writes alone. So the run is looked at
 * before, and what is in such calls gets another operation wherever that says just the same:
 *
 *     no call writes the variable            its reads are reads
 *     nothing else touches it                accesses in the calls are nothing
 *     other reads are ordered with writes    accesses in the calls are reads: they conflict with the other writes
 *     in the calls, by forks and joins
 *     other reads are of one thread, and     other reads are writes, writes in the calls are reads, and reads in the
 *     other writes are ordered with reads    calls are nothing
 *     in the calls
 *
 * Where two accesses are ordered by forks and joins, a conflict adds nothing to that, in any run of the same threads.
 * Where none of this holds, or the calls that two entries name meet in one variable, no answer is given. */
#ifndef ASK_COMMUTING_H
#define ASK_COMMUTING_H

#include "ask/suppressions.h"
#include "base/vec.h"
#include "predict/pairs.h"
#include "predict/strands.h"
#include "trace/trace.h"

/* Where a thread is. */
typedef struct {
  uint32_t depth, since; /* of open begins; `since`: with the one of the call */
  uint32_t call;         /* the entry + 1; 0: it is in no such call */
  uint32_t strand, at;   /* strand + 1 */
} CommutingThread;

/* What a strand does to a variable at a point; further ones are of the same pair. */
typedef struct {
  uint32_t object, strand, at, kinds;
} CommutingUse;

/* What is known of a variable. */
typedef struct {
  uint32_t calls; /* the entry + 1 of calls that touch it, 0: none; or COMMUTING_SEVERAL */
  bool written;   /* in calls */
  uint8_t how;    /* CommutingHow */
} CommutingObject;

#define COMMUTING_SEVERAL UINT32_MAX

/* What becomes of its accesses, in the order of the table above. */
typedef enum { COMMUTING_AS_IT_IS, COMMUTING_ALONE, COMMUTING_READS, COMMUTING_SWAPPED } CommutingHow;

/* How far it is. */
typedef enum {
  COMMUTING_UNKNOWN,  /* the run was not looked at: it must have no such calls */
  COMMUTING_MEETING,  /* it is read for the variables that are in calls */
  COMMUTING_ORDERING, /* once more, for what others do with them */
  COMMUTING_KNOWN
} CommutingPhase;

/* One run. Starts as {.heap = heap, .by = ...}. */
typedef struct {
  Heap *heap;
  Suppressions *by; /* whose entries are marked as used; or NULL */
  CommutingPhase phase;
  U32Vec entries; /* per label: the entry + 2; 1: none; 0: not yet asked */
  VEC(CommutingThread) threads;
  VEC(CommutingObject) objects;
  VEC(CommutingUse) uses;
  Strands order;
  Pairs pairs;   /* (object, strand) */
  U32Vec newest; /* of these: the use */
  bool met;      /* there are such calls */
  bool plain;    /* each variable that calls write is theirs alone */
  char why[200]; /* why there is no answer; or "" */
} Commuting;

/* Is anything said of calls or variables that commute? Then a run has to be looked at. */
bool commuting_is_asked(const Commuting *commuting);

/* The run is read from its beginning; also after each phase. */
void commuting_restart(Commuting *commuting);

/* The next event, before it is taken further. Returns the entry + 1 of the call that it is in, or 0. */
uint32_t commuting_step(Commuting *commuting, const TraceNames *names, const TraceEvent *event);

/* Looking at the run: after the step, the event as it counts. */
void commuting_look(Commuting *commuting, uint32_t call, const TraceEvent *event);
/* The end of the run, or of what can be read of it. True if it has to be read once more for looking. Polls the heap. */
bool commuting_looked(Commuting *commuting, const TraceNames *names);

/* After that: tells a read, write or update in such words as readers know. Was it in a call? */
bool commuting_tell(const Commuting *commuting, uint32_t call, TraceEvent *event);

void commuting_fini(Commuting *commuting);

#endif
