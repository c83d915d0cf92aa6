/* deeds.h: all that is done to each object, and what of it is done before what. */
#ifndef FRONTEND_C_DEEDS_H
#define FRONTEND_C_DEEDS_H

#include "base/intern.h"
#include "frontend/c/cells.h"
#include "frontend/c/dominators.h"
#include "frontend/c/linear.h"

/* What an instruction of a context does to some bytes. */
typedef struct {
  uint32_t object, offset; /* of Points.objects; OFFSET_ANY: it is not known where */
  uint32_t target;         /* of Points.targets: there */
  uint32_t context, instruction, cell;
  uint64_t size; /* bytes; 0: as many as there are */
  CDeed deed;
  uint32_t operand; /* of the instruction: by which it is done */
} Deed;

/* A loop each round of which does an instruction once at most, and that is begun once in a run: its context, its head,
 * and the instruction there, or the call that it is done in. */
typedef struct {
  uint32_t context, head, number; /* head: C_NONE: there is none */
} Loop;

/* What a load finds that a store leaves which is done again and again, or changed (question_passed.c). */
typedef enum {
  PASSED_NOT,     /* that is not known */
  PASSED_CREATED, /* what was stored before the thread was created, in the same round of the loop */
  PASSED_ROUND,   /* what was stored before in the same round of the loop */
  PASSED_FILLED,  /* what was stored in the round of the same number of a loop before */
  PASSED_FIRST,   /* what was stored in the first round */
  PASSED_ONCE,    /* what was stored once */
  PASSED_ZERO     /* 0: nothing is stored there */
} PassedKind;

typedef struct {
  uint32_t context, load, number; /* number: of Passing.found */
  PassedKind kind;
  uint32_t store_context, store;
  uint32_t change; /* another store to the same place, which may come behind that one in the same round; or C_NONE */
  Loop loop;       /* the store's */
  Loop other;      /* PASSED_FILLED: the one that creates the load's thread; or the load's own, if `is_own` */
  bool is_own;
} Passed;

/* Threads that a call in a loop creates, and a join in another one, which joins in each round the thread that was
 * created in the round of the same number, or one of them in whatever order (question_joined.c). */
typedef struct {
  uint32_t from, call; /* the call that creates */
  Loop begun, ended;   /* `begun`: its head is C_NONE: they are joined in another order; `ended` has the join; its head
                          is C_NONE: only a note that joins have been sought */
  uint32_t exit;       /* the block to which the second loop is left where all have been joined, or C_NONE */
  uint32_t context, join;    /* the call that joins */
  const Deed *create, *load; /* where the handle is put, and found */
} Joined;

/* A call that joins one thread alone, which is created once. */
typedef struct {
  uint32_t thread, context, join;
} JoinedOnce;

/* A value that something is added to in each round of a loop (question_stride.c): does it never wrap? */
typedef struct {
  uint32_t context, number;
  bool is_sought, holds;
} Stride;

/* What a load finds in memory, whenever it is done. */
typedef enum {
  FOUND_SOMETHING, /* that is not known */
  FOUND_NUMBER,    /* always that number */
  FOUND_STORED,    /* what the store `number` in `context` stores, which is done once, and before */
  FOUND_RETURNED   /* what a thread that was joined has ended with: an operand of `number` in `context` */
} FoundKind;

typedef struct {
  FoundKind kind;
  uint32_t context, number;
  int64_t value;
} Found;

/* What the questions have found already, and how many they were. */
typedef struct {
  LinearMemo memo;
  signed char *goes_on; /* per instruction, a merge at the head of a loop: does it go on as numbers without a sign do?
                           1: yes, -1: no, 0: not asked for yet */
  Intern loads;     /* a context and an instruction, as bytes: */
  VEC(Found) finds; /* what that load finds */
  VEC(Passed) found;
  VEC(Joined) joined;
  VEC(JoinedOnce) joined_once;
  bool has_sought_once; /* `joined_once` is all */
  VEC(Stride) strides;
  uint32_t striding; /* of `strides`: the one that is asked for now; or C_NONE */
  uint32_t asked, checks;
} Passing;

typedef struct {
  Cells *cells;
  Points *points;
  const CModule *module;
  Heap *heap;
  Dominators dominators;
  VEC(Deed) all;   /* not of locks and their likes; ascending by object */
  uint32_t *first; /* per object: the first of its deeds; one more number at the end */
  Passing *passing;
} Deeds;

/* Finds them; the cells are there. */
void deeds_init(Deeds *d, Cells *cells);
void deeds_fini(Deeds *d);

/* What an instruction does to the one object that its operand n leads to; NULL: it leads to several. */
const Deed *deeds_of(const Deeds *d, uint32_t context, uint32_t number, uint32_t n);

/* Whenever the second instruction is done in its context, has the first one been done in its own? */
bool deeds_is_before(const Deeds *d, uint32_t context, uint32_t number, uint32_t later_context, uint32_t later);

/* Likewise, has control come to that block of its context? */
bool deeds_is_behind(const Deeds *d, uint32_t context, uint32_t block, uint32_t later_context, uint32_t later);

/* Is a deed never done behind another one, of the same thread? */
bool deeds_is_never_behind(const Deeds *d, const Deed *deed, const Deed *other);

/* Does the object begin with zeros only? */
bool deeds_is_zeroed(const Deeds *d, uint32_t object);

/* May it write one of these bytes of its object? */
bool deeds_writes(const Deeds *d, const Deed *deed, uint64_t offset, uint64_t size);

/* What a load finds in memory, whenever it is done. */
Found deeds_load(const Deeds *d, uint32_t context, uint32_t load);

/* The operand of FOUND_STORED and FOUND_RETURNED. */
const COperand *deeds_found(const Deeds *d, const Found *found);

/* Is each block of memory that is made as that object put into at most one place of the table, an object too, and only
 * once? Then two places of it lead to two blocks. The store that does so; NULL: it is not, or nothing is put there. */
const Deed *deeds_table(const Deeds *d, uint32_t table, uint32_t object);

/* Is a value what the call that makes the object has returned last, as fresh memory, through whatever functions? */
bool deeds_is_made(const Deeds *d, uint32_t context, const COperand *operand, uint32_t object);

/* The one context that a call runs, which the program defines; C_NONE: there are several, or none. */
uint32_t deeds_callee(const Deeds *d, uint32_t context, uint32_t call);

/* Is an instruction done whenever its function returns? */
bool deeds_is_always_done(const Deeds *d, uint32_t function, uint32_t number);

/* The one return of a function that control comes to; C_NONE: there are several, or none. */
uint32_t deeds_return(const Deeds *d, uint32_t function);

#endif
