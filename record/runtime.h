/* runtime.h: what the files of the runtime share: threads, the order of events, the raw log.
 *
 * Order. Memory is divided into lines of 64 bytes, each of which is hashed to a stripe. A stripe is a lock that
 * remembers who held it last, and that thread's clock. A thread takes the stripe of an access in its callback, and
 * keeps it until its next callback, so that the access itself has happened when another thread gets the stripe. Who
 * takes a stripe from another thread sets its clock above the one that it finds there. So clocks move only where
 * threads meet, and hardly any event needs a time stamp in the log.
 *
 * The callbacks are entered with thread_enter and left with thread_leave. In between the thread is busy: a signal
 * handler that comes then is not recorded, and the memory functions of this library do only their work. Nothing here
 * may call what is interposed, save through REAL(). */
#ifndef RECORD_RUNTIME_H
#define RECORD_RUNTIME_H

#include "record/raw.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define CALLER() ((uintptr_t)__builtin_return_address(0))

/* All else is hidden, and local in librecord.a. Weak: a program may have functions of its own by these names, as with
 * the C library's. */
#define EXPORTED __attribute__((visibility("default"), weak))

/* From the lowest bit: 1 while it is held, 23 bits 1 + number of the last holder, 0 for none yet, 40 bits the clock of
 * who last gave it back. */
typedef _Atomic uint64_t Stripe;

enum {
  LINE_BITS = RAW_LINE_BITS,
  STRIPE_HELD = 1,
  STRIPE_CLOCK_SHIFT = 24,
  STRIPE_HOLDER = (1 << STRIPE_CLOCK_SHIFT) - 1, /* mask of holder and held */
  MORE_MAX = 1024,
  PIECE = 512 /* bytes of a long copy that are one event; divides a page */
};

/* A call of a function that has not returned. */
typedef struct {
  uintptr_t frame, from; /* the frame of the callback that it began with; the return address */
  uint64_t callers;      /* this one and those around it, as a hash */
} Call;

enum { CALLS = 500, AROUND = RAW_CALLERS - 1 };

/* A thread that is recorded. */
typedef struct Thread {
  uint64_t *at, *end; /* the rest of the chunk that is written now */
  Stripe *held;       /* of the last access; or NULL */
  uint64_t clock;
  uintptr_t code;  /* base of the program counters, in units of 2^20 */
  uint32_t holder; /* 1 + its number, and STRIPE_HELD, as in a stripe */
  uint32_t slot;   /* of the region met last */
  uint16_t region[RAW_REGIONS];
  volatile bool busy;
  volatile bool waiting; /* for a stripe: its accesses so far are over */
  bool exact;
  uint32_t first_calls;         /* that are still to be logged */
  uint32_t depth;               /* of calls; of those beyond CALLS nothing is known */
  uint64_t callers;             /* of the innermost; 0: not known */
  uint64_t told[RAW_TOLD + 1];  /* by code: code and callers of the RAW_STACK logged last, added */
  uint16_t tells[RAW_TOLD + 1]; /* likewise: how many */
  uint64_t stacks[RAW_STACKS];  /* by number: callers */
  Call calls[AROUND + CALLS];   /* before the first one there are some of zeros */
  uintptr_t site;               /* where `new` was called, on its way to the allocator; or 0 */
  uint32_t n_more;
  Stripe *more[MORE_MAX]; /* held too, for accesses to several lines */
  uint64_t *written;      /* after the RAW_WRITE_RANGE logged last, which was of these: */
  uintptr_t written_to, written_code;
  struct { /* the atomic variable that was read last: */
    uintptr_t address, code;
    int64_t value;
    uint64_t clock, chunk; /* when that was logged; the first word of the chunk */
    uint64_t *event, *end; /* its words, and where the log went on when it was read last */
    bool again;            /* the same was read again */
  } spin;
  uint32_t number;
  pid_t tid;
  uint64_t *chunk; /* NULL where the log of this thread has ended */
  uintptr_t stack, stack_size;
  pthread_t handle;
  struct Thread *next; /* in its bucket of those not yet joined */
  bool detached, exited;
  uint32_t rounds; /* of destructors of thread-specific data */
} Thread;

/* Of this thread. NULL before it is known and after its end, and always where nothing is recorded. */
extern _Thread_local Thread *self __attribute__((tls_model("initial-exec")));

extern Stripe stripes[1 << RAW_STRIPE_BITS];
extern RawHeader *header; /* NULL where nothing is recorded */

