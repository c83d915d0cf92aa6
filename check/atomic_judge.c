#include "check/atomic_judge.h"

enum { LEAVE_KNOWN = 1, LEAVES = 2, ENTER_KNOWN = 4, ENTERS = 8 };

/* ---- who uses a place ---- */

static PlaceList places_of(const ThreadFacts *f, uint32_t step, bool put) {
  const TransId t = f->steps.at[step].transition;
  return put ? net_post(f->net, t) : net_pre(f->net, t);
}

/* Per place the steps that take from it, or put there; `list` has what `start` says. */
static uint32_t *list_steps(const ThreadFacts *f, bool put, uint32_t *start) {
  Heap *heap = f->heap;
  const uint32_t n_places = f->net->n_places;
  for (uint32_t s = 0; s < f->steps.n; s++) {
    const PlaceList places = places_of(f, s, put);
    for (uint32_t i = 0; i < places.n; i++)
      if (f->owner[places.at[i].v] == FACT_NONE) start[places.at[i].v + 1]++;
  }
  for (uint32_t p = 0; p < n_places; p++) {
    if (start[p + 1] > UINT32_MAX - start[p]) heap_give_up(heap);
    start[p + 1] += start[p];
  }
  uint32_t *list = heap_alloc(heap, heap_product(heap, (uint64_t)start[n_places] + 1, sizeof *list));
  uint32_t *next = heap_alloc(heap, heap_product(heap, (uint64_t)n_places + 1, sizeof *next));
  for (uint32_t p = 0; p < n_places; p++) next[p] = start[p];
  for (uint32_t s = 0; s < f->steps.n; s++) {
    const PlaceList places = places_of(f, s, put);
    for (uint32_t i = 0; i < places.n; i++)
      if (f->owner[places.at[i].v] == FACT_NONE) list[next[places.at[i].v]++] = s;
  }
  heap_release(heap, next);
  return list;
}

/* Each kind of steps once for each place. */
static PlaceUser *sum_up(const ThreadFacts *f, const uint32_t *start, const uint32_t *list, uint32_t *user_start) {
  Heap *heap = f->heap;
  VEC(PlaceUser) users = {0};
  uint32_t *at =
      heap_alloc(heap, heap_product(heap, (uint64_t)f->step_kind.n + 1, sizeof *at)); /* per kind: its user */
  for (uint32_t k = 0; k < f->step_kind.n; k++) at[k] = FACT_NONE;
  for (uint32_t p = 0; p < f->net->n_places; p++) {
    user_start[p] = users.n;
    for (uint32_t i = start[p]; i < start[p + 1]; i++) {
      const FactStep *step = &f->steps.at[list[i]];
      const uint32_t thread = thread_facts_thread(f, step->from);
      if (at[step->kind] == FACT_NONE || at[step->kind] < user_start[p]) {
        at[step->kind] = users.n;
        vec_push(heap, &users, ((PlaceUser){step->kind, {thread, false}}));
      } else if (users.at[at[step->kind]].threads.first != thread) {
        users.at[at[step->kind]].threads.several = true;
      }
    }
  }
  user_start[f->net->n_places] = users.n;
  heap_release(heap, at);
  return users.at;
}

void atomic_judge_init(AtomicJudge *judge, const ThreadFacts *facts) {
  Heap *heap = facts->heap;
  const size_t n = (size_t)facts->net->n_places + 1, controls = thread_facts_controls(facts);
  AtomicJudge j = {.heap = heap, .facts = facts};
  uint32_t *giving = heap_zeroed(heap, n * sizeof *giving);
  j.step_start = heap_zeroed(heap, n * sizeof *j.step_start);
  j.taker_start = heap_zeroed(heap, n * sizeof *j.taker_start);
  j.giver_start = heap_zeroed(heap, n * sizeof *j.giver_start);
  j.place_steps = list_steps(facts, false, j.step_start);
  uint32_t *given = list_steps(facts, true, giving);
  j.takers = sum_up(facts, j.step_start, j.place_steps, j.taker_start);
  j.givers = sum_up(facts, giving, given, j.giver_start);
  heap_release(heap, given);
  heap_release(heap, giving);
  j.known = heap_zeroed(heap, (size_t)facts->steps.n + 1);
  j.inside = heap_zeroed(heap, (controls / 32 + 1) * sizeof *j.inside);
  *judge = j;
}

void atomic_judge_fini(AtomicJudge *judge) {
  Heap *heap = judge->heap;
  heap_release(heap, judge->taker_start);
  heap_release(heap, judge->giver_start);
  heap_release(heap, judge->takers);
  heap_release(heap, judge->givers);
  heap_release(heap, judge->step_start);
  heap_release(heap, judge->place_steps);
  heap_release(heap, judge->known);
  heap_release(heap, judge->inside);
  vec_fini(heap, &judge->queue);
  vec_fini(heap, &judge->controls);
}

