#include "program/explore.h"

#include "base/hash.h"
#include "program/event.h"
#include "program/live.h"

#include <string.h>

static void no_slots(Heap *heap, U32Vec *slots, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) vec_push(heap, slots, PROGRAM_NONE);
}

void explore_init(Exploration *x, const Program *program, const Share *share, Granularity granularity,
                  NoticeVec *notices) {
  Heap *heap = program->heap;
  *x = (Exploration){.program = program, .share = share, .granularity = granularity, .notices = notices};
  vec_resize_zeroed(heap, &x->last_touch, program->objects.n);
  no_slots(heap, &x->slot_of_object, program->objects.n);
  no_slots(heap, &x->slot_of_local, program->locals.n);
  x->wrapped = heap_zeroed(heap, program->ops.n);
  x->divided = heap_zeroed(heap, program->ops.n);
  x->strayed = heap_zeroed(heap, program->ops.n);
  x->reached = heap_zeroed(heap, program->blocks.n);
}

void explore_fini(Exploration *x) {
  Heap *heap = x->program->heap;
  vec_fini(heap, &x->slot_of_object);
  vec_fini(heap, &x->slot_of_local);
  vec_fini(heap, &x->last_touch);
  vec_fini(heap, &x->doubts);
  heap_release(heap, x->wrapped);
  heap_release(heap, x->divided);
  heap_release(heap, x->strayed);
  heap_release(heap, x->reached);
}

/* A hash table of numbers of things that are kept elsewhere. */
typedef struct {
  uint32_t *slots; /* number + 1, or 0 */
  uint32_t n_slots;
} NumberSet;

typedef struct {
  Exploration *x;
  const Flow *flow;
  Automaton *a;
  Event event;
  Live live;
  NumberSet states;    /* by their contents */
  NumberSet outcomes;  /* the edges of the state under way, those of runs that guessed, by their contents */
  uint32_t first_edge; /* of the state under way; what `outcomes` says of edges before it is out of date */
} Explorer;

static void set_grow(Heap *heap, NumberSet *set) {
  heap_release(heap, set->slots);
  set->n_slots = set->n_slots ? set->n_slots * 2 : 64;
  set->slots = heap_zeroed(heap, heap_product(heap, set->n_slots, sizeof *set->slots));
}

/* ---- states ---- */

static size_t state_width(const Automaton *a) { return (size_t)a->slots.n + a->n_temporaries; }

static uint64_t hash_state(const Explorer *s, State state, const uint16_t *values) {
  const uint64_t place = (uint64_t)state.op << 32 | state.phase;
  return hash_join(hash_bytes(values, state_width(s->a) * sizeof *values), place);
}

static bool same_state(const Explorer *s, uint32_t number, State state, const uint16_t *values) {
  const State *known = &s->a->states.at[number];
  const size_t width = state_width(s->a);
  return known->op == state.op && known->phase == state.phase &&
         (!width || !memcmp(automaton_values(s->a, number), values, width * sizeof *values));
}

static uint32_t *state_slot(Explorer *s, State state, const uint16_t *values) {
  uint64_t at = hash_state(s, state, values);
  for (;; at++) {
    uint32_t *slot = &s->states.slots[at & (s->states.n_slots - 1)];
    if (!*slot || same_state(s, *slot - 1, state, values)) return slot;
  }
}

static void rehash_states(Explorer *s) {
  set_grow(s->a->heap, &s->states);
  for (uint32_t i = 0; i < s->a->states.n; i++) *state_slot(s, s->a->states.at[i], automaton_values(s->a, i)) = i + 1;
}

/* The number of the state, which is added if it is new. */
static uint32_t add_state(Explorer *s, State state, const uint16_t *values) {
  Automaton *a = s->a;
  if (a->states.n >= s->states.n_slots / 2) rehash_states(s);
  uint32_t *slot = state_slot(s, state, values);
  if (!*slot) {
    const uint32_t width = (uint32_t)state_width(a);
    vec_push(a->heap, &a->states, state);
    vec_reserve(a->heap, &a->values, width);
    if (width) memcpy(a->values.at + a->values.n, values, width * sizeof *values);
    a->values.n += width;
    *slot = a->states.n;
  }
  return *slot - 1;
}

