#include "frontend/sml/labels.h"

#include <string.h>

/* Bytes of source that a label shows at most; and tracked variables that the label of a state shows at most. */
enum { TEXT_LIMIT = 120, MAX_SLOTS = 8 };

typedef struct {
  Arena *arena;
  const Ast *ast;
  const ThreadCode *code;
  const char *source;
  uint32_t *point_of;        /* per operation: its number, from 1, among those that are events or the end */
  uint32_t *n_edges;         /* per operation: edges so far */
  const char *(*texts)[2];   /* per operation: of a plain or true outcome, and of a false one; NULL: not made yet */
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
                          ast_name(m->ast, a->slots.at[i].name, m->arena), automaton_values(a, state)[i]);
  return arena_format(m->arena, "%s]", text);
}

static const char *state_label(const Maker *m, uint32_t state) {
  const State s = m->code->automaton.states.at[state];
  const char *values = values_label(m, state);
  return s.phase ? arena_format(m->arena, ".%u.%u%s", m->point_of[s.op], s.phase, values)
                 : arena_format(m->arena, ".%u%s", m->point_of[s.op], values);
}

static const char *squeeze(const LabelSource *s, Span span) { return lex_squeeze(s->arena, s->text, span, TEXT_LIMIT); }

static const char *test_text(const LabelSource *s, Expr expr, bool outcome) {
  const ExprKind last = s->ast->items.at[expr.start + expr.n - 1].kind;
  const bool loose = last == EXPR_AND || last == EXPR_OR; /* binds looser than `not` */
  const char *text = squeeze(s, expr.span);
  if (outcome) return arena_format(s->arena, "[%s]", text);
  return arena_format(s->arena, loose ? "[not (%s)]" : "[not %s]", text);
}

const char *label_statement(const LabelSource *source, StmtId id, bool outcome) {
  const Stmt *s = ast_stmt(source->ast, id);
  if (s->kind == AST_WHILE || s->kind == AST_IF) return test_text(source, s->expr, outcome);
  if (s->kind == AST_ATOMIC) return squeeze(source, (Span){s->span.at, s->end.at + s->end.length - s->span.at});
  return squeeze(source, s->span);
}

const char *label_read(const LabelSource *source, uint32_t item) {
  return arena_format(source->arena, "read %s", squeeze(source, source->ast->items.at[item].span));
}

static const char *op_text(const Maker *m, const Op *op, bool outcome) {
  return op->kind == OP_END ? "end" : label_statement(&(LabelSource){m->arena, m->ast, m->source}, op->stmt, outcome);
}

static const char *edge_text(const Maker *m, const Edge *edge) {
  if (edge->kind == EDGE_READ) return label_read(&(LabelSource){m->arena, m->ast, m->source}, edge->item);
  const char **text = &m->texts[edge->op][edge->kind == EDGE_FALSE];
  if (!*text) *text = op_text(m, &m->code->flow->ops.at[edge->op], edge->kind != EDGE_FALSE);
  return *text;
}

static const char *edge_label(const Maker *m, const Edge *edge, const char *text) {
  const uint32_t number = ++m->n_edges[edge->op];
  return number > 1 ? arena_format(m->arena, ".%u#%u %s", m->point_of[edge->op], number, text)
                    : arena_format(m->arena, ".%u %s", m->point_of[edge->op], text);
}

void labels_init(Labels *labels, const Ast *ast, const ThreadCode *code, Diag *diag) {
  const Automaton *a = &code->automaton;
  arena_init(&labels->arena, ast->heap);
  Maker maker = {.arena = &labels->arena, .ast = ast, .code = code, .source = diag->text}, *m = &maker;
  m->point_of = arena_zeroed(m->arena, code->flow->ops.n, sizeof *m->point_of);
  m->n_edges = arena_zeroed(m->arena, code->flow->ops.n, sizeof *m->n_edges);
  m->texts = arena_zeroed(m->arena, code->flow->ops.n, sizeof *m->texts);
  number_points(m);
  labels->state = arena_alloc(m->arena, a->states.n * sizeof *labels->state);
  labels->edge = arena_alloc(m->arena, a->edges.n * sizeof *labels->edge);
  labels->text = arena_alloc(m->arena, a->edges.n * sizeof *labels->text);
  for (uint32_t i = 0; i < a->states.n; i++) labels->state[i] = state_label(m, i);
  for (uint32_t i = 0; i < a->edges.n; i++) {
    labels->text[i] = edge_text(m, &a->edges.at[i]);
    labels->edge[i] = edge_label(m, &a->edges.at[i], labels->text[i]);
  }
}

void labels_fini(Labels *labels) { arena_fini(&labels->arena); }
