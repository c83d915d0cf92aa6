/* movers.h: blocks that are atomic because their steps can be moved together (R. Lipton, "Reduction", 1975).
 *
 * A causal chain from the block back into it leaves its thread at one step and enters it at a later one. If no way
 * through the block has a step at which a chain may leave before one at which it may enter, the block is atomic.
 * docs/proofs.md says why it is enough to look at what the others may do while the thread stands beside that one step.
 * Two-phase locking is the best known case: nothing leaves while a lock is held but a release, and nothing enters but
 * an acquire. */
#ifndef PROVE_MOVERS_H
#define PROVE_MOVERS_H

#include "prove/links.h"

/* The search for blocks whose steps can be moved, with what it has learnt of steps. `links` outlive it. */
typedef struct {
  const Links *links;
  uint8_t *known; /* per step: what was asked, and what the answer was */
  uint64_t
      *visited; /* per control, twice: before and after a step at which a chain may leave; clear between searches */
  U32Vec queue;
} Movers;

/* Nothing has been asked of any step yet. Memory is the heap of the links until fini. */
void movers_init(Movers *movers, const Links *links);
void movers_fini(Movers *movers);

/* More is known by the facts of the links than when steps were asked. */
void movers_forget(Movers *movers);

/* links_leave and links_enter, computed once for each step. */
bool movers_leave(Movers *movers, uint32_t step);
bool movers_enter(Movers *movers, uint32_t step);

/* Is the step of an occurrence of the block, once it has begun? */
static inline bool movers_is_inside(const Known *facts, uint32_t step, uint32_t block) {
  return known_is_live(facts, step) && facts->classes->steps[step].end != block;
}

/* Is the block atomic for the threads of the class? Time is linear in the class, and, for each of its steps in blocks,
 * in the steps that touch the same objects. */
bool movers_prove(Movers *movers, uint32_t class, uint32_t block);

#endif
