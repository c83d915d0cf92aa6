/* cells.h: what the threads share: which bytes of which objects, and which of them are locks.
 *
 * A cell is a range of bytes of an object that is accessed alike: the ranges of all accesses of one word at a known
 * place, those that overlap put together. What else there is of the object is one cell more, the rest. An access whose
 * place is not known may be to each cell of the object, and one that is longer is to several. What two accesses may
 * have in common is then in a cell that both may be to, so that no conflict is missed. What locks, semaphores and their
 * like do to the places where they are has cells of its own.
 *
 * A lock is followed as a lock only where every operation that may be on it can be on nothing else, and it is one
 * object; or it is one of several that are told apart (foci.h). Else its operations are writes of its cell: nobody
 * waits, so no run is missed, and each operation depends on the others, so no order is missed. */
#ifndef FRONTEND_C_CELLS_H
#define FRONTEND_C_CELLS_H

#include "frontend/c/points.h"

/* What is done to a cell. */
typedef enum { DOES_READ, DOES_WRITE, DOES_UPDATE } CDeed;

/* What an instruction may do to some bytes, all in one cell. */
typedef struct {
  uint32_t target; /* of Points.targets */
  uint64_t size;   /* bytes; 0: as many as there are */
  CDeed deed;
  bool sync;               /* it is an operation of a lock or its like, on what is there */
  bool is_long;            /* it may be done in parts: more than a word, or not where words are */
  bool is_exact;           /* it is to the whole cell, and to nothing else */
  bool is_wide;            /* it may be to several elements of an array of which one stands for all */
  uint32_t cell;           /* of Cells.cells */
  uint32_t parts, n_parts; /* of Cells.in_parts: those of a cell that is split that it is to, all at once */
  bool is_apart;           /* nobody else's access meets it */
  uint32_t operand;        /* of the instruction: the address */
  bool is_fresh;           /* nobody else can know of the memory yet (fresh.h) */
  uint32_t instance;       /* the caller's */
} CAccess;

typedef struct {
  uint32_t object; /* of Points.objects */
  bool sync;
  uint64_t from, to; /* its bytes; both UINT64_MAX: the rest of the object */
  uint32_t thread;   /* that uses it, or C_NONE */
  bool is_shared;    /* several do, and one of them writes */
  bool is_written;
  bool is_vague;      /* sync: some operation may be on something else, too; or nobody can follow what it does */
  bool is_recursive;  /* sync: a lock that the thread that has it may take again */
  CallKind sync_kind; /* sync: CALL_LOCK, CALL_READ_LOCK, CALL_SEMAPHORE_WAIT, CALL_BARRIER_WAIT, CALL_ONCE, CALL_WAIT:
                         what it is; CALL_UNKNOWN: not known yet */
  int64_t initial;    /* of a semaphore or barrier: the number that it begins with; -1: unknown */
  uint32_t maker, making; /* the context and the call that gives it; C_NONE: there is none, or it is not followed */
  bool is_round;          /* of a barrier: its number is not known, or large, so that it is vague; but it is known which
                             one it is, and that it is made once */
  uint32_t n_values;      /* data that is tracked: its values are 0 .. n_values - 1; else 0 */
  uint32_t n_asked;       /* a counter: 1 + the greatest of the small numbers that it is compared with; 0: it is not */
  bool is_counter;        /* numbers are added to it: its last value stands for all that are not among the others */
  bool is_spare;          /* another one stands for it: no access is said to be to it */
  bool is_split;          /* it has parts; an access is to some of them, or none */
  uint32_t first;  /* the cell that stands for it: another one, if each open thread has such an object, else itself */
  uint32_t number; /* the caller's */
} CCell;

/* A part of a cell: of accesses that may meet (facts.h). */
typedef struct {
  uint32_t cell, number; /* number: the caller's, C_NONE at first */
} CPart;

/* The parts that what an instruction does to a cell is to. */
typedef struct {
  uint32_t context, instruction, cell;
  uint32_t first, n; /* of Cells.in_parts; none: nobody else's access meets it */
} CShare;

typedef VEC(CAccess) CAccessVec;

typedef struct {
  Points *points;
  Heap *heap;
  VEC(CCell) cells; /* ascending by object, sync and from */
  bool are_found, changed;
  CharVec is_fresh; /* per instruction: 1 + the operand that leads to what nobody else knows of yet, or 0 */
  VEC(CPart) parts;
  VEC(CShare) shares; /* of cells that are split, or followed; ascending by context, instruction and cell */
  U32Vec in_parts;    /* of `parts` */
  CAccessVec scratch;
} Cells;

/* Finds them. What cannot be followed becomes a gap of the points. */
void cells_find(Cells *cells, Points *points);
void cells_fini(Cells *cells);

/* Sets *accesses to what an instruction may do in a context: it does one of those of each kind, or several; any number
 * of those that are long. */
void cells_accesses(Cells *cells, uint32_t context, uint32_t instruction, CAccessVec *accesses);

/* Which of them are followed: sets CCell.n_values, and what belongs to it. cells_find does. */
void cells_find_values(Cells *cells);

/* Finds those that are spare, once the parts are there. What may be to one that is, is to another one then. */
void cells_find_spare(Cells *cells);

/* Once all shares are there. */
void cells_sort_shares(Cells *cells);

/* May what a call makes at that place be this cell of a lock, or its like? */
bool cells_may_be_at(const CCell *cell, CTarget target);

/* The one cell of the lock, or its like, that a call's argument is, if it is followed as such; else C_NONE. */
uint32_t cells_lock(Cells *cells, uint32_t context, uint32_t instruction, uint32_t argument);

/* The semaphores that the call's argument may be, if all are followed; else none. */
void cells_semaphores(Cells *cells, uint32_t context, uint32_t instruction, U32Vec *found);

/* Likewise the barrier that a call waits at, also if that is not followed but for its rounds. */
uint32_t cells_round(Cells *cells, uint32_t context, uint32_t instruction);

/* Sets uses[t] for the threads that use the lock, or its like, that is the cell. */
void cells_users(Cells *cells, uint32_t cell, bool *uses);

/* Is the barrier, a cell that is followed as such, one that no more threads use than it waits for? */
bool cells_barrier(Cells *cells, uint32_t cell);

/* The number that a cell of a global has at the start; -1 if it is negative, or not known. */
int64_t cells_initial(const Cells *cells, uint32_t cell);

/* The integer that an operand is, whatever happens. False if that is not known. */
bool cells_constant(const CModule *module, const COperand *operand, int64_t *number);

/* The number that a C_UPDATE adds, whatever happens, if it is small and known; else false. */
bool cells_step(const CModule *module, const CInstruction *i, int64_t *step);

/* The object of a cell. */
static inline const CObject *cell_object(const Cells *cells, uint32_t cell) {
  return &cells->points->objects.at[cells->cells.at[cell].object];
}

/* Is it a lock that is followed as one? Or a reader-writer lock? */
static inline bool cell_is_lock(const CCell *cell) {
  return cell->sync && !cell->is_vague && cell->sync_kind == CALL_LOCK;
}

static inline bool cell_is_read_write_lock(const CCell *cell) {
  return cell->sync && !cell->is_vague && cell->sync_kind == CALL_READ_LOCK;
}

/* Is the cell one of a global whose value is followed? */
static inline bool cell_is_tracked(const CCell *cell) { return cell->n_values > 1; }

#endif
