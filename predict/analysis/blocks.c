#include "predict/analysis/blocks.h"

#include "predict/analysis/certainty.h"

#include <assert.h>
#include <string.h>

#define NONE UINT32_MAX
enum { POINTS = 1 << 26 /* of progress graphs, for all patterns */ };

/* ---- views ---- */

/* For each event of the interleaving, in the order of the two transactions (all of 0, then all of 1): of a read, which
 * event it reads, + 1; of a write, whether it is the last one of its variable. `order` lists the events, by those
 * numbers, as they happen. */
static void view(const ViewEvent *by_number, const uint8_t *order, uint32_t n, uint8_t *seen) {
  assert(n <= VIEW_MOST);
  for (uint32_t i = 0; i < n; i++) {
    const ViewEvent *event = &by_number[order[i]];
    uint32_t last = 0;
    bool overwritten = false;
    for (uint32_t j = 0; j < n; j++) {
      const ViewEvent *other = &by_number[order[j]];
      if (!other->write || other->variable != event->variable) continue;
      if (j < i) last = order[j] + 1u;
      else if (j > i) overwritten = true;
    }
    seen[order[i]] = (uint8_t)(event->write ? overwritten : last);
  }
}

bool blocks_view_unserializable(const ViewEvent *events, uint32_t n) {
  ViewEvent by_number[VIEW_MOST] = {{0, 0, false}};
  uint8_t order[VIEW_MOST] = {0}, serial[2][VIEW_MOST] = {{0}}, seen[3][VIEW_MOST];
  uint32_t k = 0;
  for (uint32_t t = 0; t < 2; t++)
    for (uint32_t i = 0; i < n; i++)
      if (events[i].transaction == t) by_number[k] = events[i], order[i] = (uint8_t)k, k++;
  uint32_t n_first = 0;
  while (n_first < n && by_number[n_first].transaction == 0) n_first++;
  assert(k == n); /* each event is of transaction 0 or 1 */
  for (uint32_t i = 0; i < n; i++) {
    serial[0][i] = (uint8_t)i;
    serial[1][i] = (uint8_t)((i + n_first) % n);
  }
  view(by_number, order, n, seen[2]);
  for (uint32_t s = 0; s < 2; s++) {
    view(by_number, serial[s], n, seen[s]);
    if (memcmp(seen[s], seen[2], n) == 0) return false;
  }
  return true;
}

const uint8_t BLOCK_ORDERS[ORDERS][4] = {{0, 2, 3, 1}, {2, 0, 1, 3}, {0, 2, 1, 3}};

/* By whether the two have their variables in the same order, and which of the four events write, a bit each. */
typedef struct {
  bool at[2][16][ORDERS];
} Unserializable;

static void compute(Unserializable *table) {
  for (uint32_t turned = 0; turned < 2; turned++)
    for (uint32_t writes = 0; writes < 16; writes++)
      for (uint32_t o = 0; o < ORDERS; o++) {
        ViewEvent events[4];
        for (uint32_t i = 0; i < 4; i++) {
          const uint32_t e = BLOCK_ORDERS[o][i];
          events[i] = (ViewEvent){e / 2, (e % 2) ^ (e / 2 & turned), writes >> e & 1};
        }
        table->at[turned][writes][o] = blocks_view_unserializable(events, 4);
      }
}

/* ---- variables ---- */

struct VariableMark {
  uint64_t pass;  /* over a shape; else the rest is of another one */
  uint32_t read;  /* the latest first read; its step + 1 */
  uint32_t first; /* the earliest one */
  uint32_t write; /* the latest write */
};

static bool is_shared(const Shapes *shapes, uint32_t variable) {
  uint32_t life = NONE;
  bool several = false, written = false;
  for (uint32_t a = shapes->variables.at[variable].accesses; a != NONE; a = shapes->accesses.at[a].next) {
    const ShapeAccess *access = &shapes->accesses.at[a];
    const uint32_t its = shapes_access_life(shapes, access);
    written = written || access->write;
    several = several || (life != NONE && life != its);
    life = its;
  }
  return several && written;
}

