#include "distil/parts.h"

#include "base/hash.h"

#include <assert.h>

enum { FORM_GRANULE = 4 };

/* In the place of a page that was not asked for. */
static const PartsPage nothing = {.number = UINT64_MAX};

Parts *parts_new(Heap *heap) {
  Parts *p = heap_zeroed(heap, sizeof *p);
  p->heap = heap;
  p->size = 1024;
  p->age = 1;
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

static uint32_t line_of(uint64_t address) { return address >> PARTS_LINE_BITS & (PARTS_LINES - 1); }

static bool is_whole(const PartsPage *page, uint64_t address) { return page->lines >> line_of(address) & 1; }

/* The line, which was one object, becomes its granules, which are as they were before, or have one part. What it was.
 */
static uint32_t divide_line(Parts *p, PartsPage *page, uint64_t address) {
  const uint64_t line = address >> PARTS_LINE_BITS << PARTS_LINE_BITS, bit = UINT64_C(1) << line_of(address);
  for (uint32_t i = granule_of(line), k = 0; k < PARTS_IN_LINE; i++, k++) {
    if (!page->form[i]) {
      page->first[i] = add_objects(p, line + k * 8, FORM_GRANULE);
      page->form[i] = FORM_GRANULE;
    }
    if (page->alive & bit) page->form[i] |= PARTS_ALIVE;
  }
  page->lines &= ~bit;
  page->age[line_of(address)] = p->age;
  return page->whole[line_of(address)] - 1;
}

uint32_t parts_cut(Parts *p, uint64_t address) {
  PartsPage *page = *slot_of(p->table, p->size, address >> PARTS_PAGE_BITS);
  const bool inside = address % (1u << PARTS_LINE_BITS) && page && is_whole(page, address);
  return inside ? divide_line(p, page, address) : PARTS_NONE;
}

void parts_at(const Parts *p, uint64_t address, uint32_t *first, uint32_t *n) {
  const PartsPage *page = *slot_of(p->table, p->size, address >> PARTS_PAGE_BITS);
  *first = page->first[granule_of(address)];
  *n = 8u >> ((page->form[granule_of(address)] & (PARTS_ALIVE - 1)) - 1);
}

/* It is divided, but all that was done to its parts is forgotten. */
static void make_whole(Parts *p, PartsPage *page, uint64_t line, uint32_t log_size) {
  uint32_t *whole = &page->whole[line_of(line)];
  if (!*whole) {
    vec_push(p->heap, &p->address, line << 2 | (log_size < 3 ? log_size : 3));
    *whole = p->address.n;
  }
  for (uint32_t i = granule_of(line), k = 0; k < PARTS_IN_LINE; i++, k++) page->form[i] &= PARTS_ALIVE - 1;
  page->lines |= UINT64_C(1) << line_of(line);
}

uint32_t parts_of_line(Parts *p, uint64_t line, uint32_t log_size) {
  PartsPage *page = page_of(p, line >> PARTS_PAGE_BITS);
  const uint32_t number = line_of(line);
  if (!is_whole(page, line)) {
    if (page->age[number] == p->age) return PARTS_NONE;
    make_whole(p, page, line, log_size);
  }
  page->alive |= UINT64_C(1) << number;
  return page->whole[number] - 1;
}

PartsFound parts_find(Parts *p, uint64_t address, uint32_t size) {
  assert(size > 0 && (address & 7) + size <= 8);
  PartsPage *page = page_of(p, address >> PARTS_PAGE_BITS);
  const uint32_t granule = granule_of(address);
  PartsFound found = {.whole = is_whole(page, address) ? divide_line(p, page, address) : PARTS_NONE};
  uint8_t had = page->form[granule] & (PARTS_ALIVE - 1), form = form_of(address, size);
  if (!had || form < had) {
    const uint32_t first = add_objects(p, address & ~UINT64_C(7), form);
    if (had) {
      found.old = page->first[granule], found.n_old = 8u >> (had - 1);
      found.new = first, found.n_new = 8u >> (form - 1);
    }
    page->first[granule] = first;
    had = form;
  }
  page->form[granule] = had | PARTS_ALIVE;
  page->age[line_of(address)] = p->age;
  found.first = page->first[granule] + ((uint32_t)(address & 7) >> (had - 1));
  found.n = size >> (had - 1);
  return found;
}

/* The next granule of the page, from this one on, that is alive, or whose line is; PARTS_GRANULES: none. */
static uint32_t next_alive(const PartsPage *page, uint32_t granule, uint32_t end) {
  while (granule < end && !(page->form[granule] & PARTS_ALIVE) &&
         !(page->lines & page->alive & UINT64_C(1) << granule / PARTS_IN_LINE))
    granule++;
  return granule < end ? granule : PARTS_GRANULES;
}

/* All parts of the granule, or of its line; the next one after that. */
static uint32_t end_at(PartsPage *page, uint32_t granule, uint32_t *first, uint32_t *n) {
  const uint32_t line = granule / PARTS_IN_LINE, form = page->form[granule] & (PARTS_ALIVE - 1);
  if (page->lines >> line & 1) {
    page->alive &= ~(UINT64_C(1) << line);
    *first = page->whole[line] - 1;
    *n = 1;
    return (line + 1) * PARTS_IN_LINE;
  }
  page->form[granule] = (uint8_t)form;
  *first = page->first[granule];
  *n = 8u >> (form - 1);
  return granule + 1;
}

bool parts_end(Parts *p, uint64_t *address, uint64_t end, uint32_t *first, uint32_t *n) {
  *address = (*address + 7) & ~UINT64_C(7);
  while (*address < end) {
    const uint64_t number = *address >> PARTS_PAGE_BITS, base = number << PARTS_PAGE_BITS,
                   next = base + (1u << PARTS_PAGE_BITS);
    PartsPage *page = *slot_of(p->table, p->size, number);
    const uint32_t last = end < next ? (uint32_t)((end - base + 7) >> 3) : PARTS_GRANULES;
    const uint32_t granule = page ? next_alive(page, granule_of(*address), last) : PARTS_GRANULES;
    if (granule < PARTS_GRANULES) {
      *address = base + (uint64_t)end_at(page, granule, first, n) * 8;
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
