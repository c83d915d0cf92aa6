/* Most controls are like others in what is known of them: there are far fewer kinds, and whether two of them are
 * compatible is computed once for each pair that somebody asks for. */
#include "base/intern.h"
#include "prove/known_inside.h"
#include "prove/together.h"

#include <string.h>

/* The pairs of up to this many kinds are remembered: in 16 MiB at most. */
enum { MOST_TABULATED = 1 << 13 };

/* Has each object of the word a value in common? To the values of each but its last one all these are added: that
 * carries into the place of the last one if one of them is common. */
static bool word_meets(const Known *facts, size_t word, uint64_t common) {
  const uint64_t top = facts->value_top[word], rest = facts->value_rest[word];
  return ((((common & rest) + rest) | common) & top) == top;
}

static bool have_common(const Known *facts, uint32_t object, const uint64_t *a, const uint64_t *b) {
  const size_t from = facts->value_at[object] / 64;
  const size_t to = from + bitset_words(facts->classes->objects[object].n_values);
  for (size_t i = from; i < to; i++)
    if (a[i] & b[i]) return true;
  return false;
}

/* Has the counter a value in common up to which both controls count? */
static bool count_common(const Known *facts, uint32_t object, const uint32_t *controls) {
  const uint64_t *a = known_values(facts, controls[0]), *b = known_values(facts, controls[1]);
  const uint32_t at = facts->value_at[object];
  for (uint32_t v = 0; v < facts->classes->objects[object].n_values; v++)
    if (bitset_has(a, at + v) && bitset_has(b, at + v) && known_counts(facts, object, v, controls, 2)) return true;
  return false;
}

static bool values_meet(const Known *facts, uint32_t control, uint32_t other) {
  const uint64_t *a = known_values(facts, control), *b = known_values(facts, other);
  const uint32_t controls[] = {control, other};
  for (size_t i = 0; i < facts->value_words; i++)
    if (!word_meets(facts, i, a[i] & b[i])) return false;
  for (uint32_t i = 0; i < facts->wide.n; i++)
    if (!have_common(facts, facts->wide.at[i], a, b)) return false;
  for (uint32_t i = 0; i < facts->counters.n; i++)
    if (!count_common(facts, facts->counters.at[i].object, controls)) return false;
  return true;
}

bool known_rows_meet(const Known *facts, uint32_t control, uint32_t other) {
  const uint64_t *a = known_held(facts, control), *b = known_held(facts, other);
  for (size_t i = 0; i < facts->held_words; i++)
    if (a[i] & b[i]) return false;
  return values_meet(facts, control, other);
}

static void add_kinds(Known *facts) {
  const Classes *classes = facts->classes;
  const size_t words = facts->held_words + facts->value_words + facts->counters.n;
  uint64_t *row = heap_alloc(facts->heap, (words + 1) * sizeof *row);
  Intern rows;
  intern_init(&rows, facts->heap);
  for (uint32_t c = 0; c < classes->n_controls; c++) {
    facts->kind[c] = NOTE_NONE;
    if (!known_is_reached(facts, c)) continue;
    if (facts->held_words) memcpy(row, known_held(facts, c), facts->held_words * sizeof *row);
    if (facts->value_words) memcpy(row + facts->held_words, known_values(facts, c), facts->value_words * sizeof *row);
    for (uint32_t i = 0; i < facts->counters.n; i++) {
      const Counter *counter = &facts->counters.at[i];
      row[facts->held_words + facts->value_words + i] =
          (uint64_t)counter->class_most[classes->class_of[c]] << 32 | counter->weight[c];
    }
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

bool known_meet_alone(const Known *facts, uint32_t control, uint32_t other) {
  if (!facts->meets) return known_rows_meet(facts, control, other);
  const uint32_t a = facts->kind[control], b = facts->kind[other];
  const uint32_t pair = a > b ? a * facts->n_kinds + b : b * facts->n_kinds + a;
  if (!bitset_has(facts->asked, pair)) {
    bitset_add(facts->asked, pair);
    if (known_rows_meet(facts, control, other)) bitset_add(facts->meets, pair);
  }
  return bitset_has(facts->meets, pair);
}

bool known_meet(const Known *facts, uint32_t control, uint32_t other) {
  return known_meet_alone(facts, control, other) &&
         (!facts->together || together_meet(facts->together, control, other));
}

bool known_pass_alone(const Known *facts, uint32_t step, uint32_t control) {
  const ClassStep *at = &facts->classes->steps[step];
  return classes_are_two(facts->classes, facts->classes->class_of[at->from], facts->classes->class_of[control]) &&
         known_meet_alone(facts, at->from, control) && known_meet_alone(facts, at->to, control) &&
         known_finds_beside(facts, step, control);
}

bool known_pass(const Known *facts, uint32_t step, uint32_t control) {
  return known_pass_alone(facts, step, control) && (!facts->together || together_pass(facts->together, step, control));
}
