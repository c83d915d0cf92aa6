/* environment.h: blocks that are atomic because no causal chain that leaves the block comes back into it, whatever way
 * the other threads take. It proves whatever movers.h proves.
 *
 * Searched are a thread's ways through the block with a step of another thread by which a chain leaves it; then, while
 * the thread stays where it is, the ways of the chain through the others: with a thread from step to step, or by an
 * object from one thread to another one. docs/proofs.md says why this is enough. The others are not counted. */
#ifndef PROVE_ENVIRONMENT_H
#define PROVE_ENVIRONMENT_H

#include "prove/movers.h"

/* How a chain came to a step, to tell the whole chain afterwards. */
typedef struct {
  uint32_t step; /* that led here, or NOTE_NONE */
  bool same;     /* by the thread of that step; else by an object, from another thread */
} ChainParent;

/* The search for such chains. `movers` outlives it. */
typedef struct {
  Movers *movers;
  const Known *facts;
  uint32_t *row_of;     /* per control: its row while a block is searched, else NOTE_NONE */
  U32Vec controls;      /* of the block that is searched: by row */
  VEC(uint64_t *) rows; /* per row: a bitset of steps by which a chain may have left before the thread came there */
  VEC(uint64_t) pairs;  /* a control and such a step */
  uint32_t round;       /* of stamps */
  uint32_t *step_stamp, *control_stamp, *item_stamp; /* per step, control, and item */
  uint32_t *item_at;                                 /* per object: where its items start, two for each value */
  ChainParent *parent;                               /* per step that has the stamp */
  uint32_t *item_class; /* per item with the stamp: whose class put it; NOTE_NONE: several */
  uint32_t n_items;
  U32Vec queue;
} Environment;

/* No block has been searched yet. Memory is the facts' heap's until fini. */
void environment_init(Environment *environment, Movers *movers);
void environment_fini(Environment *environment);

/* The outcome of a search: no chain comes back, so the block is atomic; one may, which proves nothing; neither is
 * known. */
typedef enum {
  ENVIRONMENT_PROVES,
  ENVIRONMENT_CHAIN,
  ENVIRONMENT_ASKED /* to end, before it was through */
} EnvironmentAnswer;

/* Is the block atomic for the threads of the class? If not, *chain, which was empty, has the steps of others on an
 * abstract chain that comes back: each a step number, or, where the chain goes on with another thread, CHAIN_HANDED
 * before it. */
EnvironmentAnswer environment_prove(Environment *environment, uint32_t class, uint32_t block, U32Vec *chain);

#define CHAIN_HANDED NOTE_NONE

/* Adds the classes with a step on some abstract chain that comes back to `classes`, a bitset. False if the work was
 * asked to end. */
bool environment_users(Environment *environment, uint32_t class, uint32_t block, uint64_t *classes);

#endif
