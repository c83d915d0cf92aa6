/* thread_facts.h: what a certificate claims of the threads of a net with notes (docs/certificates.md), and whether it
 * is true. Nothing is believed of the notes but which thread a transition belongs to and which blocks it begins and
 * ends, as that is what a block's atomicity is about.
 *
 * A control is a thread and a set of places that only its own transitions touch, private to it: those that are marked.
 * Each has a kind: bits that the thread holds, and the values that each object may have. */
#ifndef CHECK_THREAD_FACTS_H
#define CHECK_THREAD_FACTS_H

#include "base/bitset.h"
#include "base/intern.h"
#include "petri/net.h"

#define FACT_NONE UINT32_MAX

/* What a transition does to an object: values are numbered through all objects. */
typedef struct {
  uint32_t object, pre, post;
} FactEffect;

/* The effects of one transition: a piece of ThreadFacts.effects. */
typedef struct {
  const FactEffect *at;
  uint32_t n;
} FactEffects;

/* A transition at a control that the facts do not rule out. */
typedef struct {
  uint32_t from, to;
  TransId transition;
  uint32_t kind; /* steps of one kind have the same effects, and the kinds of their controls are the same */
} FactStep;

/* Two threads at controls of these kinds, and the values of the objects that a set follows, are one of its lines. */
typedef struct {
  U32Vec objects;
  uint64_t *left, *right; /* kinds, bitsets */
  Intern lines;           /* each the words of its two kinds and its values, numbered through all objects */
  Intern pairs;           /* the kinds of each line */
  U32Vec first, next;     /* per pair: one of its lines; per line: the next one of its pair, or FACT_NONE */
} FactPairs;

/* Some threads of which something is true: none, one, or several. */
typedef struct {
  uint32_t first; /* FACT_NONE: none */
  bool several;
} FactThreads;

/* The facts that are claimed, and what follows from them when they are judged. The arrays are the heap's. */
typedef struct {
  Heap *heap;
  const Net *net;
  uint32_t n_threads;  /* those of the notes, then one for each transition of none */
  uint32_t *thread_of; /* per transition */
  uint32_t *owner;     /* per place: the thread to which it is private, or FACT_NONE */
  /* claimed */
  U32Vec object_start; /* per object, + 1: its values */
  U32Vec value_size;   /* per value: its places */
  uint32_t *value_of;  /* per place, or FACT_NONE */
  uint32_t n_bits;
  U32Vec bit_of;     /* per object: its bit, or FACT_NONE */
  U32Vec counters;   /* objects */
  U32Vec counter_of; /* per object: its counter, or FACT_NONE */
  uint32_t n_kinds;
  size_t bit_words, value_words;
  VEC(uint64_t) held, values; /* per kind: its words */
  U32Vec weights;             /* per kind: of each counter */
  VEC(FactPairs) pairs;
  Intern controls; /* each the bytes of its thread and its places, ascending */
  U32Vec control_kind;
  /* found */
  U32Vec initial;     /* per object: its value at first */
  U32Vec start;       /* per thread: its initial control */
  U32Vec missing;     /* per counter: what the weights at first do not add up to */
  VEC(uint64_t) most; /* per counter: the largest weights of all threads */
  U32Vec kind_most;   /* per kind, of each counter: the largest weight of a thread that has such a control; the least */
  U32Vec effect_start; /* per transition, + 1 */
  VEC(FactEffect) effects;
  VEC(FactStep) steps;
  U32Vec step_start;                           /* per control, + 1 */
  U32Vec step_kind;                            /* per kind of steps: a step of it */
  VEC(FactThreads) kind_threads, step_threads; /* per kind of controls, and of steps */
  U32Vec *kind_pairs;                          /* per kind of controls: the sets of pairs it is in; or NULL */
} ThreadFacts;

/* Fails, with ERR_CHECK, if the net has no notes, if it is not known to be 1-safe (`is_safe`) and counting
 * (petri/safe.h) does not show it, or if a thread is not sequential. Then there is nothing to free. */
bool thread_facts_init(ThreadFacts *facts, Heap *heap, const Net *net, bool is_safe, Err *err);
void thread_facts_fini(ThreadFacts *facts);

/* ---- the claims, in this order; false, with ERR_CHECK, for one that cannot be made ---- */

void thread_facts_share(ThreadFacts *facts, PlaceId place); /* it is private to nobody */
void thread_facts_object(ThreadFacts *facts);               /* the next object */
bool thread_facts_value(ThreadFacts *facts, const uint32_t *places, uint32_t n,
                        Err *err);                                    /* its next value: all are marked */
