/* formula_sat.h: a formula about markings, said of the configurations of a prefix, for the SAT solver. */
#ifndef UNFOLD_FORMULA_SAT_H
#define UNFOLD_FORMULA_SAT_H

#include "base/sat.h"
#include "petri/formula.h"
#include "unfold/unfold.h"

/* A literal that is true iff the formula holds in the marking after configuration C. C is what `event` and `consumed`
 * say: per event, it is in C (SAT_NONE: it never is); per condition, a consumer of it is in C (SAT_NONE: none ever is).
 * The net is 1-safe, and C a configuration. */
SatLiteral formula_sat(SatSolver *solver, Heap *heap, const Prefix *prefix, const SatLiteral *event,
                       const SatLiteral *consumed, const Formula *formula);

#endif
