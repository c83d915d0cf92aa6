/* shape.h: the free jumps of a thread as statements in each other: what comes after what, choices, loops, blocks.
 *
 * Each operation of the thread stands there once. Where control comes to a place from several sides, or leaves a loop
 * for several ones, a variable of the thread says where it goes: SHAPE_GO sets it, and SHAPE_CASE and SHAPE_LOOP look
 * at it.
 * So there are steps that the thread did not have; they touch nothing that is shared. (After N. Ramsey, "Beyond
 * Relooper", 2022, and A. Zakai, "Emscripten", 2011.) */
#ifndef PROGRAM_SHAPE_H
#define PROGRAM_SHAPE_H

#include "program/program.h"

/* What a shape is. */
typedef enum {
  SHAPE_OP,     /* the operation alone */
  SHAPE_IF,     /* the test `op`: `first` where it is true, `otherwise` where it is false */
  SHAPE_WHILE,  /* `first` again and again, while the test `op` is true; or false, if `negated` */
  SHAPE_LOOP,   /* `first` again and again, while the variable has one of the labels; for ever, if there are none */
  SHAPE_CASE,   /* `first` where the variable has the label `op`, else `otherwise` */
  SHAPE_GO,     /* sets the variable to the label `op`, if `needed`; else nothing */
  SHAPE_BLOCK,  /* the block that the OP_BEGIN `op` begins */
  SHAPE_ATOMIC, /* `first` is one event, that of the OP_ATOMIC `op` */
} ShapeKind;

/* A shape. Lists are chains of `next`; PROGRAM_NONE ends one. Labels are numbers of operations. */
typedef struct {
  ShapeKind kind;
  bool negated, needed;
  uint32_t op;
  uint32_t first, otherwise, next;
  uint32_t labels, n_labels; /* SHAPE_LOOP: of Shapes.labels */
} Shape;

/* The shapes of one thread. Its memory is the heap's. */
typedef struct {
  Heap *heap;
  VEC(Shape) at;
  U32Vec labels;
  uint32_t first; /* of the whole list */
} Shapes;

/* Nested no deeper. */
enum { SHAPE_MOST = 900 };

/* Shapes the proc, which has no calls, selections and failures, nor atomics in each other; its memory is the heap's.
 * False, with ERR_INPUT, if it has, or if it would be nested too deep; *shapes is to be freed all the same. */
bool shape_proc(const Program *program, uint32_t proc, Heap *heap, Shapes *shapes, Err *err);
void shape_fini(Shapes *shapes);

#endif