/* ---- may a chain leave at a step, or enter there? ---- */

static uint32_t kind_at(const ThreadFacts *f, uint32_t control) { return f->control_kind.at[control]; }
static uint32_t thread_of_step(const ThreadFacts *f, uint32_t step) {
  return thread_facts_thread(f, f->steps.at[step].from);
}

/* A step of kind `next` of another thread stands ready before `step`, and may be taken after it. */
static bool picks_up(const ThreadFacts *f, uint32_t step, uint32_t next) {
  const FactStep *own = &f->steps.at[step], *other = &f->steps.at[f->step_kind.at[next]];
  return thread_facts_meet(f, kind_at(f, other->from), kind_at(f, own->from)) &&
         thread_facts_pass(f, next, kind_at(f, own->to));
}

static bool find_leave(const AtomicJudge *j, uint32_t step) {
  const ThreadFacts *f = j->facts;
  const PlaceList post = places_of(f, step, true);
  for (uint32_t i = 0; i < post.n; i++)
    for (uint32_t k = j->taker_start[post.at[i].v]; k < j->taker_start[post.at[i].v + 1]; k++)
      if (fact_threads_other(j->takers[k].threads, thread_of_step(f, step)) &&
          picks_up(f, step, j->takers[k].step_kind))
        return true;
  return false;
}

static bool find_enter(const AtomicJudge *j, uint32_t step) {
  const ThreadFacts *f = j->facts;
  const PlaceList pre = places_of(f, step, false);
  for (uint32_t i = 0; i < pre.n; i++)
    for (uint32_t k = j->giver_start[pre.at[i].v]; k < j->giver_start[pre.at[i].v + 1]; k++)
      if (fact_threads_other(j->givers[k].threads, thread_of_step(f, step)) &&
          thread_facts_pass(f, j->givers[k].step_kind, kind_at(f, f->steps.at[step].from)))
        return true;
  return false;
}

static bool may_leave(AtomicJudge *j, uint32_t step) {
  if (!(j->known[step] & LEAVE_KNOWN)) j->known[step] |= find_leave(j, step) ? LEAVE_KNOWN | LEAVES : LEAVE_KNOWN;
  return j->known[step] & LEAVES;
}

static bool may_enter(AtomicJudge *j, uint32_t step) {
  if (!(j->known[step] & ENTER_KNOWN)) j->known[step] |= find_enter(j, step) ? ENTER_KNOWN | ENTERS : ENTER_KNOWN;
  return j->known[step] & ENTERS;
}

/* ---- movers ---- */

static const TransNote *note_of(const ThreadFacts *f, uint32_t step) {
  return &f->net->notes->transitions[f->steps.at[step].transition.v];
}

static void visit(AtomicJudge *j, uint32_t control, bool has_left) {
  const size_t at = 2 * (size_t)control + has_left;
  if (j->inside[at / 64] >> (at % 64) & 1) return;
  j->inside[at / 64] |= (uint64_t)1 << (at % 64);
  vec_push(j->heap, &j->queue, 2 * control + has_left);
}

static bool not_atomic(uint32_t block, const char *how, Err *err) {
  return err_set(err, ERR_CHECK, "block %u is not shown to be atomic by %s", block + 1, how);
}

bool atomic_judge_movers(AtomicJudge *judge, uint32_t block, Err *err) {
  const ThreadFacts *f = judge->facts;
  bool good = true;
  vec_clear(&judge->queue);
  for (uint32_t s = 0; s < f->steps.n; s++)
    if (note_of(f, s)->begin == block) visit(judge, f->steps.at[s].to, may_leave(judge, s));
  for (uint32_t i = 0; good && i < judge->queue.n; i++) {
    const uint32_t control = judge->queue.at[i] / 2;
    const bool has_left = judge->queue.at[i] % 2;
    heap_poll(judge->heap);
    for (uint32_t s = f->step_start.at[control]; good && s < f->step_start.at[control + 1]; s++) {
      if (note_of(f, s)->end == block) continue;
      good = !has_left || !may_enter(judge, s);
      visit(judge, f->steps.at[s].to, has_left || may_leave(judge, s));
    }
  }
  for (uint32_t i = 0; i < judge->queue.n; i++) judge->inside[judge->queue.at[i] / 64] = 0;
  return good || not_atomic(block, "movers", err);
}

/* ---- environment ---- */

/* The search of one block: a graph whose nodes are pairs of a control and a step of another thread by which a chain has
 * left. */