void blocks_init(Blocks *blocks, Shapes *shapes, const bool *movable, uint64_t budget) {
  Heap *heap = shapes->heap;
  const uint32_t n = shapes->variables.n;
  *blocks = (Blocks){.shapes = shapes, .movable = movable, .budget = budget, .points = POINTS, .complete = true};
  arena_init(&blocks->arena, heap);
  access_index_init(&blocks->index, shapes);
  blocks->shared = heap_alloc(heap, n);
  blocks->marks = heap_zeroed(heap, heap_product(heap, n, sizeof *blocks->marks));
  blocks->findings = heap_zeroed(heap, heap_product(heap, shapes->shapes.n, sizeof *blocks->findings));
  for (uint32_t v = 0; v < n; v++) blocks->shared[v] = is_shared(shapes, v);
}

void blocks_fini(Blocks *blocks) {
  Heap *heap = blocks->shapes->heap;
  access_index_fini(&blocks->index);
  heap_release(heap, blocks->shared);
  heap_release(heap, blocks->marks);
  heap_release(heap, blocks->findings);
  vec_fini(heap, &blocks->held);
  arena_fini(&blocks->arena);
}

static const ShapeAccess *access_at(const Blocks *blocks, uint32_t access) {
  return &blocks->shapes->accesses.at[access];
}

static bool is_movable(const Blocks *blocks, uint32_t shape) { return blocks->movable && blocks->movable[shape]; }

/* The shared access of the step, or NULL. */
static const ShapeAccess *shared_access(const Blocks *blocks, const Step *step) {
  if (step->kind != STEP_ACCESS) return NULL;
  const ShapeAccess *access = access_at(blocks, step->id);
  return blocks->shared[access->variable] ? access : NULL;
}

static struct VariableMark *mark_of(Blocks *blocks, uint32_t variable) {
  struct VariableMark *mark = &blocks->marks[variable];
  if (mark->pass != blocks->pass) *mark = (struct VariableMark){.pass = blocks->pass};
  return mark;
}

/* ---- findings ---- */

void blocks_tell(Blocks *blocks, ShapeId id, Pattern pattern, Certainty certainty, const PatternEvent *events,
                 uint32_t n) {
  assert(pattern != PATTERN_NONE && n > 1 && id.v < blocks->shapes->shapes.n);
  BlockFinding *finding = &blocks->findings[id.v];
  if (finding->pattern != PATTERN_NONE) return;
  PatternEvent *copy = arena_alloc(&blocks->arena, heap_product(blocks->shapes->heap, n, sizeof *copy));
  memcpy(copy, events, n * sizeof *copy);
  *finding = (BlockFinding){pattern, certainty, n, copy};
}

static PatternEvent step_event(const Blocks *blocks, ShapeId id, uint32_t step, uint32_t transaction) {
  const Step *at = &blocks->shapes->shapes.at[id.v].steps[step];
  return (PatternEvent){at->id, at->event, at->location, id, transaction};
}

/* ---- one variable ---- */

/* f of a pattern. */
typedef struct {
  Use use;
  bool write;
} Between;

static const Between BETWEEN[] = {
    [PATTERN_UP1] = {USE_FIRST, false},
    [PATTERN_UP2] = {USE_ANY, true},
    [PATTERN_UP3] = {USE_ANY, true},
    [PATTERN_UP4] = {USE_FINAL, true},
};

typedef struct {
  Blocks *blocks;
  Intern spans;   /* pattern, variable, locks held throughout, stages of the two accesses */
  U32Vec between; /* per span: an access that can come between, or NONE */
} Spans;

