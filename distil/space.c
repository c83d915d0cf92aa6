/* space.c: notes what is accessed, and makes objects of it. */
#include "distil/space_inside.h"

#include "distil/loops.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static Table *new_table(const Space *s, Table *old, uint32_t n) {
  Table *table = heap_zeroed(s->heap, sizeof *table + heap_product(s->heap, n, sizeof(Page *)));
  table->old = old;
  table->n = n;
  return table;
}

Space *space_new(Heap *heap, Source *source) {
  Space *s = heap_zeroed(heap, sizeof *s);
  s->heap = heap;
  s->source = source;
  s->shared = source_header(source)->shared;
  s->table = new_table(s, NULL, 1024);
  s->asked = heap_zeroed(heap, sizeof *s->asked);
  for (uint32_t i = 0; i < RECENT; i++) s->recent[i].number = UINT64_MAX;
  return s;
}

void space_free(Space *s) {
  for (uint32_t i = 0; i < s->table->n; i++) heap_release(s->heap, s->table->slots[i]);
  for (Table *table = s->table, *old; table; table = old) {
    old = table->old;
    heap_release(s->heap, table);
  }
  heap_release(s->heap, s->sorted);
  heap_release(s->heap, s->asked);
  heap_release(s->heap, s->marks);
  vec_fini(s->heap, &s->splits);
  vec_fini(s->heap, &s->free_splits);
  heap_release(s->heap, s);
}

static void grow(Space *s) {
  Table *old = s->table, *table = new_table(s, old, old->n * 2);
  assert(table->n > s->n_pages);
  for (uint32_t i = 0, slot; i < old->n; i++) {
    Page *page = old->slots[i];
    if (page && !seek_page(table, page->number, &slot)) table->slots[slot] = page;
  }
  s->table = table;
}

static Page *add_page(Space *s, uint64_t number) {
  uint32_t slot;
  if (s->n_pages >= s->table->n / 2) grow(s);
  Page *page = seek_page(s->table, number, &slot);
  if (!page) {
    page = heap_zeroed(s->heap, sizeof *page);
    page->number = number;
    s->table->slots[slot] = page;
    s->n_pages++;
  }
  s->recent[number % RECENT] = (Recent){number, page};
  return page;
}

/* Made if it is new. */
static inline Page *page_of(Space *s, uint64_t address) {
  const uint64_t number = address >> PAGE_BITS;
  return LIKELY(s->recent[number % RECENT].number == number) ? s->recent[number % RECENT].page : add_page(s, number);
}

/* Is the access to one line, that at most one thread has accessed? */
static inline bool is_unshared(const Space *s, uint64_t address, uint64_t size) {
  return !is_shared(s->shared, raw_stripe(address)) &&
         (address & ((1u << RAW_LINE_BITS) - 1)) + size <= 1u << RAW_LINE_BITS;
}

/* --- first pass --- */

/* Only one thread writes; others read, so that a write that changes nothing would be paid by them. */
static inline void add_bits(_Atomic uint8_t *to, uint8_t bits) {
  const uint8_t old = atomic_load_explicit(to, memory_order_relaxed);
  if (bits & ~old) atomic_store_explicit(to, old | bits, memory_order_relaxed);
}

static uint32_t split_granule(Space *s, const Page *page, uint32_t granule) {
  assert(!(page->at[granule].owner & SPLIT) && page->at[granule].owner != NOBODY);
  Split split;
  for (uint32_t i = 0; i < 8; i++)
    split.owner[i] = page->at[granule].touched >> i & 1 ? page->at[granule].owner : NOBODY;
  if (s->free_splits.n) {
    const uint32_t index = s->free_splits.at[--s->free_splits.n];
    s->splits.at[index] = split;
    return index;
  }
  vec_push(s->heap, &s->splits, split);
  return s->splits.n - 1;
}

/* Another thread than the owner accesses the granule, or there are several. */
static void note_split(Space *s, Page *page, uint32_t granule, uint8_t mask, uint32_t owner) {
  if (!(page->at[granule].owner & SPLIT)) {
    if (!(mask & ~page->at[granule].touched)) {
      add_bits(&page->at[granule].shared, mask);
      return;
    }
    page->at[granule].owner = SPLIT | split_granule(s, page, granule);
  }
  uint32_t *owners = s->splits.at[page->at[granule].owner & ~SPLIT].owner;
  assert(owner != NOBODY && !(owner & SPLIT));
  for (uint32_t i = 0; i < 8; i++) {
    if (!(mask >> i & 1)) continue;
    if (!owners[i]) owners[i] = owner;
    else if (owners[i] != owner) add_bits(&page->at[granule].shared, (uint8_t)(1u << i));
  }
}

