/* The programs are drawn so that both verdicts are frequent: some draws make a program tidy (one lock around most that
 * is done, so that blocks are often atomic), others let it run free. Sizes are drawn so that the product of the
 * threads' control points, the tracked values and the colours stays within some ten thousand states. */
#include "tests/oracle/random_sml.h"

#include "base/hash.h"
#include "tests/oracle/drawn_text.h"

#include <string.h>

enum { MAX_GLOBALS = 4, MAX_LOCKS = 2, MAX_LOCALS = 2 };

typedef struct {
  char name;
  uint32_t n_values; /* 0: abstracted */
} Variable;

typedef struct {
  DrawnText out;
  RandomSize size;
  Variable globals[MAX_GLOBALS], locals[MAX_LOCALS];
  uint32_t n_globals, n_locks, n_locals;
  bool has_proc;
  uint32_t tidy; /* per cent of the places where a lock would be taken in which it is */
  uint32_t n_blocks;
  uint32_t depth; /* of compound statements, for the layout */
  int budget;     /* statements that the thread may still have */
  bool held[MAX_LOCKS];
} Gen;

/* ---- lines ---- */

static void indent(Gen *gen) { drawn_put(&gen->out, "%*s", 2 * (int)gen->depth, ""); }

/* ---- expressions ---- */

static const Variable *draw_variable(Gen *gen) {
  const uint32_t i = drawn_number(&gen->out, gen->n_globals + gen->n_locals);
  return i < gen->n_globals ? &gen->globals[i] : &gen->locals[i - gen->n_globals];
}

/* An expression that is likely to be in the range of a variable with n values. */
static void put_value(Gen *gen, uint32_t n_values) {
  const Variable *other = draw_variable(gen);
  switch (drawn_number(&gen->out, 10)) {
  case 0: drawn_put(&gen->out, "nondet"); break;
  case 1: drawn_put(&gen->out, "%c + 1", other->name); break;
  case 2: drawn_put(&gen->out, "%c + %c", other->name, draw_variable(gen)->name); break;
  case 3: drawn_put(&gen->out, "%s", drawn_chance(&gen->out, 50) ? "x" : "y"); break; /* abstracted locals */
  case 4:
  case 5: drawn_put(&gen->out, "%c", other->name); break;
  case 6: drawn_put(&gen->out, "-(%c - 2) * 3", other->name); break;
  default:
    if (n_values == 2) drawn_put(&gen->out, drawn_chance(&gen->out, 50) ? "true" : "false");
    else drawn_put(&gen->out, "%u", drawn_number(&gen->out, n_values ? n_values : 6));
  }
}

static void put_test(Gen *gen) {
  const Variable *v = draw_variable(gen);
  const uint32_t value = drawn_number(&gen->out, v->n_values ? v->n_values : 4);
  static const char *const operators[] = {"=", "!=", "<", ">=", "==", ">"};
  switch (drawn_number(&gen->out, 9)) {
  case 0: drawn_put(&gen->out, "%c", v->name); break;
  case 1: drawn_put(&gen->out, "!%c", v->name); break;
  case 2:
    drawn_put(&gen->out, "%c = %u && %c != %u", v->name, value, draw_variable(gen)->name, drawn_number(&gen->out, 2));
    break;
  case 3:
    drawn_put(&gen->out, "%c = %u || %c = %u", v->name, value, draw_variable(gen)->name, drawn_number(&gen->out, 2));
    break;
  case 4: drawn_put(&gen->out, "%s", drawn_chance(&gen->out, 30) ? "true" : "nondet = 1"); break;
  default: drawn_put(&gen->out, "%c %s %u", v->name, operators[drawn_number(&gen->out, 6)], value);
  }
}

/* ---- statements ---- */

static void put_statements(Gen *gen, uint32_t most);

static void put_assignment(Gen *gen) {
  if (drawn_chance(&gen->out, 12)) {
    drawn_put(&gen->out, "%s := ", drawn_chance(&gen->out, 50) ? "x" : "y");
    put_value(gen, 0);
  } else {
    const Variable *v = draw_variable(gen);
    drawn_put(&gen->out, "%c := ", v->name);
    put_value(gen, v->n_values);
  }
}

static void put_simple(Gen *gen) {
  indent(gen);
  if (drawn_chance(&gen->out, 4)) drawn_put(&gen->out, "skip");
  else put_assignment(gen);
  drawn_put(&gen->out, ";\n");
}

/* The statements between an opening and a closing line. */
static void put_body(Gen *gen, uint32_t most) {
  gen->depth++;
  put_statements(gen, most);
  gen->depth--;
}

