/* simulation.h: can a net do all that the colouring can (docs/certificates.md, "Of a coloured net")? What its places
 * stand for is claimed; each step of the colouring is looked at by itself.
 *
 * The net represents a state of the colouring if just these places are marked: for each thread one of those that stand
 * for its state, and all that stand for the values of the objects, for where the chain is, and, as long as no block is
 * chosen, for that. Each place stands for one thread, one object, the chain or the choice. */
#ifndef CHECK_SIMULATION_H
#define CHECK_SIMULATION_H

#include "check/colouring.h"

/* The claims, and room for looking at them. Arrays are the heap's. */
typedef struct {
  Heap *heap;
  const Colouring *colouring;
  const Net *net;           /* the one that is claimed to do it */
  uint32_t *part;           /* per place: what it stands for, a number for each thread, object, ..., or FACT_NONE */
  U32Vec *values;           /* per value of the facts: places */
  U32Vec *chain;            /* per place where the chain can be: places */
  U32Vec open;              /* places that stand for no choice having been made */
  U32Vec *states;           /* per state: places, each of which stands for it */
  uint32_t *red;            /* per block: a place, or FACT_NONE */
  U32Vec found, left;       /* places that stand for what a step finds, and leaves, but for the thread's own */
  uint32_t *before, *after; /* per place: the last round in which it was one of these */
  U32Vec ways;              /* places to which the thread's own can be moved without anything else */
  uint32_t round;
} Simulation;

/* Nothing stands for anything. The colouring was made; it and the net live as long. */
void simulation_init(Simulation *simulation, const Colouring *colouring, const Net *net);
void simulation_fini(Simulation *simulation);

/* A further place for a value of the facts, for where the chain is, for the choice being open, for a state, for the red
 * of a block. False, with ERR_CHECK, if it stands for something else. */
bool simulation_value(Simulation *simulation, uint32_t value, PlaceId place, Err *err);
bool simulation_chain(Simulation *simulation, uint32_t chain, PlaceId place, Err *err);
bool simulation_open(Simulation *simulation, PlaceId place, Err *err);
bool simulation_state(Simulation *simulation, uint32_t state, PlaceId place, Err *err);
void simulation_red(Simulation *simulation, uint32_t block, PlaceId place);

/* Does the net represent the initial state, and is each step of a state that it represents matched? Then, if it is
 * 1-safe and cannot mark the red place of a block, the colouring cannot mark its red. False, with ERR_CHECK, if not. */
bool simulation_judge(Simulation *simulation, Err *err);

#endif