/* Of one life's accesses that are no earlier than e1 and no later than e2, the last that can come between. */
static uint32_t between_in(const Blocks *blocks, const AccessRun *run, const Between *between, LockSetId through) {
  const AccessIndex *index = &blocks->index;
  for (uint32_t i = run->end; i > run->from; i--) {
    const ShapeAccess *f = access_index_at(index, i - 1);
    if (f->write == between->write && f->sights[between->use].event != NO_EVENT &&
        locksets_disjoint(&blocks->shapes->locksets, through, f->held))
      return index->order[i - 1];
  }
  return NONE;
}

static uint32_t find_between(const Blocks *blocks, Pattern pattern, const ShapeAccess *e1, const ShapeAccess *e2,
                             LockSetId through) {
  uint32_t last = NONE;
  if (access_index_guards(&blocks->index, e1->variable, !BETWEEN[pattern].write, through)) return NONE;
  AccessWalk walk = access_index_walk(&blocks->index, e1->variable, e1->stage, e2->stage);
  AccessRun run;
  heap_poll(blocks->shapes->heap);
  while (access_walk_next(&walk, &run)) {
    const uint32_t a = between_in(blocks, &run, &BETWEEN[pattern], through);
    if (a != NONE && (last == NONE || a > last)) last = a;
  }
  return last;
}

/* The step of the access in the transaction in which it was seen as such; 0 outside of any. */
static uint32_t step_of_sight(const Blocks *blocks, uint32_t access, Use use) {
  const ShapeId id = access_at(blocks, access)->sights[use].shape;
  uint32_t step = 0;
  if (id.v == SHAPE_NONE.v) return step;
  const Shape *shape = &blocks->shapes->shapes.at[id.v];
  for (uint32_t i = shape->n; i-- > 0;) {
    if (shape->steps[i].kind != STEP_ACCESS || shape->steps[i].id != access) continue;
    step = i;
    if (use == USE_FINAL) break;
  }
  return step;
}

static void see_span(Spans *s, ShapeId id, Pattern pattern, uint32_t step1, uint32_t step2) {
  Blocks *blocks = s->blocks;
  const Step *steps = blocks->shapes->shapes.at[id.v].steps;
  const ShapeAccess *e1 = access_at(blocks, steps[step1].id), *e2 = access_at(blocks, steps[step2].id);
  const LockSetId through = locksets_held_since(&blocks->held, step1 + 1);
  const uint32_t key[] = {pattern, e1->variable, through.v, e1->stage.v, e2->stage.v};
  bool is_new;
  const uint32_t span = intern_add(&s->spans, (const char *)key, sizeof key, &is_new);
  if (is_new) vec_push(blocks->shapes->heap, &s->between, find_between(blocks, pattern, e1, e2, through));
  const uint32_t a = s->between.at[span];
  if (a == NONE) return;
  const Sight *sight = &access_at(blocks, a)->sights[BETWEEN[pattern].use];
  const PatternEvent f = {a, sight->event, sight->location, sight->shape, 1};
  const PatternEvent events[] = {step_event(blocks, id, step1, 0), f, step_event(blocks, id, step2, 0)};
  if (blocks->findings[id.v].pattern != PATTERN_NONE) return;
  const uint32_t step = step_of_sight(blocks, a, BETWEEN[pattern].use);
  const CertainPart split = {id, e1, e2, {step1, step2}};
  const CertainPart other = {sight->shape, access_at(blocks, a), access_at(blocks, a), {step, step}};
  const Certainty certainty = certainty_of(blocks->shapes, pattern, &split, &other, false, &blocks->points);
  blocks_tell(blocks, id, pattern, certainty, events, 3);
}

static void see_write(Spans *s, ShapeId id, struct VariableMark *mark, uint32_t step, bool final) {
  if (mark->write) see_span(s, id, PATTERN_UP1, mark->write - 1, step);
  const Step *steps = s->blocks->shapes->shapes.at[id.v].steps;
  if (mark->first && final && !shapes_are_one(steps, mark->first - 1, step))
    see_span(s, id, PATTERN_UP4, mark->first - 1, step);
  mark->write = step + 1;
}

