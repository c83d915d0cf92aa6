/* space.c: a table of pages; for each 8 bytes of a page, a granule: where objects begin in it, and who has accessed which bytes. */
#include "distil/space.h"

#include "base/hash.h"
#include "base/vec.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BITS = 12, GRANULE_BITS = 3, GRANULES = 1 << (PAGE_BITS - GRANULE_BITS), LINES = 1 << (PAGE_BITS - RAW_LINE_BITS), PER_LINE = GRANULES / LINES };
enum { RECENT = 256, NOTED = 2048 };

#define NOBODY 0u
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define SPLIT (UINT32_C(1) << 31)

typedef struct {
  uint32_t owner;  /* the thread + 1 that accessed it in this life; or SPLIT + an index; in the second pass, objects that begin before it */
  uint8_t begins;  /* bit i: an object begins at its byte i, or ends before it */
  uint8_t touched; /* by its owner, in this life */
  uint8_t shared;  /* by two threads, in some life */
} Granule;

/* In the second pass: a line all of whose granules are alike. */
typedef struct {
  uint32_t before; /* objects that begin before it */
  uint32_t form;   /* i: its objects have 2^i bytes each, and all are kept; or one of these */
} Line;

enum { LOCAL = 4, MIXED }; /* none is kept; anything else */

typedef struct {
  Granule at[GRANULES];
  Line lines[LINES];
  _Atomic uint64_t settled[2]; /* in the first pass, bits of lines: there is nothing more to note of accesses of whole 4, 8 bytes */
  uint64_t number;
  uint32_t before; /* objects that begin in pages of lower numbers */
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
  SpaceView *views;
  _Atomic(Table *) table;
  uint32_t n_pages;
  Recent recent[RECENT];
  VEC(Split) splits;
  U32Vec free_splits;
  Page **sorted;   /* by number, in the second pass */
  uint32_t *marks; /* by object */
};

struct SpaceView {
  SpaceView *next;
  const Space *space;
  Recent recent[RECENT];
  bool mostly_local;     /* were accesses to lines that one thread has accessed, in the last chunk? */
  uint64_t age;          /* of what is in `noted`, in place of its program counter; it has RAW_CODE_BITS */
  uint64_t noted[NOTED]; /* accesses that were picked lately, by their addresses */
  uint64_t rest[RAW_CHUNK / sizeof(uint64_t)]; /* of a chunk, without accesses to such lines */
};

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
  for (uint32_t i = 0; i < RECENT; i++) s->recent[i].number = UINT64_MAX;
  return s;
}

SpaceView *space_view(Space *s) {
  SpaceView *view = heap_zeroed(s->heap, sizeof *view);
  view->space = s;
  view->next = s->views;
  for (uint32_t i = 0; i < RECENT; i++) view->recent[i].number = UINT64_MAX;
  return s->views = view;
}

void space_free(Space *s) {
  for (SpaceView *view = s->views, *next; view; view = next) {
    next = view->next;
    heap_release(s->heap, view);
  }
  for (uint32_t i = 0; i < s->table->n; i++) heap_release(s->heap, s->table->slots[i]);
  for (Table *table = s->table, *old; table; table = old) {
    old = table->old;
    heap_release(s->heap, table);
  }
  heap_release(s->heap, s->sorted);
  heap_release(s->heap, s->marks);
  vec_fini(s->heap, &s->splits);
  vec_fini(s->heap, &s->free_splits);
  heap_release(s->heap, s);
}

/* The page's slot, or the free one where it belongs. */
static _Atomic(Page *) *slot_of(Table *table, uint64_t number) {
  for (uint32_t slot = (uint32_t)hash_word(number);; slot++) {
    const Page *page = atomic_load_explicit(&table->slots[slot & (table->n - 1)], memory_order_acquire);
    if (!page || page->number == number) return &table->slots[slot & (table->n - 1)];
  }
}

