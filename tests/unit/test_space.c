/* The space of addresses, byte by byte: which bytes are one object, and which are shared; and that its audit names
 * faults. */
#include "base/hash.h"
#include "distil/space_inside.h"
#include "tests/unit/audited.h"
#include "tests/unit/raw_log.h"

#include <string.h>

enum { WINDOW = 3 << PAGE_BITS, SPACES = 400, THREADS = 3 };
static const uint64_t BASE = UINT64_C(0x7f0000400000) - (1 << PAGE_BITS);

static RawFile raw;
static Source *source;
static Heap *source_heap;

/* A raw log without events: all lines count as shared. */
static int open_source(void) {
  Err err;
  source_heap = heap_new(0);
  RawLog log = raw_log_new(source_heap, 1, 1);
  raw_log_put(&log, 0, RAW_START, 0, 0);
  raw_file_open(&raw);
  raw_log_write(&log, &raw);
  memset(raw.header->shared, 0xff, sizeof raw.header->shared);
  source = source_open(source_heap, raw.file.path, false, &err);
  return !source;
}

static int close_source(void) {
  source_close(source);
  raw_file_close(&raw);
  heap_free(source_heap);
  return 0;
}

/* ---- by definition ---- */

typedef struct {
  uint8_t owner;     /* who has accessed the byte in this life, + 1 */
  bool used, shared; /* ever; by two, in a life */
  bool begins;       /* an access begins here, or ends before it */
} Byte;

typedef struct {
  Space *space;
  Byte bytes[WINDOW + 64];
  uint64_t dice;
} Play;

static uint32_t roll(Play *play, uint32_t below) { return (uint32_t)(hash_word(++play->dice) >> 33) % below; }

static void note(Play *play, uint32_t thread, uint32_t at, uint32_t size) {
  space_note(play->space, thread, BASE + at, size);
  play->bytes[at].begins = play->bytes[at + size].begins = true;
  for (Byte *byte = play->bytes + at; byte < play->bytes + at + size; byte++) {
    byte->used = true;
    if (byte->owner && byte->owner != thread + 1) byte->shared = true;
    if (!byte->owner) byte->owner = (uint8_t)(thread + 1);
  }
}

/* Eight bytes are freed as a whole. */
static void note_free(Play *play, uint32_t at, uint32_t size) {
  space_note_free(play->space, BASE + at, size);
  for (uint32_t i = at / 8 * 8; i < (at + size + 7) / 8 * 8; i++) play->bytes[i].owner = 0;
}

/* Around the borders of lines and pages, most of the same size. */
static void do_something(Play *play) {
  static const uint32_t places[] = {0, 24, 60, 4088, 4096, 4150, 8184, 8192, 12000};
  const uint32_t spread = roll(play, 4) ? 64 : 250, place = places[roll(play, sizeof places / sizeof *places)];
  const uint32_t size = roll(play, 3) ? 1u << roll(play, 4) : 1 + roll(play, 40);
  const uint32_t at =
      (place + roll(play, spread)) / (size == 4 || size == 8 ? size : 1) * (size == 4 || size == 8 ? size : 1);
  if (roll(play, 20) == 0) note_free(play, at, size);
  else note(play, roll(play, THREADS), at, size);
}

/* The whole line, by two threads, in equal parts: until there is nothing to note any more. */
static void sweep(Play *play) {
  const uint32_t line = 64 * roll(play, WINDOW / 64), size = roll(play, 2) ? 4 : 8, from = roll(play, 3) ? 0 : size;
  for (uint32_t thread = 0; thread < THREADS; thread++)
    for (uint32_t at = from; at < 64 + 2 * size && line + at + size <= WINDOW; at += size)
      note(play, thread, line + at, size);
}

static void play_on(Play *play, uint64_t seed) {
  Err err;
  for (uint32_t i = 0; i < 300; i++) {
    if (roll(play, 30)) do_something(play);
    else sweep(play);
    if (i % 60 == 0) expect_sound(space_audit(play->space, &err), &err, seed);
  }
}

static uint32_t begins_between(const Play *play, uint32_t from, uint32_t to) {
  uint32_t n = 0;
  for (uint32_t i = from; i < to; i++) n += play->bytes[i].begins;
  return n;
}

/* Was any byte of its object shared? Memory that is freed in the middle of an object makes lives of parts of it. */
static bool is_kept(const Play *play, uint32_t at) {
  while (at && !play->bytes[at].begins) at--;
  bool kept = play->bytes[at].shared;
  while (!play->bytes[++at].begins) kept = kept || play->bytes[at].shared;
  return kept;
}

static bool is_found(const Play *play, uint32_t at, uint32_t size) {
  uint32_t first, last;
  if (!space_find(play->space, BASE + at, size, &first, &last)) return false;
  if (last - first != begins_between(play, at + 1, at + size)) return false;
  if (play->bytes[at].begins && space_address(play->space, first) != BASE + at) return false;
  return (space_marks(play->space)[first] == SPACE_LOCAL) == !is_kept(play, at);
}

/* The objects that begin in the memory, page by page. */
static uint32_t count_freed(const Play *play, uint32_t at, uint32_t size) {
  uint64_t page = 0;
  uint32_t first, last, n = 0;
  while (space_find_free(play->space, BASE + at, size, &page, &first, &last)) n += last + 1 - first;
  return n;
}

static void compare(Play *play) {
  uint32_t wrong = 0;
  for (uint32_t at = 0; at < WINDOW; at++)
    if (play->bytes[at].used) wrong += !is_found(play, at, 1);
  for (uint32_t i = 0; i < 200; i++) {
    const uint32_t at = roll(play, WINDOW - 64), size = 1 + roll(play, 60);
    uint32_t used = 0;
    while (used < size && play->bytes[at + used].used) used++;
    if (used == size) wrong += !is_found(play, at, size);
    wrong += count_freed(play, at, size) != begins_between(play, at, at + size);
  }
  CU_ASSERT_EQUAL(wrong, 0);
}

