/* Shapes of random jumps, loops and blocks take the steps that the jumps take, whatever way each test goes. */
#include "base/hash.h"
#include "program/shape.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

enum { LONGEST = 200 };

static uint32_t pick(uint64_t *random, uint32_t below) { return (uint32_t)(hash_word(++*random) >> 33) % below; }

/* ---- random procs: operations outside, and in a block with two ends ---- */

typedef struct {
  Program *program;
  uint64_t *random;
  uint32_t outside, inside, begin, ends,
      last; /* numbers of operations; the outer ones come first, then the inner ones */
} Maker;

static uint32_t pick_outside(const Maker *m) {
  const uint32_t n = pick(m->random, m->outside + 2);
  return n < m->outside ? n : n == m->outside ? m->begin : m->last;
}

static uint32_t pick_inside(const Maker *m) {
  const uint32_t n = pick(m->random, m->inside + 2);
  return n < m->inside ? m->outside + n : m->ends + n - m->inside;
}

static void add(const Maker *m, OpKind kind, uint32_t next, uint32_t otherwise) {
  const uint32_t op = program_add_op(m->program, kind);
  m->program->ops.at[op].next = next;
  if (kind == OP_TEST) m->program->ops.at[op].otherwise = otherwise;
}

/* A jump leads forward, to no jump: a circle of jumps alone is no program. */
static void add_some(const Maker *m, uint32_t (*target)(const Maker *)) {
  const uint32_t here = m->program->ops.n, n = pick(m->random, 8);
  const OpKind kind = n < 5 ? OP_TEST : n < 7 ? OP_SKIP : OP_JUMP;
  const uint32_t next = target(m), otherwise = target(m);
  const bool jumps_back = kind == OP_JUMP && next <= here;
  add(m, jumps_back ? OP_SKIP : kind, next, otherwise);
}

static void make(Maker *m) {
  m->outside = 1 + pick(m->random, 8);
  m->inside = 1 + pick(m->random, 6);
  m->begin = m->outside + m->inside;
  m->ends = m->begin + 1;
  m->last = m->ends + 2;
  for (uint32_t i = 0; i < m->outside; i++) add_some(m, pick_outside);
  for (uint32_t i = 0; i < m->inside; i++) add_some(m, pick_inside);
  add(m, OP_BEGIN, pick_inside(m), 0);
  for (int i = 0; i < 2; i++) add(m, OP_END, pick_outside(m), 0);
  add(m, OP_RETURN, PROGRAM_NONE, 0);
  vec_push(m->program->heap, &m->program->procs, ((ProgramProc){0, m->last + 1, "random"}));
}

/* ---- what is done ---- */

typedef struct {
  const Program *program;
  const Shapes *shapes;
  uint64_t random; /* which way tests go */
  uint32_t done[LONGEST], n, way;
} Run;

/* Does that operation. False: it is enough. */
static bool step(Run *r, uint32_t op) {
  if (r->n == LONGEST) return false;
  r->done[r->n++] = op;
  return true;
}

static void run_jumps(Run *r) {
  for (uint32_t op = 0;;) {
    const ProgramOp *o = &r->program->ops.at[op];
    if (o->kind == OP_RETURN) return;
    if (o->kind != OP_JUMP && o->kind != OP_END && !step(r, op)) return;
    op = o->kind == OP_TEST && pick(&r->random, 2) ? o->otherwise : o->next;
  }
}

static bool run_list(Run *r, uint32_t shape);

static bool is_wanted(const Run *r, const Shape *loop) {
  for (uint32_t i = 0; i < loop->n_labels; i++)
    if (r->shapes->labels.at[loop->labels + i] == r->way) return true;
  return !loop->n_labels;
}

static bool run_while(Run *r, const Shape *s) {
  for (;;) {
    if (!step(r, s->op)) return false;
    const bool no = pick(&r->random, 2);
    if (no != s->negated) return true;
    if (!run_list(r, s->first)) return false;
  }
}

