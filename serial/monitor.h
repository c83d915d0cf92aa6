/* monitor.h: is a run serializable? Events go in, in the order of the run; cycles of transactions come out.
 *
 * A transaction is what a thread does between a begin and its end (nested ones belong to the outermost), or a single
 * event outside. One must come before another if it has an earlier access to the same object and one of the two writes,
 * if both are of one thread, or by fork and join: a fork comes before all that the thread does afterwards, a join after
 * all that it has done, and the fork before the join. Where locks conflict, a wait comes after the signals of its
 * group, too. After a join, if no transaction was open, the number stands for a new thread. A run is conflict
 * serializable iff these orders have no cycle (Farzan and Madhusudan, "Monitoring atomicity in concurrent programs",
 * CAV 2008, Lemma 1). An end that is missing makes no difference.
 *
 * A run is causally atomic iff no block has events e1, e2 and another thread an f with e1 <= f <= e2 in the order of
 * the single events: that is a cycle through a block where all that other threads do are transactions of one event. */
#ifndef SERIAL_MONITOR_H
#define SERIAL_MONITOR_H

#include "base/carry.h"
#include "base/err.h"
#include "base/heap.h"
#include "base/vec.h"
#include "serial/calls.h"
#include "trace/trace.h"

/* The ways to look for cycles. */
typedef enum {
  MONITOR_SCG, /* the summarized conflict graph: fast, in space for the open transactions and their objects alone */
  MONITOR_CG,  /* the conflict graph itself: grows with the run. There is none for causal atomicity: then it is
                  MONITOR_SCG */
  MONITOR_VC /* vector clocks: in bounded space; knows the transaction, not the cycle, and may see it as late as at the
                end */
} MonitorEngine;

/* What is asked of the run: is it conflict serializable, or causally atomic? */
typedef enum { MONITOR_SERIALIZABLE, MONITOR_CAUSAL } MonitorNotion;

/* How a run is monitored. {0}: up to the first violation of serializability, by MONITOR_SCG, locks being nothing. */
typedef struct {
  MonitorEngine engine;
  MonitorNotion notion;
  bool lock_conflicts; /* acquire, release and try write their lock, shared ones read it, and hand-overs are order; else
                          all these are nothing */
  bool all;            /* go on after the first violation */
} MonitorOptions;

/* A transaction of the run. */
typedef struct {
  uint32_t thread;
  uint32_t life;     /* how often the thread had been joined before: after that its number stands for a new thread */
  uint32_t ordinal;  /* among those of its thread's life with a begin, from 1; 0: a single event */
  uint32_t label;    /* or TRACE_NONE */
  uint32_t location; /* of its first event, or TRACE_NONE */
  uint64_t first;    /* index of its first event in the run, from 0: the begin, if it has one */
  uint64_t last;     /* index of its last event so far that orders anything, or of its end */
  bool open;         /* had no end yet */
} MonitorTransaction;

/* Why one transaction must come before another. */
typedef enum {
  MONITOR_CONFLICT, /* two accesses to an object */
  MONITOR_ORDER,    /* two transactions of a thread; the events are some of theirs, object is TRACE_NONE */
  MONITOR_FORK,     /* from: the fork; to: an event of the thread */
  MONITOR_JOIN,     /* from: an event of the thread, or its fork; to: the join */
  MONITOR_HANDOVER, /* from: a signal; to: a wait for its group */
  MONITOR_GAP       /* over transactions that were not kept; only where thousands of threads take part */
} MonitorEdgeKind;

/* An event of the run, at an end of an edge. */
typedef struct {
  uint64_t event;  /* its index */
  uint32_t object; /* as in the event */
  uint32_t location;
  uint8_t op; /* TraceOp */
} MonitorAccess;

/* An edge of a cycle. */
typedef struct {
  MonitorEdgeKind kind;
  MonitorAccess from, to;
} MonitorEdge;

/* A cycle: the edge i leads from transaction i to the next one, the last one to transaction 0, in whose event it
 * closed. */
typedef struct {
  uint64_t event; /* index of the event at which it was found */
  uint32_t n;     /* transactions; at least 2, or 1 where the cycle is not known */
  MonitorTransaction *transactions;
  MonitorEdge *edges; /* n; NULL where the cycle is not known */
} MonitorFinding;

/* Is transaction i, of a cycle that is known, left before it is entered? Where events are numbered in the order of
 * their run. */
bool monitor_splits(const MonitorFinding *finding, uint32_t i);

/* The monitor of one run. */
typedef struct Monitor Monitor;

/* The options are copied; memory is the heap's, until free. */
Monitor *monitor_new(Heap *heap, const MonitorOptions *options);
/* One that fills in `calls`, which must live as long, and finds nothing. */
Monitor *monitor_of_calls(Heap *heap, bool lock_conflicts, Calls *calls);
void monitor_free(Monitor *monitor); /* NULL is allowed */

/* The next events. True if there is a finding by now; without `all` nothing is done after the first one. */
bool monitor_feed(Monitor *monitor, const TraceEvent *events, uint32_t n);
bool monitor_finish(Monitor *monitor); /* the run is over; once */

uint64_t monitor_events(const Monitor *monitor); /* how many were looked at */
/* The findings so far, valid until the next call. With `all`, of those whose transactions and edges stand in the same
 * places of the source (or, where places are not known, are of the same threads and objects) the first one only. */
const MonitorFinding *monitor_findings(const Monitor *monitor, uint32_t *n);

/* Threads that have ended, and variables that were freed. */
typedef struct {
  U32Vec threads, objects;
} MonitorForgotten;

/* Before events, as often as one likes: monitor_forget will be called after them. When so many have ended or were
 * freed, and sometimes only when there are more, it looks for what it can forget, which takes a while. */
void monitor_let_forget(Monitor *monitor, uint32_t patience);
/* Those of which the monitor knows nothing any more and that it mentions nowhere: from this call on their numbers stand
 * for new ones. Valid until the next call. An engine whose space grows with the run has none. */
const MonitorForgotten *monitor_forget(Monitor *monitor);

/* All that the monitor knows, between two events, carried into a new one of the same options; with MONITOR_SCG alone.
 * What is bad (carry->bad) may be freed, and no more. */
void monitor_carry(Monitor *monitor, Carry *carry);

/* ---- a run that is going on, of which not all is known; with MONITOR_SCG alone ---- */

/* Must the thread's open transaction come after another one that is open, or the thread itself, if it has none? */
bool monitor_follows(const Monitor *monitor, uint32_t thread);
/* The thread's open transaction has read or written an object, as event number `index`, at a time when no other thread
 * had accessed it; the events since then have been fed, and none of them is about this object. */
void monitor_note(Monitor *monitor, const TraceEvent *event, uint64_t index);
/* All that was done to the object `from` was done to `to` as well, a number that no event had so far. */
void monitor_divide(Monitor *monitor, uint32_t from, uint32_t to);

/* What the engine holds now, for statistics: transactions and edges of its graph. */
typedef struct {
  uint64_t nodes, edges, most_nodes, most_edges;
} MonitorSize;
MonitorSize monitor_size(const Monitor *monitor);

/* Checks what its engine knows to hold between any two events (for tests). False with ERR_CHECK on the first fault. */
bool monitor_audit(const Monitor *monitor, Err *err);

#endif
