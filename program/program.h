/* program.h: a concurrent program, as all that is downstream of the frontends sees it: threads over shared objects.
 *
 * A frontend makes a Program from what it reads; what is made of it are the net with its notes (program/compile.h) and
 * the control with its calls kept (program/control.h). Nothing here knows a language.
 *
 * The code of a thread is a proc, and so is whatever it calls: a list of operations, each of which names those that
 * come after it. Jumps are free: any operation of the same proc may be the next one. Data is what the operations say:
 * expressions over objects, which all threads share, and locals, of which each thread has its own. Blocks are the
 * parts that one wants to know about; a block is one, however many threads, copies or calls run it: each OP_BEGIN and
 * OP_END names it.
 *
 * Everything is numbered from 0, in the order in which it was added. A frontend keeps these rules (program_audit()):
 *   - an operation's numbers are in range, and `next` and `otherwise` stay within its proc;
 *   - a proc has one OP_RETURN, its last operation; paths that end earlier lead there;
 *   - OP_CALL, OP_ATOMIC and OP_ATOMIC_END go on with the operation after them. From each OP_ATOMIC on there is the
 *     OP_ATOMIC_END that closes it, with whatever belongs to the event in between, and no path crosses its ends
 *     otherwise. Atomics may nest. In between, and in what is called there, are no OP_ACQUIRE, OP_RELEASE, OP_BEGIN,
 *     OP_END and OP_FAIL, no way back to an operation before, and no calls in a circle;
 *   - no circle is made of OP_JUMP alone;
 *   - the expression of an OP_SELECT has no objects, and the operations that it selects from are OP_JUMPs, each of
 * which leads forward to an operation that is no OP_JUMP; none leads to an OP_BEGIN, an OP_END, an OP_CALL, an
 *     OP_FAIL or an OP_RETURN;
 *   - all paths to an operation have the same blocks open, the last one is the one that an OP_END names, and at the
 *     OP_RETURN none is;
 *   - postfix code has its operands: OP_ASSIGN leaves as many values as it has targets; OP_TEST, OP_AWAIT and OP_SELECT
 *     one. */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include "base/err.h"
#include "base/intern.h"
#include "program/value.h"

#define PROGRAM_NONE UINT32_MAX

/* Where something stands in the source. Line and column count from 1, the column in bytes; 0 is unknown. */
typedef struct {
  uint32_t file, function; /* of Program.files, Program.functions; a place in no function has PROGRAM_NONE */
  uint32_t line, column;
} ProgramPlace;

/* What an object is. */
typedef enum {
  PROGRAM_DATA,    /* a variable whose values are not followed */
  PROGRAM_TRACKED, /* one with the values 0 .. n_values - 1 */
  PROGRAM_LOCK     /* a lock: not reentrant, free at the start */
} ProgramObjectKind;

/* A shared object. Its name belongs to the program. */
typedef struct {
  const char *name;
  ProgramObjectKind kind;
  uint32_t n_values, initial; /* PROGRAM_TRACKED: initial < n_values <= PROGRAM_MAX_VALUES; else 0 */
  bool is_bool;               /* PROGRAM_TRACKED, of 2 values: people call them false and true */
} ProgramObject;

/* The most values of a tracked variable. */
#define PROGRAM_MAX_VALUES 65535

/* A local that a thread tracks; others have no known value. */
typedef struct {
  uint32_t local; /* of Program.locals */
  uint32_t n_values, initial;
  bool is_bool;  /* as in ProgramObject */
  bool is_brief; /* where nobody asks for its value any more it has the initial one: fewer states */
} ProgramTracked;

/* A block that is meant to be atomic, and where it stands. */
typedef struct {
  const char *name; /* NULL if it has none */
  ProgramPlace begin, end;
} ProgramBlock;

/* Something that the source may do and the program may not. What is said of all runs of the program is then not known
 * of the source. */
typedef struct {
  const char *what; /* "calls 'f', which is unknown" */
  ProgramPlace place;
  const char *cause; /* what an address comes from of which nothing is known, for who is told of it; NULL: nothing */
  ProgramPlace from; /* and where that is */
} ProgramGap;

/* ---- expressions: postfix code ---- */

/* What an item of an expression or a target is. */
typedef enum {
  ITEM_LITERAL,
  ITEM_OBJECT,  /* the value of a variable that is shared */
  ITEM_LOCAL,   /* of a local */
  ITEM_ANY,     /* any value */
  ITEM_OPERATOR /* of one operand or two: value_operands() */
} ProgramItemKind;

/* An item of an expression, or a target. */
typedef struct {
  ProgramItemKind kind;
  ValueOperator operator; /* ITEM_OPERATOR */
  int64_t value;          /* ITEM_LITERAL */
  uint32_t variable;      /* ITEM_OBJECT, ITEM_LOCAL: of Program.objects, Program.locals */
  uint32_t origin;        /* the frontend's own */
  ProgramPlace place;     /* ITEM_OBJECT */
  const char *text;       /* ITEM_OBJECT: as the source has it */
} ProgramItem;

