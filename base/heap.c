#include "base/heap.h"

#include "base/clock.h"

#include <assert.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A piece is a header in front of the caller's bytes; the headers form a ring through the heap's own `ring`. */
typedef struct Piece {
  struct Piece *next, *previous;
  alignas(max_align_t) size_t size; /* bytes, header included */
} Piece;

struct Heap {
  Piece ring;
  uint64_t used, peak, limit; /* bytes */
  uint64_t met;               /* the limit that was met last; 0: none */
  uint64_t (*find)(void);     /* says the limit, which is HEAP_UNASKED until then; or NULL */
  uint64_t count, fail_at;
  HeapEnd *ends;
  jmp_buf *recover;
  StopReason why; /* of the last jump */
  const Stop *stop;
  double spared; /* so much processor time of the process is over when the stop counts again; 0: it always did */
};

/* What is left, once, to who has caught a jump because of the stop: to tell the part of an answer that it has. */
#define SPARED_SECONDS 0.1

Heap *heap_new(uint64_t limit) {
  Heap *heap = calloc(1, sizeof *heap);
  if (!heap) return NULL;
  heap->ring.next = heap->ring.previous = &heap->ring;
  heap->limit = limit;
  return heap;
}

void heap_free(Heap *heap) {
  if (!heap) return;
  for (const HeapEnd *end = heap->ends; end; end = end->next) end->end(end->argument);
  for (Piece *p = heap->ring.next, *next; p != &heap->ring; p = next) {
    next = p->next;
    free(p);
  }
  free(heap);
}

void heap_add_end(Heap *heap, HeapEnd *end) {
  end->next = heap->ends;
  heap->ends = end;
}

void heap_remove_end(Heap *heap, HeapEnd *end) {
  HeapEnd **at = &heap->ends;
  while (*at != end) at = &(*at)->next;
  *at = end->next;
}

_Noreturn static void leave(Heap *heap, StopReason why) {
  assert(why != STOP_NOT);
  if (!heap->recover) abort();
  heap->why = why;
  longjmp(*heap->recover, 1);
}

_Noreturn void heap_give_up(Heap *heap) { leave(heap, STOP_MEMORY); }
_Noreturn void heap_pass_on(Heap *heap) { leave(heap, heap->why == STOP_NOT ? STOP_MEMORY : heap->why); }
StopReason heap_why(const Heap *heap) { return heap->why; }

/* ---- ending early ---- */

void heap_watch(Heap *heap, const Stop *stop) { heap->stop = stop; }
const Stop *heap_watched(const Heap *heap) { return heap->stop; }
StopReason heap_asked(const Heap *heap) { return heap->stop ? (StopReason)heap->stop->asked : STOP_NOT; }

static bool is_due(const Heap *heap) {
  return heap->stop && heap->stop->due && heap->recover && (heap->spared <= 0 || clock_cpu_seconds() >= heap->spared);
}

static void spare(Heap *heap) {
  if (heap->spared <= 0 && heap->stop && heap->stop->due) heap->spared = clock_cpu_seconds() + SPARED_SECONDS;
}

void heap_poll(Heap *heap) {
  if (is_due(heap)) leave(heap, heap_asked(heap));
}

void heap_poll_asked(Heap *heap) {
  const StopReason why = heap_asked(heap);
  if (why != STOP_NOT && heap->recover) leave(heap, why);
}

uint64_t heap_met_limit(const Heap *heap) { return heap->met; }

/* As it may be given: 20M. */
static void explain_memory(const Heap *heap, char *text, size_t room) {
  static const char *const UNITS[] = {" bytes", "K", "M", "G"};
  uint64_t n = heap->met;
  uint32_t unit = 0;
  while (unit + 1 < sizeof UNITS / sizeof *UNITS && n >= 1024 && (n % 1024 == 0 || n >= 100 * 1024)) n /= 1024, unit++;
  if (n) snprintf(text, room, "the memory limit of %" PRIu64 "%s was reached", n, UNITS[unit]);
  else snprintf(text, room, "out of memory");
}

void heap_explain(const Heap *heap, StopReason why, char *text, size_t room) {
  switch (why) {
  case STOP_NOT: text[0] = '\0'; break;
  case STOP_CANCELLED: snprintf(text, room, "interrupted"); break;
  case STOP_TIME:
    snprintf(text, room, "the time limit of %g s was reached", heap->stop ? heap->stop->seconds : 0);
    break;
  case STOP_MEMORY: explain_memory(heap, text, room); break;
  }
}

void heap_explain_after(const Heap *heap, StopReason why, uint64_t n, const char *what, char *text, size_t room) {
  heap_explain(heap, why, text, room);
  const size_t length = strlen(text);
  if (length) snprintf(text + length, room - length, " after %" PRIu64 " %s", n, what);
}

