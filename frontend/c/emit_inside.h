/* emit_inside.h: what the files of emit share. Ops of the code of one thread are added one after another; each goes on
 * with the next one unless it is said otherwise. */
#ifndef FRONTEND_C_EMIT_INSIDE_H
#define FRONTEND_C_EMIT_INSIDE_H

#include "frontend/c/emit.h"

/* The blocks that are open: the last one, and those below it. */
typedef struct {
  uint32_t block, below; /* of Program.blocks; of Emitter.opens */
} COpen;

/* Where a basic block of a context stands. */
typedef struct {
  uint32_t op;   /* its first operation, or C_NONE: there is none yet */
  uint32_t open; /* what is open there: 0 nothing, else 1 + a number of Emitter.opens */
  bool is_due;   /* somebody goes there */
} CLabel;

/* An operation that goes on at a label. */
typedef struct {
  uint32_t op, label;
  bool otherwise; /* its `otherwise` does */
} CPatch;

/* A call's end, where the called context returns to; a return. */
typedef struct {
  uint32_t context, op;
} CLanding;

typedef struct {
  uint32_t context, block;
} CDue;

/* A value that is known on the way that is followed. */
typedef struct {
  uint32_t instruction; /* of a C_SWAP: whether it has stored; of a C_UPDATE: what was there */
  int64_t value;
  bool is_open; /* it is not known any more: it was computed anew */
} CKnown;

typedef VEC(CKnown) CKnownVec;

typedef struct {
  Cells *cells;
  Points *points;
  Foci *foci;
  const CModule *module;
  const EmitOptions *options;
  Program *program;
  Heap *heap;
  uint32_t *label_of; /* per context: the label of its function's first block */
  VEC(CLabel) labels;
  VEC(COpen) opens;
  VEC(CDue) due;
  VEC(CPatch) patches;
  VEC(CLanding) landings, returns;
  U32Vec ends;                      /* jumps to the end of the thread */
  uint32_t *started, *ended;        /* per thread: objects, whether it runs, and whether it has ended. Open threads
                                       that one call creates have those of the first */
  uint32_t *entry_open;             /* per label: what is open where it is entered, or C_NONE */
  U32Vec *extras;                   /* per cell: further objects, of locks that are made of several */
  VEC(ProgramTracked) tracked;      /* of the thread under way */
  uint32_t thread, context, number; /* under way: the thread; the instruction */
  uint32_t value;                   /* the local that takes what is read */
  CAccessVec accesses;              /* of the instruction under way */
  uint32_t instance;                /* of the object that is accessed, if several are told apart */
} Emitter;

/* As ProgramOp.origin: what does nothing but see that something is not so yet. Done again and again, it is a wait. */
enum { EMIT_LOOK = 1 };

/* ---- operations: emit_op.c ---- */

/* The number of the operation that is added next. */
static inline uint32_t emit_here(const Emitter *e) { return e->program->ops.n; }
static inline ProgramOp *emit_at(Emitter *e, uint32_t op) { return &e->program->ops.at[op]; }

/* Adds an operation at the instruction under way, with that text. Its number. What it does is a part of a lock or its
 * like (ProgramOp.sync), unless emit_deed or emit_branch say otherwise. */
uint32_t emit_op(Emitter *e, OpKind kind, const char *text);

/* Adds an item to the expression, or a target, of an operation, which is the last one. */
void emit_literal(Emitter *e, uint32_t op, int64_t value);
void emit_object(Emitter *e, uint32_t op, uint32_t object);
void emit_local(Emitter *e, uint32_t op, uint32_t local);
void emit_any(Emitter *e, uint32_t op);
void emit_operator(Emitter *e, uint32_t op, ValueOperator operator);
void emit_target(Emitter *e, uint32_t op, ProgramItemKind kind, uint32_t variable);

/* Adds "object := value", a test or a wait for "object = value"; tests go on with the next operation where it is so. */
uint32_t emit_set(Emitter *e, uint32_t object, int64_t value);
uint32_t emit_test(Emitter *e, OpKind kind, uint32_t object, ValueOperator relation, int64_t value);

/* Adds a test that may go either way; what is added next is done if it is true. emit_else: what is added from here on
 * is done if it is false, and emit_end: from here on both. */
uint32_t emit_maybe(Emitter *e);
uint32_t emit_else(Emitter *e, uint32_t test);
void emit_end(Emitter *e, uint32_t jump);