static void grow(Space *s) {
  Table *old = s->table, *table = new_table(s, old, old->n * 2);
  for (uint32_t i = 0; i < old->n; i++)
    if (old->slots[i]) *slot_of(table, ((Page *)old->slots[i])->number) = old->slots[i];
  s->table = table;
}

static Page *add_page(Space *s, uint64_t number) {
  if (s->n_pages >= s->table->n / 2) grow(s);
  _Atomic(Page *) *slot = slot_of(s->table, number);
  Page *page = *slot;
  if (!page) {
    page = heap_zeroed(s->heap, sizeof *page);
    page->number = number;
    *slot = page;
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

static Page *find_page(const Space *s, uint64_t address) {
  Table *table = atomic_load_explicit(&s->table, memory_order_acquire);
  return atomic_load_explicit(slot_of(table, address >> PAGE_BITS), memory_order_acquire);
}

static inline uint32_t granule_of(uint64_t address) { return address >> GRANULE_BITS & (GRANULES - 1); }

/* Bits `from` to `to` - 1. */
static inline uint8_t bits(uint32_t from, uint32_t to) { return (uint8_t)((1u << to) - (1u << from)); }

static inline uint32_t is_shared(const _Atomic uint64_t *shared, uint32_t stripe) {
  return atomic_load_explicit(&shared[stripe / 64], memory_order_relaxed) >> stripe % 64 & 1;
}

/* Is the access to one line, that at most one thread has accessed? */
static inline bool is_unshared(const Space *s, uint64_t address, uint64_t size) {
  return !is_shared(s->shared, raw_stripe(address)) && (address & ((1u << RAW_LINE_BITS) - 1)) + size <= 1u << RAW_LINE_BITS;
}

/* --- first pass --- */

static uint32_t split_granule(Space *s, const Page *page, uint32_t granule) {
  Split split;
  for (uint32_t i = 0; i < 8; i++) split.owner[i] = page->at[granule].touched >> i & 1 ? page->at[granule].owner : NOBODY;
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
      page->at[granule].shared |= mask;
      return;
    }
    page->at[granule].owner = SPLIT | split_granule(s, page, granule);
  }
  uint32_t *owners = s->splits.at[page->at[granule].owner & ~SPLIT].owner;
  for (uint32_t i = 0; i < 8; i++) {
    if (!(mask >> i & 1)) continue;
    if (!owners[i]) owners[i] = owner;
    else if (owners[i] != owner) page->at[granule].shared |= (uint8_t)(1u << i);
  }
}

/* The granule is the last of its line, all of it is shared. */
static void settle(Page *page, uint32_t last) {
  uint8_t shared = 0xff, begins = 0xff;
  if (last == GRANULES - 1) return; /* another page begins behind it */
  for (uint32_t g = last + 1 - PER_LINE; g <= last; g++) {
    shared &= page->at[g].shared;
    begins &= page->at[g].begins;
  }
  if (shared != 0xff || !(begins & page->at[last + 1].begins & 1)) return;
  const uint64_t line = UINT64_C(1) << last / PER_LINE;
  if (begins & 0x10) page->settled[0] |= line;
  page->settled[1] |= line;
}

static inline void note_granule(Space *s, Page *page, uint32_t granule, uint8_t mask, uint32_t owner) {
  if (page->at[granule].owner == owner) {
    page->at[granule].touched |= mask;
  } else if (page->at[granule].owner == NOBODY) {
    page->at[granule].owner = owner;
    page->at[granule].touched = mask;
  } else if (mask & ~page->at[granule].shared) {
    note_split(s, page, granule, mask, owner);
  } else if (granule % PER_LINE == PER_LINE - 1) {
    settle(page, granule);
  }
}

static inline void note_boundary(Space *s, uint64_t address) {
  Page *page = page_of(s, address);
  page->at[granule_of(address)].begins |= (uint8_t)(1u << (address & 7));
}

