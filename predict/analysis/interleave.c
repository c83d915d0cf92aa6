#include "predict/analysis/interleave.h"

#include "base/bitset.h"
#include "predict/analysis/certainty.h"

#include <assert.h>
#include <string.h>

#define NONE UINT32_MAX

enum { MOST = INTERLEAVE_MOST, MOST_STEPS = 4096 };

/* What a thread does next: from then on it holds these locks. */
typedef struct {
  LockSetId held;
  StageId stage;
  bool releases;     /* it does nothing but give locks back */
  uint32_t access;   /* or NONE */
  uint32_t variable; /* of the component */
  uint32_t read;     /* number of the read, or NONE */
  bool at_once;      /* the write of an update, whose read is the move before */
  uint32_t transaction;
  uint64_t event;
  uint32_t location;
} Move;

typedef struct {
  uint32_t life;
  uint32_t first, end; /* moves */
} Thread;

typedef struct {
  ShapeId shape;
  uint32_t thread, first, end; /* moves */
} Transaction;

typedef struct {
  Blocks *blocks;
  const Cycles *cycles;
  const bool *open;
  VEC(Move) moves;
  VEC(Thread) threads;
  VEC(Transaction) transactions;
  U32Vec variables; /* of the component */
  uint32_t n_reads;
  uint32_t *needed; /* per move and thread: the move up to which the thread must be */
  /* the state: as bytes, it is looked up in `seen` */
  uint16_t *at;    /* per thread: its next move */
  uint8_t *writer; /* per variable: the last writer + 1 */
  uint8_t *reads;  /* per read: its writer + 1, or 0xff if it is still to come */
  uint8_t *state;
  size_t state_size;
  Intern seen;
  U32Vec done; /* moves, in the order of the interleaving */
  uint64_t steps, budget;
  bool certain, found; /* certain: nothing was left out that could rule out what is found, or hide it */
} Search;

/* ---- the component ---- */

static uint32_t variable_number(Search *s, uint32_t variable) {
  for (uint32_t i = 0; i < s->variables.n; i++)
    if (s->variables.at[i] == variable) return i;
  vec_push(s->blocks->shapes->heap, &s->variables, variable);
  return s->variables.n - 1;
}

static void add_move(Search *s, LockSetId held, StageId stage, bool releases) {
  const Move move = {.held = held,
                     .stage = stage,
                     .releases = releases,
                     .access = NONE,
                     .read = NONE,
                     .transaction = s->transactions.n - 1};
  vec_push(s->blocks->shapes->heap, &s->moves, move);
}

static void add_access(Search *s, uint32_t number, uint64_t event, uint32_t location, bool at_once) {
  const ShapeAccess *access = &s->blocks->shapes->accesses.at[number];
  add_move(s, access->held, access->stage, false);
  Move *move = &vec_last(&s->moves);
  move->access = number;
  move->variable = variable_number(s, access->variable);
  move->event = event;
  move->location = location;
  move->at_once = at_once;
  if (!access->write) move->read = s->n_reads++;
}

static void begin_transaction(Search *s, ShapeId shape, LockSetId held, StageId stage) {
  const Transaction transaction = {shape, s->threads.n - 1, s->moves.n, 0};
  vec_push(s->blocks->shapes->heap, &s->transactions, transaction);
  if (held.v != LOCKSET_EMPTY.v) add_move(s, held, stage, false), s->certain = false;
}

static void end_transaction(Search *s) {
  const Move *last = &vec_last(&s->moves);
  assert(s->moves.n > vec_last(&s->transactions).first);
  if (last->held.v != LOCKSET_EMPTY.v) add_move(s, LOCKSET_EMPTY, last->stage, true);
  vec_last(&s->transactions).end = s->moves.n;
}

/* Does it acquire a lock after its last endpoint? That is left out. */
static bool acquires_behind(const Shape *shape, const Endpoints *endpoints) {
  for (uint32_t i = endpoints->n ? vec_last(endpoints).step : 0; i < shape->n; i++)
    if (shape->steps[i].kind == STEP_ACQUIRE) return true;
  return false;
}

