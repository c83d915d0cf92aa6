/* control.h: the control of a program's threads, calls kept as calls: a pushdown system, for programs that may be
 * recursive. All data is abstracted.
 *
 * A proc is a graph of nodes, with one node at which it returns; so is what stands in an atomic. A path goes from node
 * to node; at a call it goes on at the callee's first node, and after the call when it gets to the callee's return.
 * An event is what lies between a CONTROL_EVENT and the CONTROL_DONE that is reached, and happens at one moment; every
 * event can be completed. A test may go either way, unless it is known whatever the variables hold; an await can
 * always pass, unless it is known to be false. Lock operations are events that do nothing.
 *
 * A block ends in the proc in which it begins. So it is known of each node whether it belongs to a transaction, if it
 * is known of the calls: a proc that is called both in transactions and outside has a graph for either case, and one
 * more where it is called in an atomic. */
#ifndef PROGRAM_CONTROL_H
#define PROGRAM_CONTROL_H

#include "program/program.h"

#define CONTROL_NONE UINT32_MAX

/* What a node does. */
typedef enum {
  CONTROL_EVENT,  /* an event starts */
  CONTROL_ACCESS, /* of an object: a part of the event */
  CONTROL_DONE,   /* the event is over */
  CONTROL_BEGIN,  /* of a block */
  CONTROL_END,
  CONTROL_CHOICE, /* goes on at `next`, or at `other` if that is not CONTROL_NONE */
  CONTROL_CALL,   /* of the proc `other`, then `next` */
  CONTROL_RETURN, /* from the proc `other`; has no successor */
  CONTROL_STOP    /* likewise: what waits for ever */
} ControlKind;

/* A node of the graph. What its kind does not use is nothing. */
typedef struct {
  uint8_t kind; /* a ControlKind */
  bool write;   /* CONTROL_ACCESS */
  bool inside;  /* CONTROL_DONE: of an event in a transaction; BEGIN, END: of a block in another one */
  bool negated; /* CONTROL_EVENT of a test: it is false */
  uint32_t op;  /* of Program.ops: where it comes from */
  uint32_t next, other;
  uint32_t object; /* CONTROL_ACCESS: of Program.objects */
  uint32_t item;   /* of Program.items: CONTROL_ACCESS: what is read or written; CONTROL_EVENT: the one read that it
                      is, of an operation that has further events, or CONTROL_NONE */
} ControlNode;

/* The nodes start .. end - 1; the first one is where it starts, the last one where it returns. */
typedef struct {
  uint32_t start, end;
  bool is_atomic; /* a part of an event: each node is a CONTROL_STOP, or some path leads from it to the return */
} ControlProc;

/* Lists of numbers: those of i are at[start[i]] .. at[start[i + 1] - 1]. */
typedef struct {
  uint32_t *start, *at;
} ControlLists;

/* The control of a whole program. All its memory is the heap's. */
typedef struct {
  Heap *heap;
  VEC(ControlNode) nodes;
  VEC(ControlProc) procs;
  U32Vec threads;       /* per written thread its proc */
  bool *returns;        /* per node: some path leads to the return of its proc */
  ControlLists before;  /* per node: the nodes whose `next`, or CONTROL_CHOICE's `other`, it is */
  ControlLists callers; /* per proc: the calls of it */
  uint32_t *proc_at;    /* per node: the proc that starts there, or CONTROL_NONE */
} Control;

/* An empty one, for control_build; what is in it comes from the heap. */
void control_init(Control *control, Heap *heap);
void control_fini(Control *control);

/* Fills a control that has been initialised. With GRANULARITY_ACCESS each read is an event, except in atomics. */
void control_build(Control *control, const Program *program, Granularity granularity);

/* May a path go on after the node at its `next` (and `other`, for a choice)? Of a call that depends on the callee. */
static inline bool control_goes_on(const ControlNode *node) {
  return node->kind != CONTROL_RETURN && node->kind != CONTROL_STOP;
}

/* Can a path go on after the call? */
static inline bool control_passes(const Control *control, const ControlNode *call) {
  return control->returns[control->procs.at[call->other].start];
}

#endif
