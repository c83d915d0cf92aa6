#include "frontend/sml/translate.h"

#include "frontend/sml/statement.h"

#include <string.h>

/* Bytes of source that a text shows at most. */
enum { TEXT_LIMIT = 120 };

static const char *keep(Translator *t, const char *text) { return arena_copy(&t->program->arena, text, strlen(text)); }

ProgramPlace translate_place(Translator *t, Span span) {
  ProgramPlace place = {.function = PROGRAM_NONE};
  diag_locate(t->diag, span.at, &place.line, &place.column);
  return place;
}

const char *translate_text(Translator *t, Span span) {
  return lex_squeeze(&t->program->arena, t->diag->text, span, TEXT_LIMIT);
}

/* ---- expressions ---- */

static const ValueOperator OPERATORS[] = {
    [EXPR_NEGATE] = VALUE_NEGATE,
    [EXPR_NOT] = VALUE_NOT,
    [EXPR_ADD] = VALUE_ADD,
    [EXPR_SUBTRACT] = VALUE_SUBTRACT,
    [EXPR_MULTIPLY] = VALUE_MULTIPLY,
    [EXPR_DIVIDE] = VALUE_DIVIDE,
    [EXPR_MODULO] = VALUE_MODULO,
    [EXPR_LT] = VALUE_LT,
    [EXPR_LE] = VALUE_LE,
    [EXPR_GT] = VALUE_GT,
    [EXPR_GE] = VALUE_GE,
    [EXPR_EQ] = VALUE_EQ,
    [EXPR_NE] = VALUE_NE,
    [EXPR_AND] = VALUE_AND,
    [EXPR_OR] = VALUE_OR,
};
_Static_assert(sizeof OPERATORS / sizeof *OPERATORS == EXPR_COUNT, "a row for each operator");

static uint32_t local_of(Translator *t, NameId name) {
  uint32_t *local = &t->local_of[name.v];
  if (*local == PROGRAM_NONE) {
    *local = t->program->locals.n;
    vec_push(t->program->heap, &t->program->locals, keep(t, ast_text(t->ast, name)));
  }
  return *local;
}

static void name_item(Translator *t, NameId name, Span span, ProgramItem *item) {
  const uint32_t global = t->symbols->global_of.at[name.v];
  item->kind = global == SYMBOL_NONE ? ITEM_LOCAL : ITEM_OBJECT;
  item->variable = global == SYMBOL_NONE ? local_of(t, name) : global;
  if (global == SYMBOL_NONE) return;
  item->place = translate_place(t, span);
  item->text = span.length <= TEXT_LIMIT ? t->program->objects.at[global].name : translate_text(t, span);
}

static void add_item(Translator *t, uint32_t number) {
  const ExprItem *from = &t->ast->items.at[number];
  ProgramItem item = {.origin = number, .text = ""};
  if (from->kind >= EXPR_NEGATE) {
    item.kind = ITEM_OPERATOR;
    item.operator= OPERATORS[from->kind];
  } else if (from->kind == EXPR_NAME) {
    name_item(t, from->name, from->span, &item);
  } else {
    item.kind = from->kind == EXPR_NONDET ? ITEM_ANY : ITEM_LITERAL;
    item.value = from->kind == EXPR_NONDET ? 0 : from->value;
  }
  vec_push(t->program->heap, &t->program->items, item);
}

void translate_expr(Translator *t, uint32_t op) {
  const Expr expr = t->ast->stmts.at[translate_op(t, op)->origin].expr;
  translate_op(t, op)->items = t->program->items.n;
  translate_op(t, op)->n_items = expr.n;
  for (uint32_t i = expr.start; i < expr.start + expr.n; i++) add_item(t, i);
}

void translate_targets(Translator *t, uint32_t op) {
  const Stmt *s = &t->ast->stmts.at[translate_op(t, op)->origin];
  translate_op(t, op)->targets = t->program->items.n;
  translate_op(t, op)->n_targets = s->n_names;
  for (uint32_t i = 0; i < s->n_names; i++) {
    const StmtName *name = ast_stmt_name(t->ast, s, i);
    ProgramItem item = {.origin = PROGRAM_NONE, .text = ""};
    name_item(t, name->name, name->span, &item);
    vec_push(t->program->heap, &t->program->items, item);
  }
}

/* ---- statements ---- */

uint32_t translate_add(Translator *t, OpKind kind, StmtId id) {
  const uint32_t op = program_add_op(t->program, kind);
  translate_op(t, op)->origin = id.v;
  translate_op(t, op)->place = translate_place(t, ast_stmt(t->ast, id)->span);
  return op;
}

uint32_t translate_event(Translator *t, OpKind kind, StmtId id) {
  const uint32_t op = translate_add(t, kind, id);
  translate_op(t, op)->text = translate_text(t, ast_stmt(t->ast, id)->span);
  return op;
}