/* ---- edges ---- */

static bool same_touch(const Touch *left, const Touch *right) {
  return left->object == right->object && left->before == right->before && left->after == right->after &&
         left->read == right->read && left->written == right->written;
}

static bool same_edge(const Automaton *a, const Edge *left, const Edge *right) {
  if (left->op != right->op || left->to != right->to || left->kind != right->kind) return false;
  if (left->n_touches != right->n_touches) return false;
  for (uint32_t i = 0; i < left->n_touches; i++)
    if (!same_touch(&a->touches.at[left->touches + i], &a->touches.at[right->touches + i])) return false;
  return true;
}

static uint64_t hash_edge(const Automaton *a, const Edge *edge) {
  uint64_t hash = hash_join((uint64_t)edge->op << 32 | edge->to, edge->kind);
  for (uint32_t i = 0; i < edge->n_touches; i++) {
    const Touch *t = &a->touches.at[edge->touches + i];
    hash = hash_join(hash, (uint64_t)t->object << 32 | (uint64_t)t->before << 16 | t->after);
    hash = hash_join(hash, (uint64_t)t->read << 1 | t->written);
  }
  return hash;
}

static uint32_t *edge_slot(Explorer *s, const Edge *edge) {
  uint64_t at = hash_edge(s->a, edge);
  for (;; at++) {
    uint32_t *slot = &s->outcomes.slots[at & (s->outcomes.n_slots - 1)];
    if (*slot <= s->first_edge || same_edge(s->a, &s->a->edges.at[*slot - 1], edge)) return slot;
  }
}

/* The number of the edge: that of the same outcome, if it was there already, or the next one. Two runs can only be
 * alike if both guessed. */
static uint32_t edge_number(Explorer *s, const Edge *edge) {
  if (!s->event.guessed) return s->a->edges.n;
  uint32_t *slot = edge_slot(s, edge);
  if (*slot <= s->first_edge) *slot = s->a->edges.n + 1;
  return *slot - 1;
}

/* The event's values, of locals that nobody will ask for, become the initial ones. */
static void forget(Explorer *s) {
  for (uint32_t i = 0; i < s->live.locals.n; i++) {
    const ProgramTracked *t = &s->x->program->tracked.at[s->live.locals.at[i]];
    if (!live_has(&s->live, s->event.target.op, i))
      s->event.values[s->x->slot_of_local.at[t->local]] = (uint16_t)t->initial;
  }
}

static void add_edge(Explorer *s, uint32_t from) {
  const Event *e = &s->event;
  Automaton *a = s->a;
  Edge edge = {.from = from,
               .op = e->state.op,
               .kind = e->kind,
               .item = e->item,
               .touches = e->first_touch,
               .n_touches = a->touches.n - e->first_touch,
               .accesses = e->first_access,
               .n_accesses = a->accesses.n - e->first_access};
  forget(s);
  edge.to = add_state(s, e->target, e->values);
  const uint32_t number = edge_number(s, &edge);
  for (uint32_t i = 0; i < e->doubts.n; i++) vec_push(a->heap, &s->x->doubts, ((Doubt){number, e->doubts.at[i]}));
  if (number < a->edges.n) {
    a->touches.n = e->first_touch;
    a->accesses.n = e->first_access;
  } else {
    vec_push(a->heap, &a->edges, edge);
  }
}

/* ---- the search ---- */

static bool fail(const Explorer *s, NoticeKind kind, uint32_t number, uint32_t limit) {
  vec_push(s->a->heap, s->x->notices, ((Notice){.kind = kind, .number = number, .limit = limit}));
  return false;
}

