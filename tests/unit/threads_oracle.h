/* threads_oracle.h: which other runs do the threads of a tiny run have, and is one of them not serializable? By
 * definition, by trying all of them: with nothing of serial/ and predict/. Threads are numbered up to 9. */
#ifndef TESTS_UNIT_THREADS_ORACLE_H
#define TESTS_UNIT_THREADS_ORACLE_H

#include "trace/trace.h"

enum { THREADS_EVENTS = 32 }; /* at most, of all runs together */

/* Runs of a program, one after the other. Another run takes each thread from one of them. With one run, what a thread
 * does and all forks and joins of it stay in their order, and each wait comes after the signals of its group; with
 * several, the runs are proper: a thread begins after its fork, and is in no transaction at its join. */
typedef struct {
  const TraceEvent *events;
  uint32_t n;
  uint32_t n_runs;
  const uint32_t *ends; /* per run: the event behind its last one */
  bool locks;           /* no two threads hold a lock at a time; one may take its own again. Else locks are nothing */
} ThreadRuns;

/* Has another run a cycle of transactions? */
bool threads_violated(const ThreadRuns *runs);

/* Can these events (their numbers) come in this order? */
bool threads_can_run(const ThreadRuns *runs, const uint32_t *order, uint32_t n);

/* Must event i come before j in each other run that has j? In one run; i and j of different threads. */
bool threads_ordered(const ThreadRuns *runs, uint32_t i, uint32_t j);

/* What an object is called: after it was freed it has another number, and each group of signals has one. */
uint32_t threads_object(const ThreadRuns *runs, uint32_t event);

/* The first event of the transaction of an event. */
uint32_t threads_transaction(const ThreadRuns *runs, uint32_t event);

#endif
