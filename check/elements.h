/* elements.h: an upward-closed set, as the elements that a certificate lists. An element is a key and a multiset of
 * numbers; it is below another one with the same key and all its numbers, each as often at least. */
#ifndef CHECK_ELEMENTS_H
#define CHECK_ELEMENTS_H

#include "base/intern.h"

/* What the words mean is the caller's. */
typedef struct {
  uint32_t kind, at, item;
} ElementKey;

/* One, whose numbers ascend. */
typedef struct {
  ElementKey key;
  const uint32_t *numbers;
  uint32_t n;
} Element;

/* The set. Its memory is the heap's. */
typedef struct {
  Heap *heap;
  Intern all;         /* the words of each: its key, then its numbers */
  Intern lists;       /* a key and the least number of an element; or ELEMENT_EMPTY where it has none */
  U32Vec first;       /* per list: its latest element, or ELEMENT_EMPTY */
  U32Vec next;        /* per element: the one before it in its list, or ELEMENT_EMPTY */
  VEC(uint64_t) sign; /* per element: a bit for each number, some numbers sharing one */
  U32Vec words;
} Elements;

#define ELEMENT_EMPTY UINT32_MAX

/* Without an element. */
void elements_init(Elements *elements, Heap *heap);
void elements_fini(Elements *elements);

/* Nothing changes if it is there already. */
void elements_add(Elements *elements, Element element);

/* How many there are, and one of them, by its number from 0. */
static inline uint32_t elements_count(const Elements *elements) { return elements->all.strings.n; }
Element elements_at(const Elements *elements, uint32_t number);

/* Is some element below this one, or the same? */
bool elements_cover(Elements *elements, Element element);

#endif