static bool explore_state(Explorer *s, uint32_t from) {
  const State state = s->a->states.at[from];
  uint32_t n_runs = 0;
  s->first_edge = s->a->edges.n;
  do {
    const uint32_t touches = s->a->touches.n, accesses = s->a->accesses.n;
    if (++n_runs > AUTOMATON_MAX_OUTCOMES)
      return fail(s, NOTICE_OUTCOMES, s->flow->ops.at[state.op].op, AUTOMATON_MAX_OUTCOMES);
    if (event_run(&s->event, state, automaton_values(s->a, from))) {
      add_edge(s, from);
    } else {
      s->a->touches.n = touches;
      s->a->accesses.n = accesses;
    }
  } while (event_advance(&s->event));
  return true;
}

static bool within_limits(const Explorer *s, uint32_t thread) {
  const Automaton *a = s->a;
  if (a->states.n <= AUTOMATON_MAX_STATES && a->edges.n <= AUTOMATON_MAX_STATES && a->values.n <= AUTOMATON_MAX_CELLS)
    return true;
  return fail(s, NOTICE_STATES, thread, AUTOMATON_MAX_STATES);
}

static bool explore(Explorer *s, uint32_t thread) {
  for (uint32_t i = 0; i < s->a->slots.n; i++) s->event.values[i] = (uint16_t)s->a->slots.at[i].initial;
  add_state(s, (State){s->flow->start, 0}, s->event.values);
  for (uint32_t from = 0; from < s->a->states.n; from++) {
    const ProgramOp *op = flow_source(s->flow, s->x->program, s->a->states.at[from].op);
    if (op->kind == OP_RETURN || op->kind == OP_FAIL) continue;
    if (op->kind == OP_BEGIN) s->x->reached[op->number] = true;
    if (!explore_state(s, from) || !within_limits(s, thread)) return false;
  }
  return true;
}

/* ---- what the thread alone knows ---- */

static void add_slot(Automaton *a, uint32_t *slot_of, Slot slot) {
  *slot_of = a->slots.n;
  vec_push(a->heap, &a->slots, slot);
}

/* The thread's tracked locals, and the objects that no other thread uses. */
static void add_slots(Exploration *x, const Flow *flow, const ProgramThread *thread, Automaton *a) {
  const Program *p = x->program;
  uint8_t *uses = heap_alloc(a->heap, p->objects.n);
  share_uses(p, flow, uses);
  for (uint32_t i = thread->tracked; i < thread->tracked + thread->n_tracked; i++) {
    const ProgramTracked *t = &p->tracked.at[i];
    add_slot(a, &x->slot_of_local.at[t->local],
             (Slot){p->locals.at[t->local], t->n_values, t->initial, t->is_bool, PROGRAM_NONE});
  }
  for (uint32_t i = 0; i < p->objects.n; i++) {
    const ProgramObject *o = &p->objects.at[i];
    if (x->share[i] == SHARE_FOLDED && uses[i])
      add_slot(a, &x->slot_of_object.at[i], (Slot){o->name, o->n_values, o->initial, o->is_bool, i});
  }
  heap_release(a->heap, uses);
}

static void remove_slots(Exploration *x, const ProgramThread *thread) {
  for (uint32_t i = 0; i < thread->n_tracked; i++)
    x->slot_of_local.at[x->program->tracked.at[thread->tracked + i].local] = PROGRAM_NONE;
  for (uint32_t i = 0; i < x->program->objects.n; i++) x->slot_of_object.at[i] = PROGRAM_NONE;
}

bool explore_thread(Exploration *x, const Flow *flow, uint32_t thread, Automaton *a) {
  Explorer explorer = {.x = x, .flow = flow, .a = a}, *s = &explorer;
  vec_clear(&x->doubts);
  add_slots(x, flow, &x->program->threads.at[thread], a);
  event_init(&s->event, x, flow, a);
  const ProgramThread *it = &x->program->threads.at[thread];
  live_find(&s->live, x->program, flow, it->tracked, it->n_tracked);
  while (s->outcomes.n_slots < 2 * AUTOMATON_MAX_OUTCOMES) set_grow(a->heap, &s->outcomes);
  const bool good = explore(s, thread);
  remove_slots(x, &x->program->threads.at[thread]);
  heap_release(a->heap, s->states.slots);
  heap_release(a->heap, s->outcomes.slots);
  live_fini(&s->live);
  event_fini(&s->event);
  return good;
}