/* The granule is the last of its line, all of it is shared. */
static void settle(Space *s, Page *page, uint32_t last) {
  assert(last % PER_LINE == PER_LINE - 1);
  uint8_t shared = 0xff, begins = 0xff;
  for (uint32_t g = last + 1 - PER_LINE; g <= last; g++) {
    shared &= shared_in(page, g);
    begins &= begins_in(page, g);
  }
  if (shared != 0xff) return;
  const Page *after = last + 1 < GRANULES ? page : page_of(s, (page->number + 1) << PAGE_BITS);
  if (!(begins & begins_in(after, (last + 1) % GRANULES) & 1)) return;
  const uint64_t line = UINT64_C(1) << last / PER_LINE;
  if (begins & 0x10) page->settled[0] |= line;
  page->settled[1] |= line;
}

static inline void note_granule(Space *s, Page *page, uint32_t granule, uint8_t mask, uint32_t owner) {
  if (page->at[granule].owner == owner) {
    if (mask & ~page->at[granule].touched) page->at[granule].touched |= mask;
  } else if (page->at[granule].owner == NOBODY) {
    page->at[granule].owner = owner;
    page->at[granule].touched = mask;
  } else if (mask & ~shared_in(page, granule)) {
    note_split(s, page, granule, mask, owner);
  } else if (granule % PER_LINE == PER_LINE - 1) {
    settle(s, page, granule);
  }
}

static inline void note_boundary(Space *s, uint64_t address) {
  Page *page = page_of(s, address);
  add_bits(&page->at[granule_of(address)].begins, (uint8_t)(1u << (address & 7)));
}

/* Most accesses lie in one granule, and begin and end in one page. */
static inline bool note_quickly(Space *s, uint32_t owner, uint64_t address, uint64_t size) {
  const uint32_t from = address & 7, granule = granule_of(address);
  if (from + size > 8 || granule == GRANULES - 1) return false;
  const uint32_t to = from + (uint32_t)size;
  Page *page = page_of(s, address);
  add_bits(&page->at[granule].begins, (uint8_t)(1u << from));
  add_bits(&page->at[granule + to / 8].begins, (uint8_t)(1u << to % 8));
  note_granule(s, page, granule, bits(from, to), owner);
  return true;
}

void space_note(Space *s, uint32_t thread, uint64_t address, uint64_t size) {
  assert(size > 0 && !s->sorted);
  if (LIKELY(note_quickly(s, thread + 1, address, size))) return;
  const uint64_t end = address + size;
  note_boundary(s, end);
  note_boundary(s, address);
  while (address < end) {
    const uint32_t from = address & 7;
    const uint64_t to = end - address < 8 - from ? from + (end - address) : 8;
    note_granule(s, page_of(s, address), granule_of(address), bits(from, (uint32_t)to), thread + 1);
    address += to - from;
  }
}

/* How many accesses of the place, of `most` from this one on, need not be noted. */
static uint32_t settled_rounds(Space *s, const Loop *loop, uint32_t place, uint64_t address, uint32_t most) {
  const uint32_t bits = settled_bits(page_of(s, address), address, raw_plain_size(loop->first[place]));
  return bits ? loop_alike(loop, place, address, bits, most) : 0;
}

static void note_place(Space *s, const RawWords *words, const Loop *loop, uint32_t place) {
  const uint32_t size = raw_plain_size(loop->first[place]), n = loop_rounds(loop, place);
  uint64_t line = UINT64_MAX; /* that is not settled */
  for (uint32_t i = 0; i < n;) {
    const uint64_t address = raw_address(words->region, loop->first[place] + loop->step[place] * i);
    const uint32_t settled = line == address >> RAW_LINE_BITS ? 0 : settled_rounds(s, loop, place, address, n - i);
    i += settled;
    if (settled) continue;
    line = address >> RAW_LINE_BITS;
    space_note(s, words->thread, address, size);
    i++;
  }
}

static void note_loop(Space *s, const RawWords *words, const Loop *loop) {
  for (uint32_t place = 0; place < loop->period; place++) note_place(s, words, loop, place);
}

uint32_t space_note_words(Space *s, const RawWords *words) {
  uint32_t i = 0;
  Loop loop;
  while (i < words->n)
    if (raw_is_plain(words->at[i])) {
      space_note(s, words->thread, raw_address(words->region, words->at[i]), raw_plain_size(words->at[i]));
      i++;
    } else if (words->picked && loop_is_put(words->at[i])) {
      i += loop_get(&loop, words->at + i);
      note_loop(s, words, &loop);
    } else {
      break;
    }
  return i;
}

