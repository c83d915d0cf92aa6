#include "predict/locks/lock_search.h"

#include "base/hash.h"
#include "base/sort.h"
#include "base/slots.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A thread that takes part in the search, or a relay. */
typedef struct {
  uint32_t thread;
  uint32_t need;  /* the position that must be reached */
  uint32_t reach; /* the last one that can be of use */
} Part;

typedef struct {
  uint32_t parent, moved; /* the state before, and the part that then took a lock */
} Origin;

struct LockSearch {
  const LockRun *run;
  Heap *heap;
  LockStart *start;
  uint32_t *reach;   /* of each thread: a position */
  uint32_t *part_of; /* of each thread: its number among the parts, or NONE */
  VEC(Part) parts;
  U32Vec now, ahead; /* positions of the parts; a copy for what one does alone */
  U32Vec states;     /* parts.n positions each */
  VEC(Origin) origins;
  HashSlots slots;
  U32Vec waiting;          /* states that were not looked at */
  const LockVisit *visits; /* of the first parts */
  uint32_t n_visits;
  const LockClocks *clocks;
  uint64_t *budget;
  uint32_t found;       /* the state that has all that is needed */
  LockTelling *telling; /* where steps are noted, or NULL */
};

LockSearch *lock_search_new(const LockRun *run, LockStart *start) {
  LockSearch *search = heap_zeroed(run->heap, sizeof *search);
  const size_t size = heap_product(run->heap, run->n_lines, sizeof(uint32_t));
  search->run = run;
  search->heap = run->heap;
  search->start = start;
  search->reach = heap_zeroed(run->heap, size);
  search->part_of = heap_alloc(run->heap, size);
  for (uint32_t t = 0; t < run->n_lines; t++) search->part_of[t] = NONE;
  return search;
}

void lock_search_free(LockSearch *search) {
  if (!search) return;
  Heap *heap = search->heap;
  heap_release(heap, search->reach);
  heap_release(heap, search->part_of);
  vec_fini(heap, &search->parts);
  vec_fini(heap, &search->now);
  vec_fini(heap, &search->ahead);
  vec_fini(heap, &search->states);
  vec_fini(heap, &search->origins);
  slots_fini(heap, &search->slots);
  vec_fini(heap, &search->waiting);
  heap_release(heap, search);
}

static bool pay(LockSearch *search, uint64_t cost) {
  const bool enough = *search->budget >= cost;
  *search->budget = enough ? *search->budget - cost : 0;
  return enough;
}

/* ---- which threads take part ---- */

/* A later position at which the thread holds no lock, or its end. */
static uint32_t idle_from(const LockThread *thread, uint32_t position) {
  assert(position <= thread->n);
  const uint32_t idle = thread->next_idle[position];
  return idle == TRACE_NONE ? thread->n : idle;
}

/* Raises positions until all that lead into them by edges are below them, too. */
static void close_past(const LockSearch *search, uint32_t *reach) {
  const LockRun *run = search->run;
  for (bool again = run->n_edges > 0; again;) {
    again = false;
    for (uint32_t e = run->n_edges; e-- > 0;) {
      const LockEdge *edge = &run->edges[e];
      if (reach[edge->to.thread] <= edge->to.step || reach[edge->from.thread] > edge->from.step) continue;
      reach[edge->from.thread] = idle_from(&run->threads[edge->from.thread], edge->from.step + 1);
      again = true;
    }
  }
}

static void add_part(LockSearch *search, uint32_t thread, uint32_t need, uint32_t reach) {
  assert(search->part_of[thread] == NONE);
  const Part part = {thread, need, reach};
  search->part_of[thread] = search->parts.n;
  vec_push(search->heap, &search->parts, part);
}

static void clear_parts(LockSearch *search) {
  for (uint32_t i = 0; i < search->parts.n; i++) search->part_of[search->parts.at[i].thread] = NONE;
  vec_clear(&search->parts);
}

/* A thread goes on to its last event of the cycle, and then, to give back its locks, to where it holds none. */
static void find_parts(LockSearch *search) {
  const LockRun *run = search->run;
  clear_parts(search);
  memcpy(search->reach, search->start->at, run->n_lines * sizeof *search->reach);
  for (uint32_t i = 0; i < search->n_visits; i++) {
    const LockVisit *visit = &search->visits[i];
    const uint32_t need = (visit->in > visit->out ? visit->in : visit->out) + 1;
    search->reach[visit->thread] = idle_from(&run->threads[visit->thread], need);
    add_part(search, visit->thread, need, 0);
  }
  close_past(search, search->reach);
  for (uint32_t i = 0; i < search->n_visits; i++) search->parts.at[i].reach = search->reach[search->parts.at[i].thread];
  for (uint32_t t = 0; t < run->n_lines && run->n_edges > 0; t++)
    if (search->part_of[t] == NONE && search->reach[t] > search->start->at[t]) add_part(search, t, 0, search->reach[t]);
}

