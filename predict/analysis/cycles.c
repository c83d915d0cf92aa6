#include "predict/analysis/cycles.h"

#include "base/bitset.h"

#include <assert.h>
#include <string.h>

#define NONE UINT32_MAX

enum { MOST_LIVES = 256 }; /* beyond, conflicts are taken to lead from everywhere to everywhere */

/* Rows of bits: to which lives conflicts lead, from each one. */
typedef uint64_t Reach[MOST_LIVES][MOST_LIVES / 64];
typedef Reach *Rows;

/* One life's accesses that can follow e1, or precede e2. */
typedef struct {
  uint32_t life;
  const ShapeAccess *access; /* the one of the earliest transaction, or of the latest; NULL if the locks of the pair are
                                held at all */
} Entry;

typedef VEC(Entry) Entries;

typedef struct {
  Blocks *blocks;
  uint32_t n_lives;
  bool many;     /* lives: there is no Reach then */
  Reach *direct; /* by one conflict; NULL as yet */
  Rows *without; /* per life: if it is left out; NULL as yet */
  Intern asked;  /* the accesses of a pair of endpoints, and the locks held from one to the other */
  VEC(ShapeCycle) answers;
  Entries in, out; /* of the pair that is looked at: f and g, by life */
  ShapeCycle *now; /* of the current shape */
  uint64_t looks;
} Search;

static bool is_endpoint(const ShapeAccess *access) {
  return access->sights[access->write ? USE_FINAL : USE_FIRST].event != NO_EVENT;
}

static bool conflicts(const Shapes *shapes, const ShapeAccess *e, const ShapeAccess *f) {
  return (e->write || f->write) && is_endpoint(f) && shapes_access_life(shapes, e) != shapes_access_life(shapes, f);
}

/* The first and the last endpoint of a run; [1]: of those that write. */
typedef struct {
  const ShapeAccess *first[2], *last[2];
} Ends;

static Ends ends_of(const AccessIndex *index, const AccessRun *run) {
  Ends ends = {{NULL, NULL}, {NULL, NULL}};
  for (uint32_t i = run->from; i < run->end; i++) {
    const ShapeAccess *access = access_index_at(index, i);
    for (uint32_t w = 0; is_endpoint(access) && w <= access->write; w++) {
      if (!ends.first[w]) ends.first[w] = access;
      ends.last[w] = access;
    }
  }
  return ends;
}

/* Does not all that the second does come before what the first does, where one of them writes? The first one's first
 * and the second one's last tell. */
static bool may_lead(const Shapes *shapes, const Ends *from, const Ends *to) {
  for (uint32_t w = 0; w < 2; w++) {
    const ShapeAccess *e = from->first[w], *f = to->last[1 - w];
    if (e && f && !fork_order_before(&shapes->stages, f->stage, e->stage)) return true;
  }
  return false;
}

static void add_conflicts(Search *s, uint32_t variable, Ends *ends) {
  const AccessIndex *index = &s->blocks->index;
  uint32_t n;
  const AccessRun *runs = access_index_runs(index, variable, &n);
  for (uint32_t i = 0; i < n; i++) ends[i] = ends_of(index, &runs[i]);
  for (uint32_t i = 0; i < n; i++) {
    uint64_t *row = (*s->direct)[runs[i].life];
    for (uint32_t j = 0; j < n; j++)
      if (j != i && !bitset_has(row, runs[j].life) && may_lead(s->blocks->shapes, &ends[i], &ends[j]))
        bitset_add(row, runs[j].life);
  }
}

static void find_direct(Search *s) {
  const Shapes *shapes = s->blocks->shapes;
  Ends ends[MOST_LIVES];
  assert(!s->many);
  s->direct = heap_zeroed(shapes->heap, sizeof *s->direct);
  for (uint32_t v = 0; v < shapes->variables.n; v++) {
    heap_poll(shapes->heap);
    if (s->blocks->shared[v]) add_conflicts(s, v, ends);
  }
}

/* By any number of conflicts, without a life, or NONE. */
static Reach *closure(Search *s, uint32_t left_out) {
  if (!s->direct) find_direct(s);
  heap_poll(s->blocks->shapes->heap);
  Reach *reach = heap_alloc(s->blocks->shapes->heap, sizeof *reach);
  memcpy(reach, s->direct, sizeof *reach);
  for (uint32_t k = 0; k < s->n_lives; k++)
    for (uint32_t i = 0; k != left_out && i < s->n_lives; i++)
      for (uint32_t w = 0; bitset_has((*reach)[i], k) && w < MOST_LIVES / 64; w++) (*reach)[i][w] |= (*reach)[k][w];
  return reach;
}

