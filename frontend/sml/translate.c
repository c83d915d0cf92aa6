#include "frontend/sml/translate.h"

#include "frontend/sml/statement.h"
#include "frontend/sml/sync.h"

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

static void object_item(Translator *t, uint32_t object, Span span, ProgramItem *item) {
  item->kind = ITEM_OBJECT;
  item->variable = object;
  item->place = translate_place(t, span);
  item->text = span.length <= TEXT_LIMIT ? t->program->objects.at[object].name : translate_text(t, span);
}

static void literal_item(ProgramItem *item, int64_t value) {
  item->kind = ITEM_LITERAL;
  item->value = value;
}

static void name_item(Translator *t, NameId name, Span span, ProgramItem *item) {
  const uint32_t global = t->symbols->global_of.at[name.v], count = t->symbols->count_of.at[name.v];
  if (global != SYMBOL_NONE) {
    object_item(t, t->object_of[global], span, item);
  } else if (count) {
    literal_item(item, (int64_t)count - 1);
  } else {
    item->kind = ITEM_LOCAL;
    item->variable = local_of(t, name);
  }
}

/* ---- elements of arrays ---- */

static const ExprItem *item_at(const Translator *t, uint32_t number) { return &t->ast->items.at[number]; }

static Value known_operand(const Translator *t, const ExprItem *item) {
  if (item->kind == EXPR_LITERAL) return value_of(item->value);
  if (item->kind == EXPR_SELF) return value_of(t->self);
  if (item->kind == EXPR_NAME && t->symbols->count_of.at[item->name.v])
    return value_of((int64_t)t->symbols->count_of.at[item->name.v] - 1);
  return VALUE_UNKNOWN;
}

/* The value of an index, if it is one whatever the locals hold. */
static Value known_index(Translator *t, Expr index) {
  bool by_zero;
  vec_clear(&t->stack);
  for (uint32_t i = index.start; i < index.start + index.n; i++) {
    const ExprItem *item = item_at(t, i);
    if (item->kind < EXPR_NEGATE) {
      vec_push(t->program->heap, &t->stack, known_operand(t, item));
    } else if (value_operands(OPERATORS[item->kind]) == 1) {
      vec_last(&t->stack) = value_unary(OPERATORS[item->kind], vec_last(&t->stack));
    } else {
      t->stack.n--;
      vec_last(&t->stack) = value_binary(OPERATORS[item->kind], vec_last(&t->stack), t->stack.at[t->stack.n], &by_zero);
    }
  }
  return vec_last(&t->stack);
}

/* Do the two items say the same, each time? */
static bool same_item(const ExprItem *a, const ExprItem *b) {
  if (a->kind != b->kind || a->kind == EXPR_NONDET) return false;
  if (a->kind == EXPR_LITERAL) return a->value == b->value;
  return a->kind != EXPR_NAME || a->name.v == b->name.v;
}

static bool same_index(const Translator *t, Expr a, Expr b) {
  bool same = a.n == b.n;
  for (uint32_t i = 0; i < a.n && same; i++) same = same_item(item_at(t, a.start + i), item_at(t, b.start + i));
  return same || a.start == b.start;
}

static Selection *selection_of(Translator *t, Expr index) {
  for (uint32_t i = 0; i < t->selections.n; i++)
    if (same_index(t, t->selections.at[i].index, index)) return &t->selections.at[i];
  return NULL;
}

static const Decl *global_at(const Translator *t, NameId name) {
  return &t->ast->globals.at[t->symbols->global_of.at[name.v]];
}

/* Is the index the same in every copy of the thread? It has no local then, since its value is known. */
static bool is_constant(const Translator *t, Expr index) {
  bool constant = true;
  for (uint32_t i = index.start; i < index.start + index.n; i++) constant &= item_at(t, i)->kind != EXPR_SELF;
  return constant;
}

static void report_range(Translator *t, uint32_t stmt, Expr index, NameId name, int64_t value) {
  if (t->told[stmt]) return;
  t->told[stmt] = true;
  diag_add(t->diag, LEVEL_ERROR, NULL, index.span.at, index.span.length,
           "the index %lld is out of range; '%s' has %u elements, numbered from 0", (long long)value,
           ast_name(t->ast, name, &t->diag->arena), global_at(t, name)->n_elements);
}

