/* precision.h: how closely a program is read. One that takes too much work, or would become too large, is read again,
 * less closely: calls share contexts sooner, a value leads to fewer places before nothing is known of it, and fewer
 * objects with locks are told apart. What is lost so is a gap, or more runs. So every program is read in the end. */
#ifndef FRONTEND_C_PRECISION_H
#define FRONTEND_C_PRECISION_H

#include <stdint.h>

typedef struct {
  uint32_t targets;     /* a value that leads to more places leads anywhere */
  uint32_t own, of_all; /* instructions in all contexts of a thread, and of all threads; then calls share contexts */
  uint32_t foci;        /* so many objects made at one place are told apart, if they have locks (foci.h) */
  uint64_t steps;       /* that points_solve may take; */
  uint32_t ops;         /* that the program may have; */
  uint32_t transitions; /* that the net may have */
} Precision;

/* The n-th one, the closest first; NULL: there is none left. The last one has no bound on steps, ops, or transitions
 * but those that all programs have. */
const Precision *precision_at(uint32_t n);

#endif
