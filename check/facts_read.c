#include "check/facts_read.h"

/* More of anything than this is no certificate of a net. */
#define MOST INT32_MAX

typedef struct {
  Lines *lines;
  ThreadFacts *facts;
  Err *why, *err;
  U32Vec numbers; /* of a list */
  uint32_t objects, bits, kinds, controls;
} FactsReader;

/* A number from `low` to n. */
static bool read_number(FactsReader *r, const char *what, uint32_t low, uint64_t n, uint32_t *number) {
  uint64_t value;
  if (!lines_number(r->lines, what, low, n, &value, r->err)) return false;
  *number = (uint32_t)value;
  return true;
}

static bool read_index(FactsReader *r, const char *what, uint64_t n, uint32_t *index) {
  return lines_index(r->lines, what, n, index, r->err);
}

static bool end_line(FactsReader *r) { return lines_end(r->lines, r->err); }

/* numbers* and the end of the line, from 0 in r->numbers */
static bool read_list(FactsReader *r, const char *what, uint32_t n) {
  return lines_list(r->lines, r->facts->heap, what, n, &r->numbers, r->err);
}

static bool expect(FactsReader *r, const char *word, const char *what) {
  return lines_word(r->lines, word) || lines_expected(r->lines, what, r->err);
}

/* O B K C */
static bool read_sizes(FactsReader *r) {
  return read_number(r, "a number of objects", 0, MOST, &r->objects) &&
         read_number(r, "a number of bits", 0, MOST, &r->bits) &&
         read_number(r, "a number of kinds", 0, MOST, &r->kinds) &&
         read_number(r, "a number of controls", 0, MOST, &r->controls) && end_line(r);
}

/* 'h' P* */
static bool read_shared(FactsReader *r) {
  while (lines_word(r->lines, "h")) {
    if (!read_list(r, "a place", r->facts->net->n_places)) return false;
    for (uint32_t i = 0; i < r->numbers.n; i++) thread_facts_share(r->facts, (PlaceId){r->numbers.at[i]});
  }
  return true;
}

/* 'o' V ('v' P*)* */
static bool read_object(FactsReader *r) {
  uint32_t n;
  if (!expect(r, "o", "'o' and an object") || !read_number(r, "a number of values", 1, MOST, &n) || !end_line(r))
    return false;
  thread_facts_object(r->facts);
  for (uint32_t i = 0; i < n; i++) {
    if (!expect(r, "v", "'v' and the places of a value") || !read_list(r, "a place", r->facts->net->n_places))
      return false;
    if (!thread_facts_value(r->facts, r->numbers.at, r->numbers.n, r->why)) return false;
  }
  return true;
}

/* 'b' O */
static bool read_bit(FactsReader *r) {
  uint32_t object;
  return expect(r, "b", "'b' and the object of a bit") && read_index(r, "an object", r->objects, &object) &&
         end_line(r) && thread_facts_bit(r->facts, object, r->why);
}

/* 'n' O */
static bool read_counters(FactsReader *r) {
  while (lines_word(r->lines, "n")) {
    uint32_t object;
    if (!read_index(r, "an object", r->objects, &object) || !end_line(r) ||
        !thread_facts_counter(r->facts, object, r->why))
      return false;
  }
  return true;
}

/* 'm' O V* */
static bool read_limit(FactsReader *r) {
  uint32_t object;
  if (!read_index(r, "an object", r->objects, &object)) return false;
  const uint32_t from = r->facts->object_start.at[object], n = r->facts->object_start.at[object + 1] - from;
  if (!read_list(r, "a value", n)) return false;
  thread_facts_limit(r->facts, object);
  for (uint32_t i = 0; i < r->numbers.n; i++) thread_facts_allow(r->facts, from + r->numbers.at[i]);
  return true;
}

/* 'w' O N */
static bool read_weight(FactsReader *r) {
  uint32_t object, weight;
  return read_index(r, "an object", r->objects, &object) && read_number(r, "a weight", 0, MOST, &weight) &&
         end_line(r) && thread_facts_weigh(r->facts, object, weight, r->why);
}

