/* subnet.h: the part of a net in which only some of its threads take steps. Each of its runs is one of the whole net:
 * the other threads need not move. */
#ifndef PETRI_SUBNET_H
#define PETRI_SUBNET_H

#include "petri/net.h"

/* Such a part. Its notes have the threads, objects and blocks of the whole net, under the same numbers. */
typedef struct {
  Heap *heap;
  Net *net;          /* owned */
  TransId *original; /* per transition of `net`: that of the whole net; ascending */
} Subnet;

/* Keeps the transitions of these `n` threads of the notes, and those of no thread; the places next to them; and all
 * places of the objects that these places belong to. The net must have notes. Free it with subnet_fini. */
void subnet_init(Subnet *subnet, Heap *heap, const Net *net, const uint32_t *threads, uint32_t n);
void subnet_fini(Subnet *subnet); /* {0} is allowed */

/* Turns a run of the part into one of the whole net, in place. */
void subnet_run_to_whole(const Subnet *subnet, TransId *run, uint32_t n_run);

#endif
