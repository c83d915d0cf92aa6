/* model.h: threads as finite automata that synchronise on shared objects with finitely many values; what colouring
 * makes of a program, what the reductions work on, and what is at last encoded as a 1-safe net.
 *
 * A global state is a local state per thread and a value (or, for a token, absence) per object. A step of a thread is
 * enabled if the thread is in `from` and each effect's object has the value `pre`; it sets them to `post`. */
#ifndef COLOUR_MODEL_H
#define COLOUR_MODEL_H

#include "base/intern.h"
#include "petri/net.h"

#define STATE_NONE UINT32_MAX /* the thread has ended */
#define OBJECT_ABSENT UINT32_MAX

/* pre == post is a test, which changes nothing. For a token one of them may be OBJECT_ABSENT; an absent `pre` is no
 * test for absence: the token is known to be absent then. */
typedef struct {
  uint32_t object, pre, post;
} Effect;

/* A step of a thread, from one of its local states to another. */
typedef struct {
  uint32_t from, to; /* `to` may be STATE_NONE */
  uint32_t label;    /* a number of Model.labels */
  TransId origin;    /* the transition of the uncoloured net that this step is an instance of */
} Step;
typedef VEC(Step) StepVec;

/* A shared object, and the values that it may have. */
typedef struct {
  const char *name;
  bool is_token;
  bool is_red; /* a token that appears with a violation */
  uint32_t initial;
  uint32_t n_values;
  bool *reached;           /* per value: may it ever occur? An over-approximation */
  const char **value_name; /* per value */
} ModelObject;

/* The model, from model_init to model_fini. */
typedef struct {
  Heap *heap;
  Arena arena;
  uint32_t n_threads;
  U32Vec initial;      /* per thread: a state */
  U32Vec state_thread; /* per state */
  VEC(const char *) state_name;
  VEC(ModelObject) objects;
  Intern labels; /* each the bytes of an array of effects, ascending by object, one each */
  StepVec steps;
} Model;

/* The effects of one step: they belong to Model.labels. */
typedef struct {
  const Effect *at;
  uint32_t n;
} EffectList;

/* No threads, states, objects or steps yet. All memory is the heap's until fini. */
void model_init(Model *model, Heap *heap);
void model_fini(Model *model);

/* A further state of the thread, less than n_threads; its number, from 0 across all threads. The name is not copied. */
uint32_t model_add_state(Model *model, uint32_t thread, const char *name);
/* Adds an object without reached values but the initial one; the caller sets the names of its values. */
uint32_t model_add_object(Model *model, const char *name, bool is_token, uint32_t n_values, uint32_t initial);
/* The number of the label with these effects, which need not be sorted; `effects` is sorted in place. */
uint32_t model_label(Model *model, Effect *effects, uint32_t n);
EffectList model_effects(const Model *model, uint32_t label);

/* Does the label change no object? */
bool model_label_is_test(const Model *model, uint32_t label);

#endif
