#include "distil/blocks.h"

#include "base/intern.h"
#include "base/vec.h"
#include "base/keys.h"

#include <assert.h>
#include <string.h>

/* Blocks begin at multiples of STEP. Of a block the pages that it goes on in are noted, but not more than PAGES. */
enum { STEP = 16, PAGE = 4096, PAGES = 1 << 14 };

/* A place in the program that allocates blocks of one size. */
typedef struct {
  uint32_t name; /* of `names`; INTERN_NONE: nothing is known of it */
  uint32_t type; /* of places_type */
} Site;

typedef struct {
  Keys sizes; /* of its blocks */
  U32Vec sites;
} Code;

/* What a thread has allocated of one name. */
typedef struct {
  uint32_t name, thread, n;
  U32Vec freed; /* of their numbers, from 1 */
} Series;

typedef struct {
  uint64_t address, size; /* size 0: it has ended */
  uint32_t type, series, number, life;
} Block;

/* What the last looks of blocks_find in a page have found, since a block has begun or ended last: none begins behind
 * `from`, up to `to`, and `number` is that which what lies there is in, if any. */
typedef struct {
  uint64_t page, from, to;
  uint32_t number; /* or KEYS_NONE */
} Found;

#define NO_PAGE UINT64_C(1)

struct Blocks {
  Heap *heap;
  Found *found;
  Places *places;
  Keys addresses;
  VEC(Block) blocks; /* by the numbers of their addresses */
  Keys pages;        /* their first bytes; */
  U32Vec paged;      /* by the numbers of these: the block that was there last */
  Keys codes;
  VEC(Code) code; /* by their numbers */
  VEC(Site) sites;
  Intern names;
  Keys of_threads;    /* a name and a thread */
  VEC(Series) series; /* by the numbers of these */
};

Blocks *blocks_open(Heap *heap, Places *places) {
  Blocks *b = heap_zeroed(heap, sizeof *b);
  b->heap = heap;
  b->places = places;
  b->found = heap_zeroed(heap, sizeof *b->found);
  b->found->page = NO_PAGE;
  intern_init(&b->names, heap);
  return b;
}

void blocks_close(Blocks *b) {
  for (uint32_t i = 0; i < b->code.n; i++) {
    keys_fini(b->heap, &b->code.at[i].sizes);
    vec_fini(b->heap, &b->code.at[i].sites);
  }
  for (uint32_t i = 0; i < b->series.n; i++) vec_fini(b->heap, &b->series.at[i].freed);
  keys_fini(b->heap, &b->addresses);
  keys_fini(b->heap, &b->pages);
  vec_fini(b->heap, &b->paged);
  keys_fini(b->heap, &b->codes);
  keys_fini(b->heap, &b->of_threads);
  vec_fini(b->heap, &b->blocks);
  vec_fini(b->heap, &b->code);
  vec_fini(b->heap, &b->sites);
  vec_fini(b->heap, &b->series);
  intern_fini(&b->names);
  heap_release(b->heap, b->found);
  heap_release(b->heap, b);
}

/* --- where blocks come from --- */

static uint32_t add_site(Blocks *b, uint64_t code, uint64_t size) {
  char text[1024];
  places_site(b->places, code - 1, text, sizeof text - 32);
  Site site = {INTERN_NONE, FIELDS_NONE};
  if (*text) {
    const size_t end = strlen(text);
    const int more = snprintf(text + end, 32, "(%llu)", (unsigned long long)size);
    site.name = intern_add(&b->names, text, end + (size_t)more, NULL);
    site.type = places_type(b->places, code - 1, size);
  }
  vec_push(b->heap, &b->sites, site);
  return b->sites.n - 1;
}

/* A return address is after its call. */
static const Site *site_of(Blocks *b, uint64_t code, uint64_t size) {
  bool is_new;
  const uint32_t number = keys_add(b->heap, &b->codes, code, NULL);
  vec_resize_zeroed(b->heap, &b->code, b->codes.n);
  Code *c = &b->code.at[number];
  const uint32_t i = keys_add(b->heap, &c->sizes, size, &is_new);
  if (is_new) vec_push(b->heap, &c->sites, add_site(b, code, size));
  return &b->sites.at[c->sites.at[i]];
}

static uint32_t series_of(Blocks *b, uint32_t name, uint32_t thread) {
  bool is_new;
  const uint32_t number = keys_add(b->heap, &b->of_threads, ((uint64_t)thread << 32 | name) << 4, &is_new);
  const Series series = {.name = name, .thread = thread};
  if (is_new) vec_push(b->heap, &b->series, series);
  return number;
}