static void see_read(Spans *s, ShapeId id, struct VariableMark *mark, uint32_t step) {
  if (mark->write) {
    see_span(s, id, PATTERN_UP3, mark->write - 1, step);
    return;
  }
  if (mark->read) see_span(s, id, PATTERN_UP2, mark->read - 1, step);
  if (!mark->first) mark->first = step + 1;
  mark->read = step + 1;
}

/* The locks held at the begin have been held since before step 0, whose position is 1. */
static void hold_first(Blocks *blocks, const Shape *shape) {
  vec_clear(&blocks->held);
  for (uint32_t i = 0; i < shape->n_held; i++)
    locksets_held_acquire(&blocks->shapes->locksets, &blocks->held, shape->held[i], 0, TRACE_NONE);
}

static void follow_lock(Blocks *blocks, const Step *step, uint32_t i) {
  bool nested;
  LockSets *sets = &blocks->shapes->locksets;
  if (step->kind == STEP_ACQUIRE) locksets_held_acquire(sets, &blocks->held, step->id, i + 1, TRACE_NONE);
  else if (step->kind == STEP_RELEASE) locksets_held_release(sets, &blocks->held, step->id, &nested);
}

/* The last write of each variable, from the last one to the first; begins another pass after it. */
static void find_final_writes(Blocks *blocks, const Shape *shape, U32Vec *finals) {
  vec_clear(finals);
  blocks->pass++;
  for (uint32_t i = shape->n; i-- > 0;) {
    const ShapeAccess *access = shared_access(blocks, &shape->steps[i]);
    if (!access || !access->write) continue;
    struct VariableMark *mark = mark_of(blocks, access->variable);
    if (!mark->write) vec_push(blocks->shapes->heap, finals, i);
    mark->write = i + 1;
  }
  blocks->pass++;
}

static void find_spans_of(Spans *s, uint32_t number, U32Vec *finals) {
  Blocks *blocks = s->blocks;
  const Shape *shape = &blocks->shapes->shapes.at[number];
  heap_poll(blocks->shapes->heap);
  find_final_writes(blocks, shape, finals);
  hold_first(blocks, shape);
  for (uint32_t i = 0; i < shape->n; i++) {
    const ShapeAccess *access = shared_access(blocks, &shape->steps[i]);
    follow_lock(blocks, &shape->steps[i], i);
    if (!access) continue;
    struct VariableMark *mark = mark_of(blocks, access->variable);
    const bool final = finals->n && vec_last(finals) == i;
    finals->n -= final;
    if (access->write) see_write(s, (ShapeId){number}, mark, i, final);
    else see_read(s, (ShapeId){number}, mark, i);
  }
}

void blocks_find_spans(Blocks *blocks) {
  Heap *heap = blocks->shapes->heap;
  Spans s = {.blocks = blocks};
  U32Vec finals = {0};
  intern_init(&s.spans, heap);
  for (uint32_t i = 0; i < blocks->shapes->shapes.n; i++)
    if (!is_movable(blocks, i)) find_spans_of(&s, i, &finals);
  blocks->n_spans = s.spans.strings.n;
  vec_fini(heap, &finals);
  vec_fini(heap, &s.between);
  intern_fini(&s.spans);
}

/* ---- endpoints ---- */

static StageId last_stage(const Shape *shape) {
  for (uint32_t i = shape->n; i-- > 0;)
    if (shape->steps[i].kind == STEP_STAGE) return (StageId){shape->steps[i].id};
  return shape->stage;
}

static bool is_exposed(const Blocks *blocks, StageId first, StageId last, const ShapeAccess *e) {
  const AccessIndex *index = &blocks->index;
  AccessWalk walk = access_index_walk(index, e->variable, first, last);
  AccessRun run;
  while (access_walk_next(&walk, &run))
    for (uint32_t i = run.from; i < run.end; i++)
      if (e->write || access_index_at(index, i)->write) return true;
  return false;
}