/* Most accesses lie in one granule, and begin and end in one page. */
static inline bool note_quickly(Space *s, uint32_t owner, uint64_t address, uint64_t size) {
  const uint32_t from = address & 7, granule = granule_of(address);
  if (from + size > 8 || granule == GRANULES - 1) return false;
  const uint32_t to = from + (uint32_t)size;
  Page *page = page_of(s, address);
  page->at[granule].begins |= (uint8_t)(1u << from);
  page->at[granule + to / 8].begins |= (uint8_t)(1u << to % 8);
  note_granule(s, page, granule, bits(from, to), owner);
  return true;
}

void space_note(Space *s, uint32_t thread, uint64_t address, uint64_t size) {
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

uint32_t space_note_words(Space *s, const RawWords *words) {
  uint32_t i = 0;
  for (; i < words->n && raw_is_plain(words->at[i]); i++)
    space_note(s, words->thread, raw_address(words->region, words->at[i]), raw_plain_size(words->at[i]));
  return i;
}

/* A granule that is only in part in the freed memory is taken as a whole: allocators do not share these 8 bytes. */
static void forget(Space *s, Page *page, uint32_t from, uint32_t to) {
  for (uint32_t g = from; g < to; g++) {
    if (page->at[g].owner & SPLIT) vec_push(s->heap, &s->free_splits, page->at[g].owner & ~SPLIT);
    page->at[g].owner = NOBODY;
    page->at[g].touched = 0;
  }
}

void space_note_free(Space *s, uint64_t address, uint64_t size) {
  const uint64_t end = address + size;
  while (address < end) {
    const uint64_t next = ((address >> PAGE_BITS) + 1) << PAGE_BITS, to = end < next ? end : next;
    Page *page = find_page(s, address);
    if (page) forget(s, page, granule_of(address), granule_of(to - 1) + 1);
    address = to;
  }
}

/* --- numbers --- */

static int compare_pages(const void *a, const void *b) {
  const uint64_t x = (*(Page *const *)a)->number, y = (*(Page *const *)b)->number;
  return (x > y) - (x < y);
}

static inline uint32_t bits_in(uint32_t byte) {
  byte -= byte >> 1 & 0x55;
  byte = (byte & 0x33) + (byte >> 2 & 0x33);
  return (byte + (byte >> 4)) & 0xf;
}

/* The object of byte i of the granule. */
static inline uint32_t object_at(const Page *page, uint32_t granule, uint32_t i) {
  const uint32_t begins = page->at[granule].begins & bits(0, i + 1);
  return page->at[granule].owner + (begins & (begins - 1) ? bits_in(begins) : begins != 0);
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
  return n;
}

static void mark_shared(Space *s, const Page *page) {
  for (uint32_t g = 0; g < GRANULES; g++)
    for (uint32_t i = 0; page->at[g].shared >> i; i++)
      if (page->at[g].shared >> i & 1) s->marks[object_at(page, g, i)] = 0;
}

void space_number(Space *s, bool keep_local) {
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
  if (end >> PAGE_BITS != page->number) page = find_page(s, end);
  *last = object_at(page, granule_of(end), end & 7);
  return true;
}

uint64_t space_address(const Space *s, uint32_t object) {
  uint32_t low = 0, high = s->n_pages; /* the last page before which there are fewer objects */
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (s->sorted[middle]->before < object) low = middle;
    else high = middle;
  }
  const Page *page = s->sorted[low];
  uint32_t granule = GRANULES - 1, byte = 0;
  while (page->at[granule].owner >= object) granule--;
  while (object_at(page, granule, byte) != object) byte++;
  return (page->number << PAGE_BITS) + (granule << GRANULE_BITS) + byte;
}

/* The objects that begin before this byte of the page, which may be the one behind its end. */
static uint32_t rank(const Page *page, uint64_t address) {
  const uint64_t start = page->number << PAGE_BITS;
  if (address <= start) return page->before;
  if (address > start + (1u << PAGE_BITS) - 1) return object_at(page, GRANULES - 1, 7);
  return page->at[granule_of(address)].owner + bits_in(page->at[granule_of(address)].begins & bits(0, address & 7));
}

