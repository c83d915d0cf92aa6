/* stripe.h: the order of accesses.
 *
 * Memory is divided into lines of 64 bytes, each of which is hashed to a stripe. A stripe is a lock that remembers who
 * held it last, and that thread's clock. A thread takes the stripe of an access in its callback, and keeps it until its
 * next callback, so that the access itself has happened when another thread gets the stripe. Who takes a stripe from
 * another thread sets its clock above the one that it finds there. So clocks move only where threads meet, and hardly
 * any event needs a time stamp in the log. To take a stripe needs a locked instruction; so some of those that no other
 * thread has had are kept longer: until they are wanted, or the thread synchronises. What is read again and again, and
 * not written, nobody holds: it is open to readers (readers.c). */
#ifndef RECORD_STRIPE_H
#define RECORD_STRIPE_H

#include "record/runtime.h"

extern Stripe stripes[1 << RAW_STRIPE_BITS];

/* Has the stripe been used for anything but a plain read since it has last come to a thread by one? */
extern _Atomic uint8_t stripes_written[1 << RAW_STRIPE_BITS];

/* stripe.c */
uint64_t stripe_take_slowly(
    Thread *thread,
    Stripe *stripe); /* one that is held; its word without STRIPE_HELD, as it was given back or should have been */
bool stripe_passed(Thread *thread, Stripe *stripe,
                   uint64_t word);          /* to this thread, with this word; from another one? */
void stripe_release_more(Thread *thread);   /* gives back all of Thread.more */
void stripe_release_kept(Thread *thread);   /* likewise of Thread.kept */
void stripe_release_wanted(Thread *thread); /* that one of them */
void stripe_recover(Thread *thread); /* after a jump out of whatever was done here: nothing is held, and no clock is
                                        missing in the log */
void stripe_take_range(Thread *thread, uintptr_t address,
                       size_t size); /* at most MORE_MAX lines; all are given back first */
void stripe_take_ranges(Thread *thread, uintptr_t a, size_t n, uintptr_t b, size_t m); /* likewise, both */
void stripe_take_copy(Thread *thread, uintptr_t from, size_t size); /* besides what the write of `written` holds */
void stripe_see(Thread *thread, uintptr_t address,
                size_t size);                         /* for RawHeader's `shared`: this thread has accessed it */
void stripe_touch(Thread *thread, uintptr_t address); /* an order with all others who touch it; all are given back */
void stripe_touch_memory(Thread *thread, uintptr_t address,
                         size_t size); /* and with all who touch memory that overlaps */

/* Waits for a moment, by whatever is best in the so many-th round. False: who waits has to sleep from here on. */
bool stripe_spin(uint32_t round);

/* A look at a thread that holds a stripe, or is reading, again and again. */
typedef struct {
  uint64_t ran;    /* how long it had run when it was seen */
  uint32_t pauses; /* so far */
  bool seen;       /* outside of a callback */
} StripeWatch;

/* Is the access over? After the stripe was `taken` from the thread: the one that it had begun. Else sleeps for a
 * moment. After a second it is given up, which the log says. */
bool stripe_is_over(StripeWatch *watch, const Thread *holder, bool taken);

/* readers.c */
void readers_begin(void);           /* the process is the one that is recorded */
void readers_leave(Thread *thread); /* it has ended, and is not reading */
/* For a read: stripe_reads, after whatever that needs. False, too, if the stripe is not open. */
bool readers_enter(Thread *thread, const Stripe *stripe);
/* The stripe that is `held` has come from another thread, for a read. It may be open afterwards, and read. */
void readers_come(Thread *thread);
/* The stripe, which was open, is this thread's. The greatest clock of all readers, whose reads are over. */
uint64_t readers_end(const Thread *thread, const Stripe *stripe);

/* A small file of /proc/self/task/TID, read without a cancellation point. False: it cannot be read. */
bool stripe_read_task(pid_t tid, const char *name, char *text, size_t size);

