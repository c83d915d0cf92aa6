/* upward.h: upward-closed sets, each as its least elements. An element is a key and a multiset of numbers; it is below
 * another one with the same key and all its numbers, each as often at least. Every such set has finitely many least
 * elements for each key (Dickson's lemma), so sets that only grow do so finitely often. */
#ifndef PROVE_UPWARD_H
#define PROVE_UPWARD_H

#include "base/intern.h"

/* One that was added. */
typedef struct {
  uint32_t list;   /* of those with its key and as many numbers, in Upward.lists */
  uint32_t at, n;  /* its numbers: a piece of Upward.numbers, ascending */
  uint32_t next;   /* the next one of its list, or UPWARD_NONE */
  uint64_t sign;   /* a bit for each number, some numbers sharing one */
  bool is_dropped; /* a later one is below it; it is in no list */
} UpwardElement;

#define UPWARD_NONE UINT32_MAX

/* A key, with how many numbers there are. What they mean is the caller's. */
typedef struct {
  uint32_t words[3], n;
} UpwardKey;

/* The set. All its memory is the heap's. */
typedef struct {
  Heap *heap;
  Intern lists;                /* the keys */
  U32Vec first;                /* per list: its latest element, or UPWARD_NONE */
  VEC(UpwardElement) elements; /* all that were ever added, in that order */
  U32Vec numbers;
  HashSlots slots; /* the elements, to find one that is the same */
  uint32_t most;   /* the most numbers of an element */
} Upward;

/* Without an element. */
void upward_init(Upward *set, Heap *heap);
void upward_fini(Upward *set);

/* Adds the element with those words as its key, whose numbers are ascending, and drops those that are above it. False
 * if one is below it, or the same: then nothing changes. */
bool upward_add(Upward *set, const uint32_t *words, const uint32_t *numbers, uint32_t n);

/* The words of an element's key. They are the set's until the next one is added. */
void upward_key(const Upward *set, uint32_t element, uint32_t *words);

#endif