bool space_find_free(const Space *s, uint64_t address, uint64_t size, uint64_t *number, uint32_t *first, uint32_t *last) {
  if (!*number) *number = address >> PAGE_BITS;
  for (; *number << PAGE_BITS < address + size; ++*number) {
    const Page *page = find_page(s, *number << PAGE_BITS);
    if (!page) continue;
    *first = rank(page, address) + 1;
    *last = rank(page, address + size);
    ++*number;
    return true;
  }
  return false;
}

uint32_t *space_marks(Space *s) { return s->marks; }

/* --- filters --- */

#define INLINED inline __attribute__((always_inline))

/* Is this a plain access, and to one line, that at most one thread has accessed? No branch: it could not be foreseen. The stripes are those of
 * the regions' first lines. */
static INLINED bool is_local(const _Atomic uint64_t *shared, const uint32_t *region_stripe, uint64_t word) {
  static const uint8_t PLACES[1 << RAW_KIND_BITS] = {0, 64, 63, 61, 57, 49, 64, 63, 61, 57, 49, 64, 63, 61, 57, 49}; /* in a line, where it may begin */
  const uint32_t line = word >> (RAW_ADDRESS_SHIFT + RAW_LINE_BITS) & ((1u << (RAW_OFFSET_BITS - RAW_LINE_BITS)) - 1);
  const uint32_t stripe = (raw_stripe_of_line(line) + region_stripe[word >> RAW_REGION_SHIFT]) % (1u << RAW_STRIPE_BITS);
  const uint32_t in_line = word >> RAW_ADDRESS_SHIFT & ((1u << RAW_LINE_BITS) - 1);
  return (in_line < PLACES[raw_kind(word)]) & ~is_shared(shared, stripe);
}

/* The words but for accesses to such lines, in `rest`. How many words those were, of both. */
typedef struct {
  uint32_t n, n_rest;
} Dropped;

static Dropped drop_local(SpaceView *view, const uint64_t *words, uint32_t n) {
  const _Atomic uint64_t *shared = view->space->shared;
  uint32_t region_stripe[RAW_REGIONS] = {0}, n_rest = 0, i = 0;
  for (; i < n; i++) {
    const uint64_t word = words[i];
    if (is_local(shared, region_stripe, word)) continue;
    if (!word) break;
    view->rest[n_rest++] = word;
    if (raw_kind(word) == RAW_REGION) region_stripe[word >> RAW_REGION_SHIFT] = raw_stripe(raw_region(word));
    if (raw_has_second(raw_kind(word)) && i + 1 < n) view->rest[n_rest++] = words[++i];
  }
  view->mostly_local = i - n_rest > i / 4;
  return (Dropped){i, n_rest};
}

/* Accesses that were noted are noted again where others may have come in between: after the clock has moved, or memory was freed. */
static void age(SpaceView *view) {
  if (++view->age >> RAW_CODE_BITS) {
    memset(view->noted, 0, sizeof view->noted);
    view->age = 1;
  }
}

/* NULL: there is none. In the first pass there may be one later. */
static INLINED const Page *view_page(SpaceView *view, uint64_t address, bool first_pass) {
  const uint64_t number = address >> PAGE_BITS;
  Recent *recent = &view->recent[number % RECENT];
  if (LIKELY(recent->number == number)) return recent->page;
  Page *page = find_page(view->space, address);
  if (page || !first_pass) *recent = (Recent){number, page};
  return page;
}

static inline bool is_settled(SpaceView *view, uint64_t address, uint32_t size) {
  if (address & (size - 1)) return false;
  const Page *page = view_page(view, address, true);
  if (!page || (size != 4 && size != 8)) return false;
  return atomic_load_explicit(&page->settled[size / 8], memory_order_relaxed) >> (address >> RAW_LINE_BITS) % LINES & 1;
}