void blocks_endpoints(Blocks *blocks, ShapeId id, Endpoints *endpoints) {
  Heap *heap = blocks->shapes->heap;
  const Shape *shape = &blocks->shapes->shapes.at[id.v];
  const StageId last = last_stage(shape);
  U32Vec finals = {0};
  heap_poll(heap);
  find_final_writes(blocks, shape, &finals);
  vec_clear(endpoints);
  for (uint32_t i = 0; i < shape->n; i++) {
    const ShapeAccess *access = shared_access(blocks, &shape->steps[i]);
    if (!access) continue;
    struct VariableMark *mark = mark_of(blocks, access->variable);
    const bool final = finals.n && vec_last(&finals) == i, first = !access->write && !mark->write && !mark->first;
    finals.n -= final;
    if (final || first) {
      const Endpoint endpoint = {i, shape->steps[i].id, is_exposed(blocks, shape->stage, last, access)};
      vec_push(heap, endpoints, endpoint);
    }
    if (access->write) mark->write = i + 1;
    else mark->first = i + 1;
  }
  vec_fini(heap, &finals);
}

/* The pair of endpoint i and each later one. */
static bool pairs_from(Blocks *blocks, ShapeId id, const Endpoints *endpoints, uint32_t i, bool exposed, SeePair see,
                       void *self) {
  LockSets *sets = &blocks->shapes->locksets;
  const Step *steps = blocks->shapes->shapes.at[id.v].steps;
  const LockSetId held = access_at(blocks, endpoints->at[i].access)->held;
  EndpointPair pair = {endpoints->at[i], endpoints->at[i], held, held};
  uint32_t step = pair.first.step;
  heap_poll(blocks->shapes->heap);
  for (uint32_t j = i + 1; j < endpoints->n; j++) {
    pair.second = endpoints->at[j];
    assert(pair.second.step > pair.first.step);
    for (; step < pair.second.step; step++) {
      if (steps[step].kind == STEP_ACQUIRE) pair.ever = locksets_add(sets, pair.ever, steps[step].id);
      else if (steps[step].kind == STEP_RELEASE) pair.through = locksets_remove(sets, pair.through, steps[step].id);
    }
    if (++blocks->pairs > blocks->budget) return blocks->complete = false;
    if (shapes_are_one(steps, pair.first.step, pair.second.step)) continue;
    if ((!exposed || pair.first.exposed || pair.second.exposed) && !see(self, id, &pair)) return false;
  }
  return true;
}

bool blocks_each_pair(Blocks *blocks, ShapeId id, const Endpoints *endpoints, bool exposed, SeePair see, void *self) {
  uint32_t last = endpoints->n;
  while (exposed && last > 0 && !endpoints->at[last - 1].exposed) last--;
  for (uint32_t i = 0; last > 0 && i < endpoints->n; i++)
    if ((endpoints->at[i].exposed || i < last) && !pairs_from(blocks, id, endpoints, i, exposed, see, self)) break;
  return blocks->pairs <= blocks->budget;
}

/* ---- two variables ---- */

typedef struct {
  uint32_t access[2]; /* of the first shape with it; variables, operations and stages are those of all */
  LockSetId through, ever;
  uint32_t next;  /* of the same two variables, or NONE */
  bool can_split; /* of a shape that is not movable */
  ShapeId shape;  /* the first one */
  uint32_t steps[2];
  uint32_t other;   /* one by which it is split, or NONE */
  BlockOrder order; /* then: seen from this one */
} TwoBlock;

typedef struct {
  Blocks *blocks;
  Unserializable unserializable;
  Intern keys; /* of blocks */
  VEC(TwoBlock) list;
  Intern variables; /* two variables each, the smaller one first */
  U32Vec heads;     /* per two variables: the first block */
  Intern spells;    /* first and last stages of the transactions that can be split */
  bool *in_use;     /* per variable: some block has it */
  bool partners;    /* blocks are added only if there is one that can be split for the two variables */
  uint64_t looks;
} TwoBlocks;

