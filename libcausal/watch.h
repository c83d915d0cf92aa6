/* watch.h: ends a question when its time is up, or somebody asks for it: a thread of its own looks on, since a library
 * has no signals and no timers that it may call its own. */
#ifndef LIBCAUSAL_WATCH_H
#define LIBCAUSAL_WATCH_H

#include "base/stop.h"
#include "libcausal/libcausal.h"

#include <pthread.h>

/* The question under way. It is not moved. */
typedef struct {
  Stop stop; /* for the heap */
  const CausalStop *asked;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t over;
  bool is_over, runs; /* is_over: under the mutex */
} Watch;

/* Begins; `seconds`: 0 is no limit; `asked` may be NULL. Without either there is no thread. False if there can be none:
 * the system has no more. */
bool watch_begin(Watch *watch, double seconds, const CausalStop *asked);

/* The question is over; `stop` is as it was then, and does not change any more. */
void watch_end(Watch *watch);

#endif
