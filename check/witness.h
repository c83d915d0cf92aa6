/* witness.h: the independent judge of "not causally atomic".
 *
 * Given nothing but the uncoloured net and a firing sequence, it plays the token game, takes as the causes of an event
 * the last producers of the tokens that it takes, and sees whether Definition 3 of "Causal Atomicity" (Farzan,
 * Madhusudan, CAV 2006) is met: events e1 <= f <= e2, e1 the `begin` of an occurrence of the block by thread T, e2 the
 * last step, an event of T before that occurrence's `end` and not that end itself, f not of T. An occurrence lasts
 * until the next `end` of the block by T: a `begin` in between opens one more and closes none. So e1 is the first
 * `begin` of the block by T that no `end` of it by T follows. If f <= e2, and e1 <= f, also without what one thread
 * does to a lock coming before what another one does to it, that is shown: people understand it at once. It shares
 * nothing with what found the sequence. */
#ifndef CHECK_WITNESS_H
#define CHECK_WITNESS_H

#include "petri/net.h"

/* What part a step has in the violation. */
typedef enum {
  STEP_NONE,  /* had to happen, but no other thread is reached or left by it */
  STEP_BEGIN, /* e1; also where the chain leaves T with the `begin` itself */
  STEP_OUT,   /* the event of T inside the block from which the chain leaves T */
  STEP_IN,    /* the first event not of T on the chain */
  STEP_CHAIN, /* a later one that is not of T */
  STEP_BACK   /* e2, where the chain comes back to T: the last step */
} StepRole;

/* The taint of an event, what it paints its outputs with: blue, T's that come after e1; yellow, others' that come after
 * a blue one; red, e2. Where the chain goes without locks, T may come after others by locks before e2, and is blue. */
typedef enum { TAINT_NONE, TAINT_BLUE, TAINT_YELLOW, TAINT_RED } Taint;

/* A step of the run, with its part in the violation. */
typedef struct {
  TransId transition;
  uint32_t thread; /* from 0, or NOTE_NONE */
  StepRole role;
  Taint taint;
  bool in_block;                /* from the begin of the occurrence on, an event of T: inside the frame of a drawing */
  uint32_t chain_in, chain_out; /* the edges of the chain that come to the step and go on from it, or NOTE_NONE */
} WitnessStep;

/* Step `to` takes a token that step `from` produced last (from < to). One edge per pair of steps: program order if both
 * are of one thread, else on the object named. Where several objects lie between two steps, the smallest number that
 * both steps have an access of, else the smallest, is named; in a chain without locks one that is no lock, or none if
 * some place between them is no object's. */
typedef struct {
  uint32_t from, to;
  uint32_t object;               /* of the notes, or NOTE_NONE: program order, or a place that is no object's */
  PlaceId place;                 /* whose token it is: of that object; without, the first one */
  AccessMode from_mode, to_mode; /* of that object; the changing one where an event has several; meaningless without */
  bool on_chain;                 /* one of the edges of the one chain e1 .. out -> in .. -> back */
} CausalEdge;

/* A run that shows that a block is not causally atomic. The arrays are the heap's. */
typedef struct {
  Heap *heap;
  uint32_t block;  /* of the notes */
  uint32_t thread; /* T */
  WitnessStep *steps;
  uint32_t n_steps;
  CausalEdge *edges; /* sorted by `to`, then `from` */
  uint32_t n_edges;
} Witness;

/* Judges the firing sequence, whose last step is e2. What the last step does not depend on is left out of the witness,
 * and the rest is played again; if T comes after another thread earlier in the occurrence, the witness ends there. Its
 * steps are in an order of their own: what is not after e1 causally, then T in the block, then the others after it,
 * then e2. The chain is one with the fewest changes of thread, then the fewest steps, then the earliest. False, with
 * ERR_CHECK, if the sequence cannot be fired or does not prove that the block is not causally atomic. The net must have
 * notes. */
bool witness_judge(Heap *heap, const Net *net, uint32_t block, const TransId *run, uint32_t n_run, Witness *witness,
                   Err *err);
void witness_fini(Witness *witness);

#endif
