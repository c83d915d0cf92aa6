/* view_text.h: a net seen as threads that work on shared objects, written in the form of docs/certificates.md: its
 * objects with their values, the local states of its threads, and the places that are one object for a causal chain. */
#ifndef PETRI_VIEW_TEXT_H
#define PETRI_VIEW_TEXT_H

#include "petri/text_out.h"
#include "petri/thread_view.h"

/* The view, with the numbers of the certificate. A token that may be absent has two values, the second without places.
 * The arrays are the heap's. */
typedef struct {
  Heap *heap;
  const ThreadView *program;
  const PlaceId *places; /* per place of the program's net: its number in the certificate's; or NULL: the same */
  uint32_t n_objects;    /* those with numbers */
  uint32_t *number;      /* per object: from 0, or NOTE_NONE */
  uint32_t *value_at;    /* per object, + 1: where its values start below */
  U32Vec *value_places;  /* per value */
  uint32_t *value_name;  /* per value: its number among those of its object, from 1; 0: it has none */
} ViewText;

/* Numbers the objects that `numbered` says, in their order. The program and the places must live as long. */
void view_text_init(ViewText *view, Heap *heap, const ThreadView *program, const bool *numbered, const PlaceId *places);
void view_text_fini(ViewText *view);

/* The number of the value among those of its object, from 1; or 0: no place stands for it, so nothing ever takes it
 * (but a token may be absent). */
static inline uint32_t view_text_value(const ViewText *view, uint32_t object, uint32_t value) {
  return view->value_name[view->value_at[object] + value];
}

/* `h`: the places of all objects; `o` and `v`: the objects that have numbers; `a`: a local state of the thread, of that
 * kind, from 1; `g` and `r`: a group for each object, with a number or not, in their order. */
void view_text_shared(const ViewText *view, TextOut *out);
void view_text_objects(const ViewText *view, TextOut *out);
void view_text_control(const ViewText *view, TextOut *out, uint32_t kind, uint32_t thread, uint32_t state);
void view_text_groups(const ViewText *view, TextOut *out);

#endif
