/* Most controls are like others in what is known of them: there are far fewer kinds, and whether two of them are
 * compatible is computed once for each pair that somebody asks for. */
#include "base/intern.h"
#include "prove/known_inside.h"

#include <string.h>

/* The pairs of up to this many kinds are remembered: in 16 MiB at most. */
enum { MOST_TABULATED = 1 << 13 };

static bool values_meet(const Known *facts, const uint64_t *a, const uint64_t *b) {
  for (uint32_t i = 0; i < facts->tracked.n; i++) {
    const uint32_t object = facts->tracked.at[i], at = facts->value_at[object];
    const uint32_t n_values = facts->classes->objects[object].n_values;
    uint32_t v = 0;
    while (v < n_values && !(bitset_has(a, at + v) && bitset_has(b, at + v))) v++;
    if (v == n_values) return false;
  }
  return true;
}

bool known_rows_meet(const Known *facts, uint32_t control, uint32_t other) {
  const uint64_t *a = known_held(facts, control), *b = known_held(facts, other);
  for (size_t i = 0; i < facts->held_words; i++)
    if (a[i] & b[i]) return false;
  return values_meet(facts, known_values(facts, control), known_values(facts, other));
}

static void add_kinds(Known *facts) {
  const Classes *classes = facts->classes;
  const size_t words = facts->held_words + facts->value_words;
  uint64_t *row = heap_alloc(facts->heap, (words + 1) * sizeof *row);
  Intern rows;
  intern_init(&rows, facts->heap);
  for (uint32_t c = 0; c < classes->n_controls; c++) {
    facts->kind[c] = NOTE_NONE;
    if (!known_is_reached(facts, c)) continue;
    if (facts->held_words) memcpy(row, known_held(facts, c), facts->held_words * sizeof *row);
    if (facts->value_words) memcpy(row + facts->held_words, known_values(facts, c), facts->value_words * sizeof *row);
    bool is_new;
    facts->kind[c] = intern_add(&rows, (const char *)row, words * sizeof *row, &is_new);
    if (is_new) vec_push(facts->heap, &facts->kind_control, c);
  }
  facts->n_kinds = facts->kind_control.n;
  intern_fini(&rows);
  heap_release(facts->heap, row);
}

void kinds_find(Known *facts) {
  add_kinds(facts);
  if (facts->n_kinds > MOST_TABULATED) return;
  const uint64_t n = (uint64_t)facts->n_kinds * facts->n_kinds;
  facts->asked = heap_zeroed(facts->heap, (bitset_words((uint32_t)n) + 1) * sizeof *facts->asked);
  facts->meets = heap_zeroed(facts->heap, (bitset_words((uint32_t)n) + 1) * sizeof *facts->meets);
}

bool known_meet(const Known *facts, uint32_t control, uint32_t other) {
  if (!facts->meets) return known_rows_meet(facts, control, other);
  const uint32_t a = facts->kind[control], b = facts->kind[other];
  const uint32_t pair = a > b ? a * facts->n_kinds + b : b * facts->n_kinds + a;
  if (!bitset_has(facts->asked, pair)) {
    bitset_add(facts->asked, pair);
    if (known_rows_meet(facts, control, other)) bitset_add(facts->meets, pair);
  }
  return bitset_has(facts->meets, pair);
}

bool known_pass(const Known *facts, uint32_t step, uint32_t control) {
  const ClassStep *at = &facts->classes->steps[step];
  return classes_are_two(facts->classes, facts->classes->class_of[at->from], facts->classes->class_of[control]) &&
         known_meet(facts, at->from, control) && known_meet(facts, at->to, control) &&
         known_finds_values(facts, step, control);
}
