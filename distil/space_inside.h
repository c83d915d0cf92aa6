/* space_inside.h: what space.c and filters.c share: a table of pages; for each 8 bytes of a page, a granule: where
 * objects begin in it, and who has accessed which bytes; for each line of a page, a summary. */
#ifndef DISTIL_SPACE_INSIDE_H
#define DISTIL_SPACE_INSIDE_H

#include "distil/space.h"

#include "base/hash.h"
#include "base/vec.h"

#include <stdatomic.h>

enum {
  PAGE_BITS = 12,
  GRANULE_BITS = 3,
  GRANULES = 1 << (PAGE_BITS - GRANULE_BITS),
  LINES = 1 << (PAGE_BITS - RAW_LINE_BITS),
  PER_LINE = GRANULES / LINES
};
enum { RECENT = 256 };

#define NOBODY 0u
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define SPLIT (UINT32_C(1) << 31)

/* What is known of 8 bytes. In the first pass filters look at `begins` and `shared` meanwhile; bits are only added to
 * them. */
typedef struct {
  uint32_t owner; /* the thread + 1 that accessed it in this life; or SPLIT + an index; in the second pass, objects that
                     begin before it */
  _Atomic uint8_t begins; /* bit i: an object begins at its byte i, or ends before it */
  _Atomic uint8_t shared; /* by two threads, in some life */
  uint8_t touched;        /* by its owner, in this life */
} Granule;

/* In the second pass: a line all of whose granules are alike. */
typedef struct {
  uint32_t before; /* objects that begin before it */
  uint32_t form;   /* i: its objects have 2^i bytes each, and all are kept; or one of these */
} Line;

enum { LOCAL = 4, MIXED }; /* none is kept; anything else */

/* What is known of 4096 bytes. */
typedef struct {
  Granule at[GRANULES];
  Line lines[LINES];
  _Atomic uint64_t
      settled[2]; /* in the first pass, bits of lines: there is nothing more to note of accesses of whole 4, 8 bytes */
  uint64_t number;
  uint32_t before;      /* objects that begin in pages of lower numbers */
  uint32_t form;        /* in the second pass: that of all of its lines, or MIXED */
  bool even;            /* then: all of its objects are alive, and their numbers in the log go on by one */
  uint32_t wait, waits; /* so many questions until that is looked at again, if it was not so; and of the next time */
} Page;

/* By the hash of the page's number; open addressing. One thread adds, others may read meanwhile. */
typedef struct Table {
  struct Table *old; /* a smaller one, that was in use before, and may be still */
  uint32_t n;
  _Atomic(Page *) slots[];
} Table;

/* The owners of the single bytes of a granule that several threads have accessed. */
typedef struct {
  uint32_t owner[8];
} Split;

/* Pages found last, by the low bits of their numbers. */
typedef struct {
  uint64_t number;
  Page *page;
} Recent;

struct Space {
  Heap *heap;
  Source *source;
  const _Atomic uint64_t *shared; /* of its header */
  _Atomic(Table *) table;
  uint32_t n_pages;
  Recent recent[RECENT];
  VEC(Split) splits;
  U32Vec free_splits;
  Page **sorted; /* by number, in the second pass */
  struct {
    uint32_t page, granule; /* where space_address has found an object last; of `sorted` */
  } * asked;
  uint32_t *marks; /* by object */
};

/* The page, and in *slot its slot; or NULL, and the free one where it belongs, which another page may have taken by
 * now. */
static inline Page *seek_page(Table *table, uint64_t number, uint32_t *slot) {
  for (*slot = (uint32_t)hash_word(number) & (table->n - 1);; *slot = (*slot + 1) & (table->n - 1)) {
    Page *page = atomic_load_explicit(&table->slots[*slot], memory_order_acquire);
    if (!page || page->number == number) return page;
  }
}

/* The page that the address is in, or NULL if there is none. */
static inline Page *find_page(const Space *s, uint64_t address) {
  uint32_t slot;
  return seek_page(atomic_load_explicit(&s->table, memory_order_acquire), address >> PAGE_BITS, &slot);
}

/* The granule of the address in its page. */
static inline uint32_t granule_of(uint64_t address) { return address >> GRANULE_BITS & (GRANULES - 1); }

/* Bits `from` to `to` - 1. */
static inline uint8_t bits(uint32_t from, uint32_t to) { return (uint8_t)((1u << to) - (1u << from)); }

/* Is the bit of the stripe set in RawHeader.shared? */
static inline uint32_t is_shared(const _Atomic uint64_t *shared, uint32_t stripe) {
  return atomic_load_explicit(&shared[stripe / 64], memory_order_relaxed) >> stripe % 64 & 1;
}

/* First pass. Is there nothing more to note of such accesses, to the 2^bits bytes around the address? 0: there may be.
 */
static inline uint32_t settled_bits(const Page *page, uint64_t address, uint32_t size) {
  if (address & (size - 1) || (size != 4 && size != 8)) return 0;
  const uint64_t settled = atomic_load_explicit(&page->settled[size / 8], memory_order_relaxed);
  if (!(settled >> (address >> RAW_LINE_BITS) % LINES & 1)) return 0;
  return settled == UINT64_MAX ? PAGE_BITS : RAW_LINE_BITS;
}

/* What is known of the granule, and may be more in a moment. */
static inline uint8_t begins_in(const Page *page, uint32_t granule) {
  return atomic_load_explicit(&page->at[granule].begins, memory_order_relaxed);
}

static inline uint8_t shared_in(const Page *page, uint32_t granule) {
  return atomic_load_explicit(&page->at[granule].shared, memory_order_relaxed);
}

/* First pass. Is it known that all bytes of the access are shared, and that an object begins at both its ends? Then it
 * tells nothing new: which of the other bytes of its granule are shared does not depend on it. */
static inline bool is_noted_in(const Page *page, uint64_t address, uint32_t size) {
  const uint32_t from = address & 7, to = from + size, granule = granule_of(address);
  if (to > 8 || granule == GRANULES - 1) return false;
  const uint8_t mask = bits(from, to), ends = (uint8_t)(bits(from, from + 1) | (to < 8 ? bits(to, to + 1) : 0));
  return !(mask & ~shared_in(page, granule)) && !(ends & ~begins_in(page, granule)) &&
         (to < 8 || begins_in(page, granule + 1) & 1);
}

/* How many of the lowest 8 bits are set; `byte` is less than 256. */
static inline uint32_t bits_in(uint32_t byte) {
  byte -= byte >> 1 & 0x55;
  byte = (byte & 0x33) + (byte >> 2 & 0x33);
  return (byte + (byte >> 4)) & 0xf;
}

/* The object of byte i of the granule. */
static inline uint32_t object_at(const Page *page, uint32_t granule, uint32_t i) {
  const uint32_t begins = begins_in(page, granule) & bits(0, i + 1);
  return page->at[granule].owner + (begins & (begins - 1) ? bits_in(begins) : begins != 0);
}

#endif