/* The stripe of the address. */
static inline Stripe *stripe_of(uintptr_t address) { return &stripes[raw_stripe(address)]; }

/* Does this thread hold the stripe? False, too, where it has been the last holder and has given it back. */
static inline bool stripe_is_ours(const Thread *t, const Stripe *stripe) {
  return (atomic_load_explicit(stripe, memory_order_relaxed) & STRIPE_HOLDER) == t->holder;
}

/* Its lines are used for something else than a plain read. */
static inline void stripe_write(const Stripe *stripe) {
  _Atomic uint8_t *written = &stripes_written[stripe - stripes];
  if (UNLIKELY(!atomic_load_explicit(written, memory_order_relaxed)))
    atomic_store_explicit(written, 1, memory_order_relaxed);
}

static inline bool stripe_is_open(uint64_t word) { return (word & STRIPE_HOLDER) == STRIPE_READERS; }

/* Is the stripe open to readers, and is all that was written before in the past of this thread? Then it may read until
 * its next event: who takes the stripe waits for that (readers.c). */
static inline bool stripe_reads(Thread *t, const Stripe *stripe) {
  if (!t->reader) return false;
  t->reading = stripe;
  atomic_signal_fence(memory_order_seq_cst);
  const uint64_t word = atomic_load_explicit(stripe, memory_order_relaxed);
  t->opened = word;
  if (LIKELY(stripe_is_open(word) && word >> STRIPE_CLOCK_SHIFT < t->clock)) return true;
  t->reading = NULL;
  return false;
}

/* May the thread do its next access, to the stripe's lines, as it is? What it read last it has read. */
static inline bool stripe_has(Thread *t, const Stripe *stripe, bool reads) {
  if (stripe_is_ours(t, stripe)) {
    t->reading = NULL;
    if (!reads) stripe_write(stripe);
    return true;
  }
  return reads && stripe_reads(t, stripe);
}

/* The word of a stripe that is as it was, but held by this thread. */
static inline uint64_t stripe_ours(const Thread *t, uint64_t word) {
  return (word & ~(uint64_t)STRIPE_HOLDER) | t->holder;
}

/* Is this thread not the last one that had the stripe? It may be free from the start. */
static inline bool stripe_was_not_ours(const Thread *t, uint64_t word) {
  return (word ^ t->holder) & (STRIPE_HOLDER - STRIPE_HELD);
}

/* Makes the thread the holder of the stripe; waits where another one holds it. Has another one had it since? */
static inline bool stripe_take(Thread *t, Stripe *stripe) {
  uint64_t word = atomic_load_explicit(stripe, memory_order_relaxed);
  do {
    if (UNLIKELY(word & STRIPE_HELD)) {
      word = stripe_take_slowly(t, stripe);
      break;
    }
  } while (!atomic_compare_exchange_weak(stripe, &word, stripe_ours(t, word)));
  return UNLIKELY(stripe_was_not_ours(t, word)) && stripe_passed(t, stripe, word);
}

/* Only what is still ours: it may have been taken from a thread that held it for long. */
static inline void stripe_give(const Thread *t, Stripe *stripe) {
  if (LIKELY(stripe_is_ours(t, stripe)))
    atomic_store_explicit(stripe, t->clock << STRIPE_CLOCK_SHIFT | (t->holder - STRIPE_HELD), memory_order_release);
}

/* What is kept in this place. */
static inline void stripe_give_kept(Thread *t, uint32_t place) {
  stripe_give(t, t->kept[place]);
  t->kept[place] = NULL;
  t->keeps[place / 64] &= ~(UINT64_C(1) << place % 64);
  t->n_kept--;
}

/* Gives back all stripes that the thread holds for its last access, but those that are kept. */
static inline void stripe_release_last(Thread *t) {
  t->reading = NULL;
  if (t->held) {
    stripe_give(t, t->held);
    t->held = NULL;
  }
  if (UNLIKELY(t->n_more)) stripe_release_more(t);
  if (UNLIKELY(t->wanted)) stripe_release_wanted(t);
}