/* The number of the block, which is added if it is new; NONE if it is of no use. */
static uint32_t block_number(TwoBlocks *t, ShapeId id, const EndpointPair *pair) {
  Heap *heap = t->blocks->shapes->heap;
  const ShapeAccess *e1 = access_at(t->blocks, pair->first.access), *e2 = access_at(t->blocks, pair->second.access);
  const uint32_t x = e1->variable, y = e2->variable;
  if (x == y) return NONE;
  const uint32_t both[] = {x < y ? x : y, x < y ? y : x};
  if (t->partners && intern_find(&t->variables, (const char *)both, sizeof both) == INTERN_NONE) return NONE;
  bool is_new, first;
  const uint32_t key[] = {x, y, 2u * e1->write + e2->write, pair->through.v, pair->ever.v, e1->stage.v, e2->stage.v};
  const uint32_t number = intern_add(&t->keys, (const char *)key, sizeof key, &is_new);
  if (!is_new) return number;
  const uint32_t bucket = intern_add(&t->variables, (const char *)both, sizeof both, &first);
  if (first) vec_push(heap, &t->heads, NONE);
  const TwoBlock block = {
      {pair->first.access, pair->second.access}, pair->through, pair->ever,  t->heads.at[bucket], false, id,
      {pair->first.step, pair->second.step},     NONE,          ORDER_AROUND};
  vec_push(heap, &t->list, block);
  t->heads.at[bucket] = number;
  t->in_use[x] = t->in_use[y] = true;
  return number;
}

static bool add_block(void *self, ShapeId id, const EndpointPair *pair) {
  TwoBlocks *t = self;
  const uint32_t number = block_number(t, id, pair);
  if (number != NONE && !t->partners) t->list.at[number].can_split = true;
  return true;
}

/* Can the order of the events be, as far as fork and join and locks say? */
static bool is_possible(const TwoBlocks *t, const TwoBlock *b, const TwoBlock *c, BlockOrder order) {
  const Shapes *shapes = t->blocks->shapes;
  const uint32_t accesses[4] = {b->access[0], b->access[1], c->access[0], c->access[1]};
  for (uint32_t i = 0; i < 4; i++)
    for (uint32_t j = i + 1; j < 4; j++) {
      const uint32_t e = BLOCK_ORDERS[order][i], f = BLOCK_ORDERS[order][j];
      if (order == ORDER_CROSSING && e % 2 == f % 2) continue;
      if (fork_order_before(&shapes->stages, access_at(t->blocks, accesses[f])->stage,
                            access_at(t->blocks, accesses[e])->stage))
        return false;
    }
  return locksets_disjoint(&shapes->locksets, order == ORDER_WITHIN ? b->ever : b->through,
                           order == ORDER_AROUND ? c->ever : c->through);
}

static void note_split(TwoBlock *b, uint32_t other, BlockOrder order) {
  assert(b->can_split && order < ORDERS);
  if (b->other != NONE) return;
  b->other = other;
  b->order = order;
}

static void compare(TwoBlocks *t, uint32_t i, uint32_t j) {
  assert(i != j && i < t->list.n && j < t->list.n);
  TwoBlock *b = &t->list.at[i], *c = &t->list.at[j];
  const ShapeAccess *e1 = access_at(t->blocks, b->access[0]), *e2 = access_at(t->blocks, b->access[1]);
  const ShapeAccess *f1 = access_at(t->blocks, c->access[0]), *f2 = access_at(t->blocks, c->access[1]);
  if (shapes_access_life(t->blocks->shapes, e1) == shapes_access_life(t->blocks->shapes, f1)) return;
  const bool turned = e1->variable != f1->variable;
  const uint32_t writes =
      (uint32_t)e1->write | (uint32_t)e2->write << 1 | (uint32_t)f1->write << 2 | (uint32_t)f2->write << 3;
  for (uint32_t o = 0; o < ORDERS; o++) {
    const BlockOrder order = (BlockOrder)o;
    if (!t->unserializable.at[turned][writes][o] || !is_possible(t, b, c, order)) continue;
    if (order != ORDER_WITHIN && b->can_split) note_split(b, j, order);
    if (order != ORDER_AROUND && c->can_split) note_split(c, i, order == ORDER_WITHIN ? ORDER_AROUND : ORDER_CROSSING);
  }
}

