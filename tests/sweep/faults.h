/* faults.h: lets one allocation of this process fail, or all from one on, or a signal come there. The linker sends
 * the project's malloc, calloc and realloc to faults.c (--wrap); the libraries keep theirs. */
#ifndef TESTS_SWEEP_FAULTS_H
#define TESTS_SWEEP_FAULTS_H

#include <stdint.h>

typedef enum { FAULT_NONE, FAULT_ONCE, FAULT_FROM, FAULT_SIGNAL } FaultKind;

/* From now on allocations are counted in *count; number `nth`, from 1 on, has the fault. FAULT_SIGNAL is a SIGTERM, if
 * that is caught. */
void fault_arm(FaultKind kind, uint64_t nth, uint64_t *count);

#endif
