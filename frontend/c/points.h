/* points.h: who runs which function, and what addresses may lead to.
 *
 * Every call has a context of its own: a function, called from that instruction of that context. A recursive call goes
 * back to the context that it came from. Every thread has a root context; a thread that is created in a loop, or where
 * control may come several times, stands for `copies` threads, or for any number of them (CThread.is_open).
 *
 * What a value may point to is a set of targets: bytes of objects. The sets are the least ones that are closed under
 * all instructions of all contexts, in whatever order they come (L. Andersen, "Program Analysis and Specialization for
 * the C Programming Language", 1994), by byte offset, never by type; of those to which control may come, as far as the
 * numbers in conditions are known (M. Wegman, K. Zadeck, "Constant Propagation with Conditional Branches", 1991). What
 * is not understood points to OBJECT_UNKNOWN; who is not understood is one of the gaps. */
#ifndef FRONTEND_C_POINTS_H
#define FRONTEND_C_POINTS_H

#include "base/err.h"
#include "base/slots.h"
#include "frontend/c/effects.h"
#include "frontend/c/module.h"
#include "frontend/c/places.h"
#include "frontend/c/precision.h"

/* The most instructions in all contexts together. */
enum { POINTS_MOST = 2000000 };

typedef struct {
  uint32_t function, thread;
  uint32_t parent, call; /* the context, and the instruction there; C_NONE of a root */
  uint32_t base;         /* the node of its function's first instruction */
  bool repeats;          /* it may run several times */
  bool is_shared;        /* several calls run it: it has no parent */
  uint32_t scope;        /* of calls that may share contexts: the node of a call, or that of a root */
  uint32_t callers;      /* the last of Points.edges that lead there, or C_NONE */
  uint32_t reached;      /* of its function's first block in Points.reached */
  uint32_t before;       /* the same one of CLoads.points, or C_NONE */
} CContext;

typedef struct {
  uint32_t root;       /* a context */
  uint32_t from, call; /* the context and the instruction that creates it; C_NONE of main */
  uint32_t copy;       /* of those that one create makes: 0, 1, ... */
  uint32_t size;       /* instructions in all its contexts */
  bool is_open;        /* these, OPEN_COPIES, stand for any number */
} CThread;

/* So many tell whatever there is to tell of any number: one whose the memory is, and two that access it. */
enum { OPEN_COPIES = 3 };

typedef enum {
  OBJECT_GLOBAL,  /* `n` of CModule.globals; of one that each thread has, the thread's */
  OBJECT_STACK,   /* a local variable: instruction `n` in `context` */
  OBJECT_HEAP,    /* likewise, what a call returns */
  OBJECT_CODE,    /* the function `n` */
  OBJECT_TEXT,    /* all constant texts: nobody writes them, and there are no addresses in them */
  OBJECT_HANDLE,  /* the handle of the thread `n` */
  OBJECT_OWN,     /* what the library keeps for the thread `n`: errno, and thread-specific data; C_NONE: for all */
  OBJECT_STATIC,  /* what functions of the library write again and again: that of the function `n` and its family */
  OBJECT_EXTRA,   /* the variable arguments of a call that `context` is */
  OBJECT_LIBRARY, /* memory of the library, which the program only reads: argv */
  OBJECT_UNKNOWN  /* anything */
} CObjectKind;

typedef struct {
  CObjectKind kind;
  uint32_t n, context; /* `context` of OBJECT_GLOBAL: the thread, or C_NONE */
  uint64_t size;       /* 0: unknown; of a part where it ends */
  uint32_t part;       /* 1 + a number of Points.splits: it is that array in an object; 0: it is all, or all else */
  uint64_t start;      /* of a part, where it begins in the object; the places in all parts are counted from there */
  bool is_split;       /* it is a part, or all else */
  bool is_single;      /* never two of them in one run; or in a thread, if it is the thread's */
  bool is_copied;      /* it is one of an open thread: each of those has one */
  uint64_t stride;     /* bytes: it is an array, and this one element stands for all of them; 0: it is as it is */
  uint32_t first;      /* of the instances that are told apart (foci.h) */
  uint32_t instances;  /* so many; 0: it is not one of those */
  bool has_rest;       /* there may be more */
  uint32_t parallel;   /* 1 + the array whose instances it has, of Points.objects; 0: its own */
  bool is_kept;        /* each of its instances stands for all that hang in one of those objects (kept.h) */
  U32Vec targets;      /* those that lead into it */
  U32Vec loaders;      /* the nodes whose values were found in it */
  uint32_t age;        /* so many addresses have come into it */
} CObject;

/* Objects that are taken as arrays of elements of `stride` bytes: those of kind, `n` and `part`, whatever their
 * context. */
typedef struct {
  CObjectKind kind;
  uint32_t n, part;
  uint64_t stride;
} CFold;

typedef VEC(CFold) CFoldVec;

