/* calls.c: call stacks for the log. A function is mostly called from the same places again and again; so a stack gets a
 * number, and is logged for the code of an event only where it is another one than before. What was logged is
 * remembered in tables with one place for each hash: where that has become another one's, it is logged again. Where it
 * is another one all the time nothing is known after a while: it would cost more than the events. */
#include "record/runtime.h"

_Static_assert(RAW_CALLERS == 3, "as many as calls_hash takes");

/* Nothing is noted before all of it is in the log: a signal handler may jump out of this. */
static void tell(Thread *t, uintptr_t code, uint64_t callers, uint32_t n) {
  const uint32_t slot = code & RAW_TOLD;
  if (t->tells[slot] > RAW_TELLS) return;
  if (++t->tells[slot] > RAW_TELLS) callers = n = 0;
  const uint32_t number = callers ? 1 + (uint32_t)(callers >> 32) % (RAW_STACKS - 1) : 0;
  const bool known = t->stacks[number] == callers; /* 0 is */
  for (uint32_t i = 0; !known && i < n; i++)
    thread_log(t, RAW_CALLER, t->calls[AROUND + t->depth - 1 - i].from, (uintptr_t)t->code << RAW_CODE_BITS | i);
  const uint64_t word = thread_word(t, RAW_STACK, (uintptr_t)t->region[t->slot] << RAW_OFFSET_BITS, code);
  thread_push(t, word | (uint64_t)(number * 2 + !known) << RAW_ADDRESS_SHIFT);
  t->stacks[number] = callers;
  t->told[slot] = callers + code;
}

static uint32_t at_most(uint32_t n, uint32_t most) { return n < most ? n : most; }

void calls_tell(Thread *t, uintptr_t code) { tell(t, code, t->callers, at_most(t->depth, RAW_CALLERS)); }

void calls_tell_more(Thread *t, uintptr_t code) {
  const uint32_t n = at_most(t->depth, RAW_ALLOC_CALLERS);
  uint64_t callers = t->callers;
  for (uint32_t i = RAW_CALLERS; callers && i < n; i++)
    callers = (callers ^ t->calls[AROUND + t->depth - 1 - i].from) * UINT64_C(0xbf58476d1ce4e5b9) | 1;
  if (t->told[code & RAW_TOLD] != callers + code) tell(t, code, callers, n);
}

/* Of calls beyond those that are known it cannot be told which are left. */
void calls_leave(Thread *t, uintptr_t frame) {
  if (t->depth > CALLS) t->depth = UINT32_MAX / 2;
  while (t->depth && t->depth <= CALLS && t->calls[AROUND + t->depth - 1].frame < frame) calls_pop(t);
}
