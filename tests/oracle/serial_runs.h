/* serial_runs.h: random runs, and what is true of a run by definition: slow, and with nothing of the monitors. */
#ifndef TESTS_ORACLE_SERIAL_RUNS_H
#define TESTS_ORACLE_SERIAL_RUNS_H

#include "trace/trace.h"

enum {
  SERIAL_MAX = 128,    /* events of a run that is judged by definition */
  SERIAL_THREADS = 256 /* at most, in a random one */
};

typedef struct {
  uint32_t threads, objects, labels;
  uint32_t events;
  uint32_t weight[TRACE_OPS]; /* how often each operation comes */
  bool proper;                /* a thread that is joined has ended, and nothing comes of it before its fork */
} SerialShape;

/* A run of that shape, the same for the same seed; events are numbered by their locations. */
void serial_random(uint64_t seed, const SerialShape *shape, TraceEvent *events);

/* The order of two events of the run, i < j, that may not be swapped. */
typedef struct {
  uint32_t n;
  uint32_t transaction[SERIAL_MAX]; /* of each event: the number of its first event */
  bool ends[SERIAL_MAX];            /* is it an end? */
  uint32_t thread[SERIAL_MAX];
  bool ordered[SERIAL_MAX][SERIAL_MAX]; /* i < j, and i must stay before j */
} SerialRun;

void serial_study(SerialRun *run, const TraceEvent *events, uint32_t n, bool lock_conflicts);

/* Is there an order of the transactions that keeps all the orders of events? By trying them one after another; at most
 * 8 transactions or so are bearable. */
bool serial_exists(const SerialRun *run);
uint32_t serial_count(const SerialRun *run); /* transactions */

/* The same by whether a transaction must come before itself. */
bool serial_acyclic(const SerialRun *run);

/* Has no block e1, e2 with an f of another thread between them? */
bool serial_causal(const SerialRun *run, const TraceEvent *events);

#endif