static bool run_case(Run *r, const Shape *s) {
  while (s->op != r->way && s->otherwise != PROGRAM_NONE) s = &r->shapes->at.at[s->otherwise];
  return s->op != r->way || run_list(r, s->first);
}

static bool run_shape(Run *r, const Shape *s) {
  switch (s->kind) {
  case SHAPE_OP: return step(r, s->op);
  case SHAPE_IF: return step(r, s->op) && run_list(r, pick(&r->random, 2) ? s->otherwise : s->first);
  case SHAPE_WHILE: return run_while(r, s);
  case SHAPE_LOOP:
    for (int i = 0; is_wanted(r, s); i++)
      if (i > LONGEST || !run_list(r, s->first)) return false;
    return true;
  case SHAPE_CASE: return run_case(r, s);
  case SHAPE_GO: r->way = s->needed ? s->op : r->way; return true;
  case SHAPE_BLOCK: return step(r, s->op) && run_list(r, s->first);
  case SHAPE_ATOMIC: return false;
  }
  return false;
}

static bool run_list(Run *r, uint32_t shape) {
  for (; shape != PROGRAM_NONE; shape = r->shapes->at.at[shape].next)
    if (!run_shape(r, &r->shapes->at.at[shape])) return false;
  return true;
}

static bool are_equal(const Run *a, const Run *b) {
  bool equal = a->n == b->n;
  for (uint32_t i = 0; i < a->n && equal; i++) equal = a->done[i] == b->done[i];
  return equal;
}

static bool compare(const Program *program, const Shapes *shapes, uint64_t seed) {
  static Run jumps, shaped;
  jumps = (Run){.program = program, .random = seed};
  shaped = (Run){.program = program, .shapes = shapes, .random = seed, .way = PROGRAM_NONE};
  run_jumps(&jumps);
  run_list(&shaped, shapes->first);
  return are_equal(&jumps, &shaped);
}

static void check_seed(Heap *heap, uint64_t seed) {
  Program program;
  Shapes shapes;
  Err err;
  uint64_t random = hash_word(seed);
  program_init(&program, heap);
  Maker maker = {.program = &program, .random = &random};
  make(&maker);
  bool good = shape_proc(&program, 0, heap, &shapes, &err);
  for (uint64_t i = 0; i < 30 && good; i++) good = compare(&program, &shapes, hash_word(seed * 30 + i));
  if (!good) printf("shape: seed %llu\n", (unsigned long long)seed);
  CU_ASSERT_TRUE_FATAL(good);
  shape_fini(&shapes);
  program_fini(&program);
}

static void test_random(void) {
  Heap *heap = heap_new(0);
  for (uint64_t seed = 1; seed <= 3000; seed++) check_seed(heap, seed);
  heap_free(heap);
}

static void test_too_deep(void) {
  Heap *heap = heap_new(0);
  Program program;
  Shapes shapes;
  Err err;
  enum { N = 2 * SHAPE_MOST };
  program_init(&program, heap);
  for (uint32_t i = 0; i < N; i++) { /* each may be the last one */
    program_add_op(&program, OP_TEST);
    program.ops.at[i].otherwise = N;
  }
  program_add_op(&program, OP_RETURN);
  vec_push(heap, &program.procs, ((ProgramProc){0, N + 1, "deep"}));
  CU_ASSERT_FALSE(shape_proc(&program, 0, heap, &shapes, &err));
  CU_ASSERT_STRING_EQUAL(err.text, "a thread, 'deep', would be nested deeper than 900");
  shape_fini(&shapes);
  program_fini(&program);
  heap_free(heap);
}

void suite_shape(void);
void suite_shape(void) {
  CU_pSuite suite = CU_add_suite("shapes", NULL, NULL);
  CU_add_test(suite, "random jumps", test_random);
  CU_add_test(suite, "what would be nested too deep is refused", test_too_deep);
}
