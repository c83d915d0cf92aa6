/* filters.c: what may be left out of the raw log, decided by tables that are small enough for the nearest cache. */
#include "distil/space_inside.h"

#include <assert.h>
#include <string.h>

enum { NOTED = 2048 };

struct SpaceView {
  const Space *space;
  Recent recent[RECENT];
  bool mostly_local;     /* were accesses to lines that one thread has accessed, in the last chunk? */
  uint64_t age;          /* of what is in `noted`, in place of its program counter; it has RAW_CODE_BITS */
  uint64_t noted[NOTED]; /* accesses that were picked lately, by their addresses */
  uint64_t rest[RAW_CHUNK / sizeof(uint64_t)]; /* of a chunk, without accesses to such lines */
};

SpaceView *space_view_new(Space *s) {
  SpaceView *view = heap_zeroed(s->heap, sizeof *view);
  view->space = s;
  for (uint32_t i = 0; i < RECENT; i++) view->recent[i].number = UINT64_MAX;
  return view;
}

void space_view_free(Space *s, SpaceView *view) { heap_release(s->heap, view); }

/* A word that is no plain access. What is of no kind here must not be taken for a known access later. */
static inline uint64_t checked(uint64_t word) { return raw_kind(word) < RAW_KINDS ? word : RAW_KINDS; }

#define INLINED inline __attribute__((always_inline))

/* Is this a plain access, and to one line, that at most one thread has accessed? All of it is one test: two could not
 * be foreseen. The stripes are those of the regions' first lines. */
static INLINED bool is_local(const _Atomic uint64_t *shared, const uint32_t *region_stripe, uint64_t word) {
  static const uint8_t PLACES[1 << RAW_KIND_BITS] = {0,  64, 63, 61, 57, 49, 64, 63, 61,
                                                     57, 49, 64, 63, 61, 57, 49}; /* in a line, where it may begin */
  const uint32_t line = word >> (RAW_ADDRESS_SHIFT + RAW_LINE_BITS) & ((1u << (RAW_OFFSET_BITS - RAW_LINE_BITS)) - 1);
  const uint32_t stripe =
      (raw_stripe_of_line(line) + region_stripe[word >> RAW_REGION_SHIFT]) % (1u << RAW_STRIPE_BITS);
  const uint32_t in_line = word >> RAW_ADDRESS_SHIFT & ((1u << RAW_LINE_BITS) - 1);
  return (in_line < PLACES[raw_kind(word)]) & ~is_shared(shared, stripe);
}

typedef struct {
  uint32_t n, n_rest;
} Dropped;

/* Leaves accesses to such lines out, in `rest`. How many words there were and are left. */
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
  assert(n_rest <= i && i <= n);
  return (Dropped){i, n_rest};
}

/* Accesses that were noted are noted again where others may have come in between: after the clock has moved, or memory
 * was freed. */
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

/* Drops what is local from the current words. Where that is most of them, the raw log itself is made shorter, so that
 * the second pass does not read them again. */
static const uint64_t *shrink_words(SpaceView *view, const uint64_t *words, uint32_t *n) {
  const Dropped dropped = drop_local(view, words, *n);
  if (dropped.n_rest < dropped.n / 2) source_shrink(view->space->source, words, view->rest, dropped.n_rest);
  *n = dropped.n_rest;
  return view->rest;
}

uint32_t space_pick_new(void *argument, const uint64_t *words, uint32_t n, uint64_t *picked) {
  SpaceView *view = argument;
  const _Atomic uint64_t *shared = view->space->shared;
  uint64_t region[RAW_REGIONS] = {0};
  uint32_t region_stripe[RAW_REGIONS] = {0}, n_picked = 0, local = 0, i = 0;
  const bool drop = view->mostly_local;
  if (drop) words = shrink_words(view, words, &n);
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
    } else if (raw_kind(word) == RAW_CALLER || raw_kind(word) == RAW_STACK) {
      continue; /* nothing of the first pass */
    }
    picked[n_picked++] = checked(word);
    if (raw_has_second(raw_kind(word)) && i + 1 < n) picked[n_picked++] = words[++i];
  }
  if (!drop) view->mostly_local = local > i / 4;
  assert(n_picked <= i);
  return n_picked;
}

/* The object of an access that may be shared, SPACE_LOCAL if it is none that is kept, 0 if it may be several. All bytes
 * of an object are shared, or none. */
static inline uint32_t look_up(SpaceView *view, uint64_t address, uint32_t size) {
  const uint32_t from = address & 7, granule = granule_of(address);
  if (from + size > 8) return 0;
  const Page *page = view_page(view, address, false);
  if (!page) return SPACE_LOCAL;
  const Line *line = &page->lines[granule / PER_LINE];
  if (LIKELY(1u << line->form == size))
    return line->before + 1 + (uint32_t)((address & ((1u << RAW_LINE_BITS) - 1)) >> line->form);
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
      picked[n_picked++] = checked(word);
      if (raw_kind(word) == RAW_REGION) region[word >> RAW_REGION_SHIFT] = raw_region(word);
      if (raw_has_second(raw_kind(word)) && i + 1 < n) picked[n_picked++] = words[++i];
    }
  }
  if (!drop) view->mostly_local = i - n_picked > i / 4;
  return n_picked;
}