uint32_t translate_test(Translator *t, StmtId id) {
  const uint32_t op = translate_add(t, OP_TEST, id);
  const Expr expr = ast_stmt(t->ast, id)->expr;
  const ExprKind last = t->ast->items.at[expr.start + expr.n - 1].kind;
  const bool loose = last == EXPR_AND || last == EXPR_OR; /* binds looser than `not` */
  const char *text = translate_text(t, expr.span);
  translate_op(t, op)->text = arena_format(&t->program->arena, "[%s]", text);
  translate_op(t, op)->otherwise_text = arena_format(&t->program->arena, loose ? "[not (%s)]" : "[not %s]", text);
  translate_expr(t, op);
  return op;
}

void translate_list(Translator *t, StmtId first) {
  for (StmtId id = first; id.v != STMT_NONE.v; id = ast_stmt(t->ast, id)->next) {
    const Stmt *s = ast_stmt(t->ast, id);
    STATEMENTS[s->kind].translate(t, id, s);
  }
}

static void add_proc(Translator *t, StmtId first, const char *name) {
  ProgramProc proc = {.start = t->program->ops.n, .name = name};
  translate_list(t, first);
  program_add_op(t->program, OP_RETURN);
  proc.end = t->program->ops.n;
  vec_push(t->program->heap, &t->program->procs, proc);
}

/* ---- the program ---- */

static void add_objects(Translator *t) {
  static const ProgramObjectKind KINDS[] = {
      [DECL_INT] = PROGRAM_DATA, [DECL_TRACKED] = PROGRAM_TRACKED, [DECL_LOCK] = PROGRAM_LOCK};
  _Static_assert(sizeof KINDS / sizeof *KINDS == DECL_LOCK + 1, "a row for each DeclKind");
  for (uint32_t i = 0; i < t->ast->globals.n; i++) {
    const Decl *decl = &t->ast->globals.at[i];
    ProgramObject object = {.name = keep(t, ast_text(t->ast, decl->name)), .kind = KINDS[decl->kind]};
    if (decl->kind == DECL_TRACKED) {
      object.n_values = decl->n_values;
      object.initial = decl->initial;
      object.is_bool = decl->is_bool;
    }
    vec_push(t->program->heap, &t->program->objects, object);
  }
}

static void add_blocks(Translator *t) {
  for (uint32_t i = 0; i < t->ast->blocks.n; i++) {
    const Stmt *s = &t->ast->stmts.at[t->ast->blocks.at[i]];
    const char *name = s->n_names ? keep(t, ast_text(t->ast, ast_stmt_name(t->ast, s, 0)->name)) : NULL;
    const ProgramBlock block = {name, translate_place(t, s->span), translate_place(t, s->end)};
    vec_push(t->program->heap, &t->program->blocks, block);
  }
}

/* The number of the open count in the program, from 1, which becomes the last one if it is new. */
static uint32_t number_of_count(Translator *t, const char *name) {
  uint32_t i = 0;
  while (i < t->program->counts.n && strcmp(t->program->counts.at[i], name) != 0) i++;
  if (i == t->program->counts.n) vec_push(t->program->heap, &t->program->counts, keep(t, name));
  return i + 1;
}

static void add_thread(Translator *t, uint32_t number) {
  const Thread *from = &t->ast->threads.at[number];
  ProgramThread thread = {.proc = t->program->procs.n,
                          .count = (uint32_t)from->count,
                          .open = from->is_open ? number_of_count(t, ast_text(t->ast, from->count_name)) : 0,
                          .tracked = t->program->tracked.n,
                          .origin = number,
                          .place = translate_place(t, from->span)};
  add_proc(t, from->first, NULL);
  for (uint32_t i = from->locals_start; i < from->locals_end; i++) {
    const Decl *decl = &t->ast->locals.at[i];
    const ProgramTracked tracked = {local_of(t, decl->name), decl->n_values, decl->initial, decl->is_bool};
    vec_push(t->program->heap, &t->program->tracked, tracked);
  }
  thread.n_tracked = t->program->tracked.n - thread.tracked;
  vec_push(t->program->heap, &t->program->threads, thread);
}

void translate_program(const Ast *ast, const Symbols *symbols, Diag *diag, Program *program) {
  Translator translator = {.ast = ast, .symbols = symbols, .diag = diag, .program = program}, *t = &translator;
  const uint32_t n = ast->names.strings.n;
  t->local_of = heap_alloc(program->heap, heap_product(program->heap, n, sizeof *t->local_of));
  for (uint32_t i = 0; i < n; i++) t->local_of[i] = PROGRAM_NONE;
  vec_push(program->heap, &program->files, keep(t, diag->file));
  add_objects(t);
  add_blocks(t);
  for (uint32_t i = 0; i < ast->procs.n; i++)
    add_proc(t, ast->procs.at[i].first, keep(t, ast_text(ast, ast->procs.at[i].name)));
  for (uint32_t i = 0; i < ast->threads.n; i++) add_thread(t, i);
  heap_release(program->heap, t->local_of);
}