uint32_t space_pick_new(void *argument, const uint64_t *words, uint32_t n, uint64_t *picked) {
  SpaceView *view = argument;
  const _Atomic uint64_t *shared = view->space->shared;
  uint64_t region[RAW_REGIONS] = {0};
  uint32_t region_stripe[RAW_REGIONS] = {0}, n_picked = 0, local = 0, i = 0;
  const bool drop = view->mostly_local;
  if (drop) {
    const Dropped dropped = drop_local(view, words, n);
    if (dropped.n_rest < dropped.n / 2) source_shrink(view->space->source, words, view->rest, dropped.n_rest);
    words = view->rest;
    n = dropped.n_rest;
  }
  age(view);
  for (; i < n && words[i]; i++) {
    const uint64_t word = words[i];
    if (raw_is_plain(word)) {
      if (is_settled(view, raw_address(region, word), raw_plain_size(word))) continue;
      const uint64_t address = word >> RAW_ADDRESS_SHIFT;
      const uint64_t key = address << RAW_ADDRESS_SHIFT | view->age << RAW_KIND_BITS | raw_plain_size(word);
      uint64_t *noted = &view->noted[(address >> 3 ^ address << 8 ^ address >> 13) % NOTED];
      if (*noted == key) continue;
      *noted = key;
      if (is_local(shared, region_stripe, word)) {
        local++;
        continue;
      }
    } else if (raw_kind(word) == RAW_REGION) {
      region[word >> RAW_REGION_SHIFT] = raw_region(word);
      region_stripe[word >> RAW_REGION_SHIFT] = raw_stripe(raw_region(word));
      age(view);
    } else if (raw_kind(word) == RAW_CLOCK || raw_kind(word) == RAW_FREE) {
      age(view);
    }
    picked[n_picked++] = word;
    if (raw_has_second(raw_kind(word)) && i + 1 < n) picked[n_picked++] = words[++i];
  }
  if (!drop) view->mostly_local = local > i / 4;
  return n_picked;
}

/* The object of an access that may be shared, SPACE_LOCAL if it is none that is kept, 0 if it may be several. All bytes of an object are shared, or none. */
static inline uint32_t look_up(SpaceView *view, uint64_t address, uint32_t size) {
  const uint32_t from = address & 7, granule = granule_of(address);
  if (from + size > 8) return 0;
  const Page *page = view_page(view, address, false);
  if (!page) return SPACE_LOCAL;
  const Line *line = &page->lines[granule / PER_LINE];
  if (LIKELY(1u << line->form == size)) return line->before + 1 + (uint32_t)((address & ((1u << RAW_LINE_BITS) - 1)) >> line->form);
  if (line->form == LOCAL) return SPACE_LOCAL;
  if (!(page->at[granule].shared & bits(from, from + size))) return SPACE_LOCAL;
  return page->at[granule].begins & bits(from + 1, from + size) ? 0 : object_at(page, granule, from);
}

uint32_t space_pick_kept(void *argument, const uint64_t *words, uint32_t n, uint64_t *picked) {
  SpaceView *view = argument;
  uint64_t region[RAW_REGIONS] = {0};
  uint32_t n_picked = 0, i = 0;
  const bool drop = view->mostly_local;
  if (drop) {
    n = drop_local(view, words, n).n_rest;
    words = view->rest;
  }
  for (; i < n && words[i]; i++) {
    const uint64_t word = words[i];
    if (raw_is_plain(word)) {
      const uint32_t object = look_up(view, raw_address(region, word), raw_plain_size(word));
      picked[n_picked] = object ? raw_known(word, object) : word;
      n_picked += object != SPACE_LOCAL;
    } else {
      picked[n_picked++] = word;
      if (raw_kind(word) == RAW_REGION) region[word >> RAW_REGION_SHIFT] = raw_region(word);
      if (raw_has_second(raw_kind(word)) && i + 1 < n) picked[n_picked++] = words[++i];
    }
  }
  if (!drop) view->mostly_local = i - n_picked > i / 4;
  return n_picked;
}
