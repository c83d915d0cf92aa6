/* filters.c: what may be left out of the raw log, decided by tables that are small enough for the nearest cache. */
#include "distil/space_inside.h"

#include "distil/loops.h"

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

/* Is the access to one line, that at most one thread has accessed? */
static inline bool is_unshared(const SpaceView *view, uint64_t address, uint32_t size) {
  return (address & ((1u << RAW_LINE_BITS) - 1)) + size <= 1u << RAW_LINE_BITS &&
         !is_shared(view->space->shared, raw_stripe(address));
}

/* What a filter says of an access: is it left out, and is each one of whole pieces of its line, or its page? */
typedef enum { STAYS = -1, GOES = 0, LINE_GOES = RAW_LINE_BITS, PAGE_GOES = PAGE_BITS } Choice;
typedef Choice Choose(SpaceView *view, uint64_t address, uint32_t size);

static bool goes(SpaceView *view, const Loop *loop, uint32_t place, const uint64_t *region, Choose *choose) {
  const uint32_t size = raw_plain_size(loop->first[place]), n = loop_rounds(loop, place);
  for (uint32_t i = 0; i < n;) {
    const uint64_t address = raw_address(region, loop->first[place] + loop->step[place] * i);
    const Choice choice = choose(view, address, size);
    if (choice == STAYS) return false;
    i += choice == GOES ? 1 : loop_alike(loop, place, address, (uint32_t)choice, n - i);
  }
  return true;
}

/* Of the loop whose word this is, with so many words before it, and which comes after `last` in its chunk, what may not
 * be left out; how many words that is. */
static uint32_t pick_loop(SpaceView *view, Loop *last, const uint64_t *word, uint32_t before, const uint64_t *region,
                          Choose *choose, uint64_t *picked) {
  uint32_t kept = 0;
  if (!loop_read(last, word, before)) {
    *picked = RAW_KINDS;
    return 1;
  }
  for (uint32_t i = 0; i < last->period; i++)
    if (!goes(view, last, i, region, choose)) kept |= UINT32_C(1) << i;
  if (!kept) return 0;
  if (kept == (UINT32_C(1) << last->period) - 1) return loop_put(last, picked);
  Loop loop = *last;
  loop_keep(&loop, kept);
  return loop_put(&loop, picked);
}

static Choice choose_local(SpaceView *view, uint64_t address, uint32_t size) {
  return is_unshared(view, address, size) ? LINE_GOES : STAYS;
}

typedef struct {
  uint32_t n, n_rest;
  bool by_marks;
} Dropped;

#define NOT_DROPPED ((Dropped){0, UINT32_MAX, false})

/* What is left of a chunk, in `rest`, and what its words stand on so far. */
typedef struct {
  SpaceView *view;
  uint64_t region[RAW_REGIONS];
  uint32_t region_stripe[RAW_REGIONS]; /* of the regions' first lines */
  uint32_t n;
  Loop loop;    /* the last one; */
  bool is_gone; /* it was left out */
} Rest;

/* What tells what the loop is, if so many words are before it. */
static uint32_t words_of_loop(uint64_t loop, uint32_t before) {
  const uint32_t n = raw_loop_basis(loop);
  return n < before ? n : before;
}

/* Is all that the loop does local? If it is not, the words that tell what it is, of which so many are in `rest`, are
 * put back into it, and it as well. False: that does not tell it, since the loop before it was left out. */
static bool rest_loop(Rest *rest, const uint64_t *word, uint32_t before, uint32_t there) {
  uint64_t picked[LOOP_WORDS], *to = rest->view->rest;
  const bool was_gone = rest->is_gone;
  rest->is_gone = !pick_loop(rest->view, &rest->loop, word, before, rest->region, choose_local, picked);
  if (rest->is_gone) return true;
  if (raw_loop_turn(*word) && was_gone) return false;
  if (raw_kind(*picked) != RAW_LOOP) {
    to[rest->n++] = *picked;
    return true;
  }
  const uint32_t needed = words_of_loop(*word, before);
  memmove(to + rest->n - there, word - needed, (needed + 1) * sizeof *word);
  rest->n += needed + 1 - there;
  return true;
}

