/* seen.h: has a run in it what was predicted from another run of the same program? Not any violation: that very cycle,
 * by the places of its events. */
#ifndef ASK_SEEN_H
#define ASK_SEEN_H

#include "ask/predicting.h"

/* The ends of the edges of a predicted cycle, in the order in which they are to come. */
enum { SEEN_EVENTS = 32, SEEN_ROLES = 8 };

typedef struct {
  uint32_t role;        /* the how manieth thread of the cycle it is of, from 0 */
  uint32_t transaction; /* of the cycle */
  uint8_t op;
  const char *place;    /* as the log has it; */
  const char *function; /* or, if this is not NULL, a line, "a.c:12:", in this function */
} SeenEvent;

/* Two of them that are on one object. */
typedef struct {
  uint32_t from, to;
} SeenEdge;

typedef struct {
  SeenEvent events[SEEN_EVENTS];
  SeenEdge edges[SEEN_EVENTS];
  uint32_t n_events, n_edges;
} SeenCycle;

/* What is to be seen of the predicted run, whose names it points to. False: it is too long, or not known. */
bool seen_cycle(const PredictedRun *run, SeenCycle *cycle);

/* Is the location of a log that of the event? Of a line any column is; of its file only the name counts, not the
 * folder.
 */
bool seen_is_at(const SeenEvent *event, const char *location);

/* The part of the predicted run, from 0, that the thread's event is in. */
uint32_t seen_part(const PredictedRun *run, uint32_t thread, uint64_t event);

/* Are they in the run, in this order, but for neighbours of one transaction: those of a role in one thread, different
 * roles in different ones, those of one transaction in one transaction, and both ends of an edge on one object, not
 * freed in between? Then it is not serializable. *events are their numbers in the run, from 0. Of very many that are
 * like them not all are tried: "no" is no proof. False, with *err, if the run cannot be read. */
bool seen_in(Heap *heap, const char *path, const SeenCycle *cycle, bool *found, uint64_t events[SEEN_EVENTS], Err *err);

#endif
