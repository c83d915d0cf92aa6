/* emit.h: from a C program, its contexts and its cells to a neutral program (program/program.h). */
#ifndef FRONTEND_C_EMIT_H
#define FRONTEND_C_EMIT_H

#include "frontend/c/cells.h"
#include "frontend/c/foci.h"
#include "frontend/c/tickets.h"
#include "program/program.h"

/* What is a block, besides what the program marks. */
typedef struct {
  const char *const *atomic; /* names of functions: each call of one is a block */
  uint32_t n_atomic;
  uint32_t copies; /* of threads of which there may be any number */
  bool functions;  /* each call of any function is one */
  bool plain;      /* no OP_SELECTs */
} EmitOptions;

/* Fills a program that has been initialised; the gaps of the points become those of the program. False: it would have
 * too many operations, and is not for use (Precision.ops). Ticket locks that are none become broken, or slow: then it
 * is not for use either. */
bool emit_program(Cells *cells, Foci *foci, CTicketVec *tickets, const EmitOptions *options, Program *program);

#endif