static void add_shape(Search *s, ShapeId id, Endpoints *endpoints) {
  LockSets *sets = &s->blocks->shapes->locksets;
  const Shape *shape = &s->blocks->shapes->shapes.at[id.v];
  blocks_endpoints(s->blocks, id, endpoints);
  if (acquires_behind(shape, endpoints) && s->blocks->shapes->programs.at[vec_last(&s->threads).life].n > 1)
    s->certain = false; /* what the thread does next may have to wait for it */
  if (endpoints->n == 0) return;
  LockSetId held = LOCKSET_EMPTY;
  StageId stage = shape->stage;
  for (uint32_t i = 0; i < shape->n_held; i++) held = locksets_add(sets, held, shape->held[i]);
  begin_transaction(s, id, held, stage);
  for (uint32_t i = 0, e = 0; e < endpoints->n; i++) {
    const Step *step = &shape->steps[i];
    switch (step->kind) {
    case STEP_ACQUIRE: add_move(s, held = locksets_add(sets, held, step->id), stage, false); break;
    case STEP_RELEASE: add_move(s, held = locksets_remove(sets, held, step->id), stage, true); break;
    case STEP_STAGE: stage = (StageId){step->id}; break;
    case STEP_ACCESS:
      if (endpoints->at[e].step != i) break;
      add_access(s, step->id, step->event, step->location,
                 e && shapes_are_one(shape->steps, endpoints->at[e - 1].step, i));
      e++;
    }
  }
  end_transaction(s);
}

/* An access outside of transactions, and the write of it, or NONE, if it is the read of an update. */
static void add_single(Search *s, uint32_t number, uint32_t write) {
  const ShapeAccess *access = &s->blocks->shapes->accesses.at[number];
  const Sight *sight = &access->sights[access->write ? USE_FINAL : USE_FIRST];
  if (!s->blocks->shared[access->variable]) return;
  begin_transaction(s, SHAPE_NONE, access->held, access->stage);
  add_access(s, number, sight->event, sight->location, false);
  if (write != NONE) add_access(s, write, sight->event, sight->location, true);
  end_transaction(s);
}

static void add_element(Search *s, const LifeProgram *program, uint32_t i, Endpoints *endpoints) {
  const uint32_t id = program->at[i] / ELEMENTS, kind = program->at[i] % ELEMENTS;
  const bool update = i + 1 < program->n && program->at[i + 1] % ELEMENTS == ELEMENT_UPDATE;
  if (kind == ELEMENT_SHAPE) add_shape(s, (ShapeId){id}, endpoints);
  else if (kind == ELEMENT_ACCESS) add_single(s, id, update ? program->at[i + 1] / ELEMENTS : NONE);
}

/* Is a variable of the component written by a life that is not in it? It may hide what the component shows. */
static bool is_written_outside(const Search *s, uint32_t component) {
  const Shapes *shapes = s->blocks->shapes;
  for (uint32_t i = 0; i < s->variables.n; i++)
    for (uint32_t a = shapes->variables.at[s->variables.at[i]].accesses; a != NONE; a = shapes->accesses.at[a].next) {
      const ShapeAccess *access = &shapes->accesses.at[a];
      if (access->write && s->cycles->component[shapes_access_life(shapes, access)] != component) return true;
    }
  return false;
}

static bool is_small(const Search *s) { return s->transactions.n <= MOST && s->moves.n <= MOST_STEPS; }

static bool build(Search *s, uint32_t component) {
  const Shapes *shapes = s->blocks->shapes;
  Endpoints endpoints = {0};
  s->certain = certainty_is_free(shapes) && !shapes->locks_outside;
  for (uint32_t life = 0; life < shapes->programs.n && is_small(s); life++) {
    if (s->cycles->component[life] != component) continue;
    const Thread thread = {life, s->moves.n, 0};
    vec_push(shapes->heap, &s->threads, thread);
    for (uint32_t i = 0; i < shapes->programs.at[life].n && is_small(s); i++)
      add_element(s, &shapes->programs.at[life], i, &endpoints);
    vec_last(&s->threads).end = s->moves.n;
  }
  vec_fini(shapes->heap, &endpoints);
  s->certain = s->certain && !is_written_outside(s, component);
  return is_small(s);
}

