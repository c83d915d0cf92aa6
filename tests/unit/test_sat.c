/* The SAT solver and the numbers made of its literals, against trying all values. */
#include "base/hash.h"
#include "base/sat.h"
#include "base/unary.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

enum { MAX_VARIABLES = 16, MAX_CLAUSES = 80 };

/* A formula written down beside the solver: `clauses` of three literals each, which may be alike. */
typedef struct {
  Heap *heap;
  SatSolver *solver;
  uint32_t n_variables, n_clauses;
  SatLiteral variable[MAX_VARIABLES], clause[MAX_CLAUSES][3];
} Formula;

static Formula formula_of(uint32_t n_variables) {
  Formula f = {.heap = heap_new(0), .n_variables = n_variables};
  Err err;
  f.solver = sat_new(f.heap, &err);
  for (uint32_t i = 0; i < n_variables; i++) f.variable[i] = sat_add_variable(f.solver);
  return f;
}

static void formula_end(Formula *f) {
  sat_free(f->solver);
  CU_ASSERT_EQUAL(heap_used(f->heap), 0);
  heap_free(f->heap);
}

static void formula_add(Formula *f, SatLiteral a, SatLiteral b, SatLiteral c) {
  sat_add_3(f->solver, a, b, c);
  f->clause[f->n_clauses][0] = a;
  f->clause[f->n_clauses][1] = b;
  f->clause[f->n_clauses++][2] = c;
}

/* Variable i has the value of bit i. */
static bool holds(const Formula *f, SatLiteral literal, uint32_t values) {
  for (uint32_t i = 0; i < f->n_variables; i++) {
    if (literal.v == f->variable[i].v) return values >> i & 1;
    if (literal.v == sat_not(f->variable[i]).v) return !(values >> i & 1);
  }
  CU_FAIL("a literal that nobody made");
  return false;
}

static bool is_model(const Formula *f, uint32_t values) {
  for (uint32_t i = 0; i < f->n_clauses; i++) {
    const SatLiteral *c = f->clause[i];
    if (!holds(f, c[0], values) && !holds(f, c[1], values) && !holds(f, c[2], values)) return false;
  }
  return true;
}

/* Is there a model with this literal? All are allowed by SAT_NONE. */
static bool has_model(const Formula *f, SatLiteral with) {
  for (uint32_t values = 0; values >> f->n_variables == 0; values++)
    if (is_model(f, values) && (with.v == SAT_NONE.v || holds(f, with, values))) return true;
  return false;
}

static uint32_t values_of(const Formula *f) {
  uint32_t values = 0;
  for (uint32_t i = 0; i < f->n_variables; i++) {
    CU_ASSERT_EQUAL(sat_value(f->solver, f->variable[i]), !sat_value(f->solver, sat_not(f->variable[i])));
    values |= (uint32_t)sat_value(f->solver, f->variable[i]) << i;
  }
  return values;
}

/* ---- the solver ---- */

static void small_formulas(void) {
  Formula f = formula_of(3);
  SatSolver *s = f.solver;
  const SatLiteral a = f.variable[0], b = f.variable[1], c = f.variable[2];
  CU_ASSERT_EQUAL(sat_solve(s), SAT_YES);
  CU_ASSERT_EQUAL(values_of(&f), 0); /* it tries false first */
  sat_add_2(s, a, b);
  sat_add_2(s, sat_not(a), sat_not(b));
  sat_add_3(s, c, sat_not(c), a); /* says nothing */
  sat_add_2(s, c, c);
  CU_ASSERT_EQUAL(sat_solve(s), SAT_YES);
  CU_ASSERT_TRUE(values_of(&f) == 5 || values_of(&f) == 6);
  sat_add_1(s, a);
  CU_ASSERT_EQUAL(sat_solve(s), SAT_YES);
  CU_ASSERT_EQUAL(values_of(&f), 5);
  sat_add_1(s, b);
  CU_ASSERT_EQUAL(sat_solve(s), SAT_NO);
  CU_ASSERT_EQUAL(sat_solve(s), SAT_NO);
  formula_end(&f);
}

static void no_clause_is_true_and_an_empty_one_is_not(void) {
  Formula f = formula_of(0);
  CU_ASSERT_EQUAL(sat_solve(f.solver), SAT_YES);
  sat_end_clause(f.solver);
  CU_ASSERT_EQUAL(sat_solve(f.solver), SAT_NO);
  sat_add_1(f.solver, sat_add_variable(f.solver));
  CU_ASSERT_EQUAL(sat_solve(f.solver), SAT_NO);
  formula_end(&f);
  sat_free(NULL);
}

static void assumptions_hold_once(void) {
  Formula f = formula_of(2);
  const SatLiteral a = f.variable[0], b = f.variable[1];
  sat_add_2(f.solver, a, b);
  for (int i = 0; i < 3; i++) {
    sat_assume(f.solver, sat_not(a));
    sat_assume(f.solver, sat_not(b));
    CU_ASSERT_EQUAL(sat_solve(f.solver), SAT_NO);
    CU_ASSERT_EQUAL(sat_solve(f.solver), SAT_YES);
    sat_assume(f.solver, sat_not(b));
    CU_ASSERT_EQUAL(sat_solve(f.solver), SAT_YES);
    CU_ASSERT_EQUAL(values_of(&f), 1);
  }
  formula_end(&f);
}

