/* loops.h: what a loop does again and again is few words of the log.
 *
 * When an access is as far from the last one of the same code as that was from the one before, and so is each access in
 * between from the one a period before it, and that for three periods, a loop has gone round, and goes on: from then on
 * its accesses are counted, in one RAW_LOOP, for as long as each is the one that is expected. Each takes its stripe
 * before, as ever; so what stands in the log is what was done. Where the thread's clock goes up, or anything else is
 * logged, that was the loop. To see one costs little where there is none: just one code at a time is waited for. Where
 * the loop that was counted last begins again elsewhere, it has to go round once. */
#ifndef RECORD_LOOPS_H
#define RECORD_LOOPS_H

#include "record/stripe.h"

/* All of a word but its address. */
#define LOOPS_CODES ((UINT64_C(1) << RAW_ADDRESS_SHIFT) - 1)

static inline uint64_t loops_key(RawKind kind, uintptr_t code) { return (uint64_t)code << RAW_KIND_BITS | kind; }

/* Is there a loop whose next access is this one, if the log went on? */
static inline bool loops_expects(const Thread *t, RawKind kind, uintptr_t address, uintptr_t code) {
  const LoopAccess *next = t->loop.now;
  return t->loop.at == t->at && next->address == address && next->key == loops_key(kind, code);
}

/* What was expected has been counted. */
static inline void loops_go_on(Thread *t) {
  Loop *l = &t->loop;
  l->now->address += l->now->step;
  if (LIKELY(++l->now != l->end)) return;
  l->now = l->next;
  if (UNLIKELY(!--l->left)) thread_end_loop(t);
}

/* One more, which is expected. A jump out of a signal handler may find the count alone done; then what is expected is
 * forgotten (stripe_recover). */
static inline void loops_count(Thread *t) {
  volatile uint64_t *word = &t->at[-1];
  *word = raw_loop_more(*word);
  atomic_signal_fence(memory_order_release);
  loops_go_on(t);
}

/* Begins a loop with the word, if it is one that goes on with it, `period` words after the last one of its code. */
bool loops_begin(Thread *t, uint64_t word, uint32_t period);

/* Is it of the code that is waited for? And how many words ago was that logged? */
static inline bool loops_awaits(const Thread *t, uint64_t word) { return !((word ^ t->loop.anchor) & LOOPS_CODES); }

static inline size_t loops_period(const Thread *t) { return (size_t)(t->at - t->loop.anchor_at); }

/* No loop goes on or begins with the word, which is logged next. */
static inline void loops_pass(Thread *t, uint64_t word) {
  if (!loops_awaits(t, word) && loops_period(t) <= RAW_PERIODS) return;
  t->loop.anchor = word;
  t->loop.anchor_at = t->at;
}

/* Logs an access that is none of the loop. */
static inline void loops_add(Thread *t, uint64_t word) {
  const size_t period = loops_period(t);
  if (loops_awaits(t, word) && period <= RAW_PERIODS && loops_begin(t, word, (uint32_t)period)) return;
  loops_pass(t, word);
  thread_push(t, word);
}

/* Logs an access of one word. */
static inline void loops_log(Thread *t, RawKind kind, uintptr_t address, uintptr_t code) {
  const uint64_t word = thread_word(t, kind, address, code);
  if (loops_expects(t, kind, address, code)) loops_count(t);
  else loops_add(t, word);
}

/* Where racy accesses are not put in order: is nothing to be said of an access to this line? */
static inline bool loops_see(const Thread *t, const Stripe *stripe) {
  return !t->exact &&
         (!stripe_was_not_ours(t, atomic_load_explicit(stripe, memory_order_relaxed)) || stripe_is_shared(stripe));
}

/* Does the thread hold what an access to this line needs, and nothing that it would have to give back, if it holds no
 * more than one stripe that is not kept? See stripe_hold. */
static inline bool loops_hold_one(Thread *t, const Stripe *stripe, bool reads) {
  return ((!t->held || t->held == stripe) && !t->wanted && stripe_has(t, stripe, reads)) ||
         UNLIKELY(loops_see(t, stripe));
}

static inline bool loops_hold(Thread *t, const Stripe *stripe, bool reads) {
  return !t->n_more && loops_hold_one(t, stripe, reads);
}

/* The stripe of the expected access. Most loops come to a line several times. */
static inline const Stripe *loops_stripe(LoopAccess *next) {
  const uintptr_t line = next->address >> LINE_BITS;
  if (UNLIKELY(next->line != line)) {
    next->line = line;
    next->stripe = stripe_of(next->address);
  }
  return next->stripe;
}

/* calls_are_told of the expected access: it was told before, and no function has been called or left since, or another
 * one was called from the same places. */
static inline bool loops_tell(const Thread *t, LoopAccess *next, uintptr_t code) {
  if (LIKELY(next->callers == t->callers)) return true;
  if (!calls_are_told(t, code)) return false;
  next->callers = t->callers;
  return true;
}

/* Is there nothing to do for the expected access but to count it? */
static inline bool loops_know(Thread *t, uintptr_t code, bool reads) {
  LoopAccess *next = t->loop.now;
  return loops_hold_one(t, loops_stripe(next), reads) && loops_tell(t, next, code) &&
         (t->quick || atomic_load_explicit(&header->live.floor, memory_order_relaxed) <= t->clock);
}

/* May the word be logged as it is: no loop could go on or begin with it? */
static inline bool loops_ignore(const Thread *t, uint64_t word) {
  return t->loop.at != t->at && (loops_period(t) > RAW_PERIODS || !loops_awaits(t, word));
}

/* loops_pass for what loops_ignore has let through. */
static inline void loops_wait(Thread *t, uint64_t word) {
  if (loops_period(t) <= RAW_PERIODS) return;
  t->loop.anchor = word;
  t->loop.anchor_at = t->at;
}

#endif