/* How far each thread must be before the move. */
static void find_needed(Search *s) {
  const ForkOrder *stages = &s->blocks->shapes->stages;
  const uint32_t n = s->threads.n;
  s->needed = heap_zeroed(stages->heap, heap_product(stages->heap, (size_t)s->moves.n * n, sizeof *s->needed));
  for (uint32_t m = 0; m < s->moves.n; m++)
    for (uint32_t t = 0; t < n; t++) {
      uint32_t end = s->threads.at[t].first;
      if (stages->lives.n > 0 && s->threads.at[t].life != fork_order_life(stages, s->moves.at[m].stage))
        while (end < s->threads.at[t].end && fork_order_before(stages, s->moves.at[end].stage, s->moves.at[m].stage))
          end++;
      s->needed[(size_t)m * n + t] = end;
    }
}

static void make_state(Search *s) {
  assert(s->moves.n <= UINT16_MAX && s->transactions.n < 0xff);
  Heap *heap = s->blocks->shapes->heap;
  const size_t bytes = s->threads.n * sizeof *s->at;
  s->state_size = bytes + s->variables.n + s->n_reads;
  s->state = heap_zeroed(heap, s->state_size);
  s->at = (uint16_t *)(void *)s->state;
  s->writer = s->state + bytes;
  s->reads = s->writer + s->variables.n;
  memset(s->reads, 0xff, s->n_reads);
  for (uint32_t t = 0; t < s->threads.n; t++) s->at[t] = (uint16_t)s->threads.at[t].first;
}

static bool is_write(const Move *move) { return move->access != NONE && move->read == NONE; }

/* ---- serial orders ---- */

typedef struct {
  Search *s;
  uint32_t next[MOST]; /* per thread: its next transaction */
  uint8_t *writer;     /* per variable */
} Serial;

static bool reads_agree(const Serial *o, const Transaction *t) {
  const Search *s = o->s;
  for (uint32_t m = t->first; m < t->end; m++) {
    const Move *move = &s->moves.at[m];
    if (move->read != NONE && s->reads[move->read] != o->writer[move->variable]) return false;
  }
  return true;
}

static bool put_next(Serial *o, uint32_t n_left);

/* Puts the transaction next, and the others after it. What it writes is undone if that cannot be. */
static bool put(Serial *o, uint32_t number, uint32_t n_left) {
  const Search *s = o->s;
  assert(n_left > 0 && number < s->transactions.n);
  const Transaction *t = &s->transactions.at[number];
  uint8_t *before = heap_alloc(s->blocks->shapes->heap, s->variables.n);
  memcpy(before, o->writer, s->variables.n);
  for (uint32_t m = t->first; m < t->end; m++)
    if (is_write(&s->moves.at[m])) o->writer[s->moves.at[m].variable] = (uint8_t)(number + 1);
  o->next[t->thread]++;
  const bool good = put_next(o, n_left - 1);
  o->next[t->thread]--;
  memcpy(o->writer, before, s->variables.n);
  heap_release(s->blocks->shapes->heap, before);
  return good;
}

static bool put_next(Serial *o, uint32_t n_left) {
  Search *s = o->s;
  heap_poll(s->blocks->shapes->heap);
  if (n_left == 0) return memcmp(o->writer, s->writer, s->variables.n) == 0;
  if (++s->steps > s->budget) return true;
  for (uint32_t t = 0; t < s->threads.n; t++) {
    const uint32_t number = o->next[t];
    if (number >= s->transactions.n || s->transactions.at[number].thread != t) continue;
    if (reads_agree(o, &s->transactions.at[number]) && put(o, number, n_left)) return true;
  }
  return false;
}

/* Is there a serial order with the same reads and last writers? True also when the budget is used up. */
static bool is_serializable(Search *s) {
  Heap *heap = s->blocks->shapes->heap;
  Serial o = {.s = s, .writer = heap_zeroed(heap, s->variables.n)};
  for (uint32_t t = 0; t < MOST; t++) o.next[t] = NONE;
  for (uint32_t i = s->transactions.n; i-- > 0;) o.next[s->transactions.at[i].thread] = i;
  const bool good = put_next(&o, s->transactions.n);
  heap_release(heap, o.writer);
  return good;
}

/* ---- what is split ---- */

