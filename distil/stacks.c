#include "distil/stacks.h"

#include "base/hash.h"
#include "base/slots.h"
#include "base/vec.h"

#include <assert.h>
#include <string.h>

/* The stack at each event with this code. */
typedef struct {
  uint64_t code;
  uint32_t stack;
} Told;

/* What a thread has logged. */
typedef struct {
  uint64_t callers[RAW_ALLOC_CALLERS]; /* of the next RAW_STACK */
  uint32_t n;
  uint32_t stacks[RAW_STACKS]; /* by the thread's numbers */
  Told told[RAW_TOLD + 1];     /* by code */
} Calls;

typedef struct {
  uint32_t first, n; /* in `callers` */
} Stack;

struct Stacks {
  Heap *heap;
  Calls **threads; /* NULL: it has logged no stack so far */
  uint32_t n_threads;
  VEC(uint64_t) callers;
  VEC(Stack) stacks; /* by number; the first is empty */
  HashSlots slots;   /* of the others */
};

Stacks *stacks_open(Heap *heap, uint32_t n_threads) {
  Stacks *s = heap_zeroed(heap, sizeof *s);
  s->heap = heap;
  s->n_threads = n_threads;
  s->threads = heap_zeroed(heap, heap_product(heap, n_threads + (size_t)1, sizeof *s->threads));
  vec_resize_zeroed(heap, &s->stacks, 1);
  return s;
}

void stacks_close(Stacks *s) {
  for (uint32_t i = 0; i < s->n_threads; i++) heap_release(s->heap, s->threads[i]);
  heap_release(s->heap, s->threads);
  vec_fini(s->heap, &s->callers);
  vec_fini(s->heap, &s->stacks);
  slots_fini(s->heap, &s->slots);
  heap_release(s->heap, s);
}

static bool is(const Stacks *s, uint32_t stack, const uint64_t *callers, uint32_t n) {
  const Stack *it = &s->stacks.at[stack];
  return it->n == n && memcmp(s->callers.at + it->first, callers, n * sizeof *callers) == 0;
}

static uint32_t add_stack(Stacks *s, const uint64_t *callers, uint32_t n) {
  const Stack stack = {s->callers.n, n};
  vec_reserve(s->heap, &s->callers, n);
  memcpy(s->callers.at + s->callers.n, callers, n * sizeof *callers);
  s->callers.n += n;
  vec_push(s->heap, &s->stacks, stack);
  return s->stacks.n - 1;
}

static uint32_t stack_of(Stacks *s, const uint64_t *callers, uint32_t n) {
  const uint32_t hash = (uint32_t)hash_bytes(callers, n * sizeof *callers);
  if (!n) return 0;
  if (s->stacks.n >= s->slots.n / 2) slots_grow(s->heap, &s->slots);
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(&s->slots, i);
    if (!slot->number) *slot = (HashSlot){hash, add_stack(s, callers, n) + 1};
    if (slot->hash == hash && is(s, slot->number - 1, callers, n)) return slot->number - 1;
  }
}

/* They are counted again from 0 where a signal handler has jumped out of the recorder meanwhile. */
static void note_caller(Calls *calls, const RawEvent *e) {
  const uint32_t i = e->code & ((1u << RAW_CODE_BITS) - 1);
  if (i > calls->n || i >= RAW_ALLOC_CALLERS) return;
  calls->callers[i] = e->address;
  calls->n = i + 1;
}

void stacks_note(Stacks *s, const RawEvent *e) {
  assert(e->thread < s->n_threads);
  if (!s->threads[e->thread]) s->threads[e->thread] = heap_zeroed(s->heap, sizeof(Calls));
  Calls *calls = s->threads[e->thread];
  if (e->kind == RAW_CALLER) {
    note_caller(calls, e);
    return;
  }
  const uint64_t word = e->address & ((UINT64_C(1) << RAW_OFFSET_BITS) - 1), number = word / 2;
  if (number < RAW_STACKS && word & 1) calls->stacks[number] = stack_of(s, calls->callers, calls->n);
  if (word & 1) calls->n = 0;
  calls->told[e->code & RAW_TOLD] = (Told){e->code, number < RAW_STACKS ? calls->stacks[number] : 0};
}

void stacks_end(Stacks *s, uint32_t thread) {
  assert(thread < s->n_threads);
  heap_release(s->heap, s->threads[thread]);
  s->threads[thread] = NULL;
}

uint32_t stacks_at(const Stacks *s, uint32_t thread, uint64_t code) {
  const Calls *calls = s->threads[thread];
  if (!calls) return 0;
  const Told *told = &calls->told[code & RAW_TOLD];
  return told->code == code ? told->stack : 0;
}

uint64_t stacks_own_code(const Stacks *s, uint32_t thread, uint64_t code, StacksOwn *is_own, void *data) {
  uint32_t n;
  const uint64_t *callers = stacks_callers(s, stacks_at(s, thread, code), &n);
  uint64_t own = code;
  for (uint32_t i = 0; i < n && !is_own(data, own - 1); i++) own = callers[i];
  return is_own(data, own - 1) ? own : code;
}

const uint64_t *stacks_callers(const Stacks *s, uint32_t stack, uint32_t *n) {
  assert(stack < s->stacks.n);
  *n = s->stacks.at[stack].n;
  return s->callers.at + s->stacks.at[stack].first;
}
