#include "check/upward_read.h"

#include <stdlib.h>

/* More elements than these are no set. */
#define MOST INT32_MAX

typedef struct {
  Lines *lines;
  UpwardClaim *claim;
  Err *why, *err;
  U32Vec numbers;
} UpwardReader;

static bool read_number(UpwardReader *r, const char *what, uint64_t n, uint32_t *number) {
  uint64_t value = 0;
  if (!lines_number(r->lines, what, 0, n, &value, r->err)) return false;
  *number = (uint32_t)value;
  return true;
}

/* ('x' C*)* */
static bool read_positions(UpwardReader *r) {
  while (lines_word(r->lines, "x"))
    if (!lines_list(r->lines, r->claim->heap, "a control", thread_facts_controls(r->claim->facts), &r->numbers,
                    r->err) ||
        !positions_add(&r->claim->positions, r->numbers.at, r->numbers.n, r->why))
      return false;
  return true;
}

/* K X Y, as a key */
static bool read_key(UpwardReader *r, ElementKey *key) {
  const uint32_t n = positions_count(&r->claim->positions), n_items = 2 * r->claim->groups.has_readers.n;
  *key = (ElementKey){UPWARD_BEFORE, 0, 0};
  if (!read_number(r, "a kind of element", UPWARD_KINDS - 1, &key->kind)) return false;
  if (key->kind != UPWARD_BEFORE && !lines_index(r->lines, "a position", n, &key->at, r->err)) return false;
  if (key->kind == UPWARD_CARRIED) return lines_index(r->lines, "a position", n, &key->item, r->err);
  return key->kind < UPWARD_LEFT || lines_index(r->lines, "where the chain is", n_items, &key->item, r->err);
}

/* N X* (O V)* */
static bool read_numbers(UpwardReader *r) {
  const ThreadFacts *f = r->claim->facts;
  uint32_t n, index, object;
  vec_clear(&r->numbers);
  if (!read_number(r, "a number of threads", MOST, &n)) return false;
  for (uint32_t i = 0; i < n; i++) {
    if (!lines_index(r->lines, "a position", positions_count(&r->claim->positions), &index, r->err)) return false;
    vec_push(r->claim->heap, &r->numbers, index);
  }
  while (lines_has_blank(r->lines)) {
    if (!lines_index(r->lines, "an object", thread_facts_objects(f), &object, r->err)) return false;
    const uint32_t from = f->object_start.at[object], n_values = f->object_start.at[object + 1] - from;
    if (!lines_index(r->lines, "a value", n_values, &index, r->err)) return false;
    vec_push(r->claim->heap, &r->numbers, upward_value(r->claim, from + index));
  }
  return lines_end(r->lines, r->err);
}

static int ascending(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* 'd' key numbers */
static bool read_element(UpwardReader *r) {
  ElementKey key;
  if (!lines_word(r->lines, "d")) return lines_expected(r->lines, "'d' and an element", r->err);
  if (!read_key(r, &key) || !read_numbers(r)) return false;
  if (r->numbers.n > 1) qsort(r->numbers.at, r->numbers.n, sizeof *r->numbers.at, ascending);
  elements_add(&r->claim->elements, (Element){key, r->numbers.at, r->numbers.n});
  heap_poll(r->claim->heap);
  return true;
}

/* N group* position* element*, so many of these */
static bool read_claim(UpwardReader *r) {
  uint32_t n;
  if (!read_number(r, "a number of elements", MOST, &n) || !lines_end(r->lines, r->err)) return false;
  if (!groups_read(r->lines, &r->claim->groups, r->why, r->err) || !read_positions(r)) return false;
  for (uint32_t i = 0; i < n; i++)
    if (!read_element(r)) return false;
  return true;
}

bool upward_read(Lines *lines, const ThreadFacts *facts, UpwardClaim *claim, Err *why, Err *err) {
  UpwardReader r = {.lines = lines, .claim = claim, .why = why, .err = err};
  upward_claim_init(claim, facts);
  why->text[0] = '\0';
  err->kind = ERR_INPUT;
  const bool good = read_claim(&r);
  vec_fini(facts->heap, &r.numbers);
  if (!good && why->text[0]) err->kind = ERR_CHECK;
  return good;
}
