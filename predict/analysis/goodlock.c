#include "predict/analysis/goodlock.h"

#include "base/hash.h"

#include <assert.h>

#define NONE UINT32_MAX

void goodlock_init(Goodlock *g, Heap *heap) {
  *g = (Goodlock){.heap = heap};
  arena_init(&g->arena, heap);
  intern_init(&g->told, heap);
  intern_init(&g->pairs, heap);
}

void goodlock_fini(Goodlock *g) {
  vec_fini(g->heap, &g->edges);
  slots_fini(g->heap, &g->slots);
  vec_fini(g->heap, &g->from);
  vec_fini(g->heap, &g->circles);
  intern_fini(&g->told);
  intern_fini(&g->pairs);
  arena_fini(&g->arena);
}

/* ---- edges ---- */

static bool same(const LockEdge *a, const LockEdge *b) {
  return a->outer == b->outer && a->inner == b->inner && a->held.v == b->held.v && a->stage.v == b->stage.v &&
         a->tries == b->tries;
}

static HashSlot *find(const Goodlock *g, const LockEdge *edge, uint32_t hash) {
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&g->slots, i);
    if (!slot->number || (slot->hash == hash && same(&g->edges.at[slot->number - 1], edge))) return slot;
  }
}

static void add(Goodlock *g, LockEdge edge) {
  const uint64_t locks = (uint64_t)edge.outer << 32 | edge.inner, where = (uint64_t)edge.held.v << 32 | edge.stage.v;
  const uint32_t hash = (uint32_t)hash_join(hash_join(hash_word(locks), where), edge.tries);
  if (g->edges.n >= g->slots.n / 2) slots_grow(g->heap, &g->slots);
  HashSlot *slot = find(g, &edge, hash);
  if (slot->number) return;
  const uint32_t outer = locksets_lock(edge.outer), inner = locksets_lock(edge.inner);
  while (g->from.n <= (outer > inner ? outer : inner)) vec_push(g->heap, &g->from, NONE);
  edge.next = g->from.at[outer];
  vec_push(g->heap, &g->edges, edge);
  g->from.at[outer] = g->edges.n - 1;
  *slot = (HashSlot){hash, g->edges.n};
}

void goodlock_see(Goodlock *g, const HeldLocks *held, StageId stage, uint32_t lock, bool tries, LockPlace place) {
  assert(held->n > 0);
  for (uint32_t i = 0; i < held->n; i++) {
    const HeldLock *outer = &held->at[i];
    const LockPlace at_outer = {outer->since, outer->location};
    add(g, (LockEdge){outer->lock, lock, tries, locksets_held_now(held), stage, at_outer, place, NONE});
  }
}

/* ---- circles ---- */

typedef struct {
  Goodlock *g;
  const LockSets *sets;
  const ForkOrder *stages;
  uint32_t most; /* edges of a circle */
  uint64_t budget;
  uint64_t steps;
  uint32_t *edges_to; /* per lock */
  U32Vec way;
} Search;

/* Takes away the locks to which no edge leads, with the edges from them, as long as there is one: in most runs nothing
 * is left. */
static void peel(Search *s) {
  const Goodlock *g = s->g;
  U32Vec free = {0};
  for (uint32_t i = 0; i < g->edges.n; i++) s->edges_to[locksets_lock(g->edges.at[i].inner)]++;
  for (uint32_t l = 0; l < g->from.n; l++)
    if (s->edges_to[l] == 0) vec_push(g->heap, &free, l);
  for (uint32_t k = 0; k < free.n; k++)
    for (uint32_t i = g->from.at[free.at[k]]; i != NONE; i = g->edges.at[i].next) {
      const uint32_t inner = locksets_lock(g->edges.at[i].inner);
      if (--s->edges_to[inner] == 0) vec_push(g->heap, &free, inner);
    }
  vec_fini(g->heap, &free);
}

static bool can_meet(const Search *s, const LockEdge *a, const LockEdge *b) {
  return fork_order_concurrent(s->stages, a->stage, b->stage) && locksets_disjoint(s->sets, a->held, b->held);
}

static bool fits(const Search *s, const LockEdge *edge) {
  for (uint32_t i = 0; i < s->way.n; i++)
    if (!can_meet(s, &s->g->edges.at[s->way.at[i]], edge)) return false;
  return true;
}

/* Does who is at the acquire of `inner` wait for who holds `outer`? */
static bool waits_for(uint32_t inner, uint32_t outer) {
  return locksets_lock(inner) == locksets_lock(outer) && !(locksets_is_shared(inner) && locksets_is_shared(outer));
}