typedef struct {
  AtomicJudge *judge;
  const ThreadFacts *facts;
  uint32_t block;
  const bool *kept; /* per thread: a chain of these alone may come back; NULL: none may */
  const bool *many; /* per thread: it stands for several; NULL: none does */
  uint64_t **left;  /* per control: a bitset of such steps; NULL where the block's thread does not come */
  VEC(uint64_t) pairs;
  uint32_t stamp;
  uint32_t *step_stamp, *place_stamp;
  uint32_t *place_thread; /* per place with the stamp: who put there; FACT_NONE: several threads */
  U32Vec chain;           /* steps */
} Search;

static bool is_inside(const Search *s, uint32_t step) { return note_of(s->facts, step)->end != s->block; }

/* Of two threads, and the one passes the other's control. */
static bool passes(const Search *s, uint32_t step, uint32_t control) {
  const ThreadFacts *f = s->facts;
  return thread_of_step(f, step) != thread_facts_thread(f, control) &&
         thread_facts_pass(f, f->steps.at[step].kind, kind_at(f, control));
}

static void enter_control(Search *s, uint32_t control) {
  if (s->left[control]) return;
  s->left[control] = heap_zeroed(s->judge->heap, (bitset_words(s->facts->steps.n) + 1) * sizeof **s->left);
  vec_push(s->judge->heap, &s->judge->controls, control);
}

static void add_pair(Search *s, uint32_t control, uint32_t step) {
  enter_control(s, control);
  if (bitset_has(s->left[control], step)) return;
  bitset_add(s->left[control], step);
  vec_push(s->judge->heap, &s->pairs, (uint64_t)control << 32 | step);
}

static void leave_at(Search *s, uint32_t step) {
  const ThreadFacts *f = s->facts;
  const AtomicJudge *j = s->judge;
  const uint32_t to = f->steps.at[step].to;
  enter_control(s, to);
  if (!may_leave(s->judge, step)) return;
  const PlaceList post = places_of(f, step, true);
  for (uint32_t i = 0; i < post.n; i++)
    for (uint32_t k = j->step_start[post.at[i].v]; k < j->step_start[post.at[i].v + 1]; k++) {
      const uint32_t next = j->place_steps[k];
      if (passes(s, next, to) && picks_up(f, step, f->steps.at[next].kind)) add_pair(s, to, next);
    }
}

static void walk(Search *s) {
  const ThreadFacts *f = s->facts;
  for (uint32_t step = 0; step < f->steps.n; step++)
    if (note_of(f, step)->begin == s->block) leave_at(s, step);
  for (uint32_t i = 0; i < s->judge->controls.n; i++) {
    const uint32_t control = s->judge->controls.at[i];
    heap_poll(s->judge->heap);
    for (uint32_t step = f->step_start.at[control]; step < f->step_start.at[control + 1]; step++)
      if (is_inside(s, step)) leave_at(s, step);
  }
  for (uint32_t i = 0; i < s->pairs.n; i++) {
    const uint32_t control = (uint32_t)(s->pairs.at[i] >> 32), other = (uint32_t)s->pairs.at[i];
    if (i % 256 == 0) heap_poll(s->judge->heap);
    for (uint32_t step = f->step_start.at[control]; step < f->step_start.at[control + 1]; step++)
      if (is_inside(s, step) && passes(s, other, f->steps.at[step].to)) add_pair(s, f->steps.at[step].to, other);
  }
}

static void chain_step(Search *s, uint32_t control, uint32_t step) {
  if (s->step_stamp[step] == s->stamp || !passes(s, step, control)) return;
  s->step_stamp[step] = s->stamp;
  vec_push(s->judge->heap, &s->chain, step);
}

/* Is the place reached by a thread that has not reached it before? It matters only up to two threads: what a thread
 * takes of its own is a matter of its order. */
static bool reach_place(Search *s, uint32_t place, uint32_t thread) {
  const bool is_new = s->place_stamp[place] != s->stamp, is_many = s->many && s->many[thread];
  if (!is_new && (s->place_thread[place] == thread || s->place_thread[place] == FACT_NONE)) return false;
  s->place_stamp[place] = s->stamp;
  s->place_thread[place] = is_new && !is_many ? thread : FACT_NONE;
  return true;
}

/* With the thread that has taken the step, or with another one that takes what it has put. */
static void follow_chain(Search *s, uint32_t control, uint32_t step) {
  const ThreadFacts *f = s->facts;
  const AtomicJudge *j = s->judge;
  const uint32_t at = f->steps.at[step].to, thread = thread_of_step(f, step);
  const bool is_many = s->many && s->many[thread];
  for (uint32_t next = f->step_start.at[at]; next < f->step_start.at[at + 1]; next++) chain_step(s, control, next);
  const PlaceList post = places_of(f, step, true);
  for (uint32_t i = 0; i < post.n; i++) {
    const uint32_t p = post.at[i].v;
    if (f->owner[p] != FACT_NONE || !reach_place(s, p, thread)) continue;
    for (uint32_t k = j->step_start[p]; k < j->step_start[p + 1]; k++)
      if (is_many || thread_of_step(f, j->place_steps[k]) != thread) chain_step(s, control, j->place_steps[k]);
  }
}

