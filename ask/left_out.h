/* left_out.h: which events of a run count, as suppressions say (ask/suppressions.h), chosen when it is read.
 *
 * An access that is left out becomes an event that does nothing (TRACE_START), and so do the begin of a transaction
 * that is left out and its end. So events keep their numbers. What is then found in the run is just what is there
 * without a cycle through such an access, and without one in which such a transaction is split (docs/suppressions.md).
 */
#ifndef ASK_LEFT_OUT_H
#define ASK_LEFT_OUT_H

#include "ask/suppressions.h"
#include "trace/trace.h"

/* What of all that is said is left out. */
typedef enum {
  LEFT_OUT_ALL,
  LEFT_OUT_COMMUTES,    /* only accesses that commute: what is suppressed is still there */
  LEFT_OUT_TRANSACTIONS /* only transactions: all accesses are still there */
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

/* One run at a time. Starts as {.heap = heap, .by = ..., .what = ...}. */
typedef struct {
  Heap *heap;
  Suppressions *by; /* whose entries are marked as used; NULL: nothing is left out */
  LeftOutWhat what;
  LeftOutBytes known[TRACE_NAME_KINDS]; /* by number: a LeftOutWhy, + 1; 0: not yet asked */
  VEC(LeftOutBytes) open;               /* per thread: its open begins, and whether they are left out */
  TraceEvent *batch;
  LeftOutCount count; /* of what was left out of all runs */
} LeftOut;

/* Another run begins, with other numbers. */
void left_out_restart(LeftOut *left_out);

/* The next n <= TRACE_BATCH events of the run without what is left out; valid until the next call. */
const TraceEvent *left_out_events(LeftOut *left_out, const TraceNames *names, const TraceEvent *events, uint32_t n);

/* Is the event an access, or a begin, that is left out, whatever `what` says? */
LeftOutWhy left_out_why(LeftOut *left_out, const TraceNames *names, const TraceEvent *event);

void left_out_fini(LeftOut *left_out);

#endif