static bool has_try(const Goodlock *g, const U32Vec *way) {
  for (uint32_t i = 0; i < way->n; i++)
    if (g->edges.at[way->at[i]].tries) return true;
  return false;
}

static bool is_untold(Goodlock *g, const U32Vec *way) {
  U32Vec words = {0};
  bool is_new;
  for (uint32_t i = 0; i < way->n; i++) {
    const LockEdge *edge = &g->edges.at[way->at[i]];
    vec_push(g->heap, &words, edge->inner);
    vec_push(g->heap, &words, edge->at_outer.location);
    vec_push(g->heap, &words, edge->at_inner.location);
  }
  intern_add(&g->told, (const char *)words.at, words.n * sizeof *words.at, &is_new);
  vec_fini(g->heap, &words);
  return is_new;
}

static void tell(Search *s) {
  Goodlock *g = s->g;
  assert(s->way.n >= 2 && waits_for(g->edges.at[vec_last(&s->way)].inner, g->edges.at[s->way.at[0]].outer));
  if (s->way.n == 2) {
    const uint32_t a = fork_order_life(s->stages, g->edges.at[s->way.at[0]].stage);
    const uint32_t b = fork_order_life(s->stages, g->edges.at[s->way.at[1]].stage);
    const uint32_t lives[2] = {a < b ? a : b, a < b ? b : a};
    intern_add(&g->pairs, (const char *)lives, sizeof lives, NULL);
  }
  const bool tried = has_try(g, &s->way);
  g->tried |= tried;
  if (tried || !is_untold(g, &s->way)) return;
  const LockCircle circle = {s->way.n, arena_alloc(&g->arena, s->way.n * sizeof(uint32_t))};
  for (uint32_t i = 0; i < s->way.n; i++) circle.edges[i] = s->way.at[i];
  vec_push(g->heap, &g->circles, circle);
}

/* Goes on from the last edge of the way. The least lock of a circle is the outer one of its first edge. */
static void extend(Search *s) {
  const Goodlock *g = s->g;
  assert(s->way.n > 0 && s->way.n < s->most);
  const uint32_t start = g->edges.at[s->way.at[0]].outer, from = g->edges.at[vec_last(&s->way)].inner;
  for (uint32_t i = g->from.at[locksets_lock(from)]; i != NONE && s->steps < s->budget; i = g->edges.at[i].next) {
    const LockEdge *edge = &g->edges.at[i];
    heap_poll(g->heap);
    s->steps++;
    const bool closes = waits_for(edge->inner, start);
    if (locksets_lock(edge->inner) < locksets_lock(start) || !waits_for(from, edge->outer)) continue;
    if ((closes ? s->way.n + 1 != s->most : s->way.n + 1 >= s->most) || !fits(s, edge)) continue;
    vec_push(g->heap, &s->way, i);
    if (closes) tell(s);
    else extend(s);
    s->way.n--;
  }
}

static void look_for(Search *s, uint32_t most) {
  s->most = most;
  for (uint32_t i = 0; i < s->g->edges.n; i++) {
    const LockEdge *edge = &s->g->edges.at[i];
    const uint32_t outer = locksets_lock(edge->outer);
    if (locksets_lock(edge->inner) < outer || s->edges_to[outer] == 0) continue;
    vec_push(s->g->heap, &s->way, i);
    extend(s);
    vec_clear(&s->way);
  }
}

void goodlock_find(Goodlock *g, const LockSets *sets, const ForkOrder *stages, uint64_t budget) {
  Search s = {.g = g, .sets = sets, .stages = stages, .budget = UINT64_MAX};
  s.edges_to = heap_zeroed(g->heap, heap_product(g->heap, g->from.n, sizeof *s.edges_to));
  peel(&s);
  look_for(&s, 2);
  s.steps = 0;
  s.budget = budget;
  const uint32_t most = stages->lives.n < g->from.n ? stages->lives.n : g->from.n;
  for (uint32_t n = 3; n <= most && s.steps < s.budget; n++) look_for(&s, n);
  g->complete = s.steps < s.budget;
  vec_fini(g->heap, &s.way);
  heap_release(g->heap, s.edges_to);
}

bool goodlock_between(const Goodlock *g, uint32_t life, uint32_t other) {
  const uint32_t lives[2] = {life < other ? life : other, life < other ? other : life};
  return intern_find(&g->pairs, (const char *)lives, sizeof lives) != INTERN_NONE;
}
