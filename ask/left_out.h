/* left_out.h: which events of a run count, as suppressions say (ask/suppressions.h), chosen when it is read.
 *
 * An access that is left out becomes an event that does nothing (TRACE_START), and so do the begin of a transaction
 * that is left out and its end. So events keep their numbers. What is then found in the run is just what is there
 * without a cycle through such an access, and without one in which such a transaction is split (docs/suppressions.md).
 * Accesses in calls that commute get other operations (ask/commuting.h), for which the run is looked at before. */
#ifndef ASK_LEFT_OUT_H
#define ASK_LEFT_OUT_H

#include "ask/commuting.h"
#include "ask/suppressions.h"
#include "trace/trace.h"

/* What of all that is said is left out. */
typedef enum {
  LEFT_OUT_ALL,
  LEFT_OUT_COMMUTES,     /* only accesses that commute: what is suppressed is still there */
  LEFT_OUT_TRANSACTIONS, /* only transactions: all accesses are still there, as they were */
  LEFT_OUT_BUT_CALLS     /* all, but accesses in calls that commute are there as they were */
} LeftOutWhat;

typedef VEC(uint8_t) LeftOutBytes;

/* Why something is left out. */
typedef enum { LEFT_OUT_NOT, LEFT_OUT_SUPPRESSED, LEFT_OUT_COMMUTING } LeftOutWhy;

/* What was left out, and what is known of it. */
typedef struct {
  uint64_t transactions, accesses; /* that are suppressed */
  uint64_t commuting;              /* accesses that commute */
} LeftOutCount;

/* The same for a report. */
typedef struct {
  bool asked;          /* there are suppressions */
  bool counted;        /* `violations` is known */
  uint32_t violations; /* that are suppressed */
  char why[100];       /* which limit has ended the counting; or "" */
  LeftOutCount count;
} LeftOutReport;

/* One run at a time. Starts by init; what it holds is the heap's until fini. */
typedef struct {
  Heap *heap;
  Suppressions *by; /* whose entries are marked as used; NULL: nothing is left out */
  LeftOutWhat what;
  LeftOutBytes known[TRACE_NAME_KINDS]; /* by number: a LeftOutWhy, + 1; 0: not yet asked */
  VEC(LeftOutBytes) open;               /* per thread: its open begins, and whether they are left out */
  TraceEvent *batch;
  uint32_t *calls;     /* per event of the batch: the entry + 1 of the calls that commute, with one of which it is; 0 */
  Commuting commuting; /* the run was looked at, if there may be any */
  LeftOutCount count;  /* of what was left out of all runs */
} LeftOut;

/* `by` may be NULL. */
void left_out_init(LeftOut *left_out, Heap *heap, Suppressions *by, LeftOutWhat what);

/* Another run begins, with other numbers, or the same one again. */
void left_out_restart(LeftOut *left_out);

/* The next n <= TRACE_BATCH events of the run without what is left out; valid until the next call. */
const TraceEvent *left_out_events(LeftOut *left_out, const TraceNames *names, const TraceEvent *events, uint32_t n);

/* Is there anything in what was given that can only be told when the run was looked at, before it is read? */
bool left_out_is_late(const LeftOut *left_out);

/* Is the event an access, or a begin, that is left out, whatever `what` says? */
LeftOutWhy left_out_why(LeftOut *left_out, const TraceNames *names, const TraceEvent *event);

void left_out_fini(LeftOut *left_out);

#endif
