/* generator.h: the common frame of both colourings: explore which states and values can occur, then write the steps
 * down.
 *
 * A state of the model is a local state of a thread with a mode. The frame starts every thread in mode MODE_PLAIN and
 * asks the colouring for the steps from each state; the values that an object may have are found on the way, so the
 * states are visited until nothing new turns up. This over-approximates: it treats the threads as if every value that
 * occurs somewhere could be met everywhere. */
#ifndef COLOUR_GENERATOR_H
#define COLOUR_GENERATOR_H

#include "colour/colour.h"
#include "colour/model.h"
#include "colour/moves.h"

/* Modes: MODE_PLAIN, then what the colouring defines. */
enum { MODE_PLAIN = 0 };

/* A colouring at work: what has been found of its states and values. */
typedef struct Generator Generator;

struct Generator {
  Heap *heap;
  const ThreadView *program;
  const ColourMoves *moves; /* of the program */
  const bool *blocks;       /* per block: check it? */
  bool by_data;             /* the chain does not lie on locks */
  bool one_twin;            /* let only one of several threads with the same behaviour begin a chosen block */
  Model *model;
  uint32_t undecided; /* object: the token of the choice that was not made yet */
  uint32_t *red;      /* per block: object, a token that appears with the violation */
  uint32_t *data;     /* per object of the program: that object of the model, or NOTE_NONE */
  uint32_t own;       /* an object of the colouring that any step may look at, or NOTE_NONE */

  /* Calls generator_step for every step of `move` from that local state and mode. False with *err on a limit. */
  bool (*steps)(Generator *g, uint32_t thread, uint32_t mode, const ColourMove *move, Err *err);
  const char *(*mode_name)(Generator *g, uint32_t mode);

  /* inside */
  bool record;   /* the last round: steps are kept */
  bool changed;  /* something new was found */
  uint32_t from; /* the state whose steps are being generated */
  const ColourMove *move;
  Intern states;         /* (local state, mode) -> state of the model */
  uint64_t clock;        /* grows with every new value */
  VEC(uint64_t) touched; /* per object of the model: the clock when its last new value was found */
  VEC(uint64_t) visited; /* per state of the model: the clock when its steps were last generated */
  VEC(Effect) effects;   /* scratch of the colouring */
};

/* Makes the objects `undecided` and `red`. The colouring then adds its own. The moves outlive the generator. */
void generator_init(Generator *g, const ColourMoves *moves, Model *model, const bool *blocks, bool one_twin);
void generator_fini(Generator *g);

/* Adds an object to the model. */
uint32_t generator_object(Generator *g, const char *name, bool is_token, uint32_t n_values, uint32_t initial);

/* An object, with its data alone, for each of the program's that has tracked data or may be absent; g->data says which.
 */
void generator_data_objects(Generator *g);

/* Starts g->effects with what the move under way does to the objects of generator_data_objects. */
void generator_start_effects(Generator *g);

/* One step of the move under way: to its target in `mode` (or the thread's end, if ends), with these effects. */
void generator_step(Generator *g, uint32_t mode, bool ends, Effect *effects, uint32_t n);

/* May a block that the move begins be chosen by this thread? Then *block is its number. */
bool generator_may_choose(const Generator *g, uint32_t thread, const ColourMove *move, uint32_t *block);

/* Explores everything and fills the model. */
bool generator_run(Generator *g, Err *err);

/* The colourings: each makes its objects, and sets `steps` and, if it has modes of its own, `mode_name`. */
void full_colouring(Generator *g);
void chain_colouring(Generator *g);
void entry_colouring(Generator *g);

#endif