/* Per transaction those that conflicts and threads put after it, directly or not. */
static void find_behind(const Search *s, uint64_t *behind) {
  assert(s->transactions.n <= MOST);
  memset(behind, 0, MOST * sizeof *behind);
  for (uint32_t i = 0; i < s->done.n; i++)
    for (uint32_t j = i + 1; j < s->done.n; j++) {
      const Move *a = &s->moves.at[s->done.at[i]], *b = &s->moves.at[s->done.at[j]];
      if (a->transaction == b->transaction) continue;
      const bool one_thread = s->transactions.at[a->transaction].thread == s->transactions.at[b->transaction].thread;
      const bool conflict = a->variable == b->variable && (is_write(a) || is_write(b));
      if (one_thread || conflict) bitset_add(&behind[a->transaction], b->transaction);
    }
  for (uint32_t k = 0; k < s->transactions.n; k++)
    for (uint32_t i = 0; i < s->transactions.n; i++)
      if (bitset_has(&behind[i], k)) behind[i] |= behind[k];
}

/* Those in a circle with t, t included, or the empty set. */
static uint64_t circle_of(const Search *s, const uint64_t *behind, uint32_t t) {
  uint64_t circle = 0;
  for (uint32_t i = 0; i < s->transactions.n; i++)
    if (bitset_has(&behind[t], i) && bitset_has(&behind[i], t)) bitset_add(&circle, i);
  return circle;
}

static bool is_split(const Search *s, uint64_t circle, uint32_t t) {
  uint32_t changes = 0, last = NONE;
  for (uint32_t i = 0; i < s->done.n; i++) {
    const uint32_t now = s->moves.at[s->done.at[i]].transaction;
    if (!bitset_has(&circle, now) || now == last) continue;
    if (now == t) changes++;
    last = now;
  }
  return changes > 1;
}

static void tell(Search *s, uint64_t circle, uint32_t t) {
  assert(bitset_has(&circle, t));
  PatternEvent *events =
      heap_alloc(s->blocks->shapes->heap, heap_product(s->blocks->shapes->heap, s->done.n, sizeof *events));
  uint32_t numbers[MOST] = {0}, n = 0, n_numbers = 1;
  for (uint32_t i = 0; i < s->done.n; i++) {
    const Move *move = &s->moves.at[s->done.at[i]];
    if (!bitset_has(&circle, move->transaction)) continue;
    if (move->transaction != t && numbers[move->transaction] == 0) numbers[move->transaction] = n_numbers++;
    events[n++] = (PatternEvent){move->access, move->event, move->location, s->transactions.at[move->transaction].shape,
                                 numbers[move->transaction]};
  }
  blocks_tell(s->blocks, s->transactions.at[t].shape, PATTERN_CYCLE, s->certain ? CERTAIN_WHOLE : CERTAIN_NOT, events,
              n);
  heap_release(s->blocks->shapes->heap, events);
}

static void tell_all(Search *s) {
  uint64_t behind[MOST];
  find_behind(s, behind);
  for (uint32_t t = 0; t < s->transactions.n; t++) {
    const ShapeId shape = s->transactions.at[t].shape;
    const uint64_t circle = circle_of(s, behind, t);
    if (shape.v != SHAPE_NONE.v && s->open[shape.v] && is_split(s, circle, t)) tell(s, circle, t);
  }
}

/* ---- interleavings ---- */

static LockSetId held_by(const Search *s, uint32_t t) {
  const uint32_t at = s->at[t];
  return at == s->threads.at[t].first ? LOCKSET_EMPTY : s->moves.at[at - 1].held;
}

static bool is_enabled(const Search *s, uint32_t t) {
  const uint32_t m = s->at[t];
  if (m == s->threads.at[t].end) return false;
  for (uint32_t u = 0; u < s->threads.n; u++) {
    if (u == t) continue;
    if (s->at[u] < s->needed[(size_t)m * s->threads.n + u]) return false;
    if (!locksets_disjoint(&s->blocks->shapes->locksets, s->moves.at[m].held, held_by(s, u))) return false;
  }
  return true;
}

/* Is it done as soon as it can be? An update's write can be when its read is done. */
static bool is_due(const Move *move) { return move->releases || move->at_once; }

static void explore(Search *s);

static void go(Search *s, uint32_t t) {
  assert(is_enabled(s, t));
  const Move *move = &s->moves.at[s->at[t]++];
  if (move->access == NONE) {
    explore(s);
  } else {
    uint8_t *place = move->read == NONE ? &s->writer[move->variable] : &s->reads[move->read];
    const uint8_t before = *place;
    *place = move->read == NONE ? (uint8_t)(move->transaction + 1) : s->writer[move->variable];
    vec_push(s->blocks->shapes->heap, &s->done, s->at[t] - 1u);
    explore(s);
    s->done.n--;
    *place = before;
  }
  s->at[t]--;
}

