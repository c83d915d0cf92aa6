#include "base/sat.h"

#include "base/library.h"

#include <assert.h>
#include <limits.h>
#include <picosat/picosat.h>

/* What is used of PicoSAT, which is loaded by whoever needs a solver. */
#define PICOSAT(X)                    \
  X(picosat_minit)                    \
  X(picosat_set_global_default_phase) \
  X(picosat_reset)                    \
  X(picosat_inc_max_var)              \
  X(picosat_add)                      \
  X(picosat_set_interrupt)            \
  X(picosat_assume)                   \
  X(picosat_set_propagation_limit)    \
  X(picosat_sat)                      \
  X(picosat_propagations)             \
  X(picosat_deref)

typedef struct {
  PICOSAT(LIBRARY_POINTER)
} Picosat;

struct SatSolver {
  Heap *heap;
  Picosat library;
  PicoSAT *pico;
  uint32_t n_variables, n_clauses, n_pushed; /* pushed: literals of the clause that is not yet ended */
  bool (*stop)(void *argument);
  void *argument;
  bool lost; /* it was left by a jump */
};

/* ---- PicoSAT's memory ----
 *
 * PicoSAT cannot be told that there is no memory: it would end the process. So it is left by a jump. That is safe: its
 * pieces are the heap's, it keeps nothing outside of them, and a solver that was left so is not touched again; the heap
 * frees the pieces. */

static void *give(void *argument, size_t size) {
  SatSolver *solver = argument;
  solver->lost = true;
  void *piece = heap_alloc(solver->heap, size);
  solver->lost = false;
  return piece;
}

static void take(void *solver, void *piece, size_t size) {
  (void)size;
  heap_release(((SatSolver *)solver)->heap, piece);
}

/* Without bytes a piece is NULL for PicoSAT. */
static void *resize(void *argument, void *piece, size_t old_size, size_t size) {
  SatSolver *solver = argument;
  if (!size) return take(solver, piece, old_size), NULL;
  solver->lost = true;
  void *larger = heap_resize(solver->heap, piece, size);
  solver->lost = false;
  return larger;
}

/* ---- the formula ---- */

/* The manual of PicoSAT's interface has 0 for "false", its code has 1. */
enum { PHASE_FALSE = 1 };

static bool load(Picosat *library, Err *err) {
  const LibraryName names[] = {PICOSAT(LIBRARY_NAME)};
  return library_load(LIBPICOSAT, names, sizeof names / sizeof *names, err);
}

SatSolver *sat_new(Heap *heap, Err *err) {
  Picosat library;
  if (!load(&library, err)) return NULL;
  SatSolver *solver = heap_zeroed(heap, sizeof *solver);
  solver->heap = heap;
  solver->library = library;
  solver->pico = library.picosat_minit(solver, give, resize, take);
  library.picosat_set_global_default_phase(solver->pico, PHASE_FALSE);
  return solver;
}

void sat_free(SatSolver *solver) {
  if (!solver) return;
  if (!solver->lost) solver->library.picosat_reset(solver->pico);
  heap_release(solver->heap, solver);
}

static void count(SatSolver *solver, uint32_t *counter) {
  if (*counter == SAT_MAX) heap_give_up(solver->heap);
  ++*counter;
}

SatLiteral sat_add_variable(SatSolver *solver) {
  assert(!solver->lost);
  count(solver, &solver->n_variables);
  return (SatLiteral){solver->library.picosat_inc_max_var(solver->pico)};
}

static bool is_literal(const SatSolver *solver, SatLiteral literal) {
  const int n = (int)solver->n_variables;
  return literal.v != 0 && literal.v >= -n && literal.v <= n;
}

void sat_push(SatSolver *solver, SatLiteral literal) {
  assert(!solver->lost && is_literal(solver, literal));
  count(solver, &solver->n_pushed);
  solver->library.picosat_add(solver->pico, literal.v);
}

void sat_end_clause(SatSolver *solver) {
  assert(!solver->lost);
  count(solver, &solver->n_clauses);
  solver->n_pushed = 0;
  solver->library.picosat_add(solver->pico, 0);
}

void sat_add_1(SatSolver *solver, SatLiteral a) {
  sat_push(solver, a);
  sat_end_clause(solver);
}

void sat_add_2(SatSolver *solver, SatLiteral a, SatLiteral b) {
  sat_push(solver, a);
  sat_add_1(solver, b);
}

void sat_add_3(SatSolver *solver, SatLiteral a, SatLiteral b, SatLiteral c) {
  sat_push(solver, a);
  sat_add_2(solver, b, c);
}

/* ---- the search ---- */

static int is_stopped(void *solver) {
  const SatSolver *s = solver;
  return s->stop(s->argument);
}

void sat_set_stop(SatSolver *solver, bool (*stop)(void *argument), void *argument) {
  solver->stop = stop;
  solver->argument = argument;
  solver->library.picosat_set_interrupt(solver->pico, solver, is_stopped);
}

void sat_assume(SatSolver *solver, SatLiteral literal) {
  assert(!solver->lost && is_literal(solver, literal));
  solver->library.picosat_assume(solver->pico, literal.v);
}

/* PicoSAT counts from the beginning. */
static SatAnswer solve_until(SatSolver *solver, unsigned long long propagations) {
  assert(!solver->lost && solver->n_pushed == 0);
  solver->library.picosat_set_propagation_limit(solver->pico, propagations);
  const int answer = solver->library.picosat_sat(solver->pico, -1);
  return answer == PICOSAT_SATISFIABLE ? SAT_YES : answer == PICOSAT_UNSATISFIABLE ? SAT_NO : SAT_UNKNOWN;
}

SatAnswer sat_solve(SatSolver *solver) { return solve_until(solver, ULLONG_MAX); }

SatAnswer sat_solve_for(SatSolver *solver, uint64_t propagations) {
  const unsigned long long done = solver->library.picosat_propagations(solver->pico);
  return solve_until(solver, propagations < ULLONG_MAX - done ? done + propagations : ULLONG_MAX);
}

bool sat_value(SatSolver *solver, SatLiteral literal) {
  assert(is_literal(solver, literal));
  return solver->library.picosat_deref(solver->pico, literal.v) > 0;
}
