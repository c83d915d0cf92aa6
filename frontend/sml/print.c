#include "frontend/sml/print.h"

#include "base/intern.h"
#include "frontend/sml/lex.h"
#include "petri/notes.h"
#include "program/shape.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  const Program *program;
  Heap *heap;
  Arena arena;
  FILE *out;
  Intern used;                              /* names */
  const char **objects, **locals, **blocks; /* their names in SML */
  const char *way;                          /* the variable of shapes */
  Shapes *shapes;                           /* of the thread under way */
  Intern labels;                            /* operations, as bytes: those that the variable may stand for */
  uint32_t indent;
  ProgramPlace place; /* of the last comment */
} Printer;

/* ---- names ---- */

static bool is_word(const char *name) {
  static const char *const SOFT[] = {"sem", "rwlock", "thread", "gap"};
  for (size_t i = 0; i < sizeof SOFT / sizeof *SOFT; i++)
    if (strcmp(name, SOFT[i]) == 0) return true;
  for (TokenKind k = TK_INT; k <= TK_NOT; k++)
    if (strcmp(name, lex_keyword(k)) == 0) return true;
  return false;
}

/* A name like that one, which nothing else has. */
static const char *name_like(Printer *p, const char *like) {
  char *name = arena_format(&p->arena, "%s%.60s", isdigit((unsigned char)like[0]) || !like[0] ? "_" : "", like);
  for (char *at = name; *at; at++)
    if (!isalnum((unsigned char)*at)) *at = '_';
  bool is_new = false;
  const char *tried = name;
  for (unsigned i = 2; is_word(tried) || (intern_add(&p->used, tried, strlen(tried), &is_new), !is_new); i++)
    tried = arena_format(&p->arena, "%s_%u", name, i);
  return tried;
}

static void name_all(Printer *p) {
  const Program *program = p->program;
  p->objects = heap_zeroed(p->heap, ((size_t)program->objects.n + 1) * sizeof *p->objects);
  p->locals = heap_zeroed(p->heap, ((size_t)program->locals.n + 1) * sizeof *p->locals);
  p->blocks = heap_zeroed(p->heap, ((size_t)program->blocks.n + 1) * sizeof *p->blocks);
  for (uint32_t i = 0; i < program->objects.n; i++) p->objects[i] = name_like(p, program->objects.at[i].name);
  for (uint32_t i = 0; i < program->locals.n; i++) p->locals[i] = name_like(p, program->locals.at[i]);
  p->way = name_like(p, "way");
  for (uint32_t i = 0; i < program->blocks.n; i++) { /* blocks may have one name */
    const char *name = program->blocks.at[i].name;
    char *copy = name ? arena_format(&p->arena, "%s%.60s", isdigit((unsigned char)name[0]) ? "_" : "", name) : NULL;
    for (char *at = copy; at && *at; at++)
      if (!isalnum((unsigned char)*at)) *at = '_';
    p->blocks[i] = copy && is_word(copy) ? arena_format(&p->arena, "%s_", copy) : copy;
  }
}

/* ---- expressions ---- */

static const char *const SIGNS[] = {
    [VALUE_NEGATE] = "-", [VALUE_NOT] = "!",    [VALUE_ADD] = "+", [VALUE_SUBTRACT] = "-", [VALUE_MULTIPLY] = "*",
    [VALUE_DIVIDE] = "/", [VALUE_MODULO] = "%", [VALUE_LT] = "<",  [VALUE_LE] = "<=",      [VALUE_GT] = ">",
    [VALUE_GE] = ">=",    [VALUE_EQ] = "=",     [VALUE_NE] = "!=", [VALUE_AND] = "&&",     [VALUE_OR] = "||"};
_Static_assert(sizeof SIGNS / sizeof *SIGNS == VALUE_OPERATORS, "a sign for each operator");

static const char *operand_text(Printer *p, const ProgramItem *item) {
  switch ((int)item->kind) {
  case ITEM_LITERAL: return arena_format(&p->arena, item->value < 0 ? "(%lld)" : "%lld", (long long)item->value);
  case ITEM_OBJECT: return p->objects[item->variable];
  case ITEM_LOCAL: return p->locals[item->variable];
  default: return "nondet";
  }
}