/* ---- operations ---- */

/* What an operation does. */
typedef enum {
  OP_ASSIGN, /* the values of its expressions go to its targets, from the first to the last */
  OP_SKIP,   /* an event that does nothing */
  OP_TEST,   /* true goes to `next`, false to `otherwise` */
  OP_AWAIT,  /* happens when it can be true */
  OP_ACQUIRE,
  OP_RELEASE,
  OP_BEGIN,
  OP_END,
  OP_ATOMIC, /* from here to the OP_ATOMIC_END that closes it all is one event */
  OP_ATOMIC_END,
  OP_CALL,
  OP_JUMP,   /* no event */
  OP_SELECT, /* no event, but a part of the one that comes after it: with the value v < `number` it goes on with the
                operation `next` + v; with any other one the thread stays here for ever; with an unknown one it goes on
                with any of them */
  OP_FAIL,   /* no event: an assertion is wrong here, and the thread stays for ever */
  OP_RETURN, /* the end of the proc, and of a thread whose code it is */
  OP_COUNT
} OpKind;

/* An operation: what a thread does at one point of its code. */
typedef struct {
  OpKind kind;
  bool whole;                  /* one event, whatever the granularity */
  bool sync;                   /* what it does to objects is an atomic operation, or a part of a lock and its like;
                                  OP_ATOMIC: it is, in any case */
  uint32_t next, otherwise;    /* operations; OP_FAIL and OP_RETURN have none, only OP_TEST has an `otherwise` */
  uint32_t number;             /* ACQUIRE, RELEASE: the object; BEGIN, END: the block; CALL: the proc; SELECT: how many
                                  operations it selects from; else PROGRAM_NONE */
  uint32_t items, n_items;     /* ASSIGN, TEST, AWAIT, SELECT: the expression, of Program.items */
  uint32_t targets, n_targets; /* ASSIGN: likewise, ITEM_OBJECT or ITEM_LOCAL each */
  uint32_t origin;             /* the frontend's own */
  ProgramPlace place;
  const char *text;           /* the source of the event: "Y := 5", "[f = true]", "begin:B" */
  const char *otherwise_text; /* OP_TEST: when it is false, "[not f = true]" */
} ProgramOp;

/* The operations start .. end - 1; it starts at the first one. */
typedef struct {
  uint32_t start, end;
  const char *name; /* for messages */
} ProgramProc;

/* A thread as it is written, and how many copies of it run. */
typedef struct {
  uint32_t proc;
  uint32_t count;              /* 2 if its number is open */
  uint32_t open;               /* a number of Program.counts, from 1: that number; 0: it is not open */
  uint32_t tracked, n_tracked; /* of Program.tracked */
  bool is_forked;              /* its first event is that others start it */
  uint32_t origin;             /* the frontend's own */
  ProgramPlace place;
} ProgramThread;

/* The most threads, copies included. */
#define PROGRAM_MAX_THREADS 10000

/* The program. All its memory is the heap's. */
typedef struct {
  Heap *heap;
  Arena arena;                                /* of all strings */
  VEC(const char *) files, functions, locals; /* their names; a program has a file */
  VEC(const char *) counts;                   /* names of numbers of threads that are left open */
  VEC(ProgramObject) objects;
  VEC(ProgramBlock) blocks;
  VEC(ProgramItem) items;
  VEC(ProgramOp) ops;
  VEC(ProgramProc) procs;
  VEC(ProgramTracked) tracked;
  VEC(ProgramThread) threads;
  VEC(ProgramGap) gaps; /* none where numbers of threads are left open */
} Program;

/* Is an operation one event, or each read of an object in it one, and the writes the last? */
typedef enum { GRANULARITY_STATEMENT, GRANULARITY_ACCESS } Granularity;

/* How many copies of a variable the net has: as few as keep what depends on what, or one per thread. */
typedef enum { ENCODING_COMPACT, ENCODING_PAPER } Encoding;

/* An empty program; what is added to it comes from the heap. Frontends fill the vectors; strings belong to the
 * arena. */
void program_init(Program *program, Heap *heap);
void program_fini(Program *program);

/* Adds an operation of that kind without operands, which goes on with the one added next. Its number. */
uint32_t program_add_op(Program *program, OpKind kind);

/* The name for a label or a message: cut, with "..." after it, if it is very long. It lives in the arena, if it is
 * not `name`. */
const char *program_short_name(const char *name, Arena *arena);

/* Can the kind of operation be an event of its own? Not calls, jumps, selections, failures and returns, and what ends
 * an atomic.
 */
bool program_is_event(OpKind kind);

/* Checks the rules above, but for those about what is called in an atomic. ERR_CHECK if one is broken. */
bool program_audit(const Program *program, Err *err);

/* Sets open[0 .. ops - 1]: how many blocks of its own proc are open before the operation; PROGRAM_NONE where no path
 * leads. */
void program_find_open(const Program *program, uint32_t *open);

#endif
