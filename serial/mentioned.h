/* mentioned.h: the threads and objects that a monitor mentions anywhere: what it does not mention it knows nothing of,
 * and their numbers may come to stand for others. */
#ifndef SERIAL_MENTIONED_H
#define SERIAL_MENTIONED_H

#include "serial/monitor.h"

/* The mentioned ones with numbers below n_threads, n_objects. */
typedef struct {
  Heap *heap;
  uint32_t n_threads, n_objects;
  uint64_t *threads, *objects; /* bits */
  uint64_t n;                  /* things that were looked at */
} Mentioned;

/* None. Memory is the heap's, until fini. */
void mentioned_init(Mentioned *mentioned, Heap *heap, uint32_t n_threads, uint32_t n_objects);
void mentioned_fini(Mentioned *mentioned);

/* One more; both may have been mentioned before. */
void mentioned_add_thread(Mentioned *mentioned, uint32_t thread);
void mentioned_add_object(Mentioned *mentioned, uint32_t object);

/* What these mention. */
void mentioned_add_edge(Mentioned *mentioned, const MonitorEdge *edge);
void mentioned_add_finding(Mentioned *mentioned, const MonitorFinding *finding);

#endif