static void see_index(Translator *t, uint32_t stmt, Expr index, NameId name) {
  uint32_t n = global_at(t, name)->n_elements;
  const Value value = known_index(t, index);
  if (value.known && value.number >= 0 && value.number < n) return;
  if (value.known && is_constant(t, index)) report_range(t, stmt, index, name, value.number);
  if (value.known) n = 0;
  Selection *known = selection_of(t, index);
  if (!known) vec_push(t->program->heap, &t->selections, ((Selection){index, n, 0}));
  else if (n < known->n) known->n = n;
}

/* The index of the element that starts at the item. */
static Expr index_at(const Translator *t, uint32_t number) {
  return (Expr){number + 1, item_at(t, number)->n_index, item_at(t, number)->span};
}

static void find_selections(Translator *t, const Stmt *s) {
  const uint32_t stmt = (uint32_t)(s - t->ast->stmts.at);
  vec_clear(&t->selections);
  for (uint32_t i = 0; i < s->n_names; i++) {
    const StmtName *name = ast_stmt_name(t->ast, s, i);
    if (name->index.n) see_index(t, stmt, name->index, name->name);
  }
  for (uint32_t i = s->expr.start; i < s->expr.start + s->expr.n; i++)
    if (item_at(t, i)->kind == EXPR_ELEMENT) see_index(t, stmt, index_at(t, i), item_at(t, i)->name);
}

/* The object that is meant, in the variant under way. */
static uint32_t element_of(Translator *t, Expr index, NameId name) {
  const uint32_t first = t->object_of[t->symbols->global_of.at[name.v]];
  if (!index.n) return first;
  const Value value = known_index(t, index);
  return first + (value.known ? (uint32_t)value.number : selection_of(t, index)->chosen);
}

/* ---- items ---- */

static void add_item(Translator *t, uint32_t number) {
  const ExprItem *from = item_at(t, number);
  ProgramItem item = {.origin = number, .text = ""};
  if (from->kind >= EXPR_NEGATE) {
    item.kind = ITEM_OPERATOR;
    item.operator= OPERATORS[from->kind];
  } else if (from->kind == EXPR_NAME) {
    name_item(t, from->name, from->span, &item);
  } else if (from->kind == EXPR_ELEMENT) {
    object_item(t, element_of(t, index_at(t, number), from->name), from->span, &item);
  } else if (from->kind == EXPR_NONDET) {
    item.kind = ITEM_ANY;
  } else {
    literal_item(&item, from->kind == EXPR_SELF ? t->self : from->value);
  }
  vec_push(t->program->heap, &t->program->items, item);
}

/* The index of an element is no part of the expression. */
static void add_items(Translator *t, uint32_t op, Expr expr) {
  const uint32_t first = t->program->items.n;
  for (uint32_t i = expr.start; i < expr.start + expr.n; i++) {
    add_item(t, i);
    if (item_at(t, i)->kind == EXPR_ELEMENT) i += item_at(t, i)->n_index;
  }
  translate_op(t, op)->items = first;
  translate_op(t, op)->n_items = t->program->items.n - first;
}

void translate_expr(Translator *t, uint32_t op) {
  add_items(t, op, t->ast->stmts.at[translate_op(t, op)->origin].expr);
}

static void target_item(Translator *t, const StmtName *name, ProgramItem *item) {
  if (name->index.n) object_item(t, element_of(t, name->index, name->name), name->span, item);
  else name_item(t, name->name, name->span, item);
}

void translate_targets(Translator *t, uint32_t op) {
  const Stmt *s = &t->ast->stmts.at[translate_op(t, op)->origin];
  translate_op(t, op)->targets = t->program->items.n;
  translate_op(t, op)->n_targets = s->n_names;
  for (uint32_t i = 0; i < s->n_names; i++) {
    ProgramItem item = {.origin = PROGRAM_NONE, .text = ""};
    target_item(t, ast_stmt_name(t->ast, s, i), &item);
    vec_push(t->program->heap, &t->program->items, item);
  }
}

uint32_t translate_object(Translator *t, const StmtName *name) { return element_of(t, name->index, name->name); }

uint32_t translate_mode(Translator *t, NameId lock) {
  for (uint32_t i = 0; i < t->modes.n; i++)
    if (t->modes.at[i].name.v == lock.v) return t->modes.at[i].local;
  vec_push(t->program->heap, &t->modes, ((ModeLocal){lock, t->program->locals.n}));
  vec_push(t->program->heap, &t->program->locals, arena_format(&t->program->arena, "%s.mode", ast_text(t->ast, lock)));
  return vec_last(&t->modes).local;
}

