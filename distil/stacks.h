/* stacks.h: call stacks, as the raw log has them: from which places the function of an event was called. */
#ifndef DISTIL_STACKS_H
#define DISTIL_STACKS_H

#include "distil/source.h"

/* What is known of the threads. */
typedef struct Stacks Stacks;

/* For threads 0 to n_threads - 1. Memory is the heap's until stacks_close. */
Stacks *stacks_open(Heap *heap, uint32_t n_threads);
void stacks_close(Stacks *stacks);

/* A RAW_CALLER or a RAW_STACK. */
void stacks_note(Stacks *stacks, const RawEvent *event);

/* The thread has ended: of its stacks nothing is known any more. */
void stacks_end(Stacks *stacks, uint32_t thread);

/* The stack at the thread's next event, if that has this code: a number, the same for the same stacks. 0: it is empty,
 * or not known. */
uint32_t stacks_at(const Stacks *stacks, uint32_t thread, uint64_t code);

/* The place of an event with that code of the thread, in the innermost of the program's own functions that it was
 * called from, or in itself: a return address. The event's own code if no function is the program's, as is_own says of
 * the place before a return address. */
typedef bool StacksOwn(void *data, uint64_t code);
uint64_t stacks_own_code(const Stacks *stacks, uint32_t thread, uint64_t code, StacksOwn *is_own, void *data);

/* The return addresses in a stack, *n of them, the innermost first. */
const uint64_t *stacks_callers(const Stacks *stacks, uint32_t stack, uint32_t *n);

#endif
