#include "predict/analysis/goodlock.h"

#include <assert.h>

#define NONE UINT32_MAX

struct LifePairs {
  Pairs pairs;
  U32Vec answers;
};

void goodlock_init(Goodlock *g, Heap *heap) {
  *g = (Goodlock){.heap = heap};
  arena_init(&g->arena, heap);
  intern_init(&g->sections, heap);
  intern_init(&g->known, heap);
  intern_init(&g->kind_names, heap);
  intern_init(&g->told, heap);
  g->asked = heap_zeroed(heap, sizeof *g->asked);
}

void goodlock_fini(Goodlock *g) {
  for (uint32_t i = 0; i < g->edges.n; i++) vec_fini(g->heap, &g->edges.at[i].uses);
  vec_fini(g->heap, &g->edges);
  vec_fini(g->heap, &g->from);
  intern_fini(&g->sections);
  vec_fini(g->heap, &g->last_stages);
  intern_fini(&g->known);
  intern_fini(&g->kind_names);
  vec_fini(g->heap, &g->kinds);
  pairs_fini(g->heap, &g->locks);
  vec_fini(g->heap, &g->lock_kinds);
  vec_fini(g->heap, &g->lock_next);
  pairs_fini(g->heap, &g->own);
  vec_fini(g->heap, &g->own_first);
  vec_fini(g->heap, &g->own_next);
  vec_fini(g->heap, &g->of_life);
  pairs_fini(g->heap, &g->asked->pairs);
  vec_fini(g->heap, &g->asked->answers);
  heap_release(g->heap, g->asked);
  vec_fini(g->heap, &g->circles);
  intern_fini(&g->told);
  arena_fini(&g->arena);
}

/* ---- edges ---- */

static uint32_t number_of(Intern *names, const uint32_t *words, size_t bytes) {
  return intern_add(names, (const char *)words, bytes, NULL);
}

static void make_room(Heap *heap, U32Vec *numbers, uint32_t index) {
  while (numbers->n <= index) vec_push(heap, numbers, NONE);
}

/* Of the two locks, the outer one first. */
static uint32_t locks_of(Goodlock *g, const LockEdge *edge) {
  const uint32_t outer = locksets_lock(edge->outer), inner = locksets_lock(edge->inner);
  const uint32_t pair = pairs_add(g->heap, &g->locks, outer, inner);
  make_room(g->heap, &g->from, outer > inner ? outer : inner);
  if (pair == g->lock_kinds.n) {
    vec_push(g->heap, &g->lock_kinds, NONE);
    vec_push(g->heap, &g->lock_next, g->from.at[outer]);
    g->from.at[outer] = pair;
  }
  return pair;
}

static void list_by_kind(Goodlock *g, LockEdge *edge, uint32_t pair) {
  const uint32_t words[] = {edge->outer, edge->inner, edge->tries, edge->outer_location, edge->inner_location};
  const uint32_t kind = number_of(&g->kind_names, words, sizeof words);
  if (kind == g->kinds.n) {
    vec_push(g->heap, &g->kinds, ((LockKind){NONE, g->lock_kinds.at[pair], edge->held}));
    g->lock_kinds.at[pair] = kind;
  }
  edge->next_alike = g->kinds.at[kind].first;
  g->kinds.at[kind].first = g->edges.n;
}

static void list_by_life(Goodlock *g, LockEdge *edge, uint32_t pair) {
  const uint32_t own = pairs_add(g->heap, &g->own, edge->life, pair);
  make_room(g->heap, &g->of_life, edge->life);
  if (own == g->own_first.n) {
    vec_push(g->heap, &g->own_first, NONE);
    vec_push(g->heap, &g->own_next, g->of_life.at[edge->life]);
    g->of_life.at[edge->life] = own;
  }
  edge->next_own = g->own_first.at[own];
  g->own_first.at[own] = g->edges.n;
}

static void add_edge(Goodlock *g, LockEdge edge) {
  const uint32_t pair = locks_of(g, &edge);
  list_by_kind(g, &edge, pair);
  list_by_life(g, &edge, pair);
  vec_push(g->heap, &g->edges, edge);
}

static void add(Goodlock *g, const LockEdge *edge, LockUse use) {
  const uint32_t words[] = {edge->life, edge->outer, edge->inner, edge->held.v, edge->tries};
  const uint32_t section = number_of(&g->sections, words, sizeof words);
  make_room(g->heap, &g->last_stages, section);
  if (g->last_stages.at[section] == use.stage.v) return;
  g->last_stages.at[section] = use.stage.v;
  const uint32_t placed[] = {section, edge->outer_location, edge->inner_location};
  const uint32_t number = number_of(&g->known, placed, sizeof placed);
  if (number == g->edges.n) add_edge(g, *edge);
  vec_push(g->heap, &g->edges.at[number].uses, use);
}