/* ---- variants ---- */

typedef struct {
  StmtId id;
  void (*add)(Translator *t, StmtId id);
} Variants;

/*   select: one of the jumps;  a jump to each variant;  variant; jump to the end;  variant; jump to the end;  ... */
static void add_variants(Translator *t, const Variants *v, uint32_t from) {
  if (from == t->selections.n) {
    v->add(t, v->id);
    vec_push(t->program->heap, &t->ends, translate_add(t, OP_JUMP, v->id));
    return;
  }
  const uint32_t n = t->selections.at[from].n, select = translate_event(t, OP_SELECT, v->id), first = select + 1;
  add_items(t, select, t->selections.at[from].index);
  translate_op(t, select)->number = n;
  for (uint32_t i = 0; i < n; i++) translate_add(t, OP_JUMP, v->id);
  for (uint32_t i = 0; i < n; i++) {
    translate_op(t, first + i)->next = translate_here(t);
    t->selections.at[from].chosen = i;
    add_variants(t, v, from + 1);
  }
}

static bool are_too_many(Translator *t, const Stmt *s) {
  uint64_t n = 1;
  for (uint32_t i = 0; i < t->selections.n && n <= TRANSLATE_MAX_VARIANTS; i++) n *= t->selections.at[i].n;
  if (n <= TRANSLATE_MAX_VARIANTS) return false;
  bool *told = &t->told[s - t->ast->stmts.at];
  if (!*told)
    diag_add(t->diag, LEVEL_ERROR, NULL, s->span.at, s->span.length,
             "'%s' has too many combinations of elements in one event: more than %d",
             lex_squeeze(&t->diag->arena, t->diag->text, s->span, 60), TRANSLATE_MAX_VARIANTS);
  *told = true;
  return true;
}