/* The expression, without parentheses around it. */
static const char *expression(Printer *p, uint32_t items, uint32_t n) {
  VEC(const char *) stack = {0};
  for (uint32_t i = 0; i < n; i++) {
    const ProgramItem *item = &p->program->items.at[items + i];
    const char *text = item->kind == ITEM_OPERATOR ? NULL : operand_text(p, item);
    const char *around = i + 1 < n ? "()" : "";
    if (!text && value_operands(item->operator) == 1) {
      const char *of = stack.at[--stack.n];
      text = arena_format(&p->arena, "%.1s%s%s%s", around, SIGNS[item->operator], of, *around ? ")" : "");
    } else if (!text) {
      const char *right = stack.at[--stack.n], *left = stack.at[--stack.n];
      text = arena_format(&p->arena, "%.1s%s %s %s%s", around, left, SIGNS[item->operator], right, *around ? ")" : "");
    }
    vec_push(p->heap, &stack, text);
  }
  const char *whole = n ? stack.at[stack.n - 1] : "";
  vec_fini(p->heap, &stack);
  return whole;
}

/* ---- statements ---- */

static const ProgramOp *op_at(const Printer *p, uint32_t op) { return &p->program->ops.at[op]; }

static void start_line(const Printer *p) { fprintf(p->out, "%*s", (int)(2 * p->indent), ""); }

/* Ends a line, with the operation's place, if it is another one than before. */
static void end_line(Printer *p, uint32_t op) {
  const ProgramPlace place = op == PROGRAM_NONE ? p->place : op_at(p, op)->place;
  if (place.line && (place.file != p->place.file || place.line != p->place.line)) {
    const char *file = p->program->files.at[place.file], *slash = strrchr(file, '/');
    fputs("  // ", p->out);
    for (const char *at = slash ? slash + 1 : file; *at; at++) fputc((unsigned char)*at < ' ' ? '?' : *at, p->out);
    fprintf(p->out, ":%u", place.line);
    p->place = place;
  }
  fputc('\n', p->out);
}

static const char *condition(Printer *p, uint32_t op) {
  return expression(p, op_at(p, op)->items, op_at(p, op)->n_items);
}

/* Where the expression begins whose items end there. */
static uint32_t start_of(const Program *program, uint32_t end) {
  for (uint32_t needed = 1; needed; needed--) {
    const ProgramItem *item = &program->items.at[--end];
    if (item->kind == ITEM_OPERATOR) needed += value_operands(item->operator);
  }
  return end;
}

/* The expressions stand one behind the other, in the order of the targets. */
static void print_assignments(Printer *p, const ProgramOp *o) {
  U32Vec starts = {0};
  uint32_t end = o->items + o->n_items;
  vec_push(p->heap, &starts, end);
  for (uint32_t i = 0; i < o->n_targets; i++) vec_push(p->heap, &starts, end = start_of(p->program, end));
  if (o->n_targets > 1) fputs("atomic { ", p->out);
  for (uint32_t i = 0; i < o->n_targets; i++) {
    const uint32_t from = starts.at[o->n_targets - i], to = starts.at[o->n_targets - i - 1];
    fprintf(p->out, "%s := %s;", operand_text(p, &p->program->items.at[o->targets + i]),
            expression(p, from, to - from));
    if (o->n_targets > 1) fputc(' ', p->out);
  }
  if (o->n_targets > 1) fputc('}', p->out);
  vec_fini(p->heap, &starts);
}

static void print_op(Printer *p, uint32_t op) {
  const ProgramOp *o = op_at(p, op);
  start_line(p);
  switch ((int)o->kind) {
  case OP_ASSIGN: print_assignments(p, o); break;
  case OP_AWAIT: fprintf(p->out, "await (%s);", o->next == op ? "false" : condition(p, op)); break;
  case OP_ACQUIRE: fprintf(p->out, "acquire(%s);", p->objects[o->number]); break;
  case OP_RELEASE: fprintf(p->out, "release(%s);", p->objects[o->number]); break;
  default: fputs("skip;", p->out); break;
  }
  end_line(p, op);
}

static unsigned label(Printer *p, uint32_t op) { return intern_add(&p->labels, (const char *)&op, sizeof op, NULL); }

static void print_list(Printer *p, uint32_t first);

static void print_body(Printer *p, uint32_t first) {
  p->indent++;
  print_list(p, first);
  p->indent--;
}

static void print_line(Printer *p, const char *line) {
  start_line(p);
  fprintf(p->out, "%s\n", line);
}