/* A granule that is only in part in the freed memory is taken as a whole: allocators do not share these 8 bytes. */
static void forget(Space *s, Page *page, uint32_t from, uint32_t to) {
  assert(from <= to && to <= GRANULES);
  for (uint32_t g = from; g < to; g++) {
    if (page->at[g].owner & SPLIT) vec_push(s->heap, &s->free_splits, page->at[g].owner & ~SPLIT);
    page->at[g].owner = NOBODY;
    page->at[g].touched = 0;
  }
}

/* What of the page lies in the memory. */
static void forget_in_page(Space *s, Page *page, uint64_t address, uint64_t end) {
  const uint64_t start = page->number << PAGE_BITS, next = (page->number + 1) << PAGE_BITS;
  const uint64_t from = address > start ? address : start, to = end < next ? end : next;
  if (from < to) forget(s, page, granule_of(from), granule_of(to - 1) + 1);
}

/* Goes through the memory, or where that is much through all pages. */
void space_note_free(Space *s, uint64_t address, uint64_t size) {
  const uint64_t end = address + size;
  Table *table = s->table;
  if (size >> PAGE_BITS > table->n) {
    for (uint32_t i = 0; i < table->n; i++)
      if (table->slots[i]) forget_in_page(s, table->slots[i], address, end);
    return;
  }
  for (uint64_t number = address >> PAGE_BITS; number << PAGE_BITS < end; number++) {
    Page *page = find_page(s, number << PAGE_BITS);
    if (page) forget_in_page(s, page, address, end);
  }
}

/* --- numbers --- */

static int compare_pages(const void *a, const void *b) {
  const uint64_t x = (*(Page *const *)a)->number, y = (*(Page *const *)b)->number;
  return (x > y) - (x < y);
}

static uint32_t form_of(const Granule *granules) {
  static const uint8_t BEGINS[LOCAL] = {0xff, 0x55, 0x11, 0x01};
  uint32_t form = 0;
  uint8_t any = 0, all = 0xff;
  for (uint32_t g = 0; g < PER_LINE; g++) {
    any |= granules[g].shared;
    all &= granules[g].shared;
    if (granules[g].begins != granules[0].begins) all = 0;
  }
  if (!any) return LOCAL;
  while (form < LOCAL && granules->begins != BEGINS[form]) form++;
  return all == 0xff && form < LOCAL ? form : MIXED;
}

static uint32_t number_page(Page *page, uint32_t n) {
  page->before = n;
  for (uint32_t g = 0; g < GRANULES; g++) {
    if (g % PER_LINE == 0) page->lines[g / PER_LINE] = (Line){n, form_of(&page->at[g])};
    page->at[g].owner = n;
    n += bits_in(page->at[g].begins);
  }
  page->form = page->lines->form;
  for (uint32_t i = 1; i < LINES; i++)
    if (page->lines[i].form != page->form) page->form = MIXED;
  return n;
}

static void mark_shared(Space *s, const Page *page) {
  for (uint32_t g = 0; g < GRANULES; g++)
    for (uint32_t i = 0; page->at[g].shared >> i; i++)
      if (page->at[g].shared >> i & 1) s->marks[object_at(page, g, i)] = 0;
}

void space_number(Space *s, bool keep_local) {
  assert(!s->sorted);
  Page **pages = s->sorted = heap_alloc(s->heap, heap_product(s->heap, s->n_pages + (size_t)1, sizeof(Page *)));
  uint32_t n = 0, objects = 0;
  for (uint32_t i = 0; i < s->table->n; i++)
    if (s->table->slots[i]) pages[n++] = s->table->slots[i];
  qsort(pages, n, sizeof(Page *), compare_pages);
  for (uint32_t i = 0; i < n; i++) objects = number_page(pages[i], objects);
  s->marks = heap_alloc(s->heap, heap_product(s->heap, objects + (size_t)1, sizeof *s->marks));
  memset(s->marks, keep_local ? 0 : 0xff, (objects + (size_t)1) * sizeof *s->marks);
  for (uint32_t i = 0; i < n && !keep_local; i++) mark_shared(s, pages[i]);
}

/* --- second pass --- */

bool space_find(const Space *s, uint64_t address, uint64_t size, uint32_t *first, uint32_t *last) {
  if (is_unshared(s, address, size)) return false;
  const uint64_t end = address + size - 1;
  const Page *page = find_page(s, address);
  *first = object_at(page, granule_of(address), address & 7);
  assert(*first > 0); /* the first pass has noted it */
  if (end >> PAGE_BITS != page->number) page = find_page(s, end);
  *last = object_at(page, granule_of(end), end & 7);
  return true;
}