/* Neither a plain access nor a loop. The place of what comes after it, of n words. */
static uint32_t rest_other(Rest *rest, const uint64_t *words, uint32_t i, uint32_t n) {
  const uint64_t word = words[i];
  rest->view->rest[rest->n++] = word;
  if (raw_kind(word) == RAW_REGION) {
    rest->region[word >> RAW_REGION_SHIFT] = raw_region(word);
    rest->region_stripe[word >> RAW_REGION_SHIFT] = raw_stripe(raw_region(word));
  }
  if (raw_has_second(raw_kind(word)) && i + 1 < n) rest->view->rest[rest->n++] = words[++i];
  return i + 1;
}

/* Leaves accesses to such lines out, in `rest`. How many words there were and are left; NOT_DROPPED: they have to stay
 * as they are. */
static Dropped drop_local(SpaceView *view, const uint64_t *words, uint32_t n) {
  const _Atomic uint64_t *shared = view->space->shared;
  Rest rest = {.view = view};
  uint32_t i = 0;
  while (i < n) {
    const uint64_t word = words[i];
    if (LIKELY(raw_is_plain(word))) { /* which of them are local cannot be foreseen */
      view->rest[rest.n] = word;
      rest.n += !is_local(shared, rest.region_stripe, word);
      i++;
      continue;
    }
    if (!word) break;
    if (raw_kind(word) == RAW_LOOP) {
      uint32_t there = 0;
      for (uint32_t k = words_of_loop(word, i); k; k--) there += !is_local(shared, rest.region_stripe, words[i - k]);
      if (!rest_loop(&rest, words + i, i, there)) return NOT_DROPPED;
      i++;
      continue;
    }
    i = rest_other(&rest, words, i, n);
  }
  view->mostly_local = i - rest.n > i / 4;
  assert(rest.n <= i && i <= n);
  return (Dropped){i, rest.n, false};
}

/* Do many words have a mark, and are all of these local? */
static bool are_alone(const SpaceView *view, const RawTail *tail) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < RAW_MARKS; i++) n += (uint32_t)__builtin_popcountll(tail->marks[i]);
  if (n < RAW_WORDS / 4) return false;
  for (uint32_t i = 0; i < tail->n; i++)
    if (is_shared(view->space->shared, tail->stripes[i] % (1u << RAW_STRIPE_BITS))) return false;
  return true;
}

static inline bool has_mark(const RawTail *tail, uint32_t place) { return tail->marks[place / 64] >> place % 64 & 1; }

/* Leaves words with a mark out, likewise: `words` begin behind the first one of the chunk. Only the others are looked
 * at. */
static Dropped drop_marked(SpaceView *view, const uint64_t *words, const RawTail *tail) {
  const uint64_t *chunk = words - 1;
  Rest rest = {.view = view};
  uint32_t next = 1; /* what is before it is done */
  for (uint32_t base = 0; base < RAW_WORDS; base += 64) {
    for (uint64_t left = ~tail->marks[base / 64]; left; left &= left - 1) {
      const uint32_t i = base + (uint32_t)__builtin_ctzll(left);
      const uint64_t word = chunk[i];
      if (i < next) continue;
      if (!word || i >= RAW_WORDS) return (Dropped){i - 1, rest.n, true};
      if (LIKELY(raw_is_plain(word))) {
        view->rest[rest.n++] = word;
      } else if (raw_kind(word) == RAW_LOOP) {
        uint32_t there = 0;
        for (uint32_t k = words_of_loop(word, i - 1); k; k--) there += !has_mark(tail, i - k);
        if (!rest_loop(&rest, chunk + i, i - 1, there)) return NOT_DROPPED;
      } else {
        next = rest_other(&rest, chunk, i, RAW_WORDS);
      }
    }
  }
  return (Dropped){RAW_WORDS - 1, rest.n, true};
}

