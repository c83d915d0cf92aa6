#include "program/reduce.h"

#include "base/hash.h"
#include "base/slots.h"

#include <string.h>

#define NONE UINT32_MAX

/* The edges of a state, in Reducer.edges. */
typedef struct {
  uint32_t first, n;
} Row;

typedef struct {
  Automaton *a;
  const Program *program;
  const Flow *flow;
  Heap *heap;
  uint32_t *first;   /* per state: its edges before */
  uint32_t *stands;  /* per state: the one that stands for it */
  uint32_t *comings; /* per state: edges that lead there */
  Row *rows;         /* per state: its edges now; n is NONE before they are there */
  VEC(Edge) edges;
  HashSlots slots; /* states by their edges */
  uint32_t n_rows; /* in `slots` */
} Reducer;

/* ---- edges ---- */

static const ProgramOp *source(const Reducer *r, const Edge *e) { return flow_source(r->flow, r->program, e->op); }

static bool is_silent(const Reducer *r, const Edge *e) {
  const ProgramOp *op = source(r, e);
  const OpKind kind = op->kind;
  if (kind == OP_TEST && r->program->ops.at[op->otherwise].kind == OP_FAIL) return false; /* an assertion */
  return !e->n_touches && !e->n_accesses && e->kind != EDGE_READ && kind != OP_BEGIN && kind != OP_END &&
         kind != OP_ACQUIRE && kind != OP_RELEASE && kind != OP_SKIP;
}

static const char *text_of(const Reducer *r, const Edge *e) {
  return e->kind == EDGE_FALSE ? source(r, e)->otherwise_text : source(r, e)->text;
}

static bool same_touch(const Touch *a, const Touch *b) {
  return a->object == b->object && a->before == b->before && a->after == b->after && a->read == b->read &&
         a->written == b->written;
}

static bool same_deeds(const Reducer *r, const Edge *a, const Edge *b) {
  if (a->n_touches != b->n_touches || a->n_accesses != b->n_accesses) return false;
  for (uint32_t i = 0; i < a->n_touches; i++)
    if (!same_touch(&r->a->touches.at[a->touches + i], &r->a->touches.at[b->touches + i])) return false;
  for (uint32_t i = 0; i < a->n_accesses; i++) {
    const Access *x = &r->a->accesses.at[a->accesses + i], *y = &r->a->accesses.at[b->accesses + i];
    if (x->object != y->object || x->mode != y->mode) return false;
  }
  return true;
}

static bool same_place(const ProgramPlace *a, const ProgramPlace *b) {
  return a->file == b->file && a->function == b->function && a->line == b->line && a->column == b->column;
}

/* Do they do the same? Where silent edges come from does not matter. */
static bool same_label(const Reducer *r, const Edge *a, const Edge *b) {
  const ProgramOp *x = source(r, a), *y = source(r, b);
  if (is_silent(r, a) && is_silent(r, b)) return true;
  if (a->kind == EDGE_READ || b->kind == EDGE_READ) return a->kind == b->kind && a->item == b->item && a->op == b->op;
  return x->kind == y->kind && x->number == y->number && x->sync == y->sync && same_place(&x->place, &y->place) &&
         same_deeds(r, a, b) && strcmp(text_of(r, a), text_of(r, b)) == 0;
}

static bool same_edge(const Reducer *r, const Edge *a, const Edge *b) { return a->to == b->to && same_label(r, a, b); }

static uint64_t hash_edge(const Reducer *r, const Edge *e) {
  const ProgramOp *op = source(r, e);
  if (is_silent(r, e)) return hash_word(e->to);
  return hash_join(hash_join(e->to, (uint64_t)op->kind << 32 | op->number), op->place.line);
}

/* ---- states that lead on in silence ---- */

static uint32_t n_before(const Reducer *r, uint32_t state) { return r->first[state + 1] - r->first[state]; }

static uint32_t next_in_silence(const Reducer *r, uint32_t state) {
  const Edge *e = &r->a->edges.at[r->first[state]];
  return n_before(r, state) == 1 && is_silent(r, e) ? e->to : state;
}

/* Where it leads to, or a state on the way, which may lead round. */
static uint32_t end_of_silence(const Reducer *r, uint32_t state) {
  enum { MOST_STEPS = 1000 };
  for (int steps = 0; steps < MOST_STEPS && next_in_silence(r, state) != state; steps++)
    state = next_in_silence(r, state);
  return state;
}