static SatLiteral any_literal(const Formula *f, uint64_t *random) {
  const uint64_t bits = hash_word(++*random);
  const SatLiteral variable = f->variable[(bits >> 8) % f->n_variables];
  return bits & 1 ? variable : sat_not(variable);
}

/* One clause after the other, until there is no model; in between every literal is assumed. */
static void agrees_with_trying_all_values(void) {
  uint32_t n_yes = 0, n_no = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t random = seed << 32;
    Formula f = formula_of(10);
    bool satisfiable = true;
    while (satisfiable && f.n_clauses < MAX_CLAUSES) {
      formula_add(&f, any_literal(&f, &random), any_literal(&f, &random), any_literal(&f, &random));
      const SatLiteral with = any_literal(&f, &random);
      sat_assume(f.solver, with);
      const bool possible = sat_solve(f.solver) == SAT_YES;
      CU_ASSERT_EQUAL(possible, has_model(&f, with));
      if (possible) CU_ASSERT_TRUE(is_model(&f, values_of(&f)) && holds(&f, with, values_of(&f)));
      satisfiable = sat_solve(f.solver) == SAT_YES;
      CU_ASSERT_EQUAL(satisfiable, has_model(&f, SAT_NONE));
      if (satisfiable) CU_ASSERT_TRUE(is_model(&f, values_of(&f)));
      n_yes += possible;
      n_no += !possible;
    }
    formula_end(&f);
  }
  CU_ASSERT_TRUE(n_yes > 500 && n_no > 100);
}

/* n pigeons in n - 1 holes: hard for any search of this kind. */
static void add_pigeons(SatSolver *solver, uint32_t n) {
  SatLiteral in[16][16];
  for (uint32_t p = 0; p < n; p++) {
    for (uint32_t h = 0; h + 1 < n; h++) sat_push(solver, in[p][h] = sat_add_variable(solver));
    sat_end_clause(solver);
    for (uint32_t q = 0; q < p; q++)
      for (uint32_t h = 0; h + 1 < n; h++) sat_add_2(solver, sat_not(in[p][h]), sat_not(in[q][h]));
  }
}

static bool count_down(void *left) { return --*(int *)left < 0; }

static void searches_can_be_stopped(void) {
  Formula f = formula_of(0);
  int left = 2;
  add_pigeons(f.solver, 12);
  sat_set_stop(f.solver, count_down, &left);
  CU_ASSERT_EQUAL(sat_solve(f.solver), SAT_UNKNOWN);
  CU_ASSERT_EQUAL(left, -1);
  CU_ASSERT_EQUAL(sat_solve(f.solver), SAT_UNKNOWN);
  sat_end_clause(f.solver);
  CU_ASSERT_EQUAL(sat_solve(f.solver), SAT_NO);
  formula_end(&f);
}

static void stopped_searches_go_on(void) {
  Formula f = formula_of(0);
  uint32_t n_stops = 0;
  int left = 0;
  add_pigeons(f.solver, 8);
  sat_set_stop(f.solver, count_down, &left);
  SatAnswer answer;
  while ((answer = sat_solve(f.solver)) == SAT_UNKNOWN && n_stops < 10000) n_stops++, left = 0;
  CU_ASSERT_EQUAL(answer, SAT_NO);
  CU_ASSERT_TRUE(n_stops > 0);
  formula_end(&f);
}

/* The same calls in the same order, with other addresses. */
static void answers_are_the_same_every_time(void) {
  Formula f = formula_of(16), g;
  char *other = heap_alloc(f.heap, 12345);
  g = formula_of(16);
  for (uint64_t random_f = 5, random_g = 5, i = 0; i < 60; i++) {
    formula_add(&f, any_literal(&f, &random_f), any_literal(&f, &random_f), any_literal(&f, &random_f));
    formula_add(&g, any_literal(&g, &random_g), any_literal(&g, &random_g), any_literal(&g, &random_g));
    CU_ASSERT_EQUAL_FATAL(sat_solve(f.solver), SAT_YES);
    CU_ASSERT_EQUAL_FATAL(sat_solve(g.solver), SAT_YES);
    CU_ASSERT_EQUAL(values_of(&f), values_of(&g));
  }
  heap_release(f.heap, other);
  formula_end(&f);
  formula_end(&g);
}

static void solve_pigeons(void *heap) {
  Err err;
  SatSolver *solver = sat_new(heap, &err);
  add_pigeons(solver, 6);
  CU_ASSERT_EQUAL(sat_solve(solver), SAT_NO);
  sat_free(solver);
}