/* ---- steps ---- */

static bool is_done(const LockSearch *search, const uint32_t *now, uint32_t thread, uint32_t step) {
  const uint32_t part = search->part_of[thread];
  return (part == NONE ? search->start->at[thread] : now[part]) > step;
}

/* Has what edges ask for before the step been done? */
static bool edges_allow(const LockSearch *search, const uint32_t *now, uint32_t thread, uint32_t step) {
  const LockRun *run = search->run;
  for (uint32_t i = lock_run_incoming(run, thread, step); i < run->first_incoming[thread + 1]; i++) {
    const LockEdge *edge = &run->edges[run->incoming[i]];
    if (edge->to.step != step) break;
    if (!is_done(search, now, edge->from.thread, edge->from.step)) return false;
  }
  return true;
}

static bool cycle_allows(const LockSearch *search, const uint32_t *now, uint32_t thread, uint32_t step) {
  for (uint32_t i = 0; i < search->n_visits; i++) {
    if (search->visits[i].thread != thread || search->visits[i].in != step) continue;
    const LockVisit *before = &search->visits[i ? i - 1 : search->n_visits - 1];
    return is_done(search, now, before->thread, before->out);
  }
  return true;
}

static uint32_t held_by(const LockSearch *search, uint32_t i, uint32_t position) {
  return search->run->threads[search->parts.at[i].thread].held[position];
}

static bool is_free(const LockSearch *search, const uint32_t *now, uint32_t own, uint32_t lock) {
  for (uint32_t i = 0; i < search->parts.n; i++)
    if (i != own && lock_set_excludes(search->run, held_by(search, i, now[i]), lock)) return false;
  return true;
}

static bool can_step(const LockSearch *search, const uint32_t *now, uint32_t i) {
  assert(now[i] <= search->run->threads[search->parts.at[i].thread].n);
  const uint32_t thread = search->parts.at[i].thread, step = now[i];
  if (step >= search->parts.at[i].reach) return false;
  const LockStep *it = &search->run->threads[thread].steps[step];
  if (it->op == STEP_ACQUIRE && !is_free(search, now, i, it->object)) return false;
  return (!it->stop || edges_allow(search, now, thread, step)) && cycle_allows(search, now, thread, step) &&
         (!search->clocks || lock_clocks_allow(search->clocks, i, step, now));
}

static void make_steps(LockSearch *search, uint32_t i, uint32_t to) {
  assert(to >= search->now.at[i] && to <= search->parts.at[i].reach);
  uint32_t *now = &search->now.at[i];
  const uint32_t thread = search->parts.at[i].thread;
  if (to > *now && search->telling) lock_telling_add(search->telling, thread, to - 1);
  *now = to;
}

/* What a thread has taken, going on alone, and not yet given back. Of the locks that it held before, those that it has
 * given back and taken again count as taken until it holds none. */
typedef struct {
  uint32_t base;  /* what it held before */
  uint32_t taken; /* locks since then */
} Ahead;

static void note_locks(const LockSearch *search, const LockThread *thread, uint32_t step, Ahead *ahead) {
  const LockStep *it = &thread->steps[step];
  if (it->op == STEP_ACQUIRE && ahead->taken++ == 0) ahead->base = thread->held[step];
  if (it->op == STEP_RELEASE && ahead->taken > 0 && !lock_set_has(search->run, ahead->base, it->object)) ahead->taken--;
  if (!thread->held[step + 1]) *ahead = (Ahead){0};
}

/* The part goes on alone as far as it leaves to the others whatever they could do: all that it has taken on the way is
 * given back, and what it held before was held throughout, or is not held any more. */
static bool go_alone(LockSearch *search, uint32_t i) {
  const LockThread *thread = &search->run->threads[search->parts.at[i].thread];
  uint32_t *now = search->ahead.at;
  const uint32_t from = search->now.at[i];
  uint32_t good = from;
  Ahead ahead = {0};
  memcpy(now, search->now.at, search->parts.n * sizeof *now);
  while (*search->budget > 0 && can_step(search, now, i)) {
    note_locks(search, thread, now[i]++, &ahead);
    if (!ahead.taken) good = now[i];
    --*search->budget;
  }
  make_steps(search, i, good);
  return good > from;
}

static void go_all(LockSearch *search) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < search->parts.n; i++) again |= go_alone(search, i);
  }
}

/* ---- states ---- */

static bool is_goal(const LockSearch *search, const uint32_t *now) {
  for (uint32_t i = 0; i < search->parts.n; i++)
    if (now[i] < search->parts.at[i].need) return false;
  return true;
}

