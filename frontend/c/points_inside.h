/* points_inside.h: what the files of points share. */
#ifndef FRONTEND_C_POINTS_INSIDE_H
#define FRONTEND_C_POINTS_INSIDE_H

#include "frontend/c/points.h"

static inline uint32_t node_of(const Points *p, uint32_t context, uint32_t i) { return points_node(p, context, i); }

/* ---- objects, targets, and what is stored there: points_memory.c ---- */

uint32_t points_object(Points *p, CObjectKind kind, uint32_t n, uint32_t context, uint64_t size);
uint32_t points_place(Points *p, CTarget place);
uint32_t points_target(Points *p, uint32_t object, uint32_t offset);
uint32_t points_unknown(Points *p);

/* Where an address goes that has led to the target `from`, in the same object. */
uint32_t points_go(Points *p, uint32_t from, CTarget place);

/* So many bytes from the beginning of an object, which is no part. */
uint32_t points_at(Points *p, uint32_t object, int64_t offset);

/* A target that is the address of a structure that is so long: if it leads into an array that is shorter, the structure
 * begins with that, and it is a target of the structure, from which addresses go on. */
uint32_t points_structure(Points *p, uint32_t target, uint64_t structure);

/* The target so many bytes further on, or anywhere in its object. */
uint32_t points_move(Points *p, uint32_t target, int64_t bytes, bool anywhere);

/* The node's value may be that target, too; or those. Something at the target `where` may be that one. */
void points_add(Points *p, uint32_t node, uint32_t target);
void points_add_all(Points *p, uint32_t node, const U32Vec *from);
void points_content_add(Points *p, uint32_t where, uint32_t target);
void points_store_unknown(Points *p, uint32_t target);

/* Something of that size is stored there, which may be these. points_store_one: an address. */
void points_store(Points *p, uint32_t target, uint64_t size, const U32Vec *values);
void points_store_one(Points *p, uint32_t where, uint64_t size, const U32Vec *values);

/* What lies behind one target comes behind another one. */
void points_copy_contents(Points *p, uint32_t from, uint32_t to);

/* What is found in an object that is loaded from comes to the node; all of it, where it is not known where. */
void points_load(Points *p, uint32_t context, const CInstruction *i, uint32_t node, uint32_t address);
void points_load_target(Points *p, uint32_t target, uint64_t size, uint32_t node);
void points_store_value(Points *p, uint32_t context, const CInstruction *i, uint32_t value, uint32_t address);
/* What is found there comes to the node; what a read-modify-write computes of it comes there. */
void points_update(Points *p, uint32_t context, const CInstruction *i, uint32_t node);
void points_solve_copy(Points *p, uint32_t context, const CInstruction *i, uint32_t node);

/* ---- contexts and calls: points.c ---- */

/* A copy of the targets of operand n, that stays while other sets grow; to be released. */
U32Vec points_copy(Points *p, uint32_t context, const CInstruction *i, uint32_t n);

/* The context of a function that is called there; and the thread that a call creates. */
uint32_t points_call(Points *p, uint32_t context, uint32_t call, uint32_t function);
uint32_t points_thread(Points *p, uint32_t context, uint32_t call, uint32_t function, uint32_t copy, bool is_open);

/* Operand n of a call is the argument of that number of a context that it runs. */
void points_pass(Points *p, uint32_t context, const CInstruction *i, uint32_t n, uint32_t callee, uint32_t number);

/* Calls back for each function that operand n may be. */
typedef void EachFunction(Points *p, uint32_t context, uint32_t number, uint32_t function);
void points_each_function(Points *p, uint32_t context, uint32_t number, uint32_t n, EachFunction *each);

/* What hangs on the node's value is to be solved again. */
void points_wake_users(Points *p, uint32_t node);

/* ---- calls of what is not defined: points_foreign.c ---- */

void points_solve_foreign(Points *p, uint32_t context, uint32_t number, uint32_t function);

/* What the functions of a family hide; C_NONE: there are none. */
uint32_t points_family(Points *p, const char *family);

/* The thread of the context ends with what operand n of the instruction is. */
void points_leave(Points *p, uint32_t context, const CInstruction *i, uint32_t n);

/* What is at the target of the variable arguments of a context. */
uint32_t points_extra(Points *p, uint32_t context);

/* ---- where control may come: points_reach.c ---- */

/* The context's entry is come to. */
void reach_enter(Points *p, uint32_t context);

/* Control is at the end of the block: goes on from there. */
void reach_on(Points *p, uint32_t context, uint32_t block);

/* May control come to a block from the end of that one, as far as is known in this round? */
bool reach_comes(const Points *p, uint32_t context, uint32_t from, uint32_t to);

/* ---- numbers: points_number.c ---- */

static inline CNumber number_any(void) { return (CNumber){NUMBER_ANY, 0}; }

/* May a condition come out so, as far as is known in this round? */
static inline bool number_may_be(CNumber condition, bool truth) {
  return condition.kind == NUMBER_ANY || (condition.kind == NUMBER_ONE && (condition.value != 0) == truth);
}

/* What number an operand is in a context, as far as it is known in this round. */
CNumber number_of(const Points *p, uint32_t context, const COperand *operand);

/* May a C_MERGE, or a C_SELECT, take its operand n, as far as is known in this round? */
bool points_takes(const Points *p, uint32_t context, const CInstruction *i, uint32_t n);

/* The node's value may be that number, too. */
void number_add(Points *p, uint32_t node, CNumber number);

/* Adds what the instruction computes to its node; what calls give comes by number_add. */
void number_solve(Points *p, uint32_t context, const CInstruction *i, uint32_t node);

#endif
