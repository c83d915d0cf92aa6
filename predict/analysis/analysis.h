/* analysis.h: are a run's transactions atomic, in all runs that its locks and its forks and joins allow? (L. Wang and
 * S. Stoller, "Run-time analysis for atomicity", RV 2003.) Events go in, in the order of the run; at the end there are
 * potential deadlocks, and a verdict for each kind of transaction and for all of them.
 *
 * A *trace* is any interleaving of what the threads have done, each in its own order and with its transactions
 * complete, in which no lock is held by two threads at once but shared by both, and that fork and join and hand-overs
 * allow; an update is one event. A try is an acquire. It is *serializable* if it
 * is view equivalent (each read reads from the same write, each variable has the same last write) to one in which the
 * transactions come one after another, those of one thread in its own order. The set of transactions is *atomic* if
 * each trace is serializable. An access outside of transactions is a transaction by itself. Nested transactions belong
 * to the outermost one; what is open at the end of the run ends there. Reentrant acquires are counted, and a release of
 * a lock that is not held is nothing. After a join, a thread's number stands for a new thread; after a free, a
 * variable's number for a new variable.
 *
 * ANALYSIS_REDUCTION (reduction.h) proves, or does not. ANALYSIS_BLOCKS looks for transactions that can be interleaved
 * badly: two of them by blocks (blocks.h), more by cycles and, for what these leave, by trying (cycles.h,
 * interleave.h). ANALYSIS_COMBINED asks reduction first and looks only for what can split a transaction that reduction
 * has not proved. What is claimed:
 *
 *   - All atomic: no trace at all is unserializable. This holds whatever the nesting of locks, and with potential
 * deadlocks.
 *   - A row is atomic: by reduction, each trace is equivalent to one in which each transaction of the row stands
 * together, and so for all such rows at once. By blocks, no interleaving of two transactions, and no cycle of more, is
 * unserializable and splits one of the row.
 *   - A row is possibly not atomic: reduction failed (then that is all), or the blocks show events of which an
 * unserializable trace is made. How certain that is, certainty.h says: of all transactions together, of those of the
 * pattern alone (others may hide it, and the whole be atomic), or not at all: locks are not nested, or there is a
 * potential deadlock between the two threads (Theorem 5.1 needs that there is none), or a fork or join among the
 * events, or the cycle was not looked at closer.
 *   - Unknown: the budget was used up, or a trace that is not serializable was found which others of the row's
 * variables make.
 *
 * Two places where the paper had to be made precise are in blocks.h. One more: its general algorithm does not say
 * whether transactions of one thread keep their order; here they do, as in the monitor (serial/monitor.h). So W(x) W(y)
 * against two transactions R(x), R(y) of one thread is not atomic, though each two of the three are; and sets are
 * divided by variables and threads, not by variables alone. */
#ifndef PREDICT_ANALYSIS_ANALYSIS_H
#define PREDICT_ANALYSIS_ANALYSIS_H

#include "base/verdict.h"
#include "predict/analysis/blocks.h"
#include "predict/analysis/reduction.h"

/* Which method is asked: reduction; patterns of blocks; or patterns for what reduction has not proved. */
typedef enum { ANALYSIS_REDUCTION, ANALYSIS_BLOCKS, ANALYSIS_COMBINED } AnalysisKind;

/* How transactions are judged. */
typedef struct {
  AnalysisKind kind;
  RaceTest race_test; /* of reduction */
  uint64_t budget;    /* of each search, in steps; 0: ANALYSIS_BUDGET */
  Sync sync;          /* what traces respect; what they do not is no event */
} AnalysisOptions;

enum { ANALYSIS_BUDGET = 20 * 1000 * 1000 };

/* An event of the run. */
typedef struct {
  uint64_t event;    /* its index */
  uint32_t location; /* or TRACE_NONE */
  uint8_t op;        /* TraceOp */
  uint32_t object;   /* as in the event */
  uint32_t thread, life;
  uint32_t n_locks;      /* held there; of an acquire: before it; of a release: after it */
  const uint32_t *locks; /* ascending: 2 * lock, or 2 * lock + 1 where it is shared (locksets.h) */
} AnalysisEvent;

/* Where reduction breaks: `event` is no mover of the sort that is needed. If it is an access, it races with `rival`. */
typedef struct {
  AnalysisEvent event, rival;
  bool has_rival;
} AnalysisStop;

/* Of the pattern, in the order of the interleaving. */
typedef struct {
  AnalysisEvent event;
  uint32_t transaction;     /* those of a pattern are numbered from 0, the one that is split */
  uint32_t label, location; /* of its begin, or TRACE_NONE */
  uint64_t begin;           /* index of its begin; an access outside of transactions has itself */
} AnalysisPatternEvent;

/* The transactions with one label and one source location of their begin. */
typedef struct {
  uint32_t label, location; /* or TRACE_NONE */
  uint64_t transactions;
  Verdict verdict;
  bool reducible;        /* reduction has proved it */
  bool has_stops;        /* reduction has not: the first place where it breaks; */
  AnalysisStop stops[2]; /* after the first one only left-movers may come, the second one is none */
  Pattern pattern;       /* of blocks, or PATTERN_NONE */
  Certainty certainty;
  uint32_t n_events;
  const AnalysisPatternEvent *events;
} AnalysisRow;

/* A lock that is acquired while another one is held. */
typedef struct {
  uint32_t outer, inner;            /* locks */
  AnalysisEvent at_outer, at_inner; /* the acquires, of one thread */
} AnalysisLocking;

/* Each one's inner lock is the outer one of the next; the last one's is that of the first. */
typedef struct {
  uint32_t n;
  const AnalysisLocking *lockings;
} AnalysisDeadlock;

/* What the analysis has looked at, for statistics. */
typedef struct {
  uint64_t events, transactions, singles; /* singles: accesses outside of transactions */
  uint64_t shapes, accesses;              /* different ones: shapes.h */
  uint64_t spans, two_blocks;             /* different blocks, of one and of two variables */
  uint64_t states;                        /* of the search through interleavings */
} AnalysisSize;

/* The analysis of one run. */
typedef struct Analysis Analysis;

/* No events yet. The options are copied; memory is the heap's until analysis_free. */
Analysis *analysis_new(Heap *heap, const AnalysisOptions *options);
void analysis_free(Analysis *analysis); /* NULL is allowed */
/* The next events, in the order of the run. */
void analysis_feed(Analysis *analysis, const TraceEvent *events, uint32_t n);
void analysis_finish(Analysis *analysis); /* the run is over; once */

/* After analysis_finish, as long as the analysis lives. Deadlocks: of those with the same locks and places, one. */
Verdict analysis_verdict(const Analysis *analysis);
const AnalysisDeadlock *analysis_deadlocks(const Analysis *analysis, uint32_t *n);
bool analysis_found_all_deadlocks(const Analysis *analysis);             /* those of two threads are in any case */
bool analysis_kept_order(const Analysis *analysis);                      /* else: fork_order_close */
const AnalysisRow *analysis_rows(const Analysis *analysis, uint32_t *n); /* in the order of their first begins */
AnalysisSize analysis_size(const Analysis *analysis);                    /* what was looked at */

#endif
