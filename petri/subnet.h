/* subnet.h: the part of a net in which only some of its threads take steps. Each of its runs is one of the whole net:
 * the other threads need not move. And the net in which threads that have ended start over: each run of the whole net
 * is one of it. */
#ifndef PETRI_SUBNET_H
#define PETRI_SUBNET_H

#include "petri/net.h"

/* Such a part. Its notes have the threads, objects and blocks of the whole net, under the same numbers. */
typedef struct {
  Heap *heap;
  Net *net; /* owned */
  TransId
      *original; /* per transition of `net`: that of the whole net, ascending; at last TRANS_NONE: one that was added */
  uint32_t n_added;
  PlaceId *place; /* per place of `net`: that of the whole net, ascending */
} Subnet;

/* Keeps the transitions of these `n` threads of the notes, and those of no thread, but for those that can be seen never
 * to fire when only these do; the places next to them; and all places of the objects that these places belong to. The
 * net must have notes. Free it with subnet_fini. */
void subnet_init(Subnet *subnet, Heap *heap, const Net *net, const uint32_t *threads, uint32_t n);

/* The same, with a transition for each control place of these threads that nothing leads away from: it takes the thread
 * back to its first control place, and touches nothing else. N threads that end have 2^N ways to have ended; of threads
 * that start over the unfolding is small. */
void subnet_init_closed(Subnet *subnet, Heap *heap, const Net *net, const uint32_t *threads, uint32_t n);

/* Has a thread among these such a place? It may be that none is ever reached, and nothing is added. */
bool subnet_has_ends(Heap *heap, const Net *net, const uint32_t *threads, uint32_t n);

void subnet_fini(Subnet *subnet); /* {0} is allowed */

/* Turns a run of the part into one of the whole net, in place. False, with the run as it was, if a transition that was
 * added is in it. */
bool subnet_run_to_whole(const Subnet *subnet, TransId *run, uint32_t n_run);

#endif