/* The last page before which there are fewer objects. */
static uint32_t page_before(const Space *s, uint32_t object) {
  uint32_t low = 0, high = s->n_pages;
  if (s->sorted[s->asked->page]->before < object) low = s->asked->page;
  if (high - low > 1 && s->sorted[low + 1]->before >= object) high = low + 1;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (s->sorted[middle]->before < object) low = middle;
    else high = middle;
  }
  return low;
}

/* The last granule before which there are fewer: at or right after the one that was found last, if that can be. */
static uint32_t granule_before(const Space *s, const Page *page, uint32_t object) {
  uint32_t low = 0, high = GRANULES;
  const uint32_t near = s->asked->granule;
  if (page->at[near].owner < object) low = near;
  for (uint32_t i = 1; i <= 2 && low + i < high && low == near; i++)
    if (page->at[low + i].owner >= object) high = low + i;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (page->at[middle].owner < object) low = middle;
    else high = middle;
  }
  return low;
}

uint64_t space_address(const Space *s, uint32_t object) {
  assert(object > 0 && s->n_pages > 0);
  s->asked->page = page_before(s, object);
  const Page *page = s->sorted[s->asked->page];
  const uint32_t granule = s->asked->granule = granule_before(s, page, object);
  uint32_t begins = begins_in(page, granule);
  for (uint32_t before = object - page->at[granule].owner - 1; before; before--) begins &= begins - 1;
  assert(begins);
  return (page->number << PAGE_BITS) + (granule << GRANULE_BITS) + (uint32_t)__builtin_ctz(begins);
}

/* The objects that begin before this byte of the page, which may be the one after its end. */
static uint32_t rank(const Page *page, uint64_t address) {
  const uint64_t start = page->number << PAGE_BITS;
  if (address <= start) return page->before;
  if (address > start + (1u << PAGE_BITS) - 1) return object_at(page, GRANULES - 1, 7);
  return page->at[granule_of(address)].owner + bits_in(page->at[granule_of(address)].begins & bits(0, address & 7));
}

/* The first page from this number on, as an index of those that are sorted. */
static uint32_t page_from(const Space *s, uint64_t number) {
  uint32_t low = 0, high = s->n_pages;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (s->sorted[middle]->number < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

bool space_find_free(const Space *s, uint64_t address, uint64_t size, uint64_t *number, uint32_t *first,
                     uint32_t *last) {
  if (!*number) *number = address >> PAGE_BITS;
  if (*number << PAGE_BITS >= address + size) return false;
  const uint32_t i = page_from(s, *number);
  if (i == s->n_pages || s->sorted[i]->number << PAGE_BITS >= address + size) return false;
  s->sorted[i]->even = false;
  *first = rank(s->sorted[i], address) + 1;
  *last = rank(s->sorted[i], address + size);
  *number = s->sorted[i]->number + 1;
  return true;
}

/* The page of the address, or NULL. */
static inline Page *recent_page(Space *s, uint64_t address) {
  const uint64_t number = address >> PAGE_BITS;
  Recent *recent = &s->recent[number % RECENT];
  if (recent->number != number) *recent = (Recent){number, find_page(s, address)};
  return recent->page;
}

/* Are all objects of the page, which has so many, alive, and do their numbers go on by one? */
static bool goes_on(const Space *s, const Page *page, uint32_t n) {
  const uint32_t *marks = s->marks + page->before + 1;
  if (!(marks[0] & SPACE_ALIVE)) return false;
  for (uint32_t i = 1; i < n; i++)
    if (marks[i] != marks[0] + i) return false;
  return true;
}

/* One that is not even is looked at again and again, each time after a longer while. */
static bool look_again(const Space *s, Page *page) {
  enum { FIRST = 16, LAST = 1 << 12 };
  if (page->wait) {
    page->wait--;
    return false;
  }
  page->even = goes_on(s, page, 1u << (PAGE_BITS - page->form));
  page->wait = page->waits = page->waits < FIRST ? FIRST : page->waits < LAST ? 2 * page->waits : LAST;
  return page->even;
}

bool space_range(Space *s, uint64_t address, uint32_t form, SpaceRange *range) {
  Page *page = recent_page(s, address);
  if (!page || form >= LOCAL || address & ((1u << form) - 1)) return false;
  if (page->form == form && (page->even || look_again(s, page))) {
    *range = (SpaceRange){page->number << PAGE_BITS, 1u << PAGE_BITS, page->before + 1, true};
    return true;
  }
  const Line *line = &page->lines[granule_of(address) / PER_LINE];
  *range = (SpaceRange){address >> RAW_LINE_BITS << RAW_LINE_BITS, 1u << RAW_LINE_BITS, line->before + 1, false};
  return line->form == form;
}

uint32_t *space_marks(const Space *s) { return s->marks; }
