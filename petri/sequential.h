/* sequential.h: is each thread of a net with notes a sequence of events? */
#ifndef PETRI_SEQUENTIAL_H
#define PETRI_SEQUENTIAL_H

#include "petri/net.h"

/* Has each thread at most one control token at first, takes each of its events exactly one, and puts nobody a second
 * one? Then it never has two, and its events happen one after the other. False with ERR_INPUT if not, or if an event of
 * no thread begins or ends a block. */
bool sequential_check(Heap *heap, const Net *net, Err *err);

#endif