static void judge(Search *s) {
  for (uint32_t t = 0; t < s->threads.n; t++)
    if (s->at[t] != s->threads.at[t].end) return;
  if (is_serializable(s)) return;
  s->found = true;
  tell_all(s);
}

static void explore(Search *s) {
  bool is_new;
  heap_poll(s->blocks->shapes->heap);
  if (s->steps > s->budget) return;
  intern_add(&s->seen, (const char *)s->state, s->state_size, &is_new);
  if (!is_new) return;
  s->steps += INTERLEAVE_COST;
  for (uint32_t t = 0; t < s->threads.n; t++)
    if (is_enabled(s, t) && is_due(&s->moves.at[s->at[t]])) {
      go(s, t);
      return;
    }
  for (uint32_t t = 0; t < s->threads.n; t++)
    if (is_enabled(s, t)) go(s, t);
  judge(s);
}

static void fini(Search *s) {
  Heap *heap = s->blocks->shapes->heap;
  vec_fini(heap, &s->moves);
  vec_fini(heap, &s->threads);
  vec_fini(heap, &s->transactions);
  vec_fini(heap, &s->variables);
  vec_fini(heap, &s->done);
  heap_release(heap, s->needed);
  heap_release(heap, s->state);
  intern_fini(&s->seen);
}

/* Are all interleavings of the component known to be serializable? */
static bool all_serializable(Blocks *blocks, const Cycles *cycles, const bool *open, uint32_t component,
                             uint64_t *states) {
  Search s = {.blocks = blocks, .cycles = cycles, .open = open, .budget = blocks->budget};
  intern_init(&s.seen, blocks->shapes->heap);
  bool good = build(&s, component);
  if (good) {
    find_needed(&s);
    make_state(&s);
    explore(&s);
    good = !s.found && s.steps <= s.budget;
    *states += s.seen.strings.n;
  }
  fini(&s);
  return good;
}

/* ---- components ---- */

/* The component of what the shape does to shared variables. */
static uint32_t component_of(const Blocks *blocks, const Cycles *cycles, uint32_t shape) {
  return cycles->component[fork_order_life(&blocks->shapes->stages, blocks->shapes->shapes.at[shape].stage)];
}

static void find_damaged(const Blocks *blocks, const Cycles *cycles, bool *damaged) {
  for (uint32_t i = 0; i < blocks->shapes->shapes.n; i++)
    if (blocks->findings[i].pattern != PATTERN_NONE) damaged[component_of(blocks, cycles, i)] = true;
}

static void decide_component(Blocks *blocks, const Cycles *cycles, bool *open, uint32_t component, uint64_t *states) {
  const bool good = all_serializable(blocks, cycles, open, component, states);
  for (uint32_t i = 0; i < blocks->shapes->shapes.n; i++)
    if (open[i] && component_of(blocks, cycles, i) == component)
      open[i] = !good && blocks->findings[i].pattern == PATTERN_NONE;
}

void interleave_decide(Blocks *blocks, const Cycles *cycles, bool *open, uint64_t *states) {
  const Shapes *shapes = blocks->shapes;
  bool *damaged = heap_zeroed(shapes->heap, shapes->stages.lives.n);
  find_damaged(blocks, cycles, damaged);
  for (uint32_t i = 0; i < shapes->shapes.n; i++) open[i] = cycles->shapes[i].kind != CYCLE_NONE;
  for (uint32_t i = 0; i < shapes->shapes.n; i++) {
    const uint32_t component = component_of(blocks, cycles, i);
    if (!open[i] || damaged[component] || shapes->n_program > PROGRAM_MOST) continue;
    damaged[component] = true; /* once is enough */
    decide_component(blocks, cycles, open, component, states);
  }
  for (uint32_t i = 0; i < shapes->shapes.n; i++)
    if (open[i] && cycles->shapes[i].kind == CYCLE_OF_TWO) {
      blocks_tell(blocks, (ShapeId){i}, PATTERN_TWO_TRANSACTIONS, false, cycles->shapes[i].events, 4);
      open[i] = false;
    }
  heap_release(shapes->heap, damaged);
}