static bool leads(Search *s, uint32_t from, uint32_t to, uint32_t left_out) {
  assert(from < s->n_lives && to < s->n_lives && left_out < s->n_lives);
  if (s->many) return true;
  if (!s->without[left_out]) s->without[left_out] = closure(s, left_out);
  return bitset_has((*s->without[left_out])[from], to);
}

static bool has_open(const Search *s, const ShapeCycle *shapes) {
  for (uint32_t i = 0; i < s->blocks->shapes->shapes.n; i++)
    if (shapes[i].kind != CYCLE_NONE) return true;
  return false;
}

/* All in one, unless a cycle asks for them. */
static uint32_t *find_components(Search *s, const ShapeCycle *shapes) {
  Heap *heap = s->blocks->shapes->heap;
  uint32_t *component = heap_zeroed(heap, heap_product(heap, s->n_lives, sizeof *component));
  Reach *reach = s->many || !has_open(s, shapes) ? NULL : closure(s, NONE);
  for (uint32_t i = 0; reach && i < s->n_lives; i++) {
    uint32_t j = 0;
    while (j < i && !(bitset_has((*reach)[i], j) && bitset_has((*reach)[j], i))) j++;
    component[i] = j;
  }
  heap_release(heap, reach);
  return component;
}

static PatternEvent event_of(const Shapes *shapes, const ShapeAccess *access, uint32_t transaction) {
  assert(is_endpoint(access));
  const Sight *sight = &access->sights[access->write ? USE_FINAL : USE_FIRST];
  return (PatternEvent){(uint32_t)(access - shapes->accesses.at), sight->event, sight->location, sight->shape,
                        transaction};
}

/* Is access number `place` one that conflicts with e? */
static const ShapeAccess *rival_at(Search *s, uint32_t place, const ShapeAccess *e) {
  const ShapeAccess *f = access_index_at(&s->blocks->index, place);
  s->looks++;
  return conflicts(s->blocks->shapes, e, f) ? f : NULL;
}

/* Per life the accesses f that conflict with e1 and can come between e1 and e2. */
static void find_in(Search *s, const ShapeAccess *e1, const ShapeAccess *e2, LockSetId through) {
  const Shapes *shapes = s->blocks->shapes;
  AccessWalk walk = access_index_walk(&s->blocks->index, e1->variable, e1->stage, e2->stage);
  AccessRun run;
  while (access_walk_next(&walk, &run)) {
    Entry entry = {run.life, NULL};
    for (uint32_t i = run.from; i < run.end; i++) {
      const ShapeAccess *f = rival_at(s, i, e1);
      if (f && locksets_disjoint(&shapes->locksets, f->held, through) &&
          (!entry.access || f->first_in < entry.access->first_in))
        entry.access = f;
    }
    if (entry.access) vec_push(shapes->heap, &s->in, entry);
  }
}

/* Per life the accesses g that conflict with e2 and can come before it. */
static void find_out(Search *s, const ShapeAccess *e2, LockSetId through) {
  const Shapes *shapes = s->blocks->shapes;
  const AccessIndex *index = &s->blocks->index;
  uint32_t n;
  const AccessRun *runs = access_index_runs(index, e2->variable, &n);
  for (uint32_t r = 0; r < n; r++) {
    if (runs[r].life == shapes_access_life(shapes, e2)) continue;
    Entry entry = {runs[r].life, NULL};
    bool some = false;
    const uint32_t end = access_index_until(index, &runs[r], e2->stage);
    for (uint32_t i = runs[r].from; i < end; i++) {
      const ShapeAccess *g = rival_at(s, i, e2);
      some |= g != NULL;
      if (g && locksets_disjoint(&shapes->locksets, g->held, through) &&
          (!entry.access || g->last_in > entry.access->last_in))
        entry.access = g;
    }
    if (some) vec_push(shapes->heap, &s->out, entry);
  }
}

/* What some f and g make; two of one life before two that conflicts lead between. */
static ShapeCycle close_cycle(Search *s, uint32_t life) {
  ShapeCycle answer = {.kind = CYCLE_NONE};
  for (uint32_t i = 0; i < s->in.n; i++)
    for (uint32_t j = 0; j < s->out.n; j++) {
      const Entry *in = &s->in.at[i], *out = &s->out.at[j];
      if (in->life != out->life) {
        if (answer.kind == CYCLE_NONE && leads(s, in->life, out->life, life)) answer.kind = CYCLE_MAYBE;
      } else if (out->access && in->access->first_in < out->access->last_in) {
        answer.kind = CYCLE_OF_TWO;
        answer.events[1] = event_of(s->blocks->shapes, in->access, 1);
        answer.events[2] = event_of(s->blocks->shapes, out->access, 2);
        return answer;
      }
    }
  return answer;
}