static uint64_t settled_in(const Space *space) {
  uint64_t lines = 0;
  for (uint32_t i = 0; i < 3; i++) lines |= find_page(space, BASE + ((uint64_t)i << PAGE_BITS))->settled[0];
  return lines;
}

static void spaces_are_as_defined(void) {
  uint32_t settled = 0;
  for (uint64_t seed = 1; seed <= SPACES; seed++) {
    static Play play;
    Err err;
    Heap *heap = heap_new(0);
    play = (Play){.space = space_new(heap, source), .dice = hash_word(seed)};
    note(&play, 0, 0, 1); /* each of the three pages is there */
    note(&play, 0, 5000, 1);
    note(&play, 0, WINDOW - 1, 1);
    play_on(&play, seed);
    space_number(play.space, false);
    expect_sound(space_audit(play.space, &err), &err, seed);
    compare(&play);
    settled += settled_in(play.space) != 0;
    space_free(play.space);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(settled > SPACES / 20);
}

/* ---- the audit ---- */

/* The granule of BASE: bytes 0 to 3 are of thread 0, 4 to 7 of both; the next one is of thread 0 alone, and so is one
 * far away. */
static Space *sample(Heap *heap) {
  Space *space = space_new(heap, source);
  space_note(space, 0, BASE, 8);
  space_note(space, 0, BASE, 4);
  space_note(space, 1, BASE + 4, 4);
  space_note(space, 0, BASE + 8, 8);
  space_note(space, 0, BASE + 4096, 2);
  space_note(space, 1, BASE + 4098, 2);
  return space;
}

static Page *page(Space *s, uint32_t i) { return find_page(s, BASE + 4096 * (uint64_t)i); }

static void no_split(Space *s) { page(s, 1)->at[0].owner = SPLIT | 7; }
static void nobody(Space *s) { page(s, 0)->at[1].owner = NOBODY; }
static void not_touched(Space *s) { page(s, 0)->at[1].touched = 0; }
static void in_part(Space *s) { page(s, 0)->at[1].touched = 0x0f; }
static void no_begin(Space *s) {
  page(s, 1)->at[0].begins &= (uint8_t) ~(1u << 2);
  s->splits.at[0].owner[0] = s->splits.at[0].owner[1] = NOBODY;
}
static void same_split(Space *s) { page(s, 0)->at[1].owner = page(s, 1)->at[0].owner; }
static void free_split(Space *s) { vec_push(s->heap, &s->free_splits, 0); }
static void lost_split(Space *s) { page(s, 1)->at[0].owner = 1; }
static void settled_half(Space *s) { page(s, 0)->settled[0] = 1; }
static void settled_soon(Space *s) { page(s, 0)->settled[1] = 1; }
static void pages_counted(Space *s) { s->n_pages++; }
static void lost_page(Space *s) { page(s, 0)->number += 5; }
static void found_last(Space *s) { s->recent[3] = (Recent){3, page(s, 0)}; }

static void wrong_number(Space *s) { page(s, 0)->at[1].owner++; }
static void wrong_page(Space *s) { page(s, 1)->before++; }
static void wrong_line(Space *s) { page(s, 0)->lines[0].before++; }
static void local_line(Space *s) { page(s, 0)->lines[0].form = LOCAL; }
static void kept_line(Space *s) { page(s, 0)->lines[0].form = 3; }
static void dropped(Space *s) { s->marks[2] = SPACE_LOCAL; }
static void pages_turned(Space *s) {
  Page *p = s->sorted[0];
  s->sorted[0] = s->sorted[1], s->sorted[1] = p;
}

static const struct {
  void (*edit)(Space *space);
  bool numbered;
  const char *what;
} EDITS[] = {
    {no_split, false, "no such split"},
    {nobody, false, "bytes of nobody"},
    {not_touched, false, "bytes of nobody"},
    {in_part, false, "an object in part"},
    {no_begin, false, "no object begins"},
    {same_split, false, "a split of two granules"},
    {free_split, false, "a split of two granules"},
    {lost_split, false, "a split of no granule, that is not free"},
    {settled_half, false, "a line settled in halves alone"},
    {settled_soon, false, "a line settled too soon"},
    {pages_counted, false, "the count of pages"},
    {lost_page, false, "a page that is not found"},
    {found_last, false, "a page found last"},
    {wrong_number, true, "the objects before a granule"},
    {wrong_page, true, "the objects before a page"},
    {wrong_line, true, "the objects before a line"},
    {local_line, true, "a line of which nothing is kept"},
    {kept_line, true, "a line of which not all is kept"},
    {dropped, true, "a shared object that is not kept"},
    {pages_turned, true, ""},
};

static void the_audit_of_spaces_names_faults(void) {
  for (size_t i = 0; i < sizeof EDITS / sizeof *EDITS; i++) {
    Heap *heap = heap_new(0);
    Space *space = sample(heap);
    Err err;
    if (EDITS[i].numbered) space_number(space, false);
    expect_sound(space_audit(space, &err), &err, i);
    EDITS[i].edit(space);
    expect_fault(space_audit(space, &err), &err, EDITS[i].what);
    heap_free(heap);
  }
}

void suite_space(void) {
  CU_pSuite suite = CU_add_suite("space", open_source, close_source);
  CU_ADD_TEST(suite, spaces_are_as_defined);
  CU_ADD_TEST(suite, the_audit_of_spaces_names_faults);
}