void heap_explain_limit(uint64_t limit, const char *what, char *text, size_t room) {
  snprintf(text, room, "the limit of %" PRIu64 " %s was reached", limit, what);
}

/* ---- pieces ---- */

static void link_piece(Heap *heap, Piece *p, size_t size) {
  p->size = size;
  p->next = heap->ring.next;
  p->previous = &heap->ring;
  p->next->previous = p->previous->next = p;
  heap->used += size;
  if (heap->used > heap->peak) heap->peak = heap->used;
}

static void unlink_piece(Heap *heap, Piece *p) {
  p->next->previous = p->previous;
  p->previous->next = p->next;
  heap->used -= p->size;
}

static bool is_beyond(Heap *heap, uint64_t bytes) {
  const bool beyond = heap->limit && bytes > heap->limit && heap_limit(heap) && bytes > heap->limit;
  if (beyond) heap->met = heap->limit;
  return beyond;
}

/* Why the heap may not give out so much, or STOP_NOT; the size with its header. */
static StopReason check_size(Heap *heap, size_t size, size_t old, size_t *whole) {
  heap->count++;
  if (is_due(heap)) return heap_asked(heap);
  if (heap->fail_at && --heap->fail_at == 0) return STOP_MEMORY;
  if (size > SIZE_MAX / 2) return STOP_MEMORY;
  *whole = size + sizeof(Piece);
  return is_beyond(heap, heap->used - old + *whole) ? STOP_MEMORY : STOP_NOT;
}

static size_t checked_size(Heap *heap, size_t size, size_t old) {
  size_t whole = 0;
  const StopReason why = check_size(heap, size, old, &whole);
  if (why != STOP_NOT) leave(heap, why);
  return whole;
}

void *heap_alloc_or_null(Heap *heap, size_t size) {
  size_t whole = 0;
  const StopReason why = check_size(heap, size, 0, &whole);
  Piece *p = why == STOP_NOT ? malloc(whole) : NULL;
  if (p) return link_piece(heap, p, whole), p + 1;
  heap->why = why == STOP_NOT ? STOP_MEMORY : why;
  return NULL;
}

void *heap_alloc(Heap *heap, size_t size) {
  void *piece = heap_alloc_or_null(heap, size);
  if (!piece) heap_pass_on(heap);
  return piece;
}

void *heap_zeroed(Heap *heap, size_t size) {
  const size_t whole = checked_size(heap, size, 0);
  Piece *p = calloc(1, whole);
  if (!p) heap_give_up(heap);
  link_piece(heap, p, whole);
  return p + 1;
}

void *heap_resize(Heap *heap, void *piece, size_t size) {
  if (!piece) return heap_alloc(heap, size);
  Piece *old = (Piece *)piece - 1;
  const size_t whole = checked_size(heap, size, old->size);
  unlink_piece(heap, old);
  const size_t old_size = old->size;
  Piece *p = realloc(old, whole);
  if (!p) {
    link_piece(heap, old, old_size);
    heap_give_up(heap);
  }
  link_piece(heap, p, whole);
  return p + 1;
}

void heap_release(Heap *heap, void *piece) {
  if (!piece) return;
  Piece *p = (Piece *)piece - 1;
  unlink_piece(heap, p);
  free(p);
}

size_t heap_product(Heap *heap, uint64_t count, uint64_t size) {
  if (size && count > SIZE_MAX / size) heap_give_up(heap);
  return (size_t)(count * size);
}

bool heap_try(Heap *heap, void (*body)(void *argument), void *argument) {
  jmp_buf here;
  jmp_buf *const outer = heap->recover;
  heap->recover = &here;
  const bool done = setjmp(here) == 0;
  if (done) body(argument);
  heap->recover = outer;
  if (!done && outer) spare(heap);
  return done;
}

uint64_t heap_used(const Heap *heap) { return heap->used; }
uint64_t heap_peak(const Heap *heap) { return heap->peak; }
uint64_t heap_count(const Heap *heap) { return heap->count; }

void heap_set_limit(Heap *heap, uint64_t limit) {
  heap->limit = limit;
  heap->find = NULL;
}

void heap_find_limit(Heap *heap, uint64_t (*find)(void)) {
  heap->limit = HEAP_UNASKED;
  heap->find = find;
}

uint64_t heap_limit(Heap *heap) {
  if (heap->find) heap_set_limit(heap, heap->find());
  return heap->limit;
}

void heap_fail_at(Heap *heap, uint64_t nth) { heap->fail_at = nth; }