/* Bytes of objects that are objects of their own, whatever their context: an array in a structure (splits.h). */
typedef struct {
  CObjectKind kind;
  uint32_t n;
  uint64_t from, to, stride; /* stride: the length of an element */
} CSplit;

typedef VEC(CSplit) CSplitVec;

/* Numbers of an object and a node, or of two targets. */
typedef struct {
  uint32_t from, to;
  uint32_t age; /* of the object when one was copied to the other */
} CPair;

typedef struct {
  VEC(CPair) all;
  HashSlots slots;
} CPairs;

/* A function that a call may run. */
typedef struct {
  uint32_t context, call, callee; /* contexts and an instruction */
  uint32_t next, next_caller;     /* the one before it of that call, and of that callee; or C_NONE */
} CEdge;

/* What number a value is: nothing came to it yet, always the same one, or any. One that is known is not negative, and
 * has a sign bit of 0 in its type. */
typedef enum { NUMBER_NONE, NUMBER_ONE, NUMBER_ANY } CNumberKind;

typedef struct {
  CNumberKind kind;
  int64_t value;
} CNumber;

/* A part of the program that was not understood. */
typedef struct {
  uint32_t context, instruction;
  const char *what;
  uint32_t from_context, from; /* the instruction that an address comes from (causes.h), or C_NONE; */
  const char *cause;           /* and what it does */
} CGap;

/* How something that is not known came to a value, or into memory. */
typedef struct {
  uint32_t by; /* the node that was being solved; C_NONE: none */
  bool full;   /* it led to too many places */
} CArrival;

typedef struct Points Points;

/* What was found once the program was solved before (loads.h). */
typedef struct {
  const Points *points;
  const CNumber *numbers; /* per node of it */
} CLoads;

struct Points {
  const CModule *module;
  Heap *heap;
  Arena arena;
  const Precision *precision;
  const CLoads *known_loads; /* or NULL */
  uint64_t steps;            /* so many were taken */
  uint32_t copies;           /* of threads that are created again and again; 0: they are open */
  const CFoldVec *folds;
  const CSplitVec *splits;
  uint32_t
      left; /* an object that is not to be split: an address goes somewhere in it, who knows to which part; C_NONE */
  VEC(CContext) contexts;
  VEC(CThread) threads;
  VEC(CObject) objects;
  VEC(CTarget) targets;
  VEC(U32Vec) nodes;    /* per node the targets that its value may be */
  VEC(CNumber) numbers; /* per node */
  U32Vec owners;        /* per node: its context */
  U32Vec first_edges;   /* per node: the last of `edges` that are of that call, or C_NONE */
  CharVec are_done;     /* per node: it has been solved, and nothing that it hangs on has changed since */
  U32Vec users; /* of the values of instructions: those of i are users[n_users[i]] .. users[n_users[i + 1] - 1] */
  U32Vec n_users;
  CharVec reached;      /* per block of a context: may control come there? */
  VEC(U32Vec) contents; /* per target those that may be stored there */
  VEC(CEdge) edges;
  VEC(CGap) gaps;
  HashSlots object_slots, target_slots, gap_slots;
  CPairs loads;           /* objects and their loaders */
  CPairs copied;          /* targets: what is behind the first was copied behind the second */
  uint32_t given_up;      /* the target of sets that were too large */
  bool tells_texts;       /* each constant text is an object of its own */
  uint32_t known_threads; /* those whose variables have what they have at the start */
  U32Vec scratch;         /* what points_of returns of a constant */
  U32Vec moved;           /* what is copied */
  uint32_t at;            /* the node that is being solved; C_NONE: none */
  VEC(CArrival) arrivals; /* of what is not known (causes.h), in their order */
  U32Vec came, put;       /* per node and per target, as far as they go: the number of an arrival from 1; 0: none */
  bool changed;           /* in this round */
};

/* The node of an instruction in a context. */
static inline uint32_t points_node(const Points *points, uint32_t context, uint32_t instruction) {
  const CContext *c = &points->contexts.at[context];
  return c->base + (instruction - points->module->functions.at[c->function].start);
}

/* Is it a global that is constant? To write it is undefined, so that a run ends there. */
bool points_is_constant(const Points *points, uint32_t object);

/* Can what belongs to the context happen at most once in a run? */
bool points_once(const Points *points, uint32_t context, uint32_t instruction);

/* How many threads are made by a call that creates one: as many as it creates, if that is known: then *all becomes
 * true, else false, and they are Points.copies, or open. */
uint32_t points_threads(const Points *points, uint32_t context, uint32_t instruction, bool *all);

/* Are the contexts the same, or the same of two open threads that one call creates? */
bool points_alike(const Points *points, uint32_t a, uint32_t b);

/* The thread that stands for those that are like it: the first of open ones that one call creates; else itself. */
uint32_t points_first(const Points *points, uint32_t thread);

/* The thread whose an object is; C_NONE: no thread's. */
uint32_t points_owner(const Points *points, const CObject *object);

