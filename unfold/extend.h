/* extend.h: the possible extensions that an event brings. */
#ifndef UNFOLD_EXTEND_H
#define UNFOLD_EXTEND_H

#include "unfold/config.h"
#include "unfold/limits.h"
#include "unfold/possible.h"
#include "unfold/queue.h"

/* A condition that is concurrent to the current event, but not in the cut of that event's configuration. Those of one
 * place are trees: below a condition are those that an event makes of it, which takes it and gives it back. */
typedef struct {
  uint32_t condition;
  uint32_t producer; /* live event */
  uint32_t parent;   /* the alternative that it was made of; ALTERNATIVE_BASE: the place's condition in the cut; */
                     /* NONE: the place was empty before */
  uint32_t child;    /* the first of those made of it, or NONE */
  uint32_t sibling; /* the next with the same parent, or, of those whose parent is no alternative, of the same place; or
                       NONE */
} Alternative;

#define ALTERNATIVE_BASE (NONE - 1)

/* A place of the current preset for which there is more than one condition to choose. */
typedef struct {
  uint32_t place;
  uint32_t n_choices;
  uint32_t base;   /* its condition in the cut of the current event, or NONE */
  uint32_t cut;    /* the same for the configuration before the choice */
  uint32_t under;  /* where `cut` is an alternative: its number, else NONE */
  uint32_t next;   /* the alternative to be tried next, or NONE; at first `cut` is tried */
  uint32_t height; /* of the trail before the choice */
  bool begun;
} Choice;

/* A watcher of a condition that is concurrent to the current event; it may be concurrent itself. */
typedef struct {
  uint32_t event, condition;
} Candidate;

/* The search for extensions. */
typedef struct {
  Branch *branch;
  Config *config;
  Queue *queue;
  Limits *limits;
  Regions regions;
  Possible possible;
  uint64_t wanted;           /* the regions in which conditions concurrent to the current event are looked for */
  uint32_t epoch;            /* number of the search; an event has two at most */
  uint32_t event;            /* the current event, or NONE: the initial marking */
  uint32_t height;           /* the events of the trail beyond this length are those needed besides it */
  uint32_t *seen;            /* per transition: the search in which it was looked at last */
  U32Vec found;              /* the live events concurrent to the current event */
  uint64_t n_found;          /* by all searches */
  VEC(Candidate) candidates; /* of that search */
  VEC(Alternative) alternatives;
  U32Vec touched; /* the places that have alternatives */
  VEC(Choice) choices;
  uint32_t unsafe_place; /* the place that gets a second token when `run` is fired; else NONE */
  U32Vec run;            /* transitions */
} Extend;

/* Nothing is queued yet. What is given outlives `extend`; memory is the heap of the branch until fini. */
void extend_init(Extend *extend, Branch *branch, Config *config, Queue *queue, Limits *limits);
void extend_fini(Extend *extend);

/* Queues the transitions that the initial marking enables; those that live event e enables, with others' help or
 * without. e must be the youngest live event. False if the net is not safe, see `run`. */
bool extend_initial(Extend *extend);
bool extend_event(Extend *extend, uint32_t e);

#endif