void translate_variants(Translator *t, StmtId id, void (*add)(Translator *t, StmtId id)) {
  const Stmt *s = ast_stmt(t->ast, id);
  find_selections(t, s);
  if (!t->selections.n) {
    add(t, id);
  } else if (!are_too_many(t, s)) {
    vec_clear(&t->ends);
    add_variants(t, &(Variants){id, add}, 0);
    for (uint32_t i = 0; i < t->ends.n; i++) translate_op(t, t->ends.at[i])->next = translate_here(t);
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

static void add_test(Translator *t, StmtId id) {
  const uint32_t op = translate_add(t, OP_TEST, id);
  const Expr expr = ast_stmt(t->ast, id)->expr;
  const ExprKind last = t->ast->items.at[expr.start + expr.n - 1].kind;
  const bool loose = last == EXPR_AND || last == EXPR_OR; /* binds looser than `not` */
  const char *text = translate_text(t, expr.span);
  translate_op(t, op)->text = arena_format(&t->program->arena, "[%s]", text);
  translate_op(t, op)->otherwise_text = arena_format(&t->program->arena, loose ? "[not (%s)]" : "[not %s]", text);
  translate_expr(t, op);
}

uint32_t translate_test(Translator *t, StmtId id) {
  const uint32_t start = translate_here(t);
  translate_variants(t, id, add_test);
  return start;
}

void translate_otherwise(Translator *t, uint32_t from, uint32_t to) {
  for (uint32_t op = from; op < to; op++)
    if (translate_op(t, op)->kind == OP_TEST) translate_op(t, op)->otherwise = translate_here(t);
}

void translate_list(Translator *t, StmtId first) {
  for (StmtId id = first; id.v != STMT_NONE.v; id = ast_stmt(t->ast, id)->next) {
    const Stmt *s = ast_stmt(t->ast, id);
    STATEMENTS[s->kind].translate(t, id, s);
  }
}

/* Fills the proc of that number with the statements; of a thread with a name, also with what it begins and ends with.
 */
static void fill_proc(Translator *t, uint32_t number, StmtId first, const Thread *thread) {
  const bool named = thread && thread->name.v != NAME_NONE.v;
  t->program->procs.at[number].start = t->program->ops.n;
  if (named) sync_add_start(t, thread);
  translate_list(t, first);
  if (named) sync_add_exit(t, thread);
  program_add_op(t->program, OP_RETURN);
  t->program->procs.at[number].end = t->program->ops.n;
}

/* An empty proc: its number. */
static uint32_t add_proc(Translator *t, const char *name) {
  vec_push(t->program->heap, &t->program->procs, ((ProgramProc){.name = name}));
  return t->program->procs.n - 1;
}

/* A proc with `self` has operations of its own for each thread. */
uint32_t translate_proc(Translator *t, uint32_t proc) {
  const bool has_self = t->symbols->proc_self.at[proc] != 0;
  if (t->proc_of[proc] != PROGRAM_NONE && (!has_self || t->proc_thread[proc] == t->thread)) return t->proc_of[proc];
  t->proc_of[proc] = add_proc(t, keep(t, ast_text(t->ast, t->ast->procs.at[proc].name)));
  t->proc_thread[proc] = t->thread;
  vec_push(t->program->heap, &t->pending, ((PendingProc){proc, t->proc_of[proc]}));
  return t->proc_of[proc];
}

static void fill_pending(Translator *t) {
  while (t->pending.n) {
    const PendingProc proc = t->pending.at[--t->pending.n];
    fill_proc(t, proc.number, t->ast->procs.at[proc.proc].first, NULL);
  }
}

static void add_procs(Translator *t) {
  for (uint32_t i = 0; i < t->ast->procs.n; i++)
    if (!t->symbols->proc_self.at[i]) translate_proc(t, i);
  for (uint32_t i = 0; i < t->pending.n; i++)
    fill_proc(t, t->pending.at[i].number, t->ast->procs.at[t->pending.at[i].proc].first, NULL);
  vec_clear(&t->pending);
}

/* ---- the program ---- */

/* A variable or lock, or an element of an array. */
static void add_object(Translator *t, const Decl *decl, const char *name) {
  static const ProgramObjectKind KINDS[] = {[DECL_INT] = PROGRAM_DATA,
                                            [DECL_TRACKED] = PROGRAM_TRACKED,
                                            [DECL_LOCK] = PROGRAM_LOCK,
                                            [DECL_SEM] = PROGRAM_TRACKED,
                                            [DECL_RWLOCK] = PROGRAM_TRACKED};
  _Static_assert(sizeof KINDS / sizeof *KINDS == DECL_RWLOCK + 1, "a row for each DeclKind");
  ProgramObject object = {.name = name, .kind = KINDS[decl->kind]};
  if (object.kind == PROGRAM_TRACKED && !decl->n_values) object.kind = PROGRAM_DATA;
  if (object.kind == PROGRAM_TRACKED) {
    object.n_values = decl->n_values;
    object.initial = decl->initial;
    object.is_bool = decl->is_bool;
  }
  vec_push(t->program->heap, &t->program->objects, object);
}

static void add_objects(Translator *t) {
  for (uint32_t i = 0; i < t->ast->globals.n; i++) {
    const Decl *decl = &t->ast->globals.at[i];
    const char *name = ast_text(t->ast, decl->name);
    t->object_of[i] = t->program->objects.n;
    if (!decl->is_array) add_object(t, decl, keep(t, name));
    for (uint32_t k = 0; k < decl->n_elements && decl->is_array; k++)
      add_object(t, decl, arena_format(&t->program->arena, "%s[%u]", name, k));
    for (uint32_t k = 0; k < t->n_threads && decl->kind == DECL_RWLOCK; k++)
      add_object(t, decl, arena_format(&t->program->arena, "%s.T%u", name, k + 1));
  }
}

/* What says of a thread with a name whether it runs. */
static void add_thread_objects(Translator *t) {
  for (uint32_t i = 0; i < t->ast->threads.n; i++) {
    const Thread *thread = &t->ast->threads.at[i];
    if (thread->name.v == NAME_NONE.v) continue;
    t->thread_object[i] = t->program->objects.n;
    const Decl decl = {.kind = DECL_SEM, .n_values = t->ast->is_abstract ? 0 : SYNC_PHASES};
    add_object(t, &decl, keep(t, ast_text(t->ast, thread->name)));
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

static void add_gaps(Translator *t) {
  for (uint32_t i = 0; i < t->ast->gaps.n; i++) {
    const Span span = t->ast->gaps.at[i];
    vec_push(t->program->heap, &t->program->gaps,
             ((ProgramGap){translate_text(t, span), translate_place(t, span), NULL, {0}}));
  }
}

/* The number of the open count in the program, from 1, which becomes the last one if it is new. */
static uint32_t number_of_count(Translator *t, const char *name) {
  uint32_t i = 0;
  while (i < t->program->counts.n && strcmp(t->program->counts.at[i], name) != 0) i++;
  if (i == t->program->counts.n) vec_push(t->program->heap, &t->program->counts, keep(t, name));
  return i + 1;
}

static void add_tracked(Translator *t, ProgramTracked tracked) {
  vec_push(t->program->heap, &t->program->tracked, tracked);
}

/* `count` copies, in which `self` is t->self. */
static void add_thread(Translator *t, uint32_t number, uint32_t count) {
  const Thread *from = &t->ast->threads.at[number];
  ProgramThread thread = {.proc = add_proc(t, NULL),
                          .count = count,
                          .open = from->is_open ? number_of_count(t, ast_text(t->ast, from->count_name)) : 0,
                          .tracked = t->program->tracked.n,
                          .is_forked = from->name.v != NAME_NONE.v,
                          .origin = number,
                          .place = translate_place(t, from->span)};
  vec_clear(&t->modes);
  fill_proc(t, thread.proc, from->first, from);
  fill_pending(t);
  for (uint32_t i = from->locals_start; i < from->locals_end; i++) {
    const Decl *decl = &t->ast->locals.at[i];
    add_tracked(t, (ProgramTracked){local_of(t, decl->name), decl->n_values, decl->initial, decl->is_bool, false});
  }
  for (uint32_t i = 0; i < t->modes.n; i++)
    add_tracked(t, (ProgramTracked){t->modes.at[i].local, SYNC_MODES, SYNC_NOTHING, false, false});
  thread.n_tracked = t->program->tracked.n - thread.tracked;
  vec_push(t->program->heap, &t->program->threads, thread);
}

static void add_threads(Translator *t) {
  for (uint32_t i = 0; i < t->ast->threads.n; i++) {
    const uint32_t count = (uint32_t)t->ast->threads.at[i].count;
    const bool each = t->symbols->thread_self.at[i] != 0;
    for (uint32_t k = 0; k < (each ? count : 1); k++) {
      t->self = k;
      add_thread(t, i, each ? 1 : count);
      t->thread += each ? 1 : count;
    }
  }
}

static void *array(Translator *t, uint32_t n, size_t size) {
  return heap_zeroed(t->program->heap, heap_product(t->program->heap, n, size));
}

static void translator_init(Translator *t) {
  const uint32_t n = t->ast->names.strings.n;
  t->local_of = array(t, n, sizeof *t->local_of);
  t->object_of = array(t, t->ast->globals.n, sizeof *t->object_of);
  t->thread_object = array(t, t->ast->threads.n, sizeof *t->thread_object);
  t->proc_of = array(t, t->ast->procs.n, sizeof *t->proc_of);
  t->proc_thread = array(t, t->ast->procs.n, sizeof *t->proc_thread);
  t->told = array(t, t->ast->stmts.n, sizeof *t->told);
  for (uint32_t i = 0; i < t->ast->threads.n; i++) t->n_threads += (uint32_t)t->ast->threads.at[i].count;
  for (uint32_t i = 0; i < n; i++) t->local_of[i] = PROGRAM_NONE;
  for (uint32_t i = 0; i < t->ast->procs.n; i++) t->proc_of[i] = PROGRAM_NONE;
}

static void translator_fini(Translator *t) {
  Heap *heap = t->program->heap;
  heap_release(heap, t->local_of);
  heap_release(heap, t->object_of);
  heap_release(heap, t->thread_object);
  heap_release(heap, t->proc_of);
  heap_release(heap, t->proc_thread);
  heap_release(heap, t->told);
  vec_fini(heap, &t->selections);
  vec_fini(heap, &t->pending);
  vec_fini(heap, &t->stack);
  vec_fini(heap, &t->ends);
  vec_fini(heap, &t->modes);
}

bool translate_program(const Ast *ast, const Symbols *symbols, Diag *diag, Program *program) {
  Translator translator = {.ast = ast, .symbols = symbols, .diag = diag, .program = program}, *t = &translator;
  translator_init(t);
  vec_push(program->heap, &program->files, keep(t, diag->file));
  add_objects(t);
  add_thread_objects(t);
  add_blocks(t);
  add_procs(t);
  add_threads(t);
  add_gaps(t);
  translator_fini(t);
  return !diag->n_errors;
}