/* thread.c */
void record_init(void);                                 /* may be called often */
Thread *thread_new(void);                               /* NULL where nothing is recorded */
Thread *thread_of_number(uint32_t number);              /* or NULL */
Thread *thread_enter_slowly(void);                      /* for thread_enter: a thread not seen before, or NULL */
void thread_begin(Thread *thread, void *function);      /* makes it this thread's */
void thread_next_chunk(Thread *thread);                 /* to write in */
void thread_code(Thread *thread, uintptr_t base);       /* logs the new base of program counters */
uint32_t thread_region(Thread *thread, uintptr_t base); /* its slot; logged where it was in none */
void thread_lost(RawLost why);                          /* one more in RawHeader.lost */
bool thread_add_name(const char *name, size_t length, uint32_t n); /* of a block, the n-th; false: no room */
Thread *thread_take(pthread_t handle);                             /* the ended thread that was this one; or NULL */
void thread_detach(pthread_t handle);                              /* nobody will join it */
void *real(void **cache, const char *name);        /* the function of that name behind ours; aborts if there is none */
void *real_if_any(void **cache, const char *name); /* NULL if there is none */
sigset_t signals_block(void);           /* all; what was blocked before. Handlers may jump out of what they interrupt */
void signals_restore(sigset_t blocked); /* what signals_block returned */

/* calls.c */
void calls_tell(Thread *thread, uintptr_t code);      /* logs the stack of the innermost function */
void calls_tell_more(Thread *thread, uintptr_t code); /* with RAW_ALLOC_CALLERS */
void calls_leave(Thread *thread, uintptr_t frame);    /* those below it */

/* stripe.c */
uint64_t stripe_take_slowly(
    Thread *thread,
    Stripe *stripe); /* one that is held; its word without STRIPE_HELD, as it was given back or should have been */
void stripe_passed(Thread *thread, Stripe *stripe, uint64_t word); /* to this thread from another one, with this word */
void stripe_release_more(Thread *thread);                          /* gives back all of Thread.more */
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