static bool is_empty(const Printer *p, uint32_t list) {
  for (; list != PROGRAM_NONE; list = p->shapes->at.at[list].next)
    if (p->shapes->at.at[list].kind != SHAPE_GO || p->shapes->at.at[list].needed) return false;
  return true;
}

/* The head of a statement that does something where the test is true, or, if `negated`, false. */
static void print_head(Printer *p, const char *word, bool negated, uint32_t op) {
  const char *text = condition(p, op);
  const bool either = strcmp(text, "nondet") == 0;
  start_line(p);
  fprintf(p->out, negated && !either ? "%s (!(%s)) {" : "%s (%s) {", word, text);
  end_line(p, op);
}

static void print_if(Printer *p, const Shape *s) {
  const bool negated = is_empty(p, s->first) && !is_empty(p, s->otherwise);
  print_head(p, "if", negated, s->op);
  print_body(p, negated ? s->otherwise : s->first);
  if (!negated && !is_empty(p, s->otherwise)) {
    print_line(p, "} else {");
    print_body(p, s->otherwise);
  }
  print_line(p, "}");
}

static void print_while(Printer *p, const Shape *s) {
  print_head(p, "while", s->negated, s->op);
  print_body(p, s->first);
  print_line(p, "}");
}

static void print_loop(Printer *p, const Shape *s) {
  start_line(p);
  fputs("while (", p->out);
  if (!s->n_labels) fputs("true", p->out);
  for (uint32_t i = 0; i < s->n_labels; i++)
    fprintf(p->out, "%s%s = %u", i ? " || " : "", p->way, label(p, p->shapes->labels.at[s->labels + i]));
  fputs(") {\n", p->out);
  print_body(p, s->first);
  print_line(p, "}");
}

/* A chain of them. */
static void print_cases(Printer *p, const Shape *s) {
  start_line(p);
  for (;;) {
    fprintf(p->out, "if (%s = %u) {\n", p->way, label(p, s->op));
    print_body(p, s->first);
    if (s->otherwise == PROGRAM_NONE) break;
    s = &p->shapes->at.at[s->otherwise];
    start_line(p);
    fputs("} else ", p->out);
  }
  print_line(p, "}");
}

static void print_block(Printer *p, const Shape *s) {
  const char *name = p->blocks[op_at(p, s->op)->number];
  start_line(p);
  fprintf(p->out, "begin%s%s", name ? ":" : "", name ? name : "");
  end_line(p, s->op);
  print_body(p, s->first);
  print_line(p, "end");
}

static void print_shape(Printer *p, const Shape *s) {
  switch (s->kind) {
  case SHAPE_OP: print_op(p, s->op); break;
  case SHAPE_IF: print_if(p, s); break;
  case SHAPE_WHILE: print_while(p, s); break;
  case SHAPE_LOOP: print_loop(p, s); break;
  case SHAPE_CASE: print_cases(p, s); break;
  case SHAPE_BLOCK: print_block(p, s); break;
  case SHAPE_GO:
    if (!s->needed) break;
    start_line(p);
    fprintf(p->out, "%s := %u;\n", p->way, label(p, s->op));
    break;
  case SHAPE_ATOMIC:
    start_line(p);
    fputs("atomic {", p->out);
    end_line(p, s->op);
    print_body(p, s->first);
    print_line(p, "}");
    break;
  }
}

static void print_list(Printer *p, uint32_t first) {
  for (; first != PROGRAM_NONE; first = p->shapes->at.at[first].next) print_shape(p, &p->shapes->at.at[first]);
}

/* ---- threads ---- */

/* The labels, so that the variable can be declared. */
static void number_labels(Printer *p) {
  intern_init(&p->labels, p->heap);
  for (uint32_t i = 0; i < p->shapes->at.n; i++) {
    const Shape *s = &p->shapes->at.at[i];
    if (s->kind == SHAPE_CASE || (s->kind == SHAPE_GO && s->needed)) label(p, s->op);
  }
  for (uint32_t i = 0; i < p->shapes->labels.n; i++) label(p, p->shapes->labels.at[i]);
}

static void print_locals(Printer *p, const ProgramThread *thread) {
  for (uint32_t i = 0; i < thread->n_tracked; i++) {
    const ProgramTracked *t = &p->program->tracked.at[thread->tracked + i];
    fprintf(p->out, "local int[%u] %s := %u;\n", t->n_values, p->locals[t->local], t->initial);
  }
  const uint32_t n = p->labels.strings.n;
  if (n) fprintf(p->out, "local int[%u] %s;  // where to go on\n", n, p->way);
}

