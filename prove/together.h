/* together.h: where two threads may be at the same time, with the values of some objects then (docs/proofs.md). Sets
 * are made for two classes when they are asked for; of other classes nothing is known. Third threads are those that the
 * other facts allow, and it does not matter how many of a class there are. */
#ifndef PROVE_TOGETHER_H
#define PROVE_TOGETHER_H

#include "prove/links.h"

/* The set of two classes, a <= b. A *valuation* is a number: the values of the objects that are followed, each times
 * its factor. */
typedef struct {
  uint32_t a, b;
  U32Vec objects, factors; /* ascending by object; factors[0] = 1, each is the one before times its number of values */
  uint32_t n_valuations;
  uint64_t *has; /* per control of a, per control of b, per valuation: a bit */
  bool used;     /* for the proof of some block: free for who asks */
} PairSet;

/* The sets made so far. */
typedef struct Together {
  Heap *heap;
  const Known *facts;
  const Links *links;
  VEC(PairSet *) sets;
  uint32_t **set_of; /* per class, NULL or per class: the number of their set, or why there is none */
  uint64_t work_left, room_left;
} Together;

/* No set is there. The links, and their facts, outlive the pairs; memory is their heap's until fini. */
void together_init(Together *together, const Links *links);
void together_fini(Together *together);

/* Makes the set of the classes. False if there is nothing new: it is there, or there are no objects to follow, or it
 * would need more than is left of the work or the room that all sets of a net may take, or the work was asked to end
 * (heap_asked). */
bool together_refine(Together *together, uint32_t class, uint32_t other);

/* The set of these classes, or NULL. */
const PairSet *together_set(const Together *together, uint32_t class, uint32_t other);

/* May the objects have these values while threads are at the controls, the first one of class a and the other of b? */
bool together_has(const Together *together, const PairSet *set, uint32_t control, uint32_t other, uint32_t valuation);

/* The value of the i-th object that is followed. */
static inline uint32_t together_value(const Together *together, const PairSet *set, uint32_t i, uint32_t valuation) {
  return valuation / set->factors.at[i] % together->facts->classes->objects[set->objects.at[i]].n_values;
}

/* What known_meet and known_pass are as far as the sets tell. */
bool together_meet(const Together *together, uint32_t control, uint32_t other);
bool together_pass(const Together *together, uint32_t step, uint32_t control);

#endif
