/* emit_inside.h: what the files of emit share. Ops of the code of one thread are added one after another; each goes on
 * with the next one unless it is said otherwise. */
#ifndef FRONTEND_C_EMIT_INSIDE_H
#define FRONTEND_C_EMIT_INSIDE_H

#include "frontend/c/asked.h"
#include "frontend/c/emit.h"

/* The blocks that are open: the last one, and those below it. */
typedef struct {
  uint32_t block, below; /* of Program.blocks; of Emitter.opens */
} COpen;

/* Something that is known where control is: the number that a term of a context is. */
typedef struct {
  uint32_t context, term;
  int32_t value;
} CFact;

/* Ascending by context and term. */
typedef VEC(CFact) CFactVec;

/* A place in a context, and with what is known there. */
typedef struct {
  uint32_t context, number; /* before the instruction; */
  bool is_after;            /* of a call: where what it runs has returned */
  uint32_t known;           /* of Emitter.known */
  uint32_t op;              /* the first operation, or C_NONE: there is none yet */
  uint32_t open;            /* what is open there: 0 nothing, else 1 + a number of Emitter.opens */
} CLabel;

/* An operation that goes on at a label. */
typedef struct {
  uint32_t op, label;
} CPatch;

/* A return to a call that leads back to its context. */
typedef struct {
  uint32_t op, context, known, edge; /* a jump to it; the return's; what is known there; of Points.edges */
} CLater;

typedef struct {
  Cells *cells;
  Points *points;
  Foci *foci;
  CTicketVec *tickets; /* some may become broken, or slow */
  const CModule *module;
  const EmitOptions *options;
  Program *program;
  Heap *heap;
  Asked *asked;
  CFactVec facts;  /* that are known where the instruction under way is */
  uint32_t open;   /* what is open there, as CLabel.open */
  Intern places;   /* contexts, instructions, and CLabel.is_after */
  U32Vec versions; /* per place: so many labels */
  Intern known;    /* lists of facts */
  Intern keys;     /* of labels: a place and what is known */
  VEC(CLabel) labels;
  VEC(COpen) opens;
  U32Vec due;         /* labels that something goes to, and that are to be written */
  VEC(CLater) later;  /* once all others are */
  VEC(CLater) absent; /* of these, returns to calls in contexts to which the thread has not come so far */
  uint32_t n_entered; /* contexts to which some thread comes */
  U32Vec refused;     /* of Points.edges: calls that are not followed */
  VEC(CPatch) patches;
  U32Vec ends;                      /* jumps to the end of the thread */
  uint32_t *started, *ended;        /* per thread: objects, whether it runs, and whether it has ended. Open threads
                                       that one call creates have those of the first */
  bool joins_main;                  /* some thread may wait for main's end: then that is an object, too */
  uint32_t *entry_open;             /* per context: what is open where it is entered, or C_NONE */
  U32Vec *extras;                   /* per cell: further objects, of locks that are made of several */
  VEC(ProgramTracked) tracked;      /* of the thread under way */
  uint32_t thread, context, number; /* under way: the thread; the instruction */
  uint32_t value;                   /* the local that takes what is read */
  CAccessVec accesses;              /* of the instruction under way */
  uint32_t instance;                /* of the object that is accessed, if several are told apart */
  bool is_full;                     /* there are too many operations: what is added is not for use */
} Emitter;

/* As ProgramOp.origin: what does nothing but see that something is not so yet, which is a wait if it is done again and
 * again; an attempt to take a lock, which fails where the test is false; something that is done to what is left out. */
enum { EMIT_LOOK = 1, EMIT_TRY, EMIT_ELSEWHERE };

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

/* The name of an object, as it is in messages. */
const char *emit_object_name(Emitter *e, const CObject *object);

/* The place of an instruction in a context. */
ProgramPlace emit_place(Emitter *e, uint32_t context, uint32_t instruction);

/* Makes the program smaller, which has been written from that operation on: goes round what is a choice of nothing, and
 * makes a wait of what only looks again. */
void emit_simplify(Emitter *e, uint32_t from);

