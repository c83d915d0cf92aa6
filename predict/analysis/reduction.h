/* reduction.h: which accesses can race, and which transactions can be moved together (Wang and Stoller, "Run-time
 * analysis for atomicity", RV 2003, section 4; after R. Lipton).
 *
 * Two accesses to a variable of different lives, one of them a write, *race* if no lock is held at both and fork and
 * join do not order them. This is Theorem 4.3 with this notion of initialization: an access that fork and join order
 * before, or after, all accesses of other lives to the variable. It makes concurrent accesses impossible in every run
 * that fork and join allow. (That a second thread has not touched the variable yet in this run, as in Eraser, does not:
 * another run has another order.)
 */
#ifndef PREDICT_ANALYSIS_REDUCTION_H
#define PREDICT_ANALYSIS_REDUCTION_H

#include "predict/analysis/shapes.h"

/* When accesses race. */
typedef enum {
  RACES_PAIRWISE,    /* Theorem 4.3: each pair of accesses by itself */
  RACES_COMMON_LOCKS /* Theorem 4.4: all of a variable, but for initialization, have a lock in common; else all of these
                        race */
} RaceTest;

/* Per access: one that it races with, or with RACES_COMMON_LOCKS one with other locks, or UINT32_MAX if it is
 * race-free. The array is the heap's. */
uint32_t *reduction_find_races(Shapes *shapes, RaceTest test);

/* Steps of the shape: after the first one (a release, a fork, or an access that is no mover) nothing but left-movers
 * may come, and the second one (an acquire, a join, or an access) is none. */
typedef struct {
  uint32_t first, second;
} ReductionBreak;

/* Has the shape the form (R + B)* N? (L + B)*? Then the events of each of its transactions can be moved together, in
 * any run, whatever the others are like; if all have it, the set is atomic (Theorem 4.1). Acquires are right-movers and
 * releases left-movers, but both for a lock that one life alone uses; race-free accesses are both (Theorem 4.2); a fork
 * and a signal can be moved to the left, a join and a wait to the right. An update is one event. If it has not, *at
 * says where it breaks first. */
bool reduction_holds(const Shapes *shapes, const Shape *shape, const uint32_t *races, ReductionBreak *at);

#endif