static void find_ends(Reducer *r) {
  for (uint32_t s = 0; s < r->a->states.n; s++) r->stands[s] = NONE;
  for (uint32_t s = 0; s < r->a->states.n; s++) {
    if (r->stands[s] != NONE) continue;
    const uint32_t end = end_of_silence(r, s);
    for (uint32_t at = s; r->stands[at] == NONE && at != end; at = next_in_silence(r, at)) r->stands[at] = end;
    r->stands[end] = end;
  }
  r->stands[0] = 0;
}

/* ---- the order: what a state leads to comes before it, but for circles ---- */

typedef struct {
  uint32_t state, next;
} Visit;

static void visit_all(Reducer *r, U32Vec *order) {
  VEC(Visit) path = {0};
  bool *seen = heap_zeroed(r->heap, r->a->states.n);
  vec_push(r->heap, &path, ((Visit){0, 0}));
  seen[0] = true;
  while (path.n) {
    Visit *at = &vec_last(&path);
    if (at->next == n_before(r, at->state)) {
      vec_push(r->heap, order, at->state);
      path.n--;
      continue;
    }
    const uint32_t to = r->stands[r->a->edges.at[r->first[at->state] + at->next++].to];
    r->comings[to]++;
    if (seen[to]) continue;
    seen[to] = true;
    vec_push(r->heap, &path, ((Visit){to, 0}));
  }
  heap_release(r->heap, seen);
  vec_fini(r->heap, &path);
}

/* ---- new edges ---- */

/* More edges of a state are not looked through for equal ones. */
enum { MOST_COMPARED = 200 };

static void add_edge(Reducer *r, uint32_t state, Edge edge) {
  Row *row = &r->rows[state];
  edge.from = state;
  if (is_silent(r, &edge) && edge.to == state) return;
  for (uint32_t i = 0; i < row->n && i < MOST_COMPARED; i++)
    if (same_edge(r, &r->edges.at[row->first + i], &edge)) return;
  vec_push(r->heap, &r->edges, edge);
  row->n++;
}

static void add_edges(Reducer *r, uint32_t state) {
  r->rows[state] = (Row){r->edges.n, 0};
  for (uint32_t i = r->first[state]; i < r->first[state + 1]; i++) {
    Edge edge = r->a->edges.at[i];
    const uint32_t before = r->stands[edge.to];
    edge.to = r->stands[before]; /* it may be one of several that are the same */
    const Row row = r->rows[edge.to];
    const bool is_there = row.n != NONE && edge.to != state;
    const bool gives_way = is_silent(r, &edge) && is_there && row.n && (row.n == 1 || r->comings[before] == 1);
    if (!gives_way) add_edge(r, state, edge);
    for (uint32_t k = 0; gives_way && k < row.n; k++) add_edge(r, state, r->edges.at[row.first + k]);
  }
}

static bool same_values(const Reducer *r, uint32_t a, uint32_t b) {
  const size_t width = (size_t)r->a->slots.n + r->a->n_temporaries;
  return !width || memcmp(automaton_values(r->a, a), automaton_values(r->a, b), width * sizeof(uint16_t)) == 0;
}

static OpKind kind_of(const Reducer *r, uint32_t state) { return r->flow->ops.at[r->a->states.at[state].op].kind; }

static bool same_state(const Reducer *r, uint32_t a, uint32_t b) {
  const Row x = r->rows[a], y = r->rows[b];
  if (x.n != y.n || !same_values(r, a, b) || (!x.n && kind_of(r, a) != kind_of(r, b))) return false;
  for (uint32_t i = 0; i < x.n; i++)
    if (!same_edge(r, &r->edges.at[x.first + i], &r->edges.at[y.first + i])) return false;
  return true;
}