/* The n-th allocation fails, wherever PicoSAT makes it; the heap knows all that is left. */
static void memory_may_run_out_anywhere(void) {
  uint64_t nth = 0;
  for (bool done = false; !done; nth++) {
    Heap *heap = heap_new(0);
    heap_fail_at(heap, nth + 1);
    done = heap_try(heap, solve_pigeons, heap);
    if (done) CU_ASSERT_EQUAL(heap_used(heap), 0);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(nth > 100);
}

typedef struct {
  Heap *heap;
  SatSolver *solver;
} Losing;

static void lose_pigeons(void *argument) {
  Losing *losing = argument;
  Err err;
  losing->solver = sat_new(losing->heap, &err);
  add_pigeons(losing->solver, 6);
  sat_solve(losing->solver);
}

/* A solver in which memory ran out is not touched by PicoSAT again, though it is freed as any other. */
static void a_lost_solver_can_be_freed(void) {
  bool done = false;
  for (uint64_t nth = 1; !done; nth++) {
    Losing losing = {.heap = heap_new(0)};
    heap_fail_at(losing.heap, nth);
    done = heap_try(losing.heap, lose_pigeons, &losing);
    sat_free(losing.solver);
    heap_free(losing.heap);
  }
}

static void solve_many_pigeons(void *heap) {
  Err err;
  SatSolver *solver = sat_new(heap, &err);
  add_pigeons(solver, 14);
  sat_solve(solver);
}

/* A search that would last very long ends at the limit. */
static void the_limit_of_the_heap_is_kept(void) {
  Heap *heap = heap_new(400000);
  CU_ASSERT_FALSE(heap_try(heap, solve_many_pigeons, heap));
  CU_ASSERT_TRUE(heap_peak(heap) > 200000 && heap_peak(heap) <= 400000);
  heap_free(heap);
}

/* ---- numbers ---- */

/* Numbers up to `most[i]` whose values are `value[i]`: their sum can be below a bound iff it is. */
static void check_sum(const uint32_t *most, const uint32_t *value, uint32_t n, uint32_t bound) {
  Formula f = formula_of(0);
  Unary numbers[16] = {0};
  uint32_t sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    unary_extend(f.solver, f.heap, &numbers[i], most[i]);
    if (value[i]) sat_add_1(f.solver, numbers[i].at[value[i] - 1]);
    sum += value[i];
  }
  CU_ASSERT_TRUE(unary_add_up(f.solver, f.heap, numbers, n, bound, 100000));
  for (uint32_t i = 1; i < n; i++) CU_ASSERT_EQUAL(numbers[i].n, 0);
  CU_ASSERT_TRUE(numbers[0].n <= bound);
  for (uint32_t below = 1; below <= numbers[0].n; below++) {
    sat_assume(f.solver, sat_not(numbers[0].at[below - 1]));
    CU_ASSERT_EQUAL(sat_solve(f.solver) == SAT_YES, sum < below);
  }
  CU_ASSERT_TRUE(numbers[0].n >= (sum < bound ? sum : bound));
  vec_fini(f.heap, &numbers[0]);
  formula_end(&f);
}

static void sums_are_sums(void) {
  for (uint64_t seed = 1, random = 0; seed <= 500; seed++) {
    uint32_t most[16], value[16], largest = 1;
    const uint32_t n = 1 + (uint32_t)(hash_word(++random) % 12);
    for (uint32_t i = 0; i < n; i++) {
      most[i] = (uint32_t)(hash_word(++random) % 6);
      value[i] = (uint32_t)(hash_word(++random) % (most[i] + 1));
      if (most[i] > largest) largest = most[i];
    }
    check_sum(most, value, n, largest + (uint32_t)(hash_word(++random) % 20));
  }
}

static void long_sums_are_refused(void) {
  Formula f = formula_of(0);
  Unary numbers[2] = {0};
  unary_extend(f.solver, f.heap, &numbers[0], 9);
  unary_extend(f.solver, f.heap, &numbers[1], 9);
  CU_ASSERT_FALSE(unary_add_up(f.solver, f.heap, numbers, 2, 18, 99));
  CU_ASSERT_EQUAL(numbers[1].n, 9);
  CU_ASSERT_TRUE(unary_add_up(f.solver, f.heap, numbers, 2, 18, 100));
  CU_ASSERT_EQUAL(numbers[0].n, 18);
  vec_fini(f.heap, &numbers[0]);
  formula_end(&f);
}

void suite_sat(void) {
  CU_pSuite suite = CU_add_suite("sat", NULL, NULL);
  CU_ADD_TEST(suite, small_formulas);
  CU_ADD_TEST(suite, no_clause_is_true_and_an_empty_one_is_not);
  CU_ADD_TEST(suite, assumptions_hold_once);
  CU_ADD_TEST(suite, agrees_with_trying_all_values);
  CU_ADD_TEST(suite, searches_can_be_stopped);
  CU_ADD_TEST(suite, stopped_searches_go_on);
  CU_ADD_TEST(suite, answers_are_the_same_every_time);
  CU_ADD_TEST(suite, memory_may_run_out_anywhere);
  CU_ADD_TEST(suite, a_lost_solver_can_be_freed);
  CU_ADD_TEST(suite, the_limit_of_the_heap_is_kept);
  CU_ADD_TEST(suite, sums_are_sums);
  CU_ADD_TEST(suite, long_sums_are_refused);
}
