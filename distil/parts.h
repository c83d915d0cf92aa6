/* parts.h: the objects of a run that is still going on, by their addresses.
 *
 * What is accessed later is not known, so objects are not maximal ranges as in space.h: each granule of 8 bytes is
 * divided into parts of the same size, 8, 4, 2 or 1 bytes, as small as some access to it so far has asked for. Where an
 * access asks for smaller ones the granule is divided again, and each new part has the history of the old one that it
 * was in.
 *
 * A line of 64 bytes is one object as long as all of it is accessed together. Once nothing that was done so far matters
 * any more, a line that was divided may become one again. */
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

/* Objects, which are numbered from 0. Those before something was divided just now, if it was:
 * - `whole`, the object of the line, or PARTS_NONE: its history is that of all parts of the line (parts_at);
 * - then n_old of the granule, each of which has become as many of the new ones as the others; 0: it was not divided.
 */
typedef struct {
  uint32_t first, n;
  uint32_t whole;
  uint32_t old, n_old, new, n_new;
} PartsFound;

#define PARTS_NONE UINT32_MAX

/* The parts of an access of `size` bytes, which lies in one granule. */
PartsFound parts_find(Parts *parts, uint64_t address, uint32_t size);
/* The object of an access to all of a line, by pieces of 2^log_size bytes; PARTS_NONE: it is divided. */
uint32_t parts_of_line(Parts *parts, uint64_t line, uint32_t log_size);
/* The parts of the granule, of a line that was divided. */
void parts_at(const Parts *parts, uint64_t address, uint32_t *first, uint32_t *n);

/* Nothing that was done to any object so far matters any more. */
static inline void parts_forget(Parts *parts);

/* The object of an access to just one part, of a granule that was asked for lately; or PARTS_NONE. */
static inline uint32_t parts_known(Parts *parts, uint64_t address, uint32_t size);

/* The line of the address is divided now, if it was one object and the address is not where it begins: that object, or
 * PARTS_NONE. */
uint32_t parts_cut(Parts *parts, uint64_t address);
/* The parts, if any, of the next granule or line from *address on, and below `end`, that was asked for since it was
 * freed: it is free now. False: there is none. *address is after it. Lines were cut at both (parts_cut). */
bool parts_end(Parts *parts, uint64_t *address, uint64_t end, uint32_t *first, uint32_t *n);

/* Where the object is, and its bytes; of a line, those of its first piece. */
uint64_t parts_address(const Parts *parts, uint32_t object, uint32_t *size);

/* Numbers given out. */
uint32_t parts_count(const Parts *parts);

/* --- how they are kept --- */

enum {
  PARTS_PAGE_BITS = 12,
  PARTS_GRANULES = 1 << (PARTS_PAGE_BITS - 3),
  PARTS_LINE_BITS = 6,
  PARTS_LINES = 1 << (PARTS_PAGE_BITS - PARTS_LINE_BITS),
  PARTS_IN_LINE = PARTS_GRANULES / PARTS_LINES,
  PARTS_RECENT = 256,
  PARTS_ALIVE = 8 /* in PartsPage.form: it was asked for since it was freed, and its line is not one object */
};

/* 4096 bytes. */
typedef struct {
  uint64_t number;
  uint64_t lines;                 /* a bit for each line: it is one object; */
  uint64_t alive;                 /* which was asked for since it was freed */
  uint64_t age[PARTS_LINES];      /* Parts.age when a part of it was last asked for */
  uint32_t whole[PARTS_LINES];    /* 1 + the line's object; 0: it was never one */
  uint32_t first[PARTS_GRANULES]; /* object */
  uint8_t form[PARTS_GRANULES];   /* 1 + the logarithm of the bytes of a part; 0: none yet */
} PartsPage;

struct Parts {
  Heap *heap;
  PartsPage **table; /* by the hash of the page's number; open addressing */
  uint32_t size, n;
  uint64_t age;                    /* from 1; how often all was forgotten */
  PartsPage *recent[PARTS_RECENT]; /* none is NULL */
  VEC(uint64_t) address;           /* by object: shifted by 2, and the logarithm of the bytes */
};

static inline void parts_forget(Parts *p) { p->age++; }

static inline uint32_t parts_known(Parts *p, uint64_t address, uint32_t size) {
  PartsPage *page = p->recent[(address >> PARTS_PAGE_BITS) % PARTS_RECENT];
  const uint32_t granule = address >> 3 & (PARTS_GRANULES - 1), form = page->form[granule];
  const bool same = page->number == address >> PARTS_PAGE_BITS && 1u << (form & 7) == 2 * size;
  if (!same || !(form & PARTS_ALIVE) || address & (size - 1)) return PARTS_NONE;
  page->age[granule / PARTS_IN_LINE] = p->age;
  return page->first[granule] + ((uint32_t)(address & 7) >> ((form & 7) - 1));
}

#endif
