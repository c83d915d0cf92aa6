/* safety.h: is a net 1-safe? Without that no block of it is atomic: the colours, and the program that they see in
 * the net, are made for nets that are. */
#ifndef ASK_SAFETY_H
#define ASK_SAFETY_H

#include "base/verdict.h"
#include "petri/net.h"

/* By counting (petri/safe.h), or by unfolding the net with max_events at most (0: no limit). Sets *verdict:
 * VERDICT_HOLDS, or VERDICT_UNKNOWN with the reason in `why`, of `room` bytes, where events, memory or time did
 * not suffice. False, with *err, if the net is not 1-safe (ERR_INPUT, with the place and the length of a run,
 * which was replayed), or what says so did not stand up to its replay (ERR_CHECK). */
bool safety_check(Heap *heap, const Net *net, uint64_t max_events, Verdict *verdict, char *why, size_t room, Err *err);

#endif