static bool print_thread(Printer *p, uint32_t number, Err *err) {
  const ProgramThread *thread = &p->program->threads.at[number];
  Shapes shapes;
  p->shapes = &shapes;
  const bool good = shape_proc(p->program, thread->proc, p->heap, &shapes, err);
  if (good) {
    if (number) fputs("||\n", p->out);
    if (thread->count > 1) fprintf(p->out, "%u * {\n", thread->count);
    fprintf(p->out, "// T%u: %s\n", number + 1, p->program->procs.at[thread->proc].name);
    p->place = (ProgramPlace){.file = PROGRAM_NONE};
    number_labels(p);
    print_locals(p, thread);
    print_list(p, shapes.first);
    if (thread->count > 1) fputs("}\n", p->out);
    intern_fini(&p->labels);
  }
  shape_fini(&shapes);
  return good;
}

/* ---- the whole ---- */

/* What a gap says, without what is no word in SML. */
static void print_gap(const Printer *p, const ProgramGap *gap) {
  fputs(note_gap_waits(gap->what) || note_gap_copies(gap->what) ? "gap " : "gap it ", p->out);
  for (const char *at = gap->what; *at; at++)
    if (*at != '\'') fputc(isalnum((unsigned char)*at) || *at == ',' || *at == ':' ? *at : ' ', p->out);
  fputc(';', p->out);
  fprintf(p->out, gap->place.line ? "  // %s:%u\n" : "  // %s\n", p->program->files.at[gap->place.file],
          gap->place.line);
}

static void print_objects(const Printer *p) {
  for (uint32_t i = 0; i < p->program->objects.n; i++) {
    const ProgramObject *o = &p->program->objects.at[i];
    if (o->kind == PROGRAM_LOCK) fprintf(p->out, "lock %s;", p->objects[i]);
    else if (o->kind == PROGRAM_DATA) fprintf(p->out, "int %s;", p->objects[i]);
    else fprintf(p->out, "int[%u] %s := %u;", o->n_values, p->objects[i], o->initial);
    fputs(strcmp(o->name, p->objects[i]) == 0 ? "\n" : "  // ", p->out);
    if (strcmp(o->name, p->objects[i]) == 0) continue;
    for (const char *at = o->name; *at; at++) fputc((unsigned char)*at < ' ' ? '?' : *at, p->out);
    fputc('\n', p->out);
  }
}

/* Of an assignment with several targets: does an expression read a target before its own one, as which it would read
 * what was assigned just now? */
static bool reads_earlier(const Program *program, const ProgramOp *o) {
  uint32_t end = o->items + o->n_items;
  for (uint32_t i = o->n_targets; i-- > 0;) {
    const uint32_t start = start_of(program, end);
    for (uint32_t k = start; k < end; k++)
      for (uint32_t t = 0; t < i; t++) {
        const ProgramItem *item = &program->items.at[k], *target = &program->items.at[o->targets + t];
        if (item->kind == target->kind && item->variable == target->variable) return true;
      }
    end = start;
  }
  return false;
}

static bool can_be_said(const Program *program, Err *err) {
  if (program->counts.n) return err_set(err, ERR_INPUT, "a number of threads is left open");
  for (uint32_t i = 0; i < program->ops.n; i++)
    if (program->ops.at[i].kind == OP_ASSIGN && reads_earlier(program, &program->ops.at[i]))
      return err_set(err, ERR_INPUT, "an assignment reads what it assigns to another variable");
  return true;
}

static bool print_all(Printer *p, Err *err) {
  for (uint32_t i = 0; i < p->program->gaps.n; i++) print_gap(p, &p->program->gaps.at[i]);
  print_objects(p);
  bool good = true;
  for (uint32_t i = 0; good && i < p->program->threads.n; i++) {
    fputc('\n', p->out);
    good = print_thread(p, i, err);
  }
  return good;
}

bool print_sml(const Program *program, Heap *heap, FILE *out, Err *err) {
  Printer p = {.program = program, .heap = heap, .out = out};
  if (!can_be_said(program, err)) return false;
  arena_init(&p.arena, heap);
  intern_init(&p.used, heap);
  name_all(&p);
  const bool good = print_all(&p, err);
  heap_release(heap, p.objects);
  heap_release(heap, p.locals);
  heap_release(heap, p.blocks);
  intern_fini(&p.used);
  arena_fini(&p.arena);
  return good;
}
