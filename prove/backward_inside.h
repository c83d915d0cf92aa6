/* backward_inside.h: the search backwards, for backward.c, which says what its elements are, and backward_text.c. */
#ifndef PROVE_BACKWARD_INSIDE_H
#define PROVE_BACKWARD_INSIDE_H

#include "base/bitset.h"
#include "prove/backward.h"

/* Where the chain is. */
typedef enum {
  CHAIN_NONE,   /* T has not begun: it is one of the threads, and `control` is NOTE_NONE */
  CHAIN_WITH_T, /* T, at `control` in the block, has it */
  CHAIN_LEFT,   /* T, now at `control`, has put it on item `at`; the others have not moved since T began */
  CHAIN_PASSED, /* another thread has put it on item `at`; T has not moved since the chain left it */
  CHAIN_CARRIED /* another thread, at control `at`, has it; likewise */
} ChainKind;

/* An item is twice an object, and 1 more where the chain was put there by writing. */
typedef struct {
  uint32_t kind, control, at;
} ChainKey;

/* Elements by their numbers. */
typedef VEC(U32Vec) Levels;

struct Backward {
  Heap *heap;
  Classes classes;
  Counted counted;
  Known facts;
  Links links;
  uint32_t n_places;     /* numbers of an element */
  uint32_t *value_at;    /* per object: the number of its first value, or NOTE_NONE if it has but one */
  uint32_t *object_of;   /* per number that is a value, from n_controls on */
  uint32_t *maker_start; /* per number, + 1: the live steps that lead there: to that control, or to that value from
                            another one */
  uint32_t *makers;
  /* while a block is searched */
  uint32_t block;
  uint64_t *inside; /* controls of its threads, from its begin on */
  Upward set;
  U32Vec current, made, all; /* the element that is gone back from; the new one; and with T and who carries the chain */
  uint32_t *stamp, round;    /* per step */
  uint32_t *count;           /* per class; all 0 between elements */
  VEC(uint32_t *) found;     /* per class: the threads of an element that is an initial configuration */
  Levels levels;             /* per number of threads: the elements to go back from */
};

/* What a number of an element is: a control, or a value of an object. */
static inline bool backward_is_control(const Backward *b, uint32_t place) { return place < b->classes.n_controls; }
static inline uint32_t backward_object(const Backward *b, uint32_t place) {
  return b->object_of[place - b->classes.n_controls];
}
static inline uint32_t backward_value(const Backward *b, uint32_t place) {
  return place - b->value_at[backward_object(b, place)];
}

/* Writes the set that the search has ended with: the certificate that the block is atomic. */
void backward_write(const Backward *b, FILE *out);

#endif