/* Makes a jump, or a choice, of an operation. */
void emit_make_jump(Emitter *e, uint32_t op, uint32_t to);
void emit_make_maybe(Emitter *e, uint32_t op, uint32_t yes, uint32_t no);

/* ---- rounds that fail: emit_rounds.c ---- */

/* Leaves them out of what has been written from that operation on. */
void emit_leave_rounds_out(Emitter *e, uint32_t start);

/* ---- accesses and conditions: emit_data.c ---- */

/* Adds what the instruction under way does to what is shared. */
void emit_accesses(Emitter *e);
void emit_arguments(Emitter *e); /* likewise, without the lock that it uses */

/* Does an instruction do nothing to what is shared, and call nothing? */
bool emit_is_silent(Emitter *e, uint32_t context, uint32_t instruction);

/* Adds what one access does; those that do something to what is shared. */
void emit_deed(Emitter *e, const CAccess *access);
bool emit_is_shared(const Emitter *e, const CAccess *access);

/* Adds that an operand is stored in a cell that is followed: its number, if that is known, or any. The operation. */
uint32_t emit_put(Emitter *e, uint32_t cell, const COperand *operand);

/* The value of the cell that stands for it then; false: any. */
bool emit_stored(Emitter *e, uint32_t cell, const COperand *operand, int64_t *value);

/* Is the load under way done by the branch at the end of its basic block? */
bool emit_is_tested(Emitter *e);

/* Adds the branch under way; false is where `otherwise` goes, of the operation that is returned. */
uint32_t emit_branch(Emitter *e);

/* What is known of the load, where the branch that it is done by goes the one way or the other one. */
bool emit_tested_value(Emitter *e, bool holds, uint32_t *load, int64_t *value);

/* Adds the load under way once for each value that it may have, if that is asked; else false. */
bool emit_load(Emitter *e);

/* ---- what is known: emit_known.c ---- */

/* The number that an operand is in the context under way; whether a condition is true there. False: not known. */
bool emit_known(Emitter *e, const COperand *operand, int64_t *value);
bool emit_known_condition(Emitter *e, const COperand *condition, bool *holds);

/* From here on the thread under way has that of a ticket lock; does it? It is a small number. */
void emit_know_ticket(Emitter *e, uint32_t ticket, int64_t state);
bool emit_has_ticket(const Emitter *e, uint32_t ticket, int64_t state);

/* Is the value of the instruction under way asked for after it? */
bool emit_is_asked(const Emitter *e);

/* From here on it is known that the value of an instruction in a context is that number; that a condition is true, or
 * not; what is merged where control comes from one block to another; what an instruction under way does to local
 * variables. It is no more than what is asked for. */
void emit_learn(Emitter *e, uint32_t context, uint32_t instruction, int64_t value);
void emit_learn_condition(Emitter *e, const COperand *condition, bool holds);
void emit_learn_merged(Emitter *e, uint32_t from, uint32_t to);
void emit_learn_local(Emitter *e);

/* Forgets what the instruction computes anew; what is not asked from there on; what is known of the context under way,
 * which is left; and all that is known of conditions. */
void emit_forget(Emitter *e, uint32_t instruction);
void emit_forget_dead(Emitter *e, uint32_t instruction);
void emit_forget_call(Emitter *e);
void emit_forget_truths(Emitter *e);

void emit_copy_facts(Emitter *e, const CFactVec *from, CFactVec *to);

/* ---- locks and threads: emit_sync.c ---- */

/* Adds what a call of the library, of that kind, does; the call under way. False: control does not go on there. */
bool emit_sync(Emitter *e, const Effect *effect);

/* Adds that a lock that is followed, a cell, is taken or given back. */
void emit_lock(Emitter *e, OpKind kind, const char *verb, uint32_t cell);

/* Adds what comes after what the call under way has run, of that kind. */
void emit_after_call(Emitter *e, CallKind kind);

/* Adds that the thread under way has ended. */
void emit_ended(Emitter *e);

/* Adds the swap under way, and what comes after it, if its cell is tracked; false if not. */
bool emit_swap(Emitter *e);

/* Adds the update under way, and what comes after it, if its cell is tracked; false if not. */
bool emit_count(Emitter *e);
bool emit_exchange(Emitter *e);