static void put_if(Gen *gen) {
  indent(gen);
  drawn_put(&gen->out, "if (");
  put_test(gen);
  drawn_put(&gen->out, ") {\n");
  put_body(gen, 2);
  if (drawn_chance(&gen->out, 10)) {
    indent(gen);
    drawn_put(&gen->out, "} else if (");
    put_test(gen);
    drawn_put(&gen->out, ") {\n");
    put_body(gen, 1);
  }
  if (drawn_chance(&gen->out, 40)) {
    indent(gen);
    drawn_put(&gen->out, "} else {\n");
    put_body(gen, 2);
  }
  indent(gen);
  drawn_put(&gen->out, "}\n");
}

static void put_while(Gen *gen) {
  indent(gen);
  drawn_put(&gen->out, "while (");
  put_test(gen);
  drawn_put(&gen->out, ") {\n");
  put_body(gen, 2);
  indent(gen);
  drawn_put(&gen->out, "}\n");
}

static void put_atomic(Gen *gen) {
  indent(gen);
  drawn_put(&gen->out, "atomic {\n");
  gen->depth++;
  put_simple(gen);
  if (drawn_chance(&gen->out, 70)) put_simple(gen);
  gen->depth--;
  indent(gen);
  drawn_put(&gen->out, "}\n");
}

static void put_await(Gen *gen) {
  indent(gen);
  drawn_put(&gen->out, "await (");
  put_test(gen);
  drawn_put(&gen->out, ");\n");
}

static void put_begin(Gen *gen) {
  gen->n_blocks++;
  if (drawn_chance(&gen->out, 50)) drawn_put(&gen->out, "begin:B%u", gen->n_blocks);
  else drawn_put(&gen->out, "begin");
}

static void put_block(Gen *gen) {
  indent(gen);
  put_begin(gen);
  drawn_put(&gen->out, "\n");
  put_body(gen, 4);
  indent(gen);
  drawn_put(&gen->out, "end;\n");
}

/* One or two blocks on one line. */
static void put_line_of_blocks(Gen *gen) {
  indent(gen);
  for (uint32_t i = 0; i < 2; i++) {
    put_begin(gen);
    drawn_put(&gen->out, " ");
    put_assignment(gen);
    drawn_put(&gen->out, "; ");
    if (drawn_chance(&gen->out, 50)) put_assignment(gen);
    drawn_put(&gen->out, " end%s", i ? ";\n" : "; ");
  }
  gen->budget -= 3;
}

static void put_locked(Gen *gen, bool only_block) {
  const uint32_t lock = drawn_number(&gen->out, gen->n_locks);
  if (gen->held[lock] && !drawn_chance(&gen->out, 3)) {
    put_simple(gen);
    return;
  }
  indent(gen);
  drawn_put(&gen->out, "acquire(%c);\n", 'l' + (char)lock);
  gen->held[lock] = true;
  if (only_block) put_block(gen);
  else put_statements(gen, 3);
  gen->held[lock] = false;
  if (drawn_chance(&gen->out, 2)) return; /* forgotten */
  indent(gen);
  drawn_put(&gen->out, "release(%c);\n", 'l' + (char)lock);
}

static void put_compound(Gen *gen) {
  const bool small = gen->size != RANDOM_TINY;
  gen->budget--;
  switch (drawn_number(&gen->out, 10)) {
  case 0:
  case 1: put_if(gen); break;
  case 2:
  case 3:
    if (small) put_while(gen);
    else put_if(gen);
    break;
  case 4: put_atomic(gen); break;
  case 5: put_await(gen); break;
  case 6:
    indent(gen);
    if (gen->has_proc) drawn_put(&gen->out, "call p;\n");
    else drawn_put(&gen->out, "skip;\n");
    break;
  case 7: put_line_of_blocks(gen); break;
  default: put_block(gen);
  }
}

static void put_statement(Gen *gen) {
  gen->budget--;
  if (gen->n_locks && drawn_chance(&gen->out, 10 + gen->tidy / 3)) put_locked(gen, drawn_chance(&gen->out, gen->tidy));
  else if (gen->depth < 4 && gen->budget > 0 && drawn_chance(&gen->out, 35)) put_compound(gen);
  else if (gen->n_locks && drawn_chance(&gen->out, 1)) {
    indent(gen);
    drawn_put(&gen->out, "release(%c);\n", 'l' + (char)drawn_number(&gen->out, gen->n_locks));
  } else put_simple(gen);
}

/* One statement, or some, but no more than `most` and the budget. */
static void put_statements(Gen *gen, uint32_t most) {
  const uint32_t n = 1 + drawn_number(&gen->out, most);
  for (uint32_t i = 0; i < n && (i == 0 || gen->budget > 0); i++) put_statement(gen);
}

/* ---- the program ---- */

