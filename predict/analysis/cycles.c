#include "predict/analysis/cycles.h"

#include "base/bitset.h"

#include <assert.h>
#include <string.h>

#define NONE UINT32_MAX

enum { MOST_LIVES = 256 }; /* beyond, conflicts are taken to lead from everywhere to everywhere */

/* Rows of bits: to which lives conflicts lead, from each one. */
typedef uint64_t Reach[MOST_LIVES][MOST_LIVES / 64];
typedef Reach *Rows;

typedef struct {
  Blocks *blocks;
  uint32_t n_lives;
  bool many;     /* lives: there is no Reach then */
  Reach *direct; /* by one conflict */
  Rows *without; /* per life: if it is left out; NULL as yet */
  Intern asked;  /* the accesses of a pair of endpoints, and the locks held from one to the other */
  VEC(ShapeCycle) answers;
  ShapeCycle *now; /* of the current shape */
  uint64_t looks;
} Search;

static bool is_endpoint(const ShapeAccess *access) {
  return access->sights[access->write ? USE_FINAL : USE_FIRST].event != NO_EVENT;
}

static bool conflicts(const Shapes *shapes, const ShapeAccess *e, const ShapeAccess *f) {
  return (e->write || f->write) && is_endpoint(f) && shapes_access_life(shapes, e) != shapes_access_life(shapes, f);
}

/* The first access of the variable, and the next one, or NULL. */
static const ShapeAccess *first_access(const Shapes *shapes, uint32_t variable) {
  const uint32_t first = shapes->variables.at[variable].accesses;
  return first == NONE ? NULL : &shapes->accesses.at[first];
}

static const ShapeAccess *next_access(const Shapes *shapes, const ShapeAccess *access) {
  return access->next == NONE ? NULL : &shapes->accesses.at[access->next];
}

static void add_conflicts(Search *s, const ShapeAccess *e) {
  assert(!s->many && is_endpoint(e));
  const Shapes *shapes = s->blocks->shapes;
  uint64_t *row = (*s->direct)[shapes_access_life(shapes, e)];
  for (const ShapeAccess *f = first_access(shapes, e->variable); f; f = next_access(shapes, f)) {
    const uint32_t life = shapes_access_life(shapes, f);
    if (!bitset_has(row, life) && conflicts(shapes, e, f) && !fork_order_before(&shapes->stages, f->stage, e->stage))
      bitset_add(row, life);
  }
}

static void find_direct(Search *s) {
  const Shapes *shapes = s->blocks->shapes;
  for (uint32_t a = 0; a < shapes->accesses.n; a++) {
    const ShapeAccess *access = &shapes->accesses.at[a];
    if (s->blocks->shared[access->variable] && is_endpoint(access)) add_conflicts(s, access);
  }
}

/* By any number of conflicts, without a life, or NONE. */
static Reach *closure(const Search *s, uint32_t left_out) {
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

static uint32_t *find_components(Search *s) {
  Heap *heap = s->blocks->shapes->heap;
  uint32_t *component = heap_zeroed(heap, heap_product(heap, s->n_lives, sizeof *component));
  Reach *reach = s->many ? NULL : closure(s, NONE);
  for (uint32_t i = 0; reach && i < s->n_lives; i++) {
    uint32_t j = 0;
    while (j < i && !(bitset_has((*reach)[i], j) && bitset_has((*reach)[j], i))) j++;
    component[i] = j;
  }
  heap_release(heap, reach);
  return component;
}

/* Can f, which conflicts with e1, come between e1 and e2? */
static bool can_enter(const Shapes *shapes, const ShapeAccess *e1, const ShapeAccess *e2, const ShapeAccess *f,
                      LockSetId through) {
  return conflicts(shapes, e1, f) && locksets_disjoint(&shapes->locksets, f->held, through) &&
         !fork_order_before(&shapes->stages, f->stage, e1->stage) &&
         !fork_order_before(&shapes->stages, e2->stage, f->stage);
}

static PatternEvent event_of(const Shapes *shapes, const ShapeAccess *access, uint32_t transaction) {
  assert(is_endpoint(access));
  const Sight *sight = &access->sights[access->write ? USE_FINAL : USE_FIRST];
  return (PatternEvent){(uint32_t)(access - shapes->accesses.at), sight->event, sight->location, sight->shape,
                        transaction};
}

/* What f and a g that conflicts with e2 make. */
static void close_cycle(Search *s, const ShapeAccess *e2, const ShapeAccess *f, LockSetId through, ShapeCycle *answer) {
  const Shapes *shapes = s->blocks->shapes;
  const uint32_t life = shapes_access_life(shapes, e2);
  for (const ShapeAccess *g = first_access(shapes, e2->variable); g && answer->kind != CYCLE_OF_TWO;
       g = next_access(shapes, g)) {
    s->looks++;
    if (!conflicts(shapes, e2, g) || fork_order_before(&shapes->stages, e2->stage, g->stage)) continue;
    const uint32_t lives[2] = {shapes_access_life(shapes, f), shapes_access_life(shapes, g)};
    if (lives[0] == lives[1]) {
      if (f->first_in >= g->last_in || !locksets_disjoint(&shapes->locksets, g->held, through)) continue;
      answer->kind = CYCLE_OF_TWO;
      answer->events[1] = event_of(shapes, f, 1);
      answer->events[2] = event_of(shapes, g, 2);
    } else if (leads(s, lives[0], lives[1], life)) {
      answer->kind = CYCLE_MAYBE;
    }
  }
}

static ShapeCycle answer_for(Search *s, const EndpointPair *pair) {
  const Shapes *shapes = s->blocks->shapes;
  const ShapeAccess *e1 = &shapes->accesses.at[pair->first.access], *e2 = &shapes->accesses.at[pair->second.access];
  ShapeCycle answer = {.kind = CYCLE_NONE};
  for (const ShapeAccess *f = first_access(shapes, e1->variable); f && answer.kind != CYCLE_OF_TWO;
       f = next_access(shapes, f)) {
    s->looks++;
    if (can_enter(shapes, e1, e2, f, pair->through)) close_cycle(s, e2, f, pair->through, &answer);
  }
  return answer;
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
  s->direct = s->many ? NULL : heap_zeroed(heap, sizeof *s->direct);
  if (!s->many) find_direct(s);
}

static void fini(Search *s) {
  Heap *heap = s->blocks->shapes->heap;
  for (uint32_t i = 0; i < s->n_lives; i++) heap_release(heap, s->without[i]);
  heap_release(heap, s->without);
  heap_release(heap, s->direct);
  vec_fini(heap, &s->answers);
  intern_fini(&s->asked);
}

void cycles_find(Cycles *cycles, Blocks *blocks) {
  Heap *heap = blocks->shapes->heap;
  Search s;
  init(&s, blocks);
  cycles->component = find_components(&s);
  cycles->shapes = heap_zeroed(heap, heap_product(heap, blocks->shapes->shapes.n, sizeof *cycles->shapes));
  look_at_shapes(&s, cycles->shapes);
  fini(&s);
}

void cycles_fini(Cycles *cycles, Heap *heap) {
  heap_release(heap, cycles->component);
  heap_release(heap, cycles->shapes);
}
