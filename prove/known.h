/* known.h: what holds whenever a thread is at a control, whatever the others do (docs/proofs.md).
 *
 * Bits, generalised locks: a thread *holds* an object while the object is off its initial value and the thread took it
 * off. Where only the holder changes the object before it puts it back, at most one thread holds it at a time, and it
 * is off its initial value iff somebody holds it. Locks and test-and-set flags are found alike.
 *
 * Values: those that each object with several values may have while the thread is there.
 *
 * Two controls are *compatible* if two threads may be there at the same time as far as this tells: they hold nothing in
 * common, and each object may have the same value for both. All of it is true for any number of threads of each class
 * that has two or more, unless there are counters. */
#ifndef PROVE_KNOWN_H
#define PROVE_KNOWN_H

#include "base/bitset.h"
#include "prove/classes.h"

/* An object whose value is the sum of the weights of the controls where the threads are, and `base`, modulo the number
 * of its values; each weight is from 0 to the largest one of its class. This counts threads. */
typedef struct {
  uint32_t object, base;
  uint64_t most;        /* the largest weight of each thread, all together */
  uint32_t *weight;     /* per control */
  uint32_t *class_most; /* per class: its largest weight */
} Counter;

struct Together; /* prove/together.h */

/* The facts about the controls and steps of some classes, which outlive them. The arrays are the heap's. */
typedef struct {
  Heap *heap;
  const Classes *classes;
  uint32_t n_bits;      /* objects that may be held */
  uint32_t *bit;        /* per object: its bit, or NOTE_NONE; bits are ascending by object */
  uint32_t *bit_object; /* per bit */
  size_t held_words;
  uint64_t *held;     /* per control: held_words words, the bits */
  U32Vec tracked;     /* the objects whose values are followed, ascending; */
  U32Vec wide;        /* and those of them with more values than a word has bits */
  uint32_t *value_at; /* per object: where its values start in a row, or NOTE_NONE */
  size_t value_words;
  uint64_t *value_top, *value_rest; /* per word of a row: the last value of each object in it; all others */
  uint64_t *values;                 /* per control: value_words words */
  uint64_t *reached, *live;         /* controls, and steps: may a thread ever be there, and take it? */
  VEC(Counter) counters;            /* none, unless they were asked for */
  uint32_t *counter;                /* per object: its counter, or NOTE_NONE */
  uint32_t n_kinds;
  uint32_t *kind;          /* per control that is reached: those of one kind have the same bits, values and weights,
                              in classes with the same largest ones */
  U32Vec kind_control;     /* per kind: a control of it */
  uint64_t *asked, *meets; /* per pair of kinds: is it known whether they are compatible, and are they? Or NULL */
  const struct Together *together; /* what is known of two threads together; or NULL. It is its maker's */
} Known;

/* False if the work was asked to end (heap_asked): then there is nothing to free. */
bool known_init(Known *facts, Heap *heap, const Classes *classes);
void known_fini(Known *facts);

/* As known_init, for more facts of the same net than `facts`, which has no counters: with counters, and with what
 * follows from them. If there are none, it is a copy. */
bool known_init_counting(Known *counting, const Known *facts);

/* May two threads be at these controls, both reached, at the same time? The first one as far as pairs are not asked. */
bool known_meet_alone(const Known *facts, uint32_t control, uint32_t other);
bool known_meet(const Known *facts, uint32_t control, uint32_t other);

/* May another thread than the one at the control, reached, take the step, live, while that one stays there? The first
 * one as far as pairs are not asked. */
bool known_pass_alone(const Known *facts, uint32_t step, uint32_t control);
bool known_pass(const Known *facts, uint32_t step, uint32_t control);

/* May the object have the value while different threads are at these controls, as far as it counts? */
bool known_counts(const Known *facts, uint32_t object, uint32_t value, const uint32_t *controls, uint32_t n);

/* May the object have the value while a thread is at the control, reached? */
bool known_allows(const Known *facts, uint32_t control, uint32_t object, uint32_t value);

/* Sets is_lock[0 .. objects - 1]: is the object held, and does nobody but the holder find it off its initial value? A
 * thread that is left out then only leaves it free for longer. */
void known_find_locks(const Known *facts, bool *is_lock);

/* May a thread ever be at the control? */
static inline bool known_is_reached(const Known *facts, uint32_t control) {
  return bitset_has(facts->reached, control);
}
/* May a thread ever take the step? Does a thread at the control hold the object? */
static inline bool known_is_live(const Known *facts, uint32_t step) { return bitset_has(facts->live, step); }
static inline bool known_is_held(const Known *facts, uint32_t control, uint32_t object) {
  const uint32_t bit = facts->bit[object];
  return bit != NOTE_NONE && bitset_has(facts->held + control * facts->held_words, bit);
}

#endif
