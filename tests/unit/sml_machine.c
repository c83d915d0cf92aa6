#include "tests/unit/sml_machine.h"

#include <stdlib.h>
#include <string.h>

/* What a frame says: do the statement, and those behind it; do it alone (the test of a loop again); end the block;
 * leave the proc; the event of the atomic is over. */
typedef enum { DO, AGAIN, END, LEAVE, OVER } Frame;

static uint64_t frame(Frame kind, uint32_t phase, uint32_t stmt) {
  return (uint64_t)kind << 56 | (uint64_t)phase << 32 | stmt;
}
static Frame kind_of(uint64_t f) { return (Frame)(f >> 56); }
static uint32_t phase_of(uint64_t f) { return (uint32_t)(f >> 32 & 0xffffff); }
static uint32_t stmt_of(uint64_t f) { return (uint32_t)f; }

static void push(MachineState *s, uint64_t f) {
  if (s->n == MACHINE_FRAMES) abort();
  s->frames[s->n++] = f;
  s->calls += kind_of(f) == LEAVE;
}

static void push_list(MachineState *s, StmtId first) {
  if (first.v != STMT_NONE.v) push(s, frame(DO, 0, first.v));
}

static uint64_t pop(MachineState *s) {
  const uint64_t f = s->frames[--s->n];
  s->calls -= kind_of(f) == LEAVE;
  return f;
}

static void leave_procs(MachineState *s) {
  while (s->n && kind_of(s->frames[s->n - 1]) == LEAVE) pop(s);
}

static void tidy(MachineState *s) {
  for (uint32_t i = s->n; i < MACHINE_FRAMES; i++) s->frames[i] = 0;
}

void machine_start(const Machine *m, uint32_t thread, MachineState *state) {
  *state = (MachineState){0};
  push_list(state, m->ast->threads.at[thread].first);
}

uint32_t machine_blocks(const MachineState *state) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < state->n; i++) n += kind_of(state->frames[i]) == END;
  return n;
}

/* ---- accesses ---- */

static uint32_t global_of(const Machine *m, NameId name) { return m->symbols->global_of.at[name.v]; }

/* The name that a statement assigns or calls. */
static NameId name_of(const Machine *m, const Stmt *s) { return ast_stmt_name(m->ast, s, 0)->name; }

static void add_access(MachineStep *step, uint32_t access) {
  if (step->n == MACHINE_ACCESSES) abort();
  step->accesses[step->n++] = (uint8_t)access;
}

static uint32_t find_reads(const Machine *m, Expr expr, uint32_t *items) {
  uint32_t n = 0;
  for (uint32_t i = expr.start; i < expr.start + expr.n; i++)
    if (m->ast->items.at[i].kind == EXPR_NAME && global_of(m, m->ast->items.at[i].name) != SYMBOL_NONE) items[n++] = i;
  return n;
}

/* The reads from number `from` on, each global once. */
static void add_reads(const Machine *m, Expr expr, uint32_t from, MachineStep *step) {
  uint32_t items[MACHINE_ACCESSES];
  const uint32_t n = find_reads(m, expr, items);
  bool seen[256] = {false};
  for (uint32_t i = from; i < n; i++) {
    const uint32_t object = global_of(m, m->ast->items.at[items[i]].name);
    if (!seen[object]) add_access(step, 2 * object);
    seen[object] = true;
  }
}

/* The tests that the programs here have: literals, and what is not known. */
static bool can_be(const Machine *m, Expr expr, bool outcome) {
  const ExprItem *item = &m->ast->items.at[expr.start];
  return expr.n > 1 || item->kind != EXPR_LITERAL || (item->value != 0) == outcome;
}

/* ---- steps ---- */

typedef struct {
  const Machine *m;
  MachineSteps *out;
  bool atomic;
} Run;

static bool is_same(const MachineStep *a, const MachineStep *b) {
  return a->op == b->op && a->at == b->at && a->n == b->n && !memcmp(a->accesses, b->accesses, a->n) &&
         !memcmp(&a->then, &b->then, sizeof a->then);
}

static void add_step(const Run *run, const MachineStep *step) {
  MachineSteps *out = run->out;
  if (step->then.calls > run->m->max_calls) return;
  if (out->n == MACHINE_STEPS) abort();
  MachineStep *added = &out->steps[out->n];
  *added = *step;
  leave_procs(&added->then);
  tidy(&added->then);
  for (uint32_t i = 0; i < out->n; i++)
    if (is_same(&out->steps[i], added)) return;
  out->n++;
}

static void run_atomic(const Run *run, const MachineStep *step);

/* The event is done, or the part of it in an atomic. */
static void finish(const Run *run, const MachineStep *step) {
  if (run->atomic) run_atomic(run, step);
  else add_step(run, step);
}

