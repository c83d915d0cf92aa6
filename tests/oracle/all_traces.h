/* all_traces.h: all runs that the threads of a run could have had, tried one after another: with nothing of predict/.
 */
#ifndef TESTS_ORACLE_ALL_TRACES_H
#define TESTS_ORACLE_ALL_TRACES_H

#include "trace/trace.h"

enum { ALL_TRACES_MOST = 64, ALL_TRACES_THREADS = 6, ALL_TRACES_OBJECTS = 26 };

typedef struct {
  bool atomic;   /* each complete trace is view serializable, the transactions of a thread in its order */
  bool deadlock; /* some trace cannot go on before all threads are done */
  uint64_t states;
} AllTraces;

/* At most ALL_TRACES_MOST events, and so many threads and objects. Locks are reentrant; an update is one event, a try
 * an acquire: that it could not go on is not asked, so deadlocks are asked for where nobody tries; nothing is freed or
 * joined twice. */
AllTraces all_traces_study(const TraceEvent *events, uint32_t n);

#endif