/* Adds a place where the thread stays for ever. */
void emit_stuck(Emitter *e);

/* Adds a local that the thread under way tracks, or an object. Its number. */
uint32_t emit_new_local(Emitter *e, const char *name, uint32_t n_values);
uint32_t emit_new_object(Emitter *e, const char *name, ProgramObjectKind kind, uint32_t n_values, uint32_t initial);

/* The object that stands for a cell. */
uint32_t emit_object_of(Emitter *e, uint32_t cell);
uint32_t emit_object_of_part(Emitter *e, uint32_t part);
const char *emit_name(Emitter *e, uint32_t cell);

/* The place of an instruction in a context. */
ProgramPlace emit_place(Emitter *e, uint32_t context, uint32_t instruction);

/* Makes the program smaller, which has been written from that operation on: goes round what is a choice of nothing, and
 * makes a wait of what only looks again. */
void emit_simplify(Emitter *e, uint32_t from);

/* ---- accesses and conditions: emit_data.c ---- */

/* Adds what the instruction under way does to what is shared. */
void emit_accesses(Emitter *e);

/* Does an instruction do nothing to what is shared, and call nothing? */
bool emit_is_silent(Emitter *e, uint32_t context, uint32_t instruction);

/* Adds what one access does; those that do something to what is shared. */
void emit_deed(Emitter *e, const CAccess *access);
bool emit_is_shared(const Emitter *e, const CAccess *access);

/* Is the load under way done by the branch at the end of its basic block? */
bool emit_is_tested(Emitter *e);

/* Adds the branch under way; false is where `otherwise` goes, of the operation that is returned. */
uint32_t emit_branch(Emitter *e);

/* The value of an operand, from what is known. */
bool emit_known(Emitter *e, const COperand *operand, const CKnownVec *known, int64_t *value);

/* ---- locks and threads: emit_sync.c ---- */

/* Adds what a call of the library, of that kind, does; the call under way. False: control does not go on. */
bool emit_sync(Emitter *e, CallKind kind);

/* Adds that the thread under way has ended. */
void emit_ended(Emitter *e);

/* Adds the swap under way if its cell is tracked; false if not. */
bool emit_swap(Emitter *e);

/* Adds the update under way if its cell is a counter; false if not. */
bool emit_count(Emitter *e);

/* ---- objects that are told apart: emit_foci.c ---- */

/* Finds what all instructions need. */
void emit_find_tokens(Emitter *e);

/* Do some accesses lead to objects that are told apart? */
bool emit_is_told(const Emitter *e, const CAccessVec *accesses);

/* Adds the accesses of the instruction under way, Emitter.accesses, each to the instances that it may be to. Those that
 * are `several` are done each or not, and if `twice` once more. */
void emit_told(Emitter *e, bool several, bool twice);

/* Adds operations of that kind, OP_ACQUIRE or OP_RELEASE, on what argument n of the call under way leads to. */
void emit_told_lock(Emitter *e, OpKind kind, const char *verb, uint32_t n);

/* Adds a test of operand 0 of the instruction under way, which goes either way unless it was made before. */
uint32_t emit_question(Emitter *e);

/* Does an instruction give values to tokens? Adds that: of the one under way; of the parameters of a context that is
 * entered; of what is merged where control comes from one block to another. */
bool emit_has_tokens(const Emitter *e, uint32_t context, uint32_t instruction);
void emit_tokens(Emitter *e);
void emit_tokens_of_call(Emitter *e, uint32_t context);
void emit_tokens_on_way(Emitter *e, uint32_t from, uint32_t to);

/* In what is written of the thread from that operation on, all but its end: where nobody asks for a token any more it
 * is set to 0. For a program that cannot say that a local is brief. */
void emit_forget_tokens(Emitter *e, uint32_t start);

/* ---- control: emit.c ---- */

/* Adds a jump to where control comes to after the instruction under way, where its value is that one: as far as all
 * that is known, and nothing is done to what is shared. */
void emit_follow(Emitter *e, int64_t value);

/* Can that be done: is there nothing but silence up to the end of the basic block? */
bool emit_can_follow(Emitter *e);

/* Adds calls of what the call under way may run. */
void emit_calls(Emitter *e);

/* Adds the ends of what is done at the end of a thread. */
void emit_last_step(Emitter *e);

/* Opens or closes a marked block. */
void emit_begin(Emitter *e, const char *name);
void emit_close(Emitter *e);

#endif