/* Does the block's thread, at the control, take what the step has put? */
static bool closes_chain(const Search *s, uint32_t control, uint32_t step) {
  const ThreadFacts *f = s->facts;
  const PlaceList post = places_of(f, step, true);
  for (uint32_t i = 0; i < post.n; i++) {
    if (f->owner[post.at[i].v] != FACT_NONE) continue;
    for (uint32_t own = f->step_start.at[control]; own < f->step_start.at[control + 1]; own++)
      if (is_inside(s, own) && net_place_list_has(places_of(f, own, false), post.at[i])) return true;
  }
  return false;
}

/* The chains that go on from the steps of s->chain. Does one come back? If `all`, that is not looked at. */
static bool follow_chains(Search *s, uint32_t control, bool all) {
  for (uint32_t i = 0; i < s->chain.n; i++) {
    if (i % 256 == 0) heap_poll(s->judge->heap);
    if (!all && closes_chain(s, control, s->chain.at[i])) return true;
    follow_chain(s, control, s->chain.at[i]);
  }
  return false;
}

/* Of all steps that chains come to, go on from those of threads that are not kept alone. */
static void start_from_others(Search *s) {
  uint32_t n = 0;
  s->stamp++;
  for (uint32_t i = 0; i < s->chain.n; i++) {
    const uint32_t step = s->chain.at[i];
    if (s->kept[thread_of_step(s->facts, step)]) continue;
    s->step_stamp[step] = s->stamp;
    s->chain.at[n++] = step;
  }
  s->chain.n = n;
}

static bool comes_back(Search *s, uint32_t control) {
  bool enters = false;
  for (uint32_t own = s->facts->step_start.at[control]; own < s->facts->step_start.at[control + 1]; own++)
    enters = enters || (is_inside(s, own) && may_enter(s->judge, own));
  if (!enters) return false;
  s->stamp++;
  vec_clear(&s->chain);
  for (uint32_t step = 0; step < s->facts->steps.n; step++)
    if (bitset_has(s->left[control], step)) chain_step(s, control, step);
  if (!s->kept) return follow_chains(s, control, false);
  follow_chains(s, control, true);
  start_from_others(s);
  return follow_chains(s, control, false);
}

/* Does no chain come back, or none but those of the threads that are kept? */
static bool search_block(AtomicJudge *judge, uint32_t block, const bool *kept, const bool *many) {
  const ThreadFacts *f = judge->facts;
  Heap *heap = judge->heap;
  Search s = {.judge = judge, .facts = f, .block = block, .kept = kept, .many = many};
  s.left = heap_zeroed(heap, ((size_t)thread_facts_controls(f) + 1) * sizeof *s.left);
  s.step_stamp = heap_zeroed(heap, ((size_t)f->steps.n + 1) * sizeof *s.step_stamp);
  s.place_stamp = heap_zeroed(heap, ((size_t)f->net->n_places + 1) * sizeof *s.place_stamp);
  s.place_thread = heap_alloc(heap, ((size_t)f->net->n_places + 1) * sizeof *s.place_thread);
  vec_clear(&judge->controls);
  walk(&s);
  bool good = true;
  for (uint32_t i = 0; good && i < judge->controls.n; i++) good = !comes_back(&s, judge->controls.at[i]);
  for (uint32_t i = 0; i < judge->controls.n; i++) heap_release(heap, s.left[judge->controls.at[i]]);
  heap_release(heap, s.left);
  heap_release(heap, s.step_stamp);
  heap_release(heap, s.place_stamp);
  heap_release(heap, s.place_thread);
  vec_fini(heap, &s.pairs);
  vec_fini(heap, &s.chain);
  return good;
}

bool atomic_judge_environment(AtomicJudge *judge, uint32_t block, Err *err) {
  return search_block(judge, block, NULL, NULL) || not_atomic(block, "the environment", err);
}

bool atomic_judge_pairs(AtomicJudge *judge, uint32_t block, Err *err) {
  return search_block(judge, block, NULL, NULL) || not_atomic(block, "pairs", err);
}

bool atomic_judge_every(AtomicJudge *judge, uint32_t block, const bool *many, Err *err) {
  return search_block(judge, block, NULL, many) ||
         not_atomic(block, "the environment, for every number of threads", err);
}

bool atomic_judge_chains(AtomicJudge *judge, uint32_t block, const bool *kept, Err *err) {
  return search_block(judge, block, kept, NULL) ||
         err_set(err, ERR_CHECK, "a chain through a thread that is left out may come back into block %u", block + 1);
}
