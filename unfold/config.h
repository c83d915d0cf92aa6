/* config.h: the current configuration: one set of live events, closed under causes and free of conflict, and its cut.
 * Events are fired into it and taken back in reverse.
 *
 * It is what makes co-relations unnecessary: conditions can occur together iff the local configurations of their
 * producers can all be fired and none of the conditions is consumed on the way. */
#ifndef UNFOLD_CONFIG_H
#define UNFOLD_CONFIG_H

#include "unfold/branch.h"
#include "unfold/effects.h"

/* What is known of a place. Invariant: in a safe net a cut has at most one condition of a place. */
typedef struct {
  uint32_t cut;          /* its condition in the cut, or NONE */
  uint32_t producer;     /* that one's, where there is one */
  uint32_t alternatives; /* for extend.c: the first of its alternatives, or NONE */
  uint32_t n_alternatives;
  uint32_t n_live; /* all its live conditions */
  bool guarded;    /* for extend.c: its condition must not be consumed */
} PlaceState;

/* The configuration. */
typedef struct {
  Heap *heap;
  Branch *branch;
  PlaceState *places;
  const Effects *effects;
  uint64_t *marked; /* bitset: the places that have a condition in the cut */
  U32Vec trail;     /* the events inside, in the order in which they were fired */
  U32Vec path;      /* of them those up to which the trail is a local configuration: path[i] is an ancestor (by */
                    /* Event.parent) of path[i + 1]; their `height` is the length of the trail then */
  U32Vec work;      /* scratch */
} Config;

/* The empty configuration: its cut is the initial marking. `branch` and `effects` outlive it; memory is the heap of
 * the branch until fini. */
void config_init(Config *config, Branch *branch, const Effects *effects);
void config_fini(Config *config);

/* To be told of every new live event. */
void config_note_event(Config *config, uint32_t e);

/* Fires what is missing of the local configuration of e. False, with nothing changed, if it is in conflict with what is
 * inside, or if it would consume a condition of a guarded place. */
bool config_add(Config *config, uint32_t e);

/* Takes back all but the first `length` events of the trail. */
void config_undo(Config *config, uint32_t length);

/* Makes it the local configuration of e. The cost is the difference to the one before: configurations are a tree by
 * Event.parent, and the way leads over the youngest common ancestor. */
void config_switch(Config *config, uint32_t e);

#endif