static uint32_t take_number(Series *s) {
  return s->n >= BLOCKS_COUNTED && s->freed.n ? s->freed.at[--s->freed.n] : ++s->n;
}

/* --- blocks --- */

static void end(Blocks *b, Block *block) {
  if (!block->size) return;
  block->size = 0;
  block->life++;
  vec_push(b->heap, &b->series.at[block->series].freed, block->number);
}

static void note_pages(Blocks *b, uint32_t block, uint64_t address, uint64_t size) {
  uint64_t page = address - address % PAGE + PAGE;
  for (uint32_t i = 0; i < PAGES && page < address + size; i++, page += PAGE) {
    const uint32_t number = keys_add(b->heap, &b->pages, page, NULL);
    vec_resize_zeroed(b->heap, &b->paged, b->pages.n);
    b->paged.at[number] = block;
  }
}

BlockId blocks_begin(Blocks *b, uint32_t thread, uint64_t address, uint64_t size, uint64_t from, uint64_t in) {
  assert(size > 0);
  b->found->page = NO_PAGE;
  const uint32_t number = keys_add(b->heap, &b->addresses, address, NULL);
  vec_resize_zeroed(b->heap, &b->blocks, b->addresses.n);
  Block *block = &b->blocks.at[number];
  end(b, block);
  const uint32_t type = site_of(b, in, size)->type, name = site_of(b, from, size)->name;
  if (name == INTERN_NONE) return (BlockId){BLOCKS_NONE, 0};
  const uint32_t series = series_of(b, name, thread);
  *block = (Block){address, size, type, series, take_number(&b->series.at[series]), block->life + 1};
  note_pages(b, number, address, size);
  return (BlockId){number, block->life};
}

void blocks_end(Blocks *b, uint64_t address) {
  const uint32_t number = keys_find(&b->addresses, address);
  b->found->page = NO_PAGE;
  if (number != KEYS_NONE) end(b, &b->blocks.at[number]);
}

/* The block of that number if the address is in it, or none. */
static BlockId if_in(const Blocks *b, uint32_t number, uint64_t address) {
  const Block *block = &b->blocks.at[number];
  return address - block->address < block->size ? (BlockId){number, block->life} : (BlockId){BLOCKS_NONE, 0};
}

/* The nearest one that begins in the page, down from this address; else the one that reaches into the page. */
static Found look(const Blocks *b, uint64_t page, uint64_t top) {
  const Found *known = b->found;
  for (uint64_t at = top; at >= page && at <= top; at -= STEP) {
    if (known->page == page && at >= known->from && at <= known->to)
      return (Found){page, known->from, top > known->to ? top : known->to, known->number};
    const uint32_t number = keys_find(&b->addresses, at);
    if (number != KEYS_NONE && b->blocks.at[number].size) return (Found){page, at, top, number};
  }
  const uint32_t paged = keys_find(&b->pages, page);
  return (Found){page, page, top, paged == KEYS_NONE ? KEYS_NONE : b->paged.at[paged]};
}

BlockId blocks_find(const Blocks *b, uint64_t address) {
  *b->found = look(b, address - address % PAGE, address - address % STEP);
  return b->found->number == KEYS_NONE ? (BlockId){BLOCKS_NONE, 0} : if_in(b, b->found->number, address);
}

bool blocks_is(const Blocks *b, BlockId id) {
  return id.number != BLOCKS_NONE && b->blocks.at[id.number].life == id.life;
}

static const Block *block_of(const Blocks *b, BlockId id) {
  assert(blocks_is(b, id));
  return &b->blocks.at[id.number];
}

uint64_t blocks_address(const Blocks *b, BlockId id) { return block_of(b, id)->address; }

uint64_t blocks_name(const Blocks *b, BlockId id) {
  const Block *block = block_of(b, id);
  if (block->series >> 28) heap_give_up(b->heap);
  return (uint64_t)block->series << 32 | block->number;
}

uint32_t blocks_type(const Blocks *b, BlockId id) { return block_of(b, id)->type; }

int blocks_print(const Blocks *b, BlockId id, char *text, size_t size) {
  const Block *block = block_of(b, id);
  const Series *s = &b->series.at[block->series];
  const char *name = b->names.strings.at[s->name];
  int n = snprintf(text, size, s->thread ? "%s#T%u" : "%s", name, s->thread);
  if (block->number > 1) n += snprintf(text + n, size - (size_t)n, s->thread ? ".%u" : "#%u", block->number);
  assert(n > 0 && (size_t)n < size);
  return n;
}