void goodlock_see(Goodlock *g, const HeldLocks *held, const LockAcquire *acquire) {
  assert(held->n > 0);
  for (uint32_t i = 0; i < held->n; i++) {
    const HeldLock *outer = &held->at[i];
    const LockEdge edge = {.outer = outer->lock,
                           .inner = acquire->lock,
                           .outer_location = outer->location,
                           .inner_location = acquire->location,
                           .tries = acquire->tries,
                           .life = acquire->life,
                           .held = locksets_held_now(held)};
    add(g, &edge, (LockUse){acquire->stage, outer->since, acquire->event});
  }
}

/* ---- two edges ---- */

typedef struct {
  const Goodlock *g;
  const LockSets *sets;
  const ForkOrder *stages;
  uint64_t steps;
} Meeting;

/* Does who is at the acquire of `inner` wait for who holds `outer`? */
static bool waits_for(uint32_t inner, uint32_t outer) {
  return locksets_lock(inner) == locksets_lock(outer) && !(locksets_is_shared(inner) && locksets_is_shared(outer));
}

/* Can a use of the edge be at the same time as that stage? The first that is not before it has the least in its own
 * past. */
static bool has_use(Meeting *m, const LockEdge *edge, StageId stage, uint32_t *use) {
  uint32_t low = 0, high = edge->uses.n;
  m->steps++;
  heap_poll(m->g->heap);
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (fork_order_before(m->stages, edge->uses.at[middle].stage, stage)) low = middle + 1;
    else high = middle;
  }
  *use = low;
  return low < edge->uses.n && !fork_order_before(m->stages, stage, edge->uses.at[low].stage);
}

/* Can two lives be at these edges at once, at which uses of them? */
static bool meet(Meeting *m, LockLink *a, LockLink *b) {
  const LockEdge *x = &m->g->edges.at[a->edge], *y = &m->g->edges.at[b->edge];
  m->steps++;
  heap_poll(m->g->heap);
  if (x->life == y->life || !locksets_disjoint(m->sets, x->held, y->held)) return false;
  if (x->uses.n > y->uses.n) return meet(m, b, a);
  for (a->use = 0; a->use < x->uses.n; a->use++)
    if (has_use(m, y, x->uses.at[a->use].stage, &b->use)) return true;
  return false;
}

static bool is_circle(const LockEdge *a, const LockEdge *b) {
  return waits_for(a->inner, b->outer) && waits_for(b->inner, a->outer);
}

/* ---- circles of two lives ---- */

static bool look_between(const Goodlock *g, const LockSets *sets, const ForkOrder *stages, uint32_t life,
                         uint32_t other) {
  Meeting m = {g, sets, stages, 0};
  for (uint32_t own = life < g->of_life.n ? g->of_life.at[life] : NONE; own != NONE; own = g->own_next.at[own]) {
    const Pair locks = g->locks.all.at[g->own.all.at[own].b];
    uint32_t back, theirs;
    if (!pairs_find(&g->locks, locks.b, locks.a, &back) || !pairs_find(&g->own, other, back, &theirs)) continue;
    for (uint32_t i = g->own_first.at[own]; i != NONE; i = g->edges.at[i].next_own)
      for (uint32_t k = g->own_first.at[theirs]; k != NONE; k = g->edges.at[k].next_own)
        if (is_circle(&g->edges.at[i], &g->edges.at[k]) && meet(&m, &(LockLink){i, 0}, &(LockLink){k, 0})) return true;
  }
  return false;
}

bool goodlock_between(const Goodlock *g, const LockSets *sets, const ForkOrder *stages, uint32_t life, uint32_t other) {
  LifePairs *asked = g->asked;
  const uint32_t pair = pairs_add(g->heap, &asked->pairs, life < other ? life : other, life < other ? other : life);
  if (pair == asked->answers.n) vec_push(g->heap, &asked->answers, look_between(g, sets, stages, life, other));
  return asked->answers.at[pair];
}

/* ---- circles of two edges ---- */

static void tell(Goodlock *g, const LockLink *links, uint32_t n) {
  const LockCircle circle = {n, arena_alloc(&g->arena, n * sizeof *links)};
  for (uint32_t i = 0; i < n; i++) circle.links[i] = links[i];
  vec_push(g->heap, &g->circles, circle);
}

