/* reach.h: the reachable markings of a net, one by one, breadth first: the oracle of the tests. It is meant to be
 * obviously right, not fast; unfold/ answers the same questions for large nets. */
#ifndef TESTS_ORACLE_REACH_H
#define TESTS_ORACLE_REACH_H

#include "petri/token.h"

/* No marking. */
#define REACH_NONE UINT32_MAX

/* The markings are numbered from 0, the initial one, in the order in which they were found; so a marking with a lower
 * number needs no longer a firing sequence than one with a higher number. */
typedef struct {
  Heap *heap;
  const Net *net;      /* not owned */
  uint32_t n_markings; /* at least 1 */
  bool complete;       /* all reachable markings were found, and all firings of theirs are safe */

  /* A firing that puts a second token on a place ends the search; the sequence that leads to it is a shortest one. */
  uint32_t unsafe_from; /* the marking in which it happens; REACH_NONE if it did not */
  TransId unsafe_trans; /* the transition that is fired there */
  PlaceId unsafe_place; /* the place that gets the second token */

  uint64_t *words;  /* of marking m: words[m * marking_words(net)] on */
  uint32_t *parent; /* the marking in which ... */
  TransId *via;     /* ... this transition led to the marking first; nothing for the initial one */
} Reach;

/* Explores at most `budget` markings, at least one. */
Reach *reach_explore(Heap *heap, const Net *net, uint32_t budget);
void reach_free(Reach *reach); /* NULL is allowed */

/* Marking number m: a bitset over the places. It belongs to `reach`. */
static inline const uint64_t *reach_marking(const Reach *reach, uint32_t m) {
  return reach->words + m * marking_words(reach->net);
}

/* The first marking that has a token on the place, or in which nothing can fire; REACH_NONE if none was found, which is
 * an answer about the net only if the exploration is complete. */
uint32_t reach_find_place(const Reach *reach, PlaceId place);
uint32_t reach_find_deadlock(const Reach *reach);

/* A shortest firing sequence that leads to marking m. `run` has room for it; with run NULL only its length is returned.
 */
uint32_t reach_run(const Reach *reach, uint32_t m, TransId *run);

#endif