static ShapeCycle answer_for(Search *s, const EndpointPair *pair) {
  const Shapes *shapes = s->blocks->shapes;
  const ShapeAccess *e1 = &shapes->accesses.at[pair->first.access], *e2 = &shapes->accesses.at[pair->second.access];
  if (access_index_guards(&s->blocks->index, e1->variable, e1->write, pair->through))
    return (ShapeCycle){.kind = CYCLE_NONE};
  heap_poll(shapes->heap);
  vec_clear(&s->in);
  vec_clear(&s->out);
  find_in(s, e1, e2, pair->through);
  if (s->in.n) find_out(s, e2, pair->through);
  return close_cycle(s, shapes_access_life(shapes, e1));
}

static PatternEvent own_event(const Shapes *shapes, ShapeId id, const Endpoint *endpoint) {
  const Step *step = &shapes->shapes.at[id.v].steps[endpoint->step];
  return (PatternEvent){endpoint->access, step->event, step->location, id, 0};
}

static bool see_pair(void *self, ShapeId id, const EndpointPair *pair) {
  Search *s = self;
  const Shapes *shapes = s->blocks->shapes;
  const uint32_t key[] = {pair->first.access, pair->second.access, pair->through.v};
  bool is_new;
  if (s->looks > s->blocks->budget) return s->now->kind = CYCLE_MAYBE, false;
  const uint32_t number = intern_add(&s->asked, (const char *)key, sizeof key, &is_new);
  if (is_new) vec_push(shapes->heap, &s->answers, answer_for(s, pair));
  assert(number < s->answers.n);
  const ShapeCycle *answer = &s->answers.at[number];
  s->looks++;
  if (answer->kind == CYCLE_NONE) return true;
  *s->now = *answer;
  s->now->events[0] = own_event(shapes, id, &pair->first);
  s->now->events[3] = own_event(shapes, id, &pair->second);
  return answer->kind == CYCLE_MAYBE;
}

static void look_at_shapes(Search *s, ShapeCycle *shapes) {
  Blocks *blocks = s->blocks;
  Endpoints endpoints = {0};
  blocks->pairs = 0;
  for (uint32_t i = 0; i < blocks->shapes->shapes.n; i++) {
    if ((blocks->movable && blocks->movable[i]) || blocks->findings[i].pattern != PATTERN_NONE) continue;
    s->now = &shapes[i];
    blocks_endpoints(blocks, (ShapeId){i}, &endpoints);
    if (!blocks_each_pair(blocks, (ShapeId){i}, &endpoints, true, see_pair, s)) s->now->kind = CYCLE_MAYBE;
  }
  vec_fini(blocks->shapes->heap, &endpoints);
}

static void init(Search *s, Blocks *blocks) {
  Heap *heap = blocks->shapes->heap;
  *s = (Search){.blocks = blocks, .n_lives = blocks->shapes->stages.lives.n};
  s->many = s->n_lives > MOST_LIVES;
  intern_init(&s->asked, heap);
  s->without = heap_zeroed(heap, heap_product(heap, s->n_lives, sizeof(Rows)));
}

static void fini(Search *s) {
  Heap *heap = s->blocks->shapes->heap;
  for (uint32_t i = 0; i < s->n_lives; i++) heap_release(heap, s->without[i]);
  heap_release(heap, s->without);
  heap_release(heap, s->direct);
  vec_fini(heap, &s->answers);
  vec_fini(heap, &s->in);
  vec_fini(heap, &s->out);
  intern_fini(&s->asked);
}

void cycles_find(Cycles *cycles, Blocks *blocks) {
  Heap *heap = blocks->shapes->heap;
  Search s;
  init(&s, blocks);
  cycles->shapes = heap_zeroed(heap, heap_product(heap, blocks->shapes->shapes.n, sizeof *cycles->shapes));
  look_at_shapes(&s, cycles->shapes);
  cycles->component = find_components(&s, cycles->shapes);
  fini(&s);
}

void cycles_fini(Cycles *cycles, Heap *heap) {
  heap_release(heap, cycles->component);
  heap_release(heap, cycles->shapes);
}
