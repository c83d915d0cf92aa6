/* of_witness.h: a block that is not causally atomic, with the witness that shows it, as a Finding. */
#ifndef REPORT_OF_WITNESS_H
#define REPORT_OF_WITNESS_H

#include "check/witness.h"
#include "report/finding.h"
#include "report/runners.h"

/* The example run is the witness, the notes are its steps on the chain, and the threads are T, then the others in the
 * order in which the chain reaches them, then the rest. The net has notes; `runners` are the net's. All of it belongs
 * to the arena. */
Finding of_witness(Arena *arena, const Net *net, const Runners *runners, const Witness *witness);

#endif
