/* heap.h: the memory of one run of a tool.
 *
 * Everything that the project allocates comes from a Heap. The heap counts the bytes, so a memory limit is exact; it
 * knows every piece, so that after running out of memory all of it can be given back; and it can be told to fail at its
 * n-th allocation, so that a test can try each failure in turn. Running out of memory is no error code on every call:
 * the allocation jumps back to the innermost heap_try(), as Lua's protected calls do. A limit of time, or Ctrl-C,
 * leaves the work on the same way. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include "base/stop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One run's memory: what was given out and not yet given back, the limit, and the innermost heap_try(). */
typedef struct Heap Heap;

/* A new heap that gives out at most `limit` bytes, bookkeeping included; 0 is no limit. NULL if there is no memory. */
Heap *heap_new(uint64_t limit);

/* Frees the heap and all that was allocated from it and not yet released. NULL is allowed. */
void heap_free(Heap *heap);

/* What goes on beside the owner of the heap and uses its memory, such as a thread: before heap_free gives any of that
 * back, it calls end(argument), unless that was removed before. The structure lives as long. */
typedef struct HeapEnd {
  void (*end)(void *argument);
  void *argument;
  struct HeapEnd *next;
} HeapEnd;
void heap_add_end(Heap *heap, HeapEnd *end);
void heap_remove_end(Heap *heap, HeapEnd *end);

/* `size` bytes, aligned for all types, uninitialised (heap_zeroed: all zero). Never NULL, size 0 included. If memory or
 * the limit is used up, control returns to the innermost heap_try(); outside of any heap_try() the process is aborted.
 */
void *heap_alloc(Heap *heap, size_t size);
void *heap_zeroed(Heap *heap, size_t size);

/* The same, but NULL where heap_alloc would leave: for a library that calls for memory. A jump over the library would
 * keep what it was about to change half changed; so it is told, and its caller leaves with heap_pass_on() once it has
 * returned. */
void *heap_alloc_or_null(Heap *heap, size_t size);

/* As realloc: `piece` (NULL: a new one) with `size` bytes; the old pointer is dead. */
void *heap_resize(Heap *heap, void *piece, size_t size);

/* Gives one piece back; NULL is allowed. */
void heap_release(Heap *heap, void *piece);

/* count * size, or an out-of-memory jump where that does not fit a size_t. */
size_t heap_product(Heap *heap, uint64_t count, uint64_t size);

/* Runs body(argument). False if memory ran out on the way: then `body` was left at that point, and what it allocated
 * and did not release is still counted until heap_free(). Calls may nest: the first of them that was left because the
 * stop was due leaves another tenth of a second of processor time to the rest. */
bool heap_try(Heap *heap, void (*body)(void *argument), void *argument);

/* Leaves the innermost heap_try() as if memory had run out: for limits of a size that no array index can hold. */
_Noreturn void heap_give_up(Heap *heap);

/* Why the last heap_try() was left; and leaves the next one, too, for the same reason: for who has caught it to clean
 * up. */
StopReason heap_why(const Heap *heap);
_Noreturn void heap_pass_on(Heap *heap);

/* ---- ending early ---- */

/* From now on *stop, which must live as long, ends the work; NULL: nothing does. */
void heap_watch(Heap *heap, const Stop *stop);
const Stop *heap_watched(const Heap *heap);

/* Should the work end with what it has? To be asked in each loop that can take a tenth of a second. */
StopReason heap_asked(const Heap *heap);

/* Leaves the innermost heap_try() if it is time to: for loops that allocate nothing, and have no part of an answer. */
void heap_poll(Heap *heap);

/* If the work should end: leaves the innermost heap_try() at once, for there is nothing to tell. */
void heap_poll_asked(Heap *heap);

/* The limit that was met when memory was refused last; 0: none was. */
uint64_t heap_met_limit(const Heap *heap);

/* "out of memory", "the memory limit of 20M was reached", "interrupted", "the time limit of 2 s was reached": at most `room` > 0 bytes, NUL included. */
void heap_explain(const Heap *heap, StopReason why, char *text, size_t room);

/* The same with how far it came: "interrupted after 12 events". */
void heap_explain_after(const Heap *heap, StopReason why, uint64_t n, const char *what, char *text, size_t room);

/* Of a limit that is none of the heap's: "the limit of 12 events was reached". */
void heap_explain_limit(uint64_t limit, const char *what, char *text, size_t room);

uint64_t heap_used(const Heap *heap);  /* bytes given out now */
uint64_t heap_peak(const Heap *heap);  /* the most bytes ever given out at one time */
uint64_t heap_count(const Heap *heap); /* allocations and resizes so far */

/* As of heap_new; may be less than is given out now: then only the next allocation fails. */
void heap_set_limit(Heap *heap, uint64_t limit);

/* The limit is what find() says, which is asked only where more than HEAP_UNASKED bytes would be given out: few runs
 * use more, and to find it may take as long as they do. */
enum { HEAP_UNASKED = 1 << 24 };
void heap_find_limit(Heap *heap, uint64_t (*find)(void));

uint64_t heap_limit(Heap *heap); /* 0: none */

/* Lets the allocation number `nth` from now on fail (1 is the next one); 0 turns this off. For tests. */
void heap_fail_at(Heap *heap, uint64_t nth);

#endif