static uint64_t hash_state(const LockSearch *search, const uint32_t *now) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < search->parts.n; i++) hash = hash_join(hash, now[i]);
  return hash;
}

/* The state that is now becomes one of those to look at, if it is new. */
static void keep_state(LockSearch *search, uint32_t parent, uint32_t moved) {
  Heap *heap = search->heap;
  const uint32_t k = search->parts.n, hash = (uint32_t)hash_state(search, search->now.at);
  const Origin origin = {parent, moved};
  assert(search->states.n == (size_t)k * search->origins.n);
  if (search->origins.n >= search->slots.n / 2) slots_grow(heap, &search->slots);
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&search->slots, i);
    if (slot->number && (slot->hash != hash || memcmp(search->states.at + (size_t)(slot->number - 1) * k,
                                                      search->now.at, k * sizeof *search->now.at) != 0))
      continue;
    if (slot->number) return;
    *slot = (HashSlot){hash, search->origins.n + 1};
    break;
  }
  vec_push(heap, &search->waiting, search->origins.n);
  vec_push(heap, &search->origins, origin);
  vec_reserve(heap, &search->states, k);
  memcpy(search->states.at + search->states.n, search->now.at, k * sizeof *search->now.at);
  search->states.n += k;
}

static void set_state(LockSearch *search, uint32_t number) {
  assert(number < search->origins.n);
  const uint32_t k = search->parts.n;
  memcpy(search->now.at, search->states.at + (size_t)number * k, k * sizeof *search->now.at);
}

static void begin_parts(LockSearch *search) {
  const uint32_t k = search->parts.n;
  vec_resize_zeroed(search->heap, &search->now, k);
  vec_resize_zeroed(search->heap, &search->ahead, k);
  for (uint32_t i = 0; i < k; i++) search->now.at[i] = search->start->at[search->parts.at[i].thread];
}

static void clear_states(LockSearch *search) {
  vec_clear(&search->states);
  vec_clear(&search->origins);
  vec_clear(&search->waiting);
  if (search->slots.n > 1024) slots_fini(search->heap, &search->slots);
  else if (search->slots.n) memset(search->slots.at, 0, search->slots.n * sizeof *search->slots.at);
}

/* The number of a state that has all that is needed, or NONE. */
static uint32_t explore(LockSearch *search) {
  clear_states(search);
  begin_parts(search);
  go_all(search);
  keep_state(search, NONE, NONE);
  while (search->waiting.n > 0 && *search->budget > 0) {
    if (heap_asked(search->heap) != STOP_NOT) return *search->budget = 0, NONE;
    const uint32_t state = search->waiting.at[--search->waiting.n];
    set_state(search, state);
    if (is_goal(search, search->now.at)) return state;
    for (uint32_t i = 0; i < search->parts.n; i++) {
      if (!pay(search, 1 + search->parts.n)) return NONE;
      set_state(search, state);
      if (!can_step(search, search->now.at, i)) continue;
      search->now.at[i]++;
      go_all(search);
      if (*search->budget > 0) keep_state(search, state, i);
    }
  }
  return NONE;
}

/* ---- the run that was found ---- */

static void note_states(LockSearch *search, uint32_t state) {
  vec_clear(&search->waiting); /* now the parts that took locks, the last one first */
  for (; search->origins.at[state].parent != NONE; state = search->origins.at[state].parent)
    vec_push(search->heap, &search->waiting, search->origins.at[state].moved);
  begin_parts(search);
  go_all(search);
  while (search->waiting.n > 0) {
    const uint32_t i = search->waiting.at[--search->waiting.n];
    make_steps(search, i, search->now.at[i] + 1);
    go_all(search);
  }
}

LockAnswer lock_search(LockSearch *search, const LockVisit *visits, uint32_t n, const LockClocks *clocks,
                       uint64_t *budget) {
  search->clocks = clocks;
  search->visits = visits;
  search->n_visits = n;
  search->budget = budget;
  if (!pay(search, n + (search->run->n_edges ? search->run->n_edges + (uint64_t)search->run->n_lines : 0)))
    return LOCK_UNDECIDED;
  find_parts(search);
  search->found = explore(search);
  if (search->found != NONE) return LOCK_POSSIBLE;
  return *budget ? LOCK_IMPOSSIBLE : LOCK_UNDECIDED;
}

void lock_search_goal(const LockSearch *search, uint32_t *goal) {
  for (uint32_t i = 0; i < search->parts.n; i++) goal[search->parts.at[i].thread] = search->parts.at[i].reach;
}

void lock_search_tell(LockSearch *search, LockTelling *telling) {
  uint64_t no_budget = UINT64_MAX, *budget = search->budget;
  search->telling = telling;
  search->budget = &no_budget;
  note_states(search, search->found);
  search->budget = budget;
  search->telling = NULL;
}