static void put_globals(Gen *gen) {
  gen->n_globals = 1 + drawn_number(&gen->out, gen->size == RANDOM_TINY ? 3 : MAX_GLOBALS);
  for (uint32_t i = 0; i < gen->n_globals; i++) {
    const uint32_t kind = drawn_number(&gen->out, 5);
    const uint32_t n_values = kind < 3 ? 0 : kind == 3 ? 2 : 2 + drawn_number(&gen->out, 2);
    gen->globals[i] = (Variable){"XYZW"[i], n_values};
    if (n_values == 0) drawn_put(&gen->out, "int %c;\n", gen->globals[i].name);
    else if (kind == 3)
      drawn_put(&gen->out, "bool %c%s;\n", gen->globals[i].name, drawn_chance(&gen->out, 20) ? " := true" : "");
    else drawn_put(&gen->out, "int[%u] %c;\n", n_values, gen->globals[i].name);
  }
  gen->n_locks = drawn_chance(&gen->out, gen->tidy ? 90 : 30) ? 1 + drawn_number(&gen->out, MAX_LOCKS) : 0;
  for (uint32_t i = 0; i < gen->n_locks; i++) drawn_put(&gen->out, "lock %c;\n", 'l' + (char)i);
}

static void put_proc(Gen *gen) {
  gen->has_proc = false;
  if (!drawn_chance(&gen->out, 15)) return;
  drawn_put(&gen->out, "proc p {\n");
  gen->budget = 2;
  gen->n_locals = 0;
  put_body(gen, 2);
  drawn_put(&gen->out, "}\n");
  gen->has_proc = true;
}

static void put_locals(Gen *gen) {
  gen->n_locals = drawn_chance(&gen->out, gen->size == RANDOM_TINY ? 15 : 30) ? 1 : 0;
  if (!gen->n_locals) return;
  gen->locals[0] = (Variable){'f', 2};
  indent(gen);
  drawn_put(&gen->out, "local bool f;\n");
}

/* count: "2", "N"; NULL: it is a single one. */
static void put_thread(Gen *gen, const char *count, int budget) {
  gen->budget = budget;
  memset(gen->held, 0, sizeof gen->held);
  if (count) drawn_put(&gen->out, "%s * {\n", count);
  gen->depth = count != NULL;
  put_locals(gen);
  put_statements(gen, 4);
  while (gen->budget > 0 && drawn_chance(&gen->out, 70)) put_statement(gen);
  if (!gen->n_blocks) put_block(gen);
  gen->depth = 0;
  if (count) drawn_put(&gen->out, "}\n");
}

static uint32_t draw_threads(Gen *gen) {
  if (gen->size == RANDOM_OPEN) return 1 + drawn_number(&gen->out, 3);
  if (gen->size == RANDOM_WIDE) return 4 + drawn_number(&gen->out, 3);
  const uint32_t n = 2 + (drawn_chance(&gen->out, 55) ? 1 : 0);
  return gen->size == RANDOM_SMALL && drawn_chance(&gen->out, 12) ? 4 : n;
}

/* Statements of a thread. */
static int budget_of(RandomSize size, uint32_t n_threads) {
  switch (size) {
  case RANDOM_TINY: return n_threads == 2 ? 6 : 4;
  case RANDOM_SMALL: return n_threads == 2 ? 14 : n_threads == 3 ? 9 : 7;
  case RANDOM_OPEN: return n_threads == 1 ? 8 : n_threads == 2 ? 5 : 3;
  case RANDOM_WIDE: break;
  }
  return n_threads == 4 ? 5 : n_threads == 5 ? 4 : 3;
}

static void put_threads(Gen *gen, uint32_t n_threads) {
  const int budget = budget_of(gen->size, n_threads);
  for (uint32_t left = n_threads; left;) {
    const bool copies = left >= 2 && drawn_chance(&gen->out, gen->size == RANDOM_WIDE ? 25 : 8);
    put_thread(gen, copies ? "2" : NULL, budget);
    left -= copies ? 2 : 1;
    if (left) drawn_put(&gen->out, "||\n");
  }
}

/* At least the first of them N times. */
static void put_open_threads(Gen *gen, uint32_t n_threads) {
  for (uint32_t i = 0; i < n_threads; i++) {
    if (i) drawn_put(&gen->out, "||\n");
    const bool is_open = i == 0 || drawn_chance(&gen->out, 50);
    put_thread(gen, !is_open ? NULL : i && drawn_chance(&gen->out, 50) ? "M" : "N", budget_of(gen->size, n_threads));
  }
}

void random_sml(Heap *heap, uint64_t seed, RandomSize size, CharVec *text) {
  static const uint64_t offsets[] = {
      [RANDOM_TINY] = 1, [RANDOM_SMALL] = 0, [RANDOM_WIDE] = (uint64_t)1 << 40, [RANDOM_OPEN] = (uint64_t)1 << 41};
  Gen gen = {.out = {heap, text, hash_word(seed * 2 + offsets[size]), 0}, .size = size};
  gen.tidy = drawn_chance(&gen.out, 60) ? 40 + drawn_number(&gen.out, 60) : 0;
  put_globals(&gen);
  put_proc(&gen);
  const uint32_t n_threads = draw_threads(&gen);
  if (size == RANDOM_OPEN) put_open_threads(&gen, n_threads);
  else put_threads(&gen, n_threads);
}
