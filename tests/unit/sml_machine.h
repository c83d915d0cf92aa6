/* sml_machine.h: the threads of an SML program, run step by step from the AST, for prediction: an oracle that shares
 * no code with the control (program/control.h). Calls stand on a stack; all data is abstract; locks do nothing. For
 * small programs. */
#ifndef TESTS_UNIT_SML_MACHINE_H
#define TESTS_UNIT_SML_MACHINE_H

#include "frontend/sml/check.h"

enum { MACHINE_FRAMES = 96, MACHINE_ACCESSES = 64, MACHINE_STEPS = 256 };

/* What a thread still has to do, the next thing last. */
typedef struct {
  uint32_t n, calls; /* calls that are under way */
  uint64_t frames[MACHINE_FRAMES];
} MachineState;

typedef enum { MACHINE_EVENT, MACHINE_BEGIN, MACHINE_END, MACHINE_CALL } MachineOp;

/* One thing that it can do next. */
typedef struct {
  MachineOp op;
  uint32_t at; /* in the text: of the statement, the read, or the `end` */
  uint32_t n;
  uint8_t accesses[MACHINE_ACCESSES]; /* 2 * global + write, in order; one event may repeat one */
  MachineState then;
} MachineStep;

typedef struct {
  uint32_t n; /* different ones */
  MachineStep steps[MACHINE_STEPS];
} MachineSteps;

typedef struct {
  const Ast *ast;
  const Symbols *symbols;
  Granularity granularity;
  uint32_t max_calls; /* under way at a time; those beyond are not made */
} Machine;

void machine_start(const Machine *machine, uint32_t thread, MachineState *state);
void machine_steps(const Machine *machine, const MachineState *state, MachineSteps *steps);
uint32_t machine_blocks(const MachineState *state); /* that are open */

#endif