static void find_commons(Goodlock *g, LockSets *sets) {
  for (uint32_t k = 0; k < g->kinds.n; k++)
    for (uint32_t i = g->kinds.at[k].first; i != NONE; i = g->edges.at[i].next_alike)
      g->kinds.at[k].common = locksets_common(sets, g->kinds.at[k].common, g->edges.at[i].held);
}

/* Of two kinds one circle is enough. */
static bool kinds_meet(Meeting *m, const LockKind *a, const LockKind *b, LockLink links[2]) {
  const Goodlock *g = m->g;
  if (!is_circle(&g->edges.at[a->first], &g->edges.at[b->first]) || !locksets_disjoint(m->sets, a->common, b->common))
    return false;
  for (uint32_t i = a->first; i != NONE; i = g->edges.at[i].next_alike)
    for (uint32_t k = b->first; k != NONE; k = g->edges.at[k].next_alike) {
      links[0].edge = i;
      links[1].edge = k;
      if (meet(m, &links[0], &links[1])) return true;
    }
  return false;
}

/* The kinds with two locks, and those with them the other way round; of one lock, which is shared and then taken alone,
 * these are the same. */
static void find_twos(Goodlock *g, Meeting *m, uint32_t pair, uint32_t back) {
  for (uint32_t a = g->lock_kinds.at[pair]; a != NONE; a = g->kinds.at[a].next)
    for (uint32_t b = pair == back ? a : g->lock_kinds.at[back]; b != NONE; b = g->kinds.at[b].next) {
      LockLink links[2];
      if (!kinds_meet(m, &g->kinds.at[a], &g->kinds.at[b], links)) continue;
      const bool tried = g->edges.at[links[0].edge].tries || g->edges.at[links[1].edge].tries;
      g->tried |= tried;
      if (!tried) tell(g, links, 2);
    }
}

static void find_all_twos(Goodlock *g, LockSets *sets, const ForkOrder *stages) {
  Meeting m = {g, sets, stages, 0};
  find_commons(g, sets);
  for (uint32_t pair = 0, back; pair < g->locks.all.n; pair++) {
    const Pair locks = g->locks.all.at[pair];
    if (locks.a <= locks.b && pairs_find(&g->locks, locks.b, locks.a, &back)) find_twos(g, &m, pair, back);
  }
}

/* ---- longer circles ---- */

typedef struct {
  Goodlock *g;
  Meeting meeting;
  uint32_t most; /* edges of a circle */
  uint64_t budget;
  uint32_t *edges_to; /* per lock */
  VEC(LockLink) way;
} Search;

/* Takes away the locks to which no edge leads, with the edges from them, as long as there is one: in most runs nothing
 * is left. */
static void peel(Search *s) {
  const Goodlock *g = s->g;
  U32Vec free = {0};
  for (uint32_t i = 0; i < g->locks.all.n; i++) s->edges_to[g->locks.all.at[i].b]++;
  for (uint32_t l = 0; l < g->from.n; l++)
    if (s->edges_to[l] == 0) vec_push(g->heap, &free, l);
  for (uint32_t k = 0; k < free.n; k++)
    for (uint32_t i = g->from.at[free.at[k]]; i != NONE; i = g->lock_next.at[i])
      if (--s->edges_to[g->locks.all.at[i].b] == 0) vec_push(g->heap, &free, g->locks.all.at[i].b);
  vec_fini(g->heap, &free);
}

static bool fits(Search *s, uint32_t edge) {
  for (uint32_t i = 0; i < s->way.n; i++)
    if (!meet(&s->meeting, &(LockLink){s->way.at[i].edge, 0}, &(LockLink){edge, 0})) return false;
  return true;
}

/* Uses of the edges from that one on, any two of which can be at the same time. */
static bool choose_uses(Search *s, uint32_t number) {
  const ForkOrder *stages = s->meeting.stages;
  if (number == s->way.n) return true;
  LockLink *link = &s->way.at[number];
  const LockEdge *edge = &s->g->edges.at[link->edge];
  for (link->use = 0; link->use < edge->uses.n && s->meeting.steps < s->budget; link->use++) {
    bool good = true;
    s->meeting.steps++;
    heap_poll(s->g->heap);
    for (uint32_t i = 0; i < number && good; i++)
      good = fork_order_concurrent(stages, s->g->edges.at[s->way.at[i].edge].uses.at[s->way.at[i].use].stage,
                                   edge->uses.at[link->use].stage);
    if (good && choose_uses(s, number + 1)) return true;
  }
  return false;
}

