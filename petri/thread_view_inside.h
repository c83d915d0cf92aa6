/* thread_view_inside.h: a program under construction, for thread_view.c, families.c, local_states.c and twins.c. */
#ifndef PETRI_THREAD_VIEW_INSIDE_H
#define PETRI_THREAD_VIEW_INSIDE_H

#include "petri/thread_view.h"

#define NOBODY UINT32_MAX       /* a place without neighbours */
#define SHARED (UINT32_MAX - 1) /* a place with neighbours in several threads */

/* A family: the places that the notes call copies of one variable. */
typedef struct {
  bool used, valid;
  uint32_t owner; /* of all its places, or SHARED, or NOBODY */
  uint32_t n_copies;
  uint32_t object; /* in the program, if valid and shared */
  uint32_t initial;
} Family;

/* One place of a family next to a transition. */
typedef struct {
  uint32_t family, copy, value;
} Item;
typedef VEC(Item) ItemVec;

/* What is known while the view is made. */
typedef struct {
  ThreadView *program;
  const Net *net;
  const Notes *notes;
  uint32_t *owner;        /* per place: a thread, or NOBODY, or SHARED */
  bool *forced;           /* per place: an object, though its neighbours belong to one thread */
  bool again;             /* a place was forced: start anew */
  uint32_t *token;        /* per place: its object if it is a shared token, else NOTE_NONE */
  Family *families;       /* per object of the notes */
  uint32_t *copy_index;   /* per place of a family: its copy, numbered from 0 within the family */
  uint32_t *reader_start; /* per family: where its copies' readers start in `reader` */
  uint32_t *reader;       /* per family and copy: the one thread that reads it, or NOBODY */
  ItemVec before, after;
} Builder;

/* The owner of a place, as far as it is known, when another neighbour turns up. */
static inline void join_owner(uint32_t *owner, uint32_t other) {
  if (other == NOBODY || *owner == other) return;
  *owner = *owner == NOBODY ? other : SHARED;
}

/* ---- families.c: once the owners are known ---- */

/* The family of the place, or NULL. */
static inline Family *family_of(const Builder *b, uint32_t place) {
  const PlaceNote *note = &b->notes->places[place];
  return note->role == ROLE_COPY ? &b->families[note->object] : NULL;
}

/* Finds the families, and which of them are used as docs/net.md says. */
void families_find(Builder *b);

/* Adds the transition's accesses to shared, valid families, whose objects must have been added. */
void families_add_accesses(Builder *b, TransId t);

/* ---- local_states.c: once the objects are known ---- */

/* Is the place part of a thread's local state? */
bool thread_view_is_private(const Builder *b, uint32_t place);

/* The local states and moves of all threads. False with *err on a limit, or with b->again if a private place could get
 * a second token as far as its thread alone knows, or a thread has very many states with the variables that it alone
 * uses: places were forced, and *err is not set. */
bool local_states_explore(Builder *b, Err *err);

/* ---- twins.c: last ---- */

/* Fills program->twin: of threads that behave alike, the first one. */
void twins_find(ThreadView *program);

#endif