/* Is there a lock that all blocks of the list with any have from their first to their second event? No two of these
 * can be interleaved. */
static bool have_guard(const TwoBlocks *t, uint32_t head) {
  LockSets *sets = &t->blocks->shapes->locksets;
  LockSetId guards = LOCKSET_EMPTY;
  for (uint32_t i = head; i != NONE; i = t->list.at[i].next) {
    const LockSetId through = t->list.at[i].through;
    if (through.v == LOCKSET_EMPTY.v || through.v == guards.v) continue;
    guards = guards.v == LOCKSET_EMPTY.v ? through : locksets_weakest(sets, guards, through);
    if (guards.v == LOCKSET_EMPTY.v) return false;
  }
  return !locksets_disjoint(sets, guards, guards);
}

static bool is_bare(const TwoBlock *b) { return b->through.v == LOCKSET_EMPTY.v; }

/* Makes of the list, for each block, the next one that is bare. */
static void find_bare(const TwoBlocks *t, uint32_t head, uint32_t *next_bare) {
  uint32_t from = head;
  for (uint32_t i = head; i != NONE; i = t->list.at[i].next) {
    if (!is_bare(&t->list.at[i])) continue;
    for (; from != i; from = t->list.at[from].next) next_bare[from] = i;
  }
  for (; from != NONE; from = t->list.at[from].next) next_bare[from] = NONE;
}

static bool compare_list(TwoBlocks *t, uint32_t head, uint32_t *next_bare) {
  const bool guarded = have_guard(t, head);
  if (guarded) find_bare(t, head, next_bare);
  for (uint32_t i = head; i != NONE; i = t->list.at[i].next) {
    heap_poll(t->blocks->shapes->heap);
    const bool few = guarded && !is_bare(&t->list.at[i]);
    for (uint32_t j = few ? next_bare[i] : t->list.at[i].next; j != NONE; j = few ? next_bare[j] : t->list.at[j].next) {
      if (++t->looks > t->blocks->budget) return false;
      const TwoBlock *b = &t->list.at[i], *c = &t->list.at[j];
      if ((b->can_split && b->other == NONE) || (c->can_split && c->other == NONE)) compare(t, i, j);
    }
  }
  return true;
}

static bool compare_all(TwoBlocks *t) {
  Heap *heap = t->blocks->shapes->heap;
  uint32_t *next_bare = heap_alloc(heap, heap_product(heap, t->list.n, sizeof *next_bare));
  bool all = true;
  for (uint32_t bucket = 0; all && bucket < t->heads.n; bucket++) all = compare_list(t, t->heads.at[bucket], next_bare);
  heap_release(heap, next_bare);
  return all;
}

static bool tell_block(void *self, ShapeId id, const EndpointPair *pair) {
  TwoBlocks *t = self;
  Blocks *blocks = t->blocks;
  const uint32_t number = block_number(t, id, pair);
  if (number == NONE || t->list.at[number].other == NONE) return true;
  const TwoBlock *b = &t->list.at[number], *c = &t->list.at[b->other];
  const PatternEvent e[4] = {step_event(blocks, id, pair->first.step, 0), step_event(blocks, id, pair->second.step, 0),
                             step_event(blocks, c->shape, c->steps[0], 1),
                             step_event(blocks, c->shape, c->steps[1], 1)};
  PatternEvent events[4];
  for (uint32_t i = 0; i < 4; i++) events[i] = e[BLOCK_ORDERS[b->order][i]];
  const CertainPart split = {
      id, access_at(blocks, b->access[0]), access_at(blocks, b->access[1]), {pair->first.step, pair->second.step}};
  const CertainPart other = {
      c->shape, access_at(blocks, c->access[0]), access_at(blocks, c->access[1]), {c->steps[0], c->steps[1]}};
  const Certainty certainty =
      certainty_of(blocks->shapes, PATTERN_TWO_BLOCKS, &split, &other, b->order == ORDER_CROSSING, &blocks->points);
  blocks_tell(blocks, id, PATTERN_TWO_BLOCKS, certainty, events, 4);
  return false;
}