/* 'k' B* limit* weight* */
static bool read_kind(FactsReader *r) {
  if (!expect(r, "k", "'k' and the bits of a kind") || !read_list(r, "a bit", r->bits)) return false;
  thread_facts_kind(r->facts);
  for (uint32_t i = 0; i < r->numbers.n; i++) thread_facts_hold(r->facts, r->numbers.at[i]);
  while (lines_word(r->lines, "m"))
    if (!read_limit(r)) return false;
  while (lines_word(r->lines, "w"))
    if (!read_weight(r)) return false;
  return true;
}

/* 'a' K T P* */
static bool read_control(FactsReader *r) {
  uint32_t kind, thread;
  return expect(r, "a", "'a' and a control") && read_index(r, "a kind", r->kinds, &kind) &&
         read_index(r, "a thread", r->facts->n_threads, &thread) && read_list(r, "a place", r->facts->net->n_places) &&
         thread_facts_control(r->facts, kind, thread, r->numbers.at, r->numbers.n, r->why);
}

/* word K*, any number of them */
static bool read_side(FactsReader *r, const char *word, void (*add)(ThreadFacts *facts, uint32_t kind)) {
  while (lines_word(r->lines, word)) {
    if (!read_list(r, "a kind", r->kinds)) return false;
    for (uint32_t i = 0; i < r->numbers.n; i++) add(r->facts, r->numbers.at[i]);
  }
  return true;
}

/* 'q' K K V* */
static bool read_pair(FactsReader *r) {
  const U32Vec *objects = &vec_last(&r->facts->pairs).objects;
  uint32_t left, right;
  if (!read_index(r, "a kind", r->kinds, &left) || !read_index(r, "a kind", r->kinds, &right)) return false;
  vec_clear(&r->numbers);
  for (uint32_t i = 0; i < objects->n; i++) {
    const uint32_t *start = &r->facts->object_start.at[objects->at[i]];
    uint32_t value;
    if (!read_index(r, "a value", start[1] - start[0], &value)) return false;
    vec_push(r->facts->heap, &r->numbers, value);
  }
  return end_line(r) && thread_facts_pair(r->facts, left, right, r->numbers.at, r->why);
}

/* ('p' O* side* side* pair*)* */
static bool read_pairs(FactsReader *r) {
  while (lines_word(r->lines, "p")) {
    if (!read_list(r, "an object", r->objects)) return false;
    if (!thread_facts_pairs(r->facts, r->numbers.at, r->numbers.n, r->why)) return false;
    if (!read_side(r, "l", thread_facts_left) || !read_side(r, "r", thread_facts_right)) return false;
    for (uint32_t i = 0; lines_word(r->lines, "q"); i++) {
      if (i % 1024 == 0) heap_poll(r->facts->heap);
      if (!read_pair(r)) return false;
    }
  }
  return true;
}

static bool repeat(FactsReader *r, uint32_t n, bool (*read)(FactsReader *r)) {
  for (uint32_t i = 0; i < n; i++) {
    if (i % 1024 == 0) heap_poll(r->facts->heap);
    if (!read(r)) return false;
  }
  return true;
}

bool facts_read(Lines *lines, ThreadFacts *facts, Err *why, Err *err) {
  FactsReader r = {.lines = lines, .facts = facts, .why = why, .err = err};
  why->text[0] = '\0';
  err->kind = ERR_INPUT;
  const bool good = read_sizes(&r) && read_shared(&r) && repeat(&r, r.objects, read_object) &&
                    repeat(&r, r.bits, read_bit) && read_counters(&r) && repeat(&r, r.kinds, read_kind) &&
                    repeat(&r, r.controls, read_control) && read_pairs(&r);
  vec_fini(facts->heap, &r.numbers);
  if (!good && why->text[0]) err->kind = ERR_CHECK;
  return good;
}