/* The function behind an interposed one. */
#define REAL(name)                                         \
  (__extension__({                                         \
    static void *cache_;                                   \
    void *p_ = __atomic_load_n(&cache_, __ATOMIC_RELAXED); \
    if (UNLIKELY(!p_)) p_ = real(&cache_, #name);          \
    (__typeof__(&name))p_;                                 \
  }))

/* For the next event, which has this code: its stack is in the log. */
static inline void calls_see(Thread *t, uintptr_t code) {
  if (UNLIKELY(t->told[code & RAW_TOLD] != t->callers + code)) calls_tell(t, code);
}

/* The hash of a call, with that of those around it. Never 0. */
static inline uint64_t calls_hash(const Call *call) {
  const uint64_t a = call[0].from * UINT64_C(0x9e3779b97f4a7c15), b = call[-1].from * UINT64_C(0xbf58476d1ce4e5b9),
                 c = call[-2].from * UINT64_C(0x94d049bb133111eb);
  return (a + (b << 21 | b >> 43) + (c << 42 | c >> 22)) | 1;
}

/* A signal handler may come in between, and overwrites nothing. */
static inline void calls_push(Thread *t, uintptr_t frame, uintptr_t from) {
  const uint32_t depth = t->depth++;
  atomic_signal_fence(memory_order_seq_cst);
  t->callers = 0;
  if (UNLIKELY(depth >= CALLS)) return;
  Call *call = &t->calls[AROUND + depth];
  call->frame = frame;
  call->from = from;
  t->callers = call->callers = calls_hash(call);
}

/* A thread may be known only since it was in its functions. */
static inline void calls_pop(Thread *t) {
  if (t->depth) t->depth--;
  t->callers = LIKELY(t->depth <= CALLS) ? t->calls[AROUND - 1 + t->depth].callers : 0;
}

/* Appends a word to the log of the thread; takes the next chunk where this one is full. */
static inline void thread_push(Thread *t, uint64_t word) {
  if (UNLIKELY(t->at == t->end)) thread_next_chunk(t);
  *(volatile uint64_t *)t->at = word;
  atomic_signal_fence(memory_order_release); /* a jump out of a signal handler leaves no gap */
  t->at++;
}

/* Sets the thread's clock, and logs it. */
static inline void thread_set_clock(Thread *t, uint64_t clock) {
  t->clock = clock;
  thread_push(t, clock << RAW_KIND_BITS | RAW_CLOCK);
}

/* With what it stands on logged before. */
static inline uint64_t thread_word(Thread *t, RawKind kind, uintptr_t address, uintptr_t code) {
  const uintptr_t base = address >> RAW_OFFSET_BITS;
  uint64_t slot = t->slot;
  if (UNLIKELY(t->region[slot] != base)) slot = thread_region(t, base);
  if (UNLIKELY(code >> RAW_CODE_BITS != t->code)) thread_code(t, code >> RAW_CODE_BITS);
  return slot << RAW_REGION_SHIFT | (address & ((UINT64_C(1) << RAW_OFFSET_BITS) - 1)) << RAW_ADDRESS_SHIFT |
         (code & ((1u << RAW_CODE_BITS) - 1)) << RAW_KIND_BITS | (uint64_t)kind;
}

/* Logs an event of one word. */
static inline void thread_log(Thread *t, RawKind kind, uintptr_t address, uintptr_t code) {
  thread_push(t, thread_word(t, kind, address, code));
}

/* Both words in one chunk, with what they stand on. No jump out of a signal handler leaves the first one alone. */
static inline void thread_log_with(Thread *t, RawKind kind, uintptr_t address, uintptr_t code, uint64_t second) {
  if (UNLIKELY(t->end - t->at < 4)) thread_next_chunk(t);
  const uint64_t word = thread_word(t, kind, address, code);
  volatile uint64_t *at = t->at;
  at[1] = second;
  at[0] = word;
  atomic_signal_fence(memory_order_release);
  t->at += 2;
}

/* NULL: do not record this. */
static inline Thread *thread_enter(void) {
  Thread *t = self;
  if (UNLIKELY(!t || t->busy)) {
    t = thread_enter_slowly();
    if (!t) return NULL;
  }
  t->busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  return t;
}

/* The end of a callback: from here on the thread's calls are recorded again. */
static inline void thread_leave(Thread *t) {
  atomic_signal_fence(memory_order_seq_cst);
  t->busy = false;
}

/* The stripe of the address. */
static inline Stripe *stripe_of(uintptr_t address) { return &stripes[raw_stripe(address)]; }

/* Does this thread hold the stripe? False, too, where it has been the last holder and has given it back. */
static inline bool stripe_is_ours(const Thread *t, const Stripe *stripe) {
  return (atomic_load_explicit(stripe, memory_order_relaxed) & STRIPE_HOLDER) == t->holder;
}

/* The word of a stripe that is as it was, but held by this thread. */
static inline uint64_t stripe_ours(const Thread *t, uint64_t word) {
  return (word & ~(uint64_t)STRIPE_HOLDER) | t->holder;
}

/* Is this thread not the last one that had the stripe? It may be free from the start. */
static inline bool stripe_was_not_ours(const Thread *t, uint64_t word) {
  return (word ^ t->holder) & (STRIPE_HOLDER - STRIPE_HELD);
}

/* Makes the thread the holder of the stripe; waits where another one holds it. */
static inline void stripe_take(Thread *t, Stripe *stripe) {
  uint64_t word = atomic_load_explicit(stripe, memory_order_relaxed);
  do {
    if (UNLIKELY(word & STRIPE_HELD)) {
      word = stripe_take_slowly(t, stripe);
      break;
    }
  } while (!atomic_compare_exchange_weak(stripe, &word, stripe_ours(t, word)));
  if (UNLIKELY(stripe_was_not_ours(t, word))) stripe_passed(t, stripe, word);
}

/* Only what is still ours: it may have been taken from a thread that held it for long. */
static inline void stripe_give(const Thread *t, Stripe *stripe) {
  if (LIKELY(stripe_is_ours(t, stripe)))
    atomic_store_explicit(stripe, t->clock << STRIPE_CLOCK_SHIFT | (t->holder - STRIPE_HELD), memory_order_release);
}

/* Gives back all stripes that the thread holds for its last access. */
static inline void stripe_release(Thread *t) {
  if (t->held) {
    stripe_give(t, t->held);
    t->held = NULL;
  }
  if (UNLIKELY(t->n_more)) stripe_release_more(t);
}

/* Is the bit of the stripe set in RawHeader.shared? */
static inline bool stripe_is_shared(const Stripe *stripe) {
  const size_t i = (size_t)(stripe - stripes);
  return atomic_load_explicit(&header->shared[i / 64], memory_order_relaxed) >> i % 64 & 1;
}

/* Takes what an access of `size` bytes needs, instead of what was held. Where racy accesses are not put in order it is
 * only seen to it that we are known to have accessed it, or that it is known to be shared. */
static inline void stripe_hold(Thread *t, uintptr_t address, size_t size) {
  Stripe *stripe = stripe_of(address);
  if (UNLIKELY((address & ((1u << LINE_BITS) - 1)) + size > 1u << LINE_BITS)) {
    stripe_take_range(t, address, size);
  } else if (!t->exact) {
    const uint64_t word = atomic_load_explicit(stripe, memory_order_relaxed);
    if (UNLIKELY(stripe_was_not_ours(t, word)) && !stripe_is_shared(stripe)) stripe_see(t, address, size);
  } else if (t->held != stripe || UNLIKELY(!stripe_is_ours(t, stripe))) {
    stripe_release(t);
    stripe_take(t, stripe);
    t->held = stripe;
  }
}

#endif