/* Sets what stands for a state that has its edges: one with the same, if there is one. The start stays. */
static void find_same(Reducer *r, uint32_t state) {
  uint64_t hash = r->rows[state].n;
  if (!state) return;
  for (uint32_t i = 0; i < r->rows[state].n; i++)
    hash = hash_join(hash, hash_edge(r, &r->edges.at[r->rows[state].first + i]));
  if (r->slots.n < 2 * (r->n_rows + 1)) slots_grow(r->heap, &r->slots);
  for (uint32_t i = (uint32_t)hash;; i++) {
    HashSlot *slot = slots_at(&r->slots, i);
    if (slot->number && (slot->hash != (uint32_t)hash || !same_state(r, slot->number - 1, state))) continue;
    if (slot->number) {
      r->stands[state] = slot->number - 1;
      return;
    }
    *slot = (HashSlot){(uint32_t)hash, state + 1};
    r->n_rows++;
    return;
  }
}

/* ---- the automaton of what is left ---- */

static void copy_values(Reducer *r, uint32_t state, uint32_t number) {
  const size_t width = (size_t)r->a->slots.n + r->a->n_temporaries;
  if (width) memmove(r->a->values.at + number * width, r->a->values.at + state * width, width * sizeof(uint16_t));
}

/* What the start leads to stays, in the order of before. */
static uint32_t *number_states(Reducer *r) {
  uint32_t *numbers = heap_zeroed(r->heap, heap_product(r->heap, r->a->states.n, sizeof *numbers));
  U32Vec todo = {0};
  vec_push(r->heap, &todo, 0);
  numbers[0] = 1;
  while (todo.n) {
    const Row row = r->rows[todo.at[--todo.n]];
    for (uint32_t i = 0; i < row.n; i++) {
      Edge *e = &r->edges.at[row.first + i];
      e->to = r->stands[e->to];
      if (numbers[e->to]) continue;
      numbers[e->to] = 1;
      vec_push(r->heap, &todo, e->to);
    }
  }
  vec_fini(r->heap, &todo);
  uint32_t n = 0;
  for (uint32_t s = 0; s < r->a->states.n; s++) numbers[s] = numbers[s] ? n++ : NONE;
  return numbers;
}

static void take_over(Reducer *r) {
  Automaton *a = r->a;
  uint32_t *numbers = number_states(r), n = 0;
  vec_clear(&a->edges);
  for (uint32_t s = 0; s < a->states.n; s++) {
    if (numbers[s] == NONE) continue;
    a->states.at[n] = a->states.at[s];
    copy_values(r, s, n);
    for (uint32_t i = 0; i < r->rows[s].n; i++) {
      Edge edge = r->edges.at[r->rows[s].first + i];
      edge.from = n;
      edge.to = numbers[edge.to];
      vec_push(r->heap, &a->edges, edge);
    }
    n++;
  }
  a->states.n = n;
  a->values.n = (uint32_t)(n * ((size_t)a->slots.n + a->n_temporaries));
  heap_release(r->heap, numbers);
}

static void reduce_once(Automaton *a, const Program *program, const Flow *flow) {
  Reducer reducer = {.a = a, .program = program, .flow = flow, .heap = a->heap}, *r = &reducer;
  const uint64_t n = a->states.n;
  U32Vec order = {0};
  r->first = automaton_edges_of(a);
  r->stands = heap_zeroed(r->heap, heap_product(r->heap, n, sizeof *r->stands));
  r->comings = heap_zeroed(r->heap, heap_product(r->heap, n, sizeof *r->comings));
  r->rows = heap_zeroed(r->heap, heap_product(r->heap, n, sizeof *r->rows));
  for (uint32_t s = 0; s < n; s++) r->rows[s].n = NONE;
  find_ends(r);
  visit_all(r, &order);
  for (uint32_t i = 0; i < order.n; i++) {
    add_edges(r, order.at[i]);
    find_same(r, order.at[i]);
  }
  take_over(r);
  heap_release(r->heap, r->first);
  heap_release(r->heap, r->stands);
  heap_release(r->heap, r->comings);
  heap_release(r->heap, r->rows);
  slots_fini(r->heap, &r->slots);
  vec_fini(r->heap, &r->edges);
  vec_fini(r->heap, &order);
}

void reduce_automaton(Automaton *automaton, const Program *program, const Flow *flow) {
  enum { MOST_TIMES = 8 };
  uint32_t before = UINT32_MAX;
  for (int i = 0; i < MOST_TIMES && automaton->states.n + automaton->edges.n < before; i++) {
    before = automaton->states.n + automaton->edges.n;
    heap_poll(automaton->heap);
    reduce_once(automaton, program, flow);
  }
}
