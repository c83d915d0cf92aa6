/* By induction over a run: any two threads at controls of which a set tells are there with values that are one of its
 * lines. At first they are; a step of one of the two leads to a line or out of the set, and nothing leads into it; a
 * third thread changes values to those of a line. All that is ruled out here is so by the other facts, which hold
 * before a step and after it, whatever sets there are. */
#include "check/pair_judge.h"

typedef struct {
  const ThreadFacts *facts;
  const FactPairs *set;
  Err *err;
  U32Vec *from_kind;    /* per kind: the kinds of steps that start there */
  U32Vec thirds;        /* kinds of steps that change an object that is followed */
  VEC(uint64_t) passes; /* per third: the kinds that it passes, of those that the set is about */
  U32Vec line;          /* two kinds, and values */
} PairJudge;

static const FactStep *step_of(const ThreadFacts *f, uint32_t step_kind) {
  return &f->steps.at[f->step_kind.at[step_kind]];
}
static uint32_t start_of(const ThreadFacts *f, uint32_t step_kind) {
  return f->control_kind.at[step_of(f, step_kind)->from];
}
static uint32_t end_of(const ThreadFacts *f, uint32_t step_kind) {
  return f->control_kind.at[step_of(f, step_kind)->to];
}

static uint32_t find_line(const FactPairs *set, const U32Vec *line) {
  return intern_find(&set->lines, (const char *)line->at, line->n * sizeof *line->at);
}

static const uint32_t *line_at(const FactPairs *set, uint32_t number) {
  return (const uint32_t *)(const void *)set->lines.strings.at[number];
}

/* The values, of the objects that are followed, after the step; false if it does not find them. */
static bool take_step(const ThreadFacts *f, const FactPairs *set, uint32_t step_kind, uint32_t *values) {
  const FactEffects effects = thread_facts_effects(f, step_of(f, step_kind)->transition);
  for (uint32_t i = 0; i < effects.n; i++)
    for (uint32_t k = 0; k < set->objects.n; k++) {
      if (set->objects.at[k] != effects.at[i].object) continue;
      if (values[k] != effects.at[i].pre) return false;
      values[k] = effects.at[i].post;
    }
  return true;
}

static bool changes_followed(const ThreadFacts *f, const FactPairs *set, uint32_t step_kind) {
  const FactEffects effects = thread_facts_effects(f, step_of(f, step_kind)->transition);
  for (uint32_t i = 0; i < effects.n; i++)
    for (uint32_t k = 0; k < set->objects.n; k++)
      if (set->objects.at[k] == effects.at[i].object && effects.at[i].pre != effects.at[i].post) return true;
  return false;
}

/* May a thread take the step while another one is at a control of the kind? */
static bool passes_other(const ThreadFacts *f, uint32_t step_kind, uint32_t kind) {
  return fact_threads_two(f->step_threads.at[step_kind], f->kind_threads.at[kind]) &&
         thread_facts_pass_alone(f, step_kind, kind);
}

/* ---- one set ---- */

static bool judge_ways_in(const PairJudge *j) {
  const ThreadFacts *f = j->facts;
  const uint64_t *sides[] = {j->set->left, j->set->right};
  for (uint32_t s = 0; s < f->step_kind.n; s++)
    for (int i = 0; i < 2; i++)
      if (bitset_has(sides[i], end_of(f, s)) && !bitset_has(sides[i], start_of(f, s)))
        return err_set(j->err, ERR_CHECK, "transition '%.200s' leads into a set of pairs",
                       f->net->trans_name[step_of(f, s)->transition.v]);
  return true;
}

/* Kinds at which threads start, each with one of them. */
static bool judge_initial(PairJudge *j, FactThreads *starts) {
  const ThreadFacts *f = j->facts;
  for (uint32_t k = 0; k < f->n_kinds; k++) {
    if (starts[k].first == FACT_NONE || !bitset_has(j->set->left, k)) continue;
    heap_poll(f->heap);
    for (uint32_t i = 0; i < f->n_kinds; i++) {
      if (!bitset_has(j->set->right, i) || !fact_threads_two(starts[k], starts[i])) continue;
      vec_clear(&j->line);
      vec_push(f->heap, &j->line, k);
      vec_push(f->heap, &j->line, i);
      for (uint32_t o = 0; o < j->set->objects.n; o++)
        vec_push(f->heap, &j->line, f->initial.at[j->set->objects.at[o]]);
      if (find_line(j->set, &j->line) == INTERN_NONE)
        return err_set(j->err, ERR_CHECK, "a set of pairs lacks the initial controls and values");
    }
  }
  return true;
}

