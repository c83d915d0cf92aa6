/* sat.h: is a propositional formula in conjunctive normal form satisfiable? Clauses may be added between the questions,
 * and a question may assume literals for itself alone (N. Een, N. Soerensson, "Temporal induction by incremental SAT
 * solving", 2003). The search is PicoSAT's (A. Biere, "PicoSAT essentials", JSAT 2008); base/sat.c is the only file
 * that knows it, and loads it when there is a formula. The same calls give the same answers. Nothing is printed. */
#ifndef BASE_SAT_H
#define BASE_SAT_H

#include "base/err.h"
#include "base/heap.h"

#include <stdbool.h>
#include <stdint.h>

/* A formula, with the state of its search. */
typedef struct SatSolver SatSolver;

/* A variable, or its negation. */
typedef struct {
  int v;
} SatLiteral;

/* No literal. */
#define SAT_NONE ((SatLiteral){0})

/* The opposite literal. */
static inline SatLiteral sat_not(SatLiteral literal) { return (SatLiteral){-literal.v}; }

/* The most variables, clauses, and literals of one clause; more of them leave the heap_try(). */
#define SAT_MAX (((uint32_t)1 << 30) - 1)

/* Is the formula satisfiable? UNKNOWN: the search was stopped before that was known. */
typedef enum { SAT_YES, SAT_NO, SAT_UNKNOWN } SatAnswer;

/* The empty formula; NULL, with ERR_LIMIT, if PicoSAT cannot be loaded. Its memory is the heap's; so where memory runs
 * out in any of these calls, which leaves the heap_try(), the solver is lost: sat_free() is all that may still be
 * called, and what it held is freed with the heap.
 */
SatSolver *sat_new(Heap *heap, Err *err);
void sat_free(SatSolver *solver); /* NULL is allowed */

/* During a search, `stop` is called every thousand decisions or so; the answer is SAT_UNKNOWN once it returns true.
 * PicoSAT's simplification of the formula in between cannot be stopped: some seconds, where there are a million
 * variables. */
void sat_set_stop(SatSolver *solver, bool (*stop)(void *argument), void *argument);

/* A new variable. Where the search has a choice it tries false first. */
SatLiteral sat_add_variable(SatSolver *solver);

/* The clause is what was pushed since the last sat_end_clause(); without literals it is false. A literal may stand in
 * it twice. */
void sat_push(SatSolver *solver, SatLiteral literal);
void sat_end_clause(SatSolver *solver);

/* A clause of one, two, three literals. */
void sat_add_1(SatSolver *solver, SatLiteral a);
void sat_add_2(SatSolver *solver, SatLiteral a, SatLiteral b);
void sat_add_3(SatSolver *solver, SatLiteral a, SatLiteral b, SatLiteral c);

/* Holds in the next search, and no longer. */
void sat_assume(SatSolver *solver, SatLiteral literal);

/* SAT_NO: the clauses and the assumptions contradict each other. SAT_UNKNOWN: it was stopped; asking again goes on. */
SatAnswer sat_solve(SatSolver *solver);

/* The same, but after about `propagations` steps of unit propagation, some millions a second, the answer is
 * SAT_UNKNOWN, too. */
SatAnswer sat_solve_for(SatSolver *solver, uint64_t propagations);

/* The value of a literal in the model, right after SAT_YES. */
bool sat_value(SatSolver *solver, SatLiteral literal);

#endif
