#include "check/positions.h"

void positions_init(Positions *positions, const ThreadFacts *facts) {
  Heap *heap = facts->heap;
  const uint32_t n = thread_facts_controls(facts);
  *positions = (Positions){.heap = heap, .facts = facts};
  positions->position_of = heap_alloc(heap, heap_product(heap, (uint64_t)n + 1, sizeof *positions->position_of));
  for (uint32_t c = 0; c < n; c++) positions->position_of[c] = FACT_NONE;
}

void positions_fini(Positions *positions) {
  Heap *heap = positions->heap;
  heap_release(heap, positions->position_of);
  vec_fini(heap, &positions->kind);
  vec_fini(heap, &positions->class);
  vec_fini(heap, &positions->most);
  heap_release(heap, positions->is_initial);
  vec_fini(heap, &positions->steps);
}

bool positions_add(Positions *positions, const uint32_t *controls, uint32_t n, Err *err) {
  const ThreadFacts *f = positions->facts;
  const uint32_t position = positions_count(positions);
  vec_push(positions->heap, &positions->kind, n ? f->control_kind.at[controls[0]] : FACT_NONE);
  for (uint32_t i = 0; i < n; i++) {
    if (positions->position_of[controls[i]] != FACT_NONE)
      return err_set(err, ERR_CHECK, "control %u has two positions", controls[i] + 1);
    if (f->control_kind.at[controls[i]] != positions->kind.at[position])
      return err_set(err, ERR_CHECK, "position %u is of two kinds", position + 1);
    positions->position_of[controls[i]] = position;
  }
  return true;
}

/* ---- classes ---- */

/* A thread is of the class that has the position where it starts. */
static uint32_t class_of_thread(const Positions *p, uint32_t thread) {
  return p->position_of[p->facts->start.at[thread]];
}

static bool find_classes(Positions *p, Err *err) {
  const ThreadFacts *f = p->facts;
  for (uint32_t i = 0; i < positions_count(p); i++) vec_push(p->heap, &p->class, FACT_NONE);
  for (uint32_t c = 0; c < thread_facts_controls(f); c++)
    if (p->position_of[c] == FACT_NONE) return err_set(err, ERR_CHECK, "control %u has no position", c + 1);
  for (uint32_t c = 0; c < thread_facts_controls(f); c++) {
    uint32_t *class = &p->class.at[p->position_of[c]];
    const uint32_t own = class_of_thread(p, thread_facts_thread(f, c));
    if (*class != FACT_NONE && *class != own)
      return err_set(err, ERR_CHECK, "position %u is one of threads that start at different ones",
                     p->position_of[c] + 1);
    *class = own;
  }
  return true;
}

static void count_threads(Positions *p, const bool *many) {
  p->is_initial = heap_zeroed(p->heap, (size_t)positions_count(p) + 1);
  for (uint32_t i = 0; i < positions_count(p); i++) vec_push(p->heap, &p->most, 0);
  for (uint32_t i = 0; i < p->facts->n_threads; i++) {
    const uint32_t class = class_of_thread(p, i);
    p->is_initial[class] = true;
    if (many[i]) p->most.at[class] = POSITIONS_MANY;
    else if (p->most.at[class] != POSITIONS_MANY) p->most.at[class]++;
  }
}

/* ---- steps ---- */

static void describe_step(const Positions *p, const Groups *groups, const PositionStep *step, U32Vec *words) {
  const TransId t = positions_transition(p, step);
  const TransNote *note = &p->facts->net->notes->transitions[t.v];
  const GroupAccesses accesses = groups_accesses(groups, t);
  const uint32_t first[] = {step->from, step->to, step->kind, note->begin, note->end};
  vec_clear(words);
  for (uint32_t i = 0; i < sizeof first / sizeof *first; i++) vec_push(p->heap, words, first[i]);
  for (uint32_t i = 0; i < accesses.n; i++) {
    const GroupAccess *access = &accesses.at[i];
    const bool clears = groups_clears(groups, t, access);
    vec_push(p->heap, words, access->group);
    vec_push(p->heap, words,
             8 * (uint32_t)clears + 4 * (uint32_t)access->takes + 2 * (uint32_t)access->puts + access->writes);
  }
}

/* Of those that do the same to the chain and to objects, one. */
static void find_steps(Positions *p, const Groups *groups) {
  const ThreadFacts *f = p->facts;
  Intern known;
  U32Vec words = {0};
  intern_init(&known, p->heap);
  for (uint32_t s = 0; s < f->steps.n; s++) {
    const FactStep *at = &f->steps.at[s];
    const PositionStep step = {p->position_of[at->from], p->position_of[at->to], s, at->kind};
    bool is_new;
    if (s % 64 == 0) heap_poll(p->heap);
    describe_step(p, groups, &step, &words);
    intern_add(&known, (const char *)words.at, words.n * sizeof *words.at, &is_new);
    if (is_new) vec_push(p->heap, &p->steps, step);
  }
  intern_fini(&known);
  vec_fini(p->heap, &words);
}

bool positions_judge(Positions *positions, const Groups *groups, const bool *many, Err *err) {
  if (!find_classes(positions, err)) return false;
  count_threads(positions, many);
  find_steps(positions, groups);
  return true;
}
