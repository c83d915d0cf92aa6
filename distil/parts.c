#include "distil/parts.h"

#include "base/hash.h"

#include <assert.h>

/* In the place of a page that was not asked for. */
static const PartsPage nothing = {.number = UINT64_MAX};

Parts *parts_new(Heap *heap) {
  Parts *p = heap_zeroed(heap, sizeof *p);
  p->heap = heap;
  p->size = 1024;
  for (uint32_t i = 0; i < PARTS_RECENT; i++) p->recent[i] = (PartsPage *)(uintptr_t)&nothing;
  p->table = heap_zeroed(heap, p->size * sizeof *p->table);
  return p;
}

void parts_free(Parts *p) {
  for (uint32_t i = 0; i < p->size; i++) heap_release(p->heap, p->table[i]);
  heap_release(p->heap, p->table);
  vec_fini(p->heap, &p->address);
  heap_release(p->heap, p);
}

static PartsPage **slot_of(PartsPage **table, uint32_t size, uint64_t number) {
  uint32_t i = (uint32_t)hash_word(number) & (size - 1);
  while (table[i] && table[i]->number != number) i = (i + 1) & (size - 1);
  return &table[i];
}

static void grow(Parts *p) {
  const uint32_t size = p->size * 2;
  PartsPage **table = heap_zeroed(p->heap, heap_product(p->heap, size, sizeof *table));
  for (uint32_t i = 0; i < p->size; i++)
    if (p->table[i]) *slot_of(table, size, p->table[i]->number) = p->table[i];
  heap_release(p->heap, p->table);
  p->table = table;
  p->size = size;
}

static PartsPage *add_page(Parts *p, uint64_t number) {
  PartsPage **slot = slot_of(p->table, p->size, number);
  if (!*slot) {
    if (p->n >= p->size / 2) grow(p), slot = slot_of(p->table, p->size, number);
    *slot = heap_zeroed(p->heap, sizeof **slot);
    (*slot)->number = number;
    p->n++;
  }
  return p->recent[number % PARTS_RECENT] = *slot;
}

static inline PartsPage *page_of(Parts *p, uint64_t number) {
  PartsPage *recent = p->recent[number % PARTS_RECENT];
  return recent->number == number ? recent : add_page(p, number);
}

static inline uint32_t granule_of(uint64_t address) { return address >> 3 & (PARTS_GRANULES - 1); }

/* The form of the largest parts that the access consists of. */
static uint8_t form_of(uint64_t address, uint32_t size) {
  return (uint8_t)(1 + __builtin_ctz((uint32_t)(address & 7) | size | 8));
}

static uint32_t add_objects(Parts *p, uint64_t granule, uint32_t form) {
  const uint32_t first = p->address.n, bytes = 1u << (form - 1);
  for (uint32_t at = 0; at < 8; at += bytes) vec_push(p->heap, &p->address, (granule + at) << 2 | (form - 1));
  return first;
}

PartsFound parts_find(Parts *p, uint64_t address, uint32_t size) {
  assert(size > 0 && (address & 7) + size <= 8);
  PartsPage *page = page_of(p, address >> PARTS_PAGE_BITS);
  const uint32_t granule = granule_of(address);
  uint8_t had = page->form[granule] & (PARTS_ALIVE - 1), form = form_of(address, size);
  PartsFound found = {.n = 0};
  if (!had || form < had) {
    const uint32_t first = add_objects(p, address & ~UINT64_C(7), form);
    if (had)
      found =
          (PartsFound){.old = page->first[granule], .n_old = 8u >> (had - 1), .new = first, .n_new = 8u >> (form - 1)};
    page->first[granule] = first;
    had = form;
  }
  page->form[granule] = had | PARTS_ALIVE;
  found.first = page->first[granule] + ((uint32_t)(address & 7) >> (had - 1));
  found.n = size >> (had - 1);
  return found;
}

/* The next granule of the page, from this one on, that is alive; PARTS_GRANULES: none. */
static uint32_t next_alive(const PartsPage *page, uint32_t granule, uint32_t end) {
  while (granule < end && !(page->form[granule] & PARTS_ALIVE)) granule++;
  return granule;
}

bool parts_end(Parts *p, uint64_t *address, uint64_t end, uint32_t *first, uint32_t *n) {
  *address = (*address + 7) & ~UINT64_C(7);
  while (*address < end) {
    const uint64_t number = *address >> PARTS_PAGE_BITS, base = number << PARTS_PAGE_BITS,
                   next = base + (1u << PARTS_PAGE_BITS);
    PartsPage *page = *slot_of(p->table, p->size, number);
    const uint32_t last = end < next ? (uint32_t)((end - base + 7) >> 3) : PARTS_GRANULES;
    const uint32_t granule = page ? next_alive(page, granule_of(*address), last) : PARTS_GRANULES;
    if (granule < last) {
      const uint32_t form = page->form[granule] & (PARTS_ALIVE - 1);
      page->form[granule] = (uint8_t)form;
      *first = page->first[granule];
      *n = 8u >> (form - 1);
      *address = base + ((uint64_t)granule + 1) * 8;
      return true;
    }
    *address = next;
  }
  return false;
}

uint64_t parts_address(const Parts *p, uint32_t object, uint32_t *size) {
  *size = 1u << (p->address.at[object] & 3);
  return p->address.at[object] >> 2;
}

uint32_t parts_count(const Parts *p) { return p->address.n; }