/* Leaves out what is local, if that is worth it: *words are those of `rest` then. */
static Dropped drop(SpaceView *view, const uint64_t **words, uint32_t n, const RawTail *tail) {
  Dropped dropped = NOT_DROPPED;
  if (tail && are_alone(view, tail)) dropped = drop_marked(view, *words, tail);
  else if (view->mostly_local) dropped = drop_local(view, *words, n);
  if (dropped.n_rest > n) return (Dropped){n, n, false};
  *words = view->rest;
  return dropped;
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

static inline bool is_noted(SpaceView *view, uint64_t address, uint32_t size) {
  const Page *page = view_page(view, address, true);
  return page && is_noted_in(page, address, size);
}

static Choice choose_new(SpaceView *view, uint64_t address, uint32_t size) {
  if (is_unshared(view, address, size)) return LINE_GOES;
  const Page *page = view_page(view, address, true);
  const uint32_t bits = page ? settled_bits(page, address, size) : 0;
  return bits ? (Choice)bits : STAYS;
}

/* Where most of the current words are local, the raw log itself is made shorter, so that the second pass does not read
 * them again. What it skips by marks costs less than to write the rest. */
static Dropped drop_and_shrink(SpaceView *view, const uint64_t **words, uint32_t n, const RawTail *tail) {
  const uint64_t *chunk = *words;
  const Dropped dropped = drop(view, words, n, tail);
  if (!dropped.by_marks && dropped.n_rest < dropped.n / 2)
    source_shrink(view->space->source, chunk, view->rest, dropped.n_rest);
  return dropped;
}

uint32_t space_pick_new(void *argument, const uint64_t *words, uint32_t n, const RawTail *tail, uint64_t *picked) {
  SpaceView *view = argument;
  const _Atomic uint64_t *shared = view->space->shared;
  uint64_t region[RAW_REGIONS] = {0};
  uint32_t region_stripe[RAW_REGIONS] = {0}, n_picked = 0, local = 0, i = 0;
  Loop loop = {0};
  n = drop_and_shrink(view, &words, n, tail).n_rest;
  age(view);
  for (; i < n && words[i]; i++) {
    const uint64_t word = words[i];
    if (raw_is_plain(word)) {
      const uint64_t address = word >> RAW_ADDRESS_SHIFT;
      const uint64_t key = address << RAW_ADDRESS_SHIFT | view->age << RAW_KIND_BITS | raw_plain_size(word);
      uint64_t *noted = &view->noted[(address >> 3 ^ address << 8 ^ address >> 13) % NOTED];
      if (*noted == key) continue;
      *noted = key;
      if (is_noted(view, raw_address(region, word), raw_plain_size(word))) continue;
      if (is_local(shared, region_stripe, word)) {
        local++;
        continue;
      }
    } else if (raw_kind(word) == RAW_LOOP) {
      n_picked += pick_loop(view, &loop, words + i, i, region, choose_new, picked + n_picked);
      continue;
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
  if (words != view->rest) view->mostly_local = local > i / 4;
  assert(n_picked <= 3 * i);
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
  if (!(shared_in(page, granule) & bits(from, from + size))) return SPACE_LOCAL;
  return begins_in(page, granule) & bits(from + 1, from + size) ? 0 : object_at(page, granule, from);
}

static Choice choose_kept(SpaceView *view, uint64_t address, uint32_t size) {
  if (look_up(view, address, size) != SPACE_LOCAL) return STAYS;
  const Page *page = view_page(view, address, false);
  return !page || page->lines[granule_of(address) / PER_LINE].form == LOCAL ? LINE_GOES : GOES;
}

uint32_t space_pick_kept(void *argument, const uint64_t *words, uint32_t n, const RawTail *tail, uint64_t *picked) {
  SpaceView *view = argument;
  uint64_t region[RAW_REGIONS] = {0};
  uint32_t n_picked = 0, i = 0;
  Loop loop = {0};
  n = drop(view, &words, n, tail).n_rest;
  for (; i < n && words[i]; i++) {
    const uint64_t word = words[i];
    if (raw_is_plain(word)) {
      const uint32_t object = look_up(view, raw_address(region, word), raw_plain_size(word));
      picked[n_picked] = object ? raw_known(word, object) : word;
      n_picked += object != SPACE_LOCAL;
    } else if (raw_kind(word) == RAW_LOOP) {
      n_picked += pick_loop(view, &loop, words + i, i, region, choose_kept, picked + n_picked);
    } else {
      picked[n_picked++] = checked(word);
      if (raw_kind(word) == RAW_REGION) region[word >> RAW_REGION_SHIFT] = raw_region(word);
      if (raw_has_second(raw_kind(word)) && i + 1 < n) picked[n_picked++] = words[++i];
    }
  }
  if (words != view->rest) view->mostly_local = n_picked < i - i / 4;
  return n_picked;
}
