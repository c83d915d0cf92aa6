/* parts.h: the objects of a run that is still going on, by their addresses.
 *
 * What is accessed later is not known, so objects are not maximal ranges as in space.h: each granule of 8 bytes is
 * divided into parts of the same size, 8, 4, 2 or 1 bytes, as small as some access to it so far has asked for. Where an
 * access asks for smaller ones the granule is divided again, and each new part has the history of the old one that it
 * was in. */
#ifndef DISTIL_PARTS_H
#define DISTIL_PARTS_H

#include "base/heap.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* The granules that have been accessed. */
typedef struct Parts Parts;

/* None yet. Memory is the heap's; it grows with the addresses that are asked for. */
Parts *parts_new(Heap *heap);
void parts_free(Parts *parts);

/* Objects, which are numbered from 0; and those of the granule before it was divided again just now, n_old of them,
 * each of which has become as many of the new ones as the others; 0: it was not. */
typedef struct {
  uint32_t first, n;
  uint32_t old, n_old, new, n_new;
} PartsFound;

/* The parts of an access of `size` bytes, which lies in one granule. */
PartsFound parts_find(Parts *parts, uint64_t address, uint32_t size);

/* The object of an access to just one part, of a granule that was asked for lately; or PARTS_NONE. */
#define PARTS_NONE UINT32_MAX
static inline uint32_t parts_known(const Parts *parts, uint64_t address, uint32_t size);

/* The parts, if any, of the next granule from *address on, and below `end`, that was asked for since it was freed: it
 * is free now. False: there is none. *address is after it. */
bool parts_end(Parts *parts, uint64_t *address, uint64_t end, uint32_t *first, uint32_t *n);

/* Where the object is, and its bytes. */
uint64_t parts_address(const Parts *parts, uint32_t object, uint32_t *size);

/* Numbers given out. */
uint32_t parts_count(const Parts *parts);

/* --- how they are kept --- */

enum {
  PARTS_PAGE_BITS = 12,
  PARTS_GRANULES = 1 << (PARTS_PAGE_BITS - 3),
  PARTS_RECENT = 256,
  PARTS_ALIVE = 8 /* in PartsPage.form: it was asked for since it was freed */
};

/* 4096 bytes. */
typedef struct {
  uint64_t number;
  uint32_t first[PARTS_GRANULES]; /* object */
  uint8_t form[PARTS_GRANULES];   /* 1 + the logarithm of the bytes of a part; 0: none yet */
} PartsPage;

struct Parts {
  Heap *heap;
  PartsPage **table; /* by the hash of the page's number; open addressing */
  uint32_t size, n;
  PartsPage *recent[PARTS_RECENT]; /* none is NULL */
  VEC(uint64_t) address;           /* by object: shifted by 2, and the logarithm of its bytes */
};

static inline uint32_t parts_known(const Parts *p, uint64_t address, uint32_t size) {
  const PartsPage *page = p->recent[(address >> PARTS_PAGE_BITS) % PARTS_RECENT];
  const uint32_t granule = address >> 3 & (PARTS_GRANULES - 1), form = page->form[granule];
  const bool same = page->number == address >> PARTS_PAGE_BITS && 1u << (form & 7) == 2 * size;
  if (!same || !(form & PARTS_ALIVE) || address & (size - 1)) return PARTS_NONE;
  return page->first[granule] + ((uint32_t)(address & 7) >> ((form & 7) - 1));
}

#endif
