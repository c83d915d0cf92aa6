/* asked.h: which values are asked for later on, so that it matters what was known of them.
 *
 * A *term* is something a thread may know a number of where control is: the value of an instruction, what a cell of a
 * local variable has in it, or whether a condition is true. It is *asked* where that decides where control goes on: by
 * a branch, or by what is merged, passed, or returned, and asked later. At a place it is *live* if it is asked from
 * there on before it is computed anew (liveness, as in A. Aho, M. Lam, R. Sethi, J. Ullman, "Compilers", 9.2.5). Only
 * live terms are worth to be known: where no condition hangs on a value that may be known, there are none. */
#ifndef FRONTEND_C_ASKED_H
#define FRONTEND_C_ASKED_H

#include "base/intern.h"
#include "frontend/c/cells.h"

typedef enum {
  TERM_VALUE, /* of an instruction */
  TERM_TRUTH, /* of a condition that several branches hang on */
  TERM_CELL,  /* what is in a cell of a local variable that its thread alone uses */
  TERM_TICKET /* what the thread has of a ticket lock: it is always live, and never computed anew */
} CTermKind;

typedef struct {
  CTermKind kind;
  uint32_t function, number; /* number: the instruction, the cell, the lock */
  U32Vec kills;              /* instructions of the function that compute it anew */
  U32Vec askers;             /* those where it is asked */
  U32Vec edges;              /* the last instructions of blocks where it is merged on some way from there */
  uint32_t branches;         /* so many of the askers are branches, here or in what is called */
  CharVec live;              /* per block of the function: is it at its start? */
} CTerm;

/* What an instruction does to such a cell. */
typedef struct {
  uint32_t context, instruction, cell;
  bool is_load, is_sure; /* is_sure: to the whole cell, and to nothing else */
} CCellDeed;

typedef struct {
  Cells *cells;
  Points *points;
  const CModule *module;
  Heap *heap;
  VEC(CTerm) terms;
  U32Vec function_of;   /* per instruction */
  U32Vec *calls_of;     /* per function: the instructions that call it, and no other one */
  Intern names;         /* of truths: their texts */
  U32Vec truths;        /* per name: the term */
  U32Vec term_of;       /* per instruction: 1 + its term, or 0 */
  U32Vec cell_terms;    /* per cell: likewise */
  CharVec may;          /* per instruction: may its value be known? */
  CharVec stores;       /* per instruction: may it give a value to a cell that is followed? */
  VEC(CCellDeed) deeds; /* ascending by context and instruction */
  uint32_t tickets;     /* the term of the first ticket lock; those of the others come next */
  CharVec again;        /* per context: a call may lead back to it, or to where it comes from */
} Asked;

/* Finds them all; of so many ticket locks. */
void asked_find(Asked *asked, Cells *cells, uint32_t n_tickets);
void asked_fini(Asked *asked);

/* The term of an instruction's value, or of a cell; C_NONE: nobody asks. */
static inline uint32_t asked_value(const Asked *asked, uint32_t instruction) {
  return asked->term_of.at[instruction] - 1;
}
static inline uint32_t asked_cell(const Asked *asked, uint32_t cell) { return asked->cell_terms.at[cell] - 1; }

/* Is the term live before that instruction of its function? Is it merged on some way from that end of a block? */
bool asked_is_live(const Asked *asked, uint32_t term, uint32_t instruction);
bool asked_is_merged(const Asked *asked, uint32_t term, uint32_t last);

/* Is the term, of a context's function, computed anew by that instruction? */
bool asked_is_killed(const Asked *asked, uint32_t term, uint32_t instruction);

/* A condition as it is asked for: that of a context in terms of those that have called it, as far as it can be said
 * there. */
typedef struct {
  uint32_t context, term;
  bool negated;
} CTruth;

enum { ASKED_DEEPEST = 4 };

/* Sets truths[0 .. n - 1] to what a condition in a context is; n, at most ASKED_DEEPEST. */
uint32_t asked_truths(const Asked *asked, uint32_t context, const COperand *condition, CTruth *truths);

/* The deeds to such cells that an instruction does in a context: from *first on so many. */
uint32_t asked_deeds(const Asked *asked, uint32_t context, uint32_t instruction, const CCellDeed **first);

#endif