/* What can be split: the exposed pairs of shapes that are not movable, and of which no worse is known. */
static void each_splittable(TwoBlocks *t, Endpoints *endpoints, SeePair see) {
  const Shapes *shapes = t->blocks->shapes;
  t->blocks->pairs = 0;
  for (uint32_t i = 0; i < shapes->shapes.n; i++) {
    if (is_movable(t->blocks, i) || t->blocks->findings[i].pattern != PATTERN_NONE) continue;
    const uint32_t spell[] = {shapes->shapes.at[i].stage.v, last_stage(&shapes->shapes.at[i]).v};
    intern_add(&t->spells, (const char *)spell, sizeof spell, NULL);
    blocks_endpoints(t->blocks, (ShapeId){i}, endpoints);
    blocks_each_pair(t->blocks, (ShapeId){i}, endpoints, true, see, t);
  }
}

/* Can the shape and one that can be split be under way at once? */
static bool can_overlap(const TwoBlocks *t, const Shape *shape) {
  const ForkOrder *stages = &t->blocks->shapes->stages;
  const StageId last = last_stage(shape);
  heap_poll(t->blocks->shapes->heap);
  for (uint32_t i = 0; i < t->spells.strings.n; i++) {
    const uint32_t *spell = (const uint32_t *)(const void *)t->spells.strings.at[i];
    const StageId other = {spell[0]}, other_last = {spell[1]};
    if (fork_order_life(stages, other) != fork_order_life(stages, last) && !fork_order_before(stages, last, other) &&
        !fork_order_before(stages, other_last, shape->stage))
      return true;
  }
  return false;
}

/* Those of variables of blocks that can be split. */
static void keep_in_use(const TwoBlocks *t, Endpoints *endpoints) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < endpoints->n; k++)
    if (t->in_use[access_at(t->blocks, endpoints->at[k].access)->variable]) endpoints->at[n++] = endpoints->at[k];
  endpoints->n = n;
}

static void add_partners(TwoBlocks *t, Endpoints *endpoints) {
  const Shapes *shapes = t->blocks->shapes;
  t->partners = true;
  t->blocks->pairs = 0;
  if (!t->list.n) return; /* there is nothing to be partner of */
  for (uint32_t i = 0; i < shapes->shapes.n; i++) {
    blocks_endpoints(t->blocks, (ShapeId){i}, endpoints);
    keep_in_use(t, endpoints);
    if (endpoints->n && can_overlap(t, &shapes->shapes.at[i]))
      blocks_each_pair(t->blocks, (ShapeId){i}, endpoints, false, add_block, t);
  }
}

void blocks_find_two_blocks(Blocks *blocks) {
  Heap *heap = blocks->shapes->heap;
  TwoBlocks t = {.blocks = blocks};
  Endpoints endpoints = {0};
  compute(&t.unserializable);
  intern_init(&t.keys, heap);
  intern_init(&t.variables, heap);
  intern_init(&t.spells, heap);
  t.in_use = heap_zeroed(heap, blocks->shapes->variables.n);
  each_splittable(&t, &endpoints, add_block);
  add_partners(&t, &endpoints);
  if (!compare_all(&t)) blocks->complete = false;
  blocks->n_two_blocks = t.list.n;
  each_splittable(&t, &endpoints, tell_block);
  vec_fini(heap, &endpoints);
  vec_fini(heap, &t.list);
  vec_fini(heap, &t.heads);
  heap_release(heap, t.in_use);
  intern_fini(&t.keys);
  intern_fini(&t.variables);
  intern_fini(&t.spells);
}