static bool has_try(const Search *s) {
  for (uint32_t i = 0; i < s->way.n; i++)
    if (s->g->edges.at[s->way.at[i].edge].tries) return true;
  return false;
}

static bool is_untold(Search *s) {
  U32Vec words = {0};
  bool is_new;
  for (uint32_t i = 0; i < s->way.n; i++) {
    const LockEdge *edge = &s->g->edges.at[s->way.at[i].edge];
    vec_push(s->g->heap, &words, edge->inner);
    vec_push(s->g->heap, &words, edge->outer_location);
    vec_push(s->g->heap, &words, edge->inner_location);
  }
  intern_add(&s->g->told, (const char *)words.at, words.n * sizeof *words.at, &is_new);
  vec_fini(s->g->heap, &words);
  return is_new;
}

static void close_circle(Search *s) {
  if (!choose_uses(s, 0)) return;
  const bool tried = has_try(s);
  s->g->tried |= tried;
  if (!tried && is_untold(s)) tell(s->g, s->way.at, s->way.n);
}

static bool is_over(const Search *s) {
  heap_poll(s->g->heap);
  return s->meeting.steps >= s->budget;
}

static void extend(Search *s);

/* The edges with these two locks, each as the next one of the way. */
static void extend_by(Search *s, uint32_t pair, bool closes) {
  const Goodlock *g = s->g;
  for (uint32_t kind = g->lock_kinds.at[pair]; kind != NONE; kind = g->kinds.at[kind].next)
    for (uint32_t i = g->kinds.at[kind].first; i != NONE && !is_over(s); i = g->edges.at[i].next_alike) {
      const LockEdge *edge = &g->edges.at[i];
      s->meeting.steps++;
      if (s->way.n && !waits_for(g->edges.at[vec_last(&s->way).edge].inner, edge->outer)) break;
      if (closes && !waits_for(edge->inner, g->edges.at[s->way.at[0].edge].outer)) break;
      if (!fits(s, i)) continue;
      vec_push(g->heap, &s->way, ((LockLink){i, 0}));
      if (closes) close_circle(s);
      else extend(s);
      s->way.n--;
    }
}

static uint32_t outer_of(const Search *s, uint32_t i) { return locksets_lock(s->g->edges.at[s->way.at[i].edge].outer); }

/* Does the way come to the lock? */
static bool is_on_way(const Search *s, uint32_t lock) {
  for (uint32_t i = 0; i < s->way.n; i++)
    if (outer_of(s, i) == lock) return true;
  return false;
}

/* Goes on from the last edge of the way. The least lock of a circle is the outer one of its first edge. */
static void extend(Search *s) {
  const Goodlock *g = s->g;
  assert(s->way.n > 0 && s->way.n < s->most);
  const uint32_t start = outer_of(s, 0), from = locksets_lock(g->edges.at[vec_last(&s->way).edge].inner);
  for (uint32_t pair = g->from.at[from]; pair != NONE && !is_over(s); pair = g->lock_next.at[pair]) {
    const uint32_t inner = g->locks.all.at[pair].b;
    s->meeting.steps++;
    if (s->way.n + 1 == s->most ? inner == start : inner > start && inner != from && !is_on_way(s, inner))
      extend_by(s, pair, s->way.n + 1 == s->most);
  }
}

static void look_for(Search *s, uint32_t most) {
  const Pairs *locks = &s->g->locks;
  s->most = most;
  for (uint32_t pair = 0; pair < locks->all.n && !is_over(s); pair++) {
    s->meeting.steps++;
    if (locks->all.at[pair].b > locks->all.at[pair].a && s->edges_to[locks->all.at[pair].a]) extend_by(s, pair, false);
  }
}

void goodlock_find(Goodlock *g, LockSets *sets, const ForkOrder *stages, uint64_t budget) {
  find_all_twos(g, sets, stages);
  Search s = {.g = g, .meeting = {g, sets, stages, 0}, .budget = budget};
  s.edges_to = heap_zeroed(g->heap, heap_product(g->heap, g->from.n, sizeof *s.edges_to));
  peel(&s);
  const uint32_t most = stages->lives.n < g->from.n ? stages->lives.n : g->from.n;
  for (uint32_t n = 3; n <= most && s.meeting.steps < s.budget; n++) look_for(&s, n);
  g->complete = s.meeting.steps < s.budget;
  vec_fini(g->heap, &s.way);
  heap_release(g->heap, s.edges_to);
}