/* ---- locks that their holder may take again: emit_recursive.c ---- */

/* Adds that the thread takes the lock, a cell, or gives it back, once. */
void emit_lock_again(Emitter *e, uint32_t cell);
void emit_unlock_again(Emitter *e, uint32_t cell);

/* ---- ticket locks: emit_ticket.c ---- */

/* No thread has anything of them where it starts. */
void emit_start_tickets(Emitter *e);

/* Sees whether the instruction under way does something while the thread waits for its number. */
void emit_watch_tickets(Emitter *e);

/* Adds what the store or the update under way does to a ticket lock; false if it is of none. */
bool emit_ticket(Emitter *e);

/* Is the load under way a part of the branch at the end of its block, which waits for a number? */
bool emit_is_waited(Emitter *e);

/* Adds the branch under way, and its ways to one of two blocks, if it is such a wait; else false. */
bool emit_wait_for_ticket(Emitter *e, const uint32_t *to);

/* ---- objects that are told apart: emit_foci.c ---- */

/* Finds what all instructions need. */
void emit_find_tokens(Emitter *e);

/* Do some accesses lead to objects that are told apart? */
bool emit_is_told(const Emitter *e, const CAccessVec *accesses);

/* Adds the accesses of the instruction under way, Emitter.accesses, each to the instances that it may be to. Those that
 * are `several` are done each or not, and if `twice` once more. */
void emit_told(Emitter *e, bool several, bool twice);

/* Adds an operation of a lock, a cell; of several that are told apart the one of Emitter.instance. */
typedef void EmitLock(Emitter *e, uint32_t cell);

/* Adds it for what argument n of the call under way leads to. */
void emit_told_lock(Emitter *e, EmitLock *lock, uint32_t n);

/* Adds a test of operand 0 of the instruction under way, which goes either way unless it was made before. */
uint32_t emit_question(Emitter *e);

/* Adds the choice which elements are kept by which (CBond), once for all. */
void emit_owners(Emitter *e);

/* Does an instruction give values to tokens? Adds that: of the one under way; of the parameters of a context that is
 * entered; of what is merged where control comes from one block to another. */
bool emit_has_tokens(const Emitter *e, uint32_t context, uint32_t instruction);
void emit_tokens(Emitter *e);
void emit_tokens_of_call(Emitter *e, uint32_t context);
void emit_tokens_on_way(Emitter *e, uint32_t from, uint32_t to);

/* In what is written of the thread from that operation on, all but its end: where nobody asks for a token any more it
 * is set to 0. For a program that cannot say that a local is brief. */
void emit_forget_tokens(Emitter *e, uint32_t start);

/* ---- labels and ways: emit_way.c ---- */

/* The operation, a jump, goes on in a context before an instruction, or after what a call there has run, with what is
 * known and open now, or with less that is known. False: something else is open there. */
bool emit_go_to(Emitter *e, uint32_t op, uint32_t context, uint32_t instruction, bool is_after);

/* The number, of Emitter.known, of what is known now; makes that what is known. */
uint32_t emit_known_now(Emitter *e);
void emit_know(Emitter *e, uint32_t known);

/* Adds a jump from the block of the instruction under way to another one. */
void emit_jump_to(Emitter *e, uint32_t block);

/* Adds a jump to what comes after the instruction under way, where its value is that one, or where nothing is known of
 * it. What is known stays as it is. */
void emit_outcome(Emitter *e, int64_t value);
void emit_on(Emitter *e);

/* The block that comes after the instruction, which ends one, if it is known; else C_NONE. Are all cases of a switch
 * numbers? */
uint32_t emit_next_known(Emitter *e, uint32_t instruction);
bool emit_has_cases(const Emitter *e, const CInstruction *i);

/* What the instruction under way does to what is known, before it is done. */
void emit_learn_here(Emitter *e);

/* ---- control: emit.c ---- */

/* Adds calls of what the call under way may run; false if it may run nothing. */
bool emit_calls(Emitter *e);

/* Adds the ends of what is done at the end of a thread. */
void emit_last_step(Emitter *e);

/* Opens or closes a marked block. */
void emit_begin(Emitter *e, const char *name);
void emit_close(Emitter *e);

#endif