/* Gives back all stripes that the thread holds. */
static inline void stripe_release(Thread *t) {
  stripe_release_last(t);
  live_end_segment(t);
  if (t->n_kept) stripe_release_kept(t);
}

/* thread_enter for an access; NULL, too, if it is not to be recorded. Until the thread's next one its last one holds
 * its stripe no longer. */
static inline Thread *thread_enter_access(uintptr_t code) {
  Thread *t = self;
  if (LIKELY(!t || !t->choosing || choice_has(t, code))) return thread_enter();
  if (!t->busy) stripe_release(t);
  return NULL;
}

/* Is the bit of the stripe set in RawHeader.shared? */
static inline bool stripe_is_shared(const Stripe *stripe) {
  const size_t i = (size_t)(stripe - stripes);
  return atomic_load_explicit(&header->shared[i / 64], memory_order_relaxed) >> i % 64 & 1;
}

/* Stripes of lines that are accessed by turns have different ones, as those of a matrix's rows. */
static inline uint32_t stripe_place(uint32_t number) { return (number ^ number >> 8) % KEPT; }

/* Puts the stripe, which the thread keeps, into the list of its chunk, if no other thread has ever had it. One that is
 * given back and taken again and again is there once. */
static inline void stripe_list(Thread *t, const Stripe *stripe) {
  const uint32_t place = stripe_place((uint32_t)(stripe - stripes));
  RawTail *tail = t->tail;
  if (!tail || t->listed[place] == stripe || tail->n == RAW_ALONE || stripe_is_shared(stripe)) return;
  tail->stripes[tail->n] = (uint32_t)(stripe - stripes);
  atomic_signal_fence(memory_order_release);
  tail->n++;
  t->listed[place] = stripe;
}

/* Takes the stripe, instead of the one that is kept in its place; keeps it, if no other thread has had it since this
 * one. */
static inline void stripe_change(Thread *t, uint32_t place, Stripe *stripe) {
  if (t->kept[place]) stripe_give_kept(t, place);
  if (stripe_take(t, stripe)) {
    t->held = stripe;
  } else {
    t->kept[place] = stripe;
    stripe_list(t, stripe);
    t->keeps[place / 64] |= UINT64_C(1) << place % 64;
    t->n_kept++;
  }
}

/* Takes what an access of `size` bytes needs, a plain read or not, instead of what was held. Where racy accesses are
 * not put in order it is only seen to it that we are known to have accessed it, or that it is known to be shared. */
static inline void stripe_hold(Thread *t, uintptr_t address, size_t size, bool reads) {
  Stripe *stripe = stripe_of(address);
  if (!reads) stripe_write(stripe);
  if (UNLIKELY((address & ((1u << LINE_BITS) - 1)) + size > 1u << LINE_BITS)) {
    stripe_take_range(t, address, size);
  } else if (!t->exact) {
    const uint64_t word = atomic_load_explicit(stripe, memory_order_relaxed);
    if (UNLIKELY(stripe_was_not_ours(t, word)) && !stripe_is_shared(stripe)) stripe_see(t, address, size);
  } else if (t->held != stripe || UNLIKELY(!stripe_is_ours(t, stripe))) {
    stripe_release_last(t);
    const uint32_t place = stripe_place((uint32_t)(stripe - stripes));
    if ((t->kept[place] != stripe || UNLIKELY(!stripe_is_ours(t, stripe))) && !(reads && readers_enter(t, stripe))) {
      stripe_change(t, place, stripe);
      if (reads && t->held) readers_come(t);
    }
  }
}

/* Before something that may block: all stripes are given back, and others may go on. */
static inline void thread_let_go(void) {
  Thread *t = self;
  if (!t || t->busy) return;
  stripe_release(t);
  if (UNLIKELY(t->followed)) stress_away(t);
}

#endif