static bool judge_starts(PairJudge *j) {
  const ThreadFacts *f = j->facts;
  FactThreads *starts = heap_alloc(f->heap, heap_product(f->heap, (uint64_t)f->n_kinds + 1, sizeof *starts));
  for (uint32_t k = 0; k < f->n_kinds; k++) starts[k] = (FactThreads){FACT_NONE, false};
  for (uint32_t i = 0; i < f->n_threads; i++) {
    FactThreads *at = &starts[f->control_kind.at[f->start.at[i]]];
    *at = (FactThreads){i, at->first != FACT_NONE};
  }
  const bool good = judge_initial(j, starts);
  heap_release(f->heap, starts);
  return good;
}

static void find_thirds(PairJudge *j) {
  const ThreadFacts *f = j->facts;
  const size_t words = bitset_words(f->n_kinds);
  vec_clear(&j->thirds);
  vec_clear(&j->passes);
  for (uint32_t s = 0; s < f->step_kind.n; s++) {
    if (!changes_followed(f, j->set, s)) continue;
    heap_poll(f->heap);
    vec_push(f->heap, &j->thirds, s);
    for (size_t i = 0; i < words; i++) vec_push(f->heap, &j->passes, 0);
    for (uint32_t k = 0; k < f->n_kinds; k++)
      if ((bitset_has(j->set->left, k) || bitset_has(j->set->right, k)) && passes_other(f, s, k))
        bitset_add(j->passes.at + j->passes.n - words, k);
  }
}

/* The line, with j->line as it becomes. */
static void copy_line(PairJudge *j, const uint32_t *line) {
  vec_clear(&j->line);
  for (uint32_t i = 0; i < j->set->objects.n + 2; i++) vec_push(j->facts->heap, &j->line, line[i]);
}

static bool leads_out(const PairJudge *j, uint32_t step_kind) {
  return err_set(j->err, ERR_CHECK, "transition '%.200s' leads to a line that a set of pairs does not have",
                 j->facts->net->trans_name[step_of(j->facts, step_kind)->transition.v]);
}

/* The steps of the first thread (0) or the second one (1). */
static bool judge_side(PairJudge *j, const uint32_t *line, int side) {
  const ThreadFacts *f = j->facts;
  const uint64_t *kinds = side ? j->set->right : j->set->left;
  const U32Vec *steps = &j->from_kind[line[side]];
  for (uint32_t i = 0; i < steps->n; i++) {
    const uint32_t s = steps->at[i];
    copy_line(j, line);
    if (!take_step(f, j->set, s, j->line.at + 2) || !passes_other(f, s, line[!side])) continue;
    j->line.at[side] = end_of(f, s);
    if (bitset_has(kinds, end_of(f, s)) && find_line(j->set, &j->line) == INTERN_NONE) return leads_out(j, s);
  }
  return true;
}

/* Does the third thread know all values of the line, and do all three count up to them? */
static bool third_knows(const PairJudge *j, uint32_t kind, const uint32_t *line) {
  const uint32_t kinds[] = {line[0], line[1], kind};
  for (uint32_t i = 0; i < j->set->objects.n; i++)
    if (!thread_facts_allows(j->facts, kind, line[2 + i]) ||
        !thread_facts_counts(j->facts, j->set->objects.at[i], line[2 + i], kinds, 3))
      return false;
  return true;
}

static bool judge_thirds(PairJudge *j, const uint32_t *line) {
  const ThreadFacts *f = j->facts;
  const size_t words = bitset_words(f->n_kinds);
  for (uint32_t i = 0; i < j->thirds.n; i++) {
    const uint64_t *passes = j->passes.at + i * words;
    if (!bitset_has(passes, line[0]) || !bitset_has(passes, line[1])) continue;
    copy_line(j, line);
    if (!take_step(f, j->set, j->thirds.at[i], j->line.at + 2)) continue;
    if (third_knows(j, start_of(f, j->thirds.at[i]), line) && find_line(j->set, &j->line) == INTERN_NONE)
      return leads_out(j, j->thirds.at[i]);
  }
  return true;
}