bool thread_facts_bit(ThreadFacts *facts, uint32_t object, Err *err); /* held by whom took it off its initial value */
bool thread_facts_counter(ThreadFacts *facts, uint32_t object, Err *err);
void thread_facts_kind(ThreadFacts *facts); /* the next kind, which holds nothing; any value; counts for nothing */
void thread_facts_hold(ThreadFacts *facts, uint32_t bit);     /* the kind holds the object of that bit */
void thread_facts_limit(ThreadFacts *facts, uint32_t object); /* no value of it, but those allowed now */
void thread_facts_allow(ThreadFacts *facts, uint32_t value);  /* counted across all objects */
bool thread_facts_weigh(ThreadFacts *facts, uint32_t object, uint32_t weight, Err *err);
bool thread_facts_control(ThreadFacts *facts, uint32_t kind, uint32_t thread, const uint32_t *places, uint32_t n,
                          Err *err); /* a further control of the kind */
bool thread_facts_pairs(ThreadFacts *facts, const uint32_t *objects, uint32_t n, Err *err); /* the next set; no line */
void thread_facts_left(ThreadFacts *facts, uint32_t kind);
void thread_facts_right(ThreadFacts *facts, uint32_t kind);
bool thread_facts_pair(ThreadFacts *facts, uint32_t left, uint32_t right, const uint32_t *values,
                       Err *err); /* a line; a value for each object, counted within it */

/* How many objects, and how many controls, are claimed so far. */
static inline uint32_t thread_facts_objects(const ThreadFacts *facts) { return facts->object_start.n - 1; }
static inline uint32_t thread_facts_controls(const ThreadFacts *facts) { return facts->control_kind.n; }

/* The object that has the value, which is counted across all objects. */
uint32_t thread_facts_object_of(const ThreadFacts *facts, uint32_t value);

/* The thread and the places of a control. */
static inline uint32_t thread_facts_thread(const ThreadFacts *facts, uint32_t control) {
  return *(const uint32_t *)(const void *)facts->controls.strings.at[control];
}
static inline PlaceList thread_facts_places(const ThreadFacts *facts, uint32_t control) {
  const PlaceId *at = (const PlaceId *)(const void *)facts->controls.strings.at[control];
  return (PlaceList){at + 1, facts->controls.lengths.at[control] / (uint32_t)sizeof *at - 1};
}

/* ---- are they true? ---- */

/* Each object has one value at a time; every control that a thread comes to is there; each transition keeps the bits,
 * the weights, and the values, those of its own thread and those of others; sets of pairs are closed. Fills what is
 * found. False, with ERR_CHECK, if not. */
bool thread_facts_judge(ThreadFacts *facts, Err *err);

/* Once they are true: may threads be at controls of these kinds at the same time; may one take a step of that kind
 * while another one stays at a control of that kind? Who is who is not asked. */
bool thread_facts_meet(const ThreadFacts *facts, uint32_t kind, uint32_t other);
bool thread_facts_pass(const ThreadFacts *facts, uint32_t step_kind, uint32_t kind);

/* The same without sets of pairs. May the object have the value while different threads are at controls of these kinds,
 * as far as it counts? */
bool thread_facts_meet_alone(const ThreadFacts *facts, uint32_t kind, uint32_t other);
bool thread_facts_pass_alone(const ThreadFacts *facts, uint32_t step_kind, uint32_t kind);
bool thread_facts_counts(const ThreadFacts *facts, uint32_t object, uint32_t value, const uint32_t *kinds, uint32_t n);

/* What the transition does to the objects, once that was found. */
static inline FactEffects thread_facts_effects(const ThreadFacts *facts, TransId t) {
  const uint32_t from = facts->effect_start.at[t.v];
  return (FactEffects){facts->effects.at + from, facts->effect_start.at[t.v + 1] - from};
}

/* May the value be while a thread is at a control of the kind? */
static inline bool thread_facts_allows(const ThreadFacts *facts, uint32_t kind, uint32_t value) {
  return bitset_has(facts->values.at + kind * facts->value_words, value);
}

/* Does a thread at a control of the kind hold the object? */
static inline bool thread_facts_holds(const ThreadFacts *facts, uint32_t kind, uint32_t object) {
  const uint32_t bit = facts->bit_of.at[object];
  return bit != FACT_NONE && bitset_has(facts->held.at + kind * facts->bit_words, bit);
}

/* Is there a thread among them that is not this one? */
static inline bool fact_threads_other(FactThreads threads, uint32_t thread) {
  return threads.first != FACT_NONE && (threads.several || threads.first != thread);
}

/* Are there a thread of the one and a thread of the other that are two? */
static inline bool fact_threads_two(FactThreads one, FactThreads other) {
  return one.first != FACT_NONE && (fact_threads_other(other, one.first) || (one.several && other.first != FACT_NONE));
}

#endif
