#include "program/doubt.h"

/* An interval that has grown so often in one state becomes all values. */
enum { MOST_CHANGES = 16 };

/* The values least .. most; none, if least > most. */
typedef struct {
  uint16_t least, most;
} Range;

typedef struct {
  Exploration *x;
  const Automaton *a;
  const bool *holds;
  uint32_t *edges_of; /* automaton_edges_of() */
  uint32_t object;    /* that is looked at */
  Range all;          /* its values */
  bool foreign;       /* other threads write it */
  Range *ranges;      /* per state: the values that it may have by what was seen */
  uint8_t *changes;   /* per state: how often its range has grown */
  bool *queued;       /* per state */
  U32Vec queue;
} Settling;

static const Touch *touch_of(const Automaton *a, const Edge *edge, uint32_t object) {
  for (uint32_t i = edge->touches; i < edge->touches + edge->n_touches; i++)
    if (a->touches.at[i].object == object) return &a->touches.at[i];
  return NULL;
}

/* What is seen after the edge; nothing, if it cannot be taken. */
static Range after(const Settling *s, const Edge *edge) {
  const Range none = {1, 0}, before = s->ranges[edge->from];
  const Touch *touch = touch_of(s->a, edge, s->object);
  if (before.least > before.most) return none;
  if (touch && (touch->before < before.least || touch->before > before.most)) return none;
  if (s->foreign && !s->holds[edge->to]) return s->all;
  return touch ? (Range){touch->after, touch->after} : before;
}

/* Adds the values to those of the state. */
static void extend(Settling *s, uint32_t state, Range more) {
  Range *range = &s->ranges[state], joined = *range;
  if (more.least > more.most) return;
  if (joined.least > joined.most) joined = more;
  if (more.least < joined.least) joined.least = more.least;
  if (more.most > joined.most) joined.most = more.most;
  if (joined.least == range->least && joined.most == range->most) return;
  *range = ++s->changes[state] > MOST_CHANGES ? s->all : joined;
  if (!s->queued[state]) vec_push(s->a->heap, &s->queue, state);
  s->queued[state] = true;
}

static void begin_object(Settling *s, uint32_t object, bool foreign) {
  const ProgramObject *o = &s->x->program->objects.at[object];
  s->object = object;
  s->foreign = foreign;
  s->all = (Range){0, (uint16_t)(o->n_values - 1)};
  for (uint32_t i = 0; i < s->a->states.n; i++) {
    s->ranges[i] = (Range){1, 0};
    s->changes[i] = 0;
  }
  extend(s, 0, foreign ? s->all : (Range){(uint16_t)o->initial, (uint16_t)o->initial});
}

static void flow_object(Settling *s) {
  while (s->queue.n) {
    const uint32_t state = s->queue.at[--s->queue.n];
    s->queued[state] = false;
    for (uint32_t e = s->edges_of[state]; e < s->edges_of[state + 1]; e++)
      extend(s, s->a->edges.at[e].to, after(s, &s->a->edges.at[e]));
  }
}

/* Drops the doubts about edges that cannot be taken. */
static void drop(Settling *s) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->x->doubts.n; i++) {
    const Range range = after(s, &s->a->edges.at[s->x->doubts.at[i].edge]);
    if (range.least <= range.most) s->x->doubts.at[n++] = s->x->doubts.at[i];
  }
  s->x->doubts.n = n;
}

/* The variables with places for their values in the expressions that the doubts are about. */
static void find_objects(const Settling *s, U32Vec *objects) {
  const Program *p = s->x->program;
  bool *found = heap_zeroed(s->a->heap, p->objects.n), *looked = heap_zeroed(s->a->heap, p->ops.n);
  for (uint32_t i = 0; i < s->x->doubts.n; i++) {
    const uint32_t number = s->x->doubts.at[i].notice.number;
    const ProgramOp *op = &p->ops.at[number];
    for (uint32_t j = op->items; j < op->items + op->n_items && !looked[number]; j++) {
      const ProgramItem *item = &p->items.at[j];
      if (item->kind != ITEM_OBJECT || found[item->variable]) continue;
      found[item->variable] = true;
      if (s->x->share[item->variable] == SHARE_TRACKED) vec_push(s->a->heap, objects, item->variable);
    }
    looked[number] = true;
  }
  heap_release(s->a->heap, found);
  heap_release(s->a->heap, looked);
}

static bool writes(const Program *program, const Flow *flow, uint32_t object) {
  for (uint32_t i = 0; i < flow->ops.n; i++) {
    const ProgramOp *op = flow_source(flow, program, i);
    for (uint32_t j = op->targets; j < op->targets + op->n_targets; j++)
      if (program->items.at[j].kind == ITEM_OBJECT && program->items.at[j].variable == object) return true;
  }
  return false;
}

static void settle_objects(Settling *s, const Flow *flow, const uint64_t *writers) {
  Heap *heap = s->a->heap;
  const uint32_t n = s->a->states.n;
  U32Vec objects = {0};
  find_objects(s, &objects);
  if (objects.n) {
    s->edges_of = automaton_edges_of(s->a);
    s->ranges = heap_alloc(heap, heap_product(heap, n, sizeof *s->ranges));
    s->changes = heap_alloc(heap, n);
    s->queued = heap_zeroed(heap, n);
  }
  for (uint32_t i = 0; i < objects.n; i++) {
    begin_object(s, objects.at[i], writers[objects.at[i]] > writes(s->x->program, flow, objects.at[i]));
    flow_object(s);
    drop(s);
  }
  vec_fini(heap, &objects);
  vec_fini(heap, &s->queue);
  heap_release(heap, s->edges_of);
  heap_release(heap, s->ranges);
  heap_release(heap, s->changes);
  heap_release(heap, s->queued);
}

void doubt_settle(Exploration *x, const Flow *flow, const Automaton *automaton, const bool *holds,
                  const uint64_t *writers) {
  Settling settling = {.x = x, .a = automaton, .holds = holds};
  if (!x->doubts.n) return;
  settle_objects(&settling, flow, writers);
  for (uint32_t i = 0; i < x->doubts.n; i++) {
    const Notice *notice = &x->doubts.at[i].notice;
    bool *given = notice->kind == NOTICE_WRAPS ? x->wrapped : x->divided;
    if (!given[notice->number]) vec_push(automaton->heap, x->notices, *notice);
    given[notice->number] = true;
  }
}