static void do_test(const Run *run, const Stmt *s, uint32_t id, const MachineStep *step) {
  if (can_be(run->m, s->expr, true)) {
    MachineStep yes = *step;
    if (s->kind == AST_WHILE) push(&yes.then, frame(AGAIN, 0, id));
    push_list(&yes.then, s->first);
    finish(run, &yes);
  }
  if (can_be(run->m, s->expr, false)) {
    MachineStep no = *step;
    if (s->kind == AST_IF) push_list(&no.then, s->otherwise);
    if (s->kind == AST_ASSERT) no.then.n = 0; /* it stays there */
    finish(run, &no);
  }
}

/* With single accesses as events: a read before the last event. */
static bool do_read(const Run *run, const Stmt *s, uint64_t f, const MachineStep *step) {
  uint32_t items[MACHINE_ACCESSES];
  const bool writes = s->kind == AST_ASSIGN && global_of(run->m, name_of(run->m, s)) != SYMBOL_NONE;
  const uint32_t n = find_reads(run->m, s->expr, items);
  if (run->atomic || run->m->granularity != GRANULARITY_ACCESS || phase_of(f) + !writes >= n) return false;
  MachineStep read = *step;
  read.at = run->m->ast->items.at[items[phase_of(f)]].span.at;
  add_access(&read, 2 * global_of(run->m, run->m->ast->items.at[items[phase_of(f)]].name));
  push(&read.then, frame(AGAIN, phase_of(f) + 1, stmt_of(f)));
  add_step(run, &read);
  return true;
}

static void do_call(const Run *run, const Stmt *s, MachineStep *step) {
  push(&step->then, frame(LEAVE, 0, 0));
  push_list(&step->then, run->m->ast->procs.at[run->m->symbols->proc_of.at[name_of(run->m, s).v]].first);
  step->op = MACHINE_CALL;
  if (run->atomic) run_atomic(run, step);
  else add_step(run, step);
}

static void begin_atomic(const Run *run, const Stmt *s, MachineStep *step) {
  if (!run->atomic) push(&step->then, frame(OVER, 0, 0));
  push_list(&step->then, s->first);
  run_atomic(&(Run){run->m, run->out, true}, step);
}

static void do_stmt(const Run *run, uint64_t f, MachineStep *step) {
  const uint32_t id = stmt_of(f);
  const Stmt *s = &run->m->ast->stmts.at[id];
  if (kind_of(f) == DO) push_list(&step->then, s->next);
  if (!run->atomic) step->at = s->span.at;
  const bool tests = s->kind == AST_WHILE || s->kind == AST_IF || s->kind == AST_ASSERT;
  if ((s->kind == AST_ASSIGN || tests) && do_read(run, s, f, step)) return;
  if (s->kind == AST_ASSIGN || tests || s->kind == AST_AWAIT) add_reads(run->m, s->expr, phase_of(f), step);
  switch (s->kind) {
  case AST_ASSIGN:
    if (global_of(run->m, name_of(run->m, s)) != SYMBOL_NONE)
      add_access(step, 2 * global_of(run->m, name_of(run->m, s)) + 1);
    finish(run, step);
    break;
  case AST_AWAIT:
    if (can_be(run->m, s->expr, true)) finish(run, step);
    break;
  case AST_BLOCK:
    step->op = MACHINE_BEGIN;
    push(&step->then, frame(END, 0, id));
    push_list(&step->then, s->first);
    add_step(run, step);
    break;
  case AST_WHILE:
  case AST_ASSERT:
  case AST_IF: do_test(run, s, id, step); break;
  case AST_ATOMIC: begin_atomic(run, s, step); break;
  case AST_CALL: do_call(run, s, step); break;
  case AST_P:
  case AST_V:
    add_access(step, 2 * global_of(run->m, name_of(run->m, s)));
    add_access(step, 2 * global_of(run->m, name_of(run->m, s)) + 1);
    finish(run, step);
    break;
  case AST_RDLOCK: /* not in the programs here */
  case AST_WRLOCK:
  case AST_UNLOCK:
  case AST_FORK:
  case AST_JOIN: abort();
  case AST_SKIP:
  case AST_ACQUIRE:
  case AST_RELEASE: finish(run, step); break;
  }
}

/* Goes on with an atomic that is under way in step->then. */
static void run_atomic(const Run *run, const MachineStep *step) {
  MachineStep next = *step;
  leave_procs(&next.then);
  const uint64_t f = pop(&next.then);
  next.op = MACHINE_EVENT;
  if (kind_of(f) == OVER) add_step(run, &next);
  else do_stmt(run, f, &next);
}

void machine_steps(const Machine *m, const MachineState *state, MachineSteps *steps) {
  steps->n = 0;
  if (!state->n) return;
  const Run run = {m, steps, false};
  MachineStep step = {.op = MACHINE_EVENT, .then = *state};
  const uint64_t f = pop(&step.then);
  if (kind_of(f) == END) {
    step.op = MACHINE_END;
    step.at = m->ast->stmts.at[stmt_of(f)].end.at;
    add_step(&run, &step);
  } else {
    do_stmt(&run, f, &step);
  }
}