static bool judge_set(PairJudge *j) {
  if (!judge_ways_in(j) || !judge_starts(j)) return false;
  find_thirds(j);
  for (uint32_t i = 0; i < j->set->lines.strings.n; i++) {
    const uint32_t *line = line_at(j->set, i);
    heap_poll(j->facts->heap);
    if (!judge_side(j, line, 0) || !judge_side(j, line, 1) || !judge_thirds(j, line)) return false;
  }
  return true;
}

/* ---- all sets ---- */

static void list_pairs(ThreadFacts *f) {
  f->kind_pairs = heap_zeroed(f->heap, heap_product(f->heap, (uint64_t)f->n_kinds + 1, sizeof *f->kind_pairs));
  for (uint32_t i = 0; i < f->pairs.n; i++)
    for (uint32_t k = 0; k < f->n_kinds; k++)
      if (bitset_has(f->pairs.at[i].left, k) || bitset_has(f->pairs.at[i].right, k))
        vec_push(f->heap, &f->kind_pairs[k], i);
}

bool pair_judge(ThreadFacts *facts, Err *err) {
  Heap *heap = facts->heap;
  PairJudge j = {.facts = facts, .err = err};
  bool good = true;
  j.from_kind = heap_zeroed(heap, heap_product(heap, (uint64_t)facts->n_kinds + 1, sizeof *j.from_kind));
  for (uint32_t s = 0; s < facts->step_kind.n; s++) vec_push(heap, &j.from_kind[start_of(facts, s)], s);
  for (uint32_t i = 0; good && i < facts->pairs.n; i++) {
    j.set = &facts->pairs.at[i];
    good = judge_set(&j);
  }
  if (good) list_pairs(facts);
  for (uint32_t k = 0; k < facts->n_kinds; k++) vec_fini(heap, &j.from_kind[k]);
  heap_release(heap, j.from_kind);
  vec_fini(heap, &j.thirds);
  vec_fini(heap, &j.passes);
  vec_fini(heap, &j.line);
  return good;
}

/* ---- what they tell ---- */

/* A line of the kinds, or FACT_NONE; more of them are linked. */
static uint32_t first_line(const FactPairs *set, uint32_t left, uint32_t right) {
  const uint32_t kinds[] = {left, right};
  const uint32_t pair = intern_find(&set->pairs, (const char *)kinds, sizeof kinds);
  return pair == INTERN_NONE ? FACT_NONE : set->first.at[pair];
}

static bool is_about(const FactPairs *set, uint32_t left, uint32_t right) {
  return bitset_has(set->left, left) && bitset_has(set->right, right);
}

bool pair_judge_meet(const ThreadFacts *facts, uint32_t kind, uint32_t other) {
  const U32Vec *sets = &facts->kind_pairs[kind];
  for (uint32_t i = 0; i < sets->n; i++) {
    const FactPairs *set = &facts->pairs.at[sets->at[i]];
    if (is_about(set, kind, other) && first_line(set, kind, other) == FACT_NONE) return false;
    if (is_about(set, other, kind) && first_line(set, other, kind) == FACT_NONE) return false;
  }
  return true;
}

/* Is there a line from which the step, of the thread on that side, leads to a line, or out of the set? */
static bool has_way(const ThreadFacts *f, const FactPairs *set, uint32_t step_kind, uint32_t kind, int side) {
  const uint32_t from = start_of(f, step_kind), to = end_of(f, step_kind);
  U32Vec next = {0};
  bool found = false;
  uint32_t line = side ? first_line(set, kind, from) : first_line(set, from, kind);
  for (; !found && line != FACT_NONE; line = set->next.at[line]) {
    vec_clear(&next);
    for (uint32_t i = 0; i < set->objects.n + 2; i++) vec_push(f->heap, &next, line_at(set, line)[i]);
    if (!take_step(f, set, step_kind, next.at + 2)) continue;
    next.at[side] = to;
    found = !bitset_has(side ? set->right : set->left, to) || find_line(set, &next) != INTERN_NONE;
  }
  vec_fini(f->heap, &next);
  return found;
}

bool pair_judge_pass(const ThreadFacts *facts, uint32_t step_kind, uint32_t kind) {
  const U32Vec *sets = &facts->kind_pairs[kind];
  const uint32_t from = start_of(facts, step_kind);
  for (uint32_t i = 0; i < sets->n; i++) {
    const FactPairs *set = &facts->pairs.at[sets->at[i]];
    if (is_about(set, from, kind) && !has_way(facts, set, step_kind, kind, 0)) return false;
    if (is_about(set, kind, from) && !has_way(facts, set, step_kind, kind, 1)) return false;
  }
  return true;
}