/* Solves it, from main on; `precision`, `folds` and `splits` must live as long, `loads` until it returns; that may be
 * NULL.
 * False, with ERR_INPUT, if there is no main, or it is too large; with ERR_LIMIT, if it takes too many steps. */
bool points_solve(Points *points, const CModule *module, const Precision *precision, uint32_t copies,
                  const CFoldVec *folds, const CSplitVec *splits, const CLoads *loads, Err *err);
void points_fini(Points *points);

/* The part that a place is in of objects of that kind and `n`, as CObject.part. */
uint32_t points_part(const Points *points, CObjectKind kind, uint32_t n, int64_t offset);

/* Are these parts of one object, or is it the same one? */
static inline bool points_is_same_object(const Points *points, uint32_t a, uint32_t b) {
  const CObject *o = &points->objects.at[a], *other = &points->objects.at[b];
  return a == b || (o->is_split && o->kind == other->kind && o->n == other->n && o->context == other->context);
}

/* The bytes of an object, or of a part; 0: that is not known. */
static inline uint64_t cobject_length(const CObject *o) { return o->size ? o->size - o->start : 0; }

/* How many bytes a call makes that an object is made by; 0: that is not known, or many. */
uint64_t points_made(const Points *points, const CObject *object);

/* Where the array ends, in that object, that a C_OFFSET leads into by an index and that begins there; 0: that is not
 * known. */
uint64_t points_array_end(const Points *points, const CInstruction *i, uint32_t object, uint64_t first);

/* Adds the object, and all other parts of the one that it is a part of. */
void points_push_parts(const Points *points, uint32_t object, U32Vec *objects);

/* Where a C_OFFSET leads to from a target. */
uint32_t points_go_on(Points *points, uint32_t context, const CInstruction *i, uint32_t target);

/* The targets of operand n of an instruction in a context: numbers of Points.targets; good until the next call. */
U32Vec points_of(Points *points, uint32_t context, const CInstruction *i, uint32_t n);

/* Likewise of an operand itself. */
U32Vec points_operand(Points *points, uint32_t context, const COperand *operand);

/* Is operand n of an instruction in a context the same number, whenever it comes there? */
bool points_number(const Points *points, uint32_t context, const CInstruction *i, uint32_t n, int64_t *number);

bool points_known(const Points *points, uint32_t context, const COperand *operand, int64_t *number);

/* Of a C_OFFSET by one index of an array that is a member of a structure in that object: how many elements it may be
 * of; INT64_MAX: any number, as the last member of memory that is allocated may go on; 0: it is none. */
int64_t points_elements(const Points *points, const CInstruction *i, uint32_t object);

/* That number as a value of so many bits, or any, if it is none of those that are known. */
CNumber points_one_number(int64_t number, uint64_t bits);

/* What the function does that a call in a context runs, if it can be but one, which is not defined; else NULL. */
const Effect *points_library(Points *points, uint32_t context, const CInstruction *i);

/* May control come to that block in a context? Where a condition is known it goes the one way. */
bool points_reaches(const Points *points, uint32_t context, uint32_t block);

/* A walk through the instructions to which control may come, context by context: at first {0}; a step of a walk. */
typedef struct {
  uint32_t context, number;
  bool is_inside; /* a context was entered */
} PointsWalk;

/* Goes on to the next one; false: there is none left. Parameters are left out. */
bool points_next(const Points *points, PointsWalk *walk);

/* The target that is anywhere in an object; what the function writes that a call runs, if it is one of a family. */
uint32_t points_anywhere(Points *points, uint32_t object);
uint32_t points_hidden(Points *points, uint32_t context, const CInstruction *i);

/* The edges of a call in a context, the last one first: the first of them; C_NONE: there is none. CEdge.next is next.
 */
uint32_t points_edges(const Points *points, uint32_t context, uint32_t call);

/* The context that a call in a context runs, if it is one alone; else C_NONE, as of a function that calls back. */
uint32_t points_callee(const Points *points, uint32_t context, uint32_t call);

/* How many bytes an argument 'o', 'i', 'O' or 'I' of a call in a context has, if that is known; else 0. */
uint64_t points_bytes(const Points *points, uint32_t context, const CInstruction *i, uint32_t n, char letter);

/* Adds a gap, once for each instruction and text; `what` must outlive it. */
void points_gap(Points *points, uint32_t context, uint32_t instruction, const char *what);

/* Likewise, as nothing is known of the address that is operand n. */
void points_gap_at(Points *points, uint32_t context, uint32_t instruction, uint32_t n, const char *what);

/* An address is loaded and stored as a whole, or byte by byte (C17 6.5p7); what takes several bytes of it, but not all,
 * is no address. A byte of an address is what is computed from it: it leads anywhere in the object. So do bytes that
 * are put together. */
static inline bool points_may_be_address(uint64_t size) { return size == 1 || size >= 8; }

#endif
