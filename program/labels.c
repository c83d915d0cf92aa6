#include "program/labels.h"

#include <stdio.h>

/* Tracked variables that the label of a state shows at most. */
enum { MAX_SLOTS = 8 };

typedef struct {
  Arena *arena;
  const Program *program;
  const ThreadCode *code;
  uint32_t *point_of; /* per operation: its number, from 1, among those that are events or the end */
  uint32_t *n_edges;  /* per operation: edges so far */
} Maker;

static void number_points(const Maker *m) {
  uint32_t n = 0;
  bool inside = false;
  for (uint32_t i = 0; i < m->code->flow->ops.n; i++) {
    const OpKind kind = m->code->flow->ops.at[i].kind;
    if (!inside && kind != OP_JUMP) m->point_of[i] = ++n;
    inside = kind == OP_ATOMIC || (inside && kind != OP_ATOMIC_END);
  }
}

/* The tracked variables' values, or the state's number where they would be long. */
static const char *values_label(const Maker *m, uint32_t state) {
  const Automaton *a = &m->code->automaton;
  if (!a->slots.n && !a->n_temporaries) return "";
  if (a->slots.n > MAX_SLOTS || a->n_temporaries) return arena_format(m->arena, "#%u", state);
  char text[MAX_SLOTS * 80];
  size_t n = 0;
  for (uint32_t i = 0; i < a->slots.n; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%s=%u", i ? ";" : "[",
                          program_short_name(a->slots.at[i].name, m->arena), automaton_values(a, state)[i]);
  return arena_format(m->arena, "%s]", text);
}

static const char *state_label(const Maker *m, uint32_t state) {
  const State s = m->code->automaton.states.at[state];
  const char *values = values_label(m, state);
  return s.phase ? arena_format(m->arena, ".%u.%u%s", m->point_of[s.op], s.phase, values)
                 : arena_format(m->arena, ".%u%s", m->point_of[s.op], values);
}

const char *labels_read(const ProgramItem *item, Arena *arena) { return arena_format(arena, "read %s", item->text); }

static const char *edge_text(const Maker *m, const Edge *edge) {
  const ProgramOp *op = flow_source(m->code->flow, m->program, edge->op);
  if (edge->kind == EDGE_READ) return labels_read(&m->program->items.at[edge->item], m->arena);
  return edge->kind == EDGE_FALSE ? op->otherwise_text : op->text;
}

static const char *edge_label(const Maker *m, const Edge *edge, const char *text) {
  const uint32_t number = ++m->n_edges[edge->op];
  return number > 1 ? arena_format(m->arena, ".%u#%u %s", m->point_of[edge->op], number, text)
                    : arena_format(m->arena, ".%u %s", m->point_of[edge->op], text);
}

static const char **array(const Maker *m, uint32_t n) {
  return arena_alloc(m->arena, heap_product(m->arena->heap, n, sizeof(const char *)));
}

void labels_init(Labels *labels, const Program *program, const ThreadCode *code) {
  const Automaton *a = &code->automaton;
  arena_init(&labels->arena, program->heap);
  Maker maker = {.arena = &labels->arena, .program = program, .code = code}, *m = &maker;
  m->point_of = arena_zeroed(m->arena, code->flow->ops.n, sizeof *m->point_of);
  m->n_edges = arena_zeroed(m->arena, code->flow->ops.n, sizeof *m->n_edges);
  number_points(m);
  labels->state = array(m, a->states.n);
  labels->edge = array(m, a->edges.n);
  labels->text = array(m, a->edges.n);
  for (uint32_t i = 0; i < a->states.n; i++) labels->state[i] = state_label(m, i);
  for (uint32_t i = 0; i < a->edges.n; i++) {
    labels->text[i] = edge_text(m, &a->edges.at[i]);
    labels->edge[i] = edge_label(m, &a->edges.at[i], labels->text[i]);
  }
}

void labels_fini(Labels *labels) { arena_fini(&labels->arena); }
