/* ahead.h: bytes that are made on a thread of its own, a few buffers ahead of who reads them; for trace/ alone.
 *
 * Thread and reader tell each other by two pipes, a byte each time, in the order of what happens; so what the thread
 * does between two bytes is done when the reader comes to the second one. The reader waits for its pipe as it waits for
 * a file: signals and limits reach it as ever. A heap is for one thread: memory is asked for through the pipe, too. */
#ifndef TRACE_AHEAD_H
#define TRACE_AHEAD_H

#include "base/heap.h"

/* The thread, and what it has made. */
typedef struct Ahead Ahead;

/* Makes the next bytes, on the thread: at least one and at most `room`, or *n 0 at their end. False at a fault, of
 * which the argument knows. It uses no heap; it may wait with ahead_wait, and use ahead_give and ahead_take. */
typedef bool AheadMake(void *argument, char *to, size_t room, size_t *n);

/* NULL if there is no memory for it. It is the heap's, until free, which ends the thread if it runs. */
Ahead *ahead_new(Heap *heap, AheadMake *make, void *argument);
void ahead_free(Ahead *ahead);

/* Begins; false if there is no thread to be had. Only the thread may use the argument from then on, until the end, a
 * fault, or free. */
bool ahead_begin(Ahead *ahead);

/* What there is: bytes (none: the end); a fault; nothing yet, while the heap is asked to stop. */
typedef enum { AHEAD_BYTES, AHEAD_FAULT, AHEAD_ASKED } AheadGot;
AheadGot ahead_read(Ahead *ahead, char *to, size_t room, size_t *n);

/* ---- on the thread ---- */

/* Until there is something to read, or its end; false if nobody wants it any more. */
bool ahead_wait(const Ahead *ahead, int handle);
/* As heap_alloc_or_null and heap_release. */
void *ahead_give(Ahead *ahead, size_t size);
void ahead_take(Ahead *ahead, void *piece);

#endif
