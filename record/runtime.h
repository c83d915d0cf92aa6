/* runtime.h: what the files of the runtime share: threads, the order of events, the raw log.
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
  STRIPE_READERS = STRIPE_HOLDER - STRIPE_HELD,  /* instead of a holder: all may read */
  MORE_MAX = 1024,
  PIECE = 512 /* bytes of a long copy that are one event; divides a page */
};

/* A call of a function that has not returned. */
typedef struct {
  uintptr_t frame, from; /* the frame of the callback that it began with; the return address */
  uint64_t callers;      /* this one and those around it, as a hash */
} Call;

enum { KEPT = 256, KEPT_WORDS = KEPT / 64 }; /* stripes */

enum { SPIN_WORDS = 64 }; /* that atomic_is_idle looks at, at most */

enum { CALLS = 470, AROUND = RAW_CALLERS - 1, ERA_BITS = 12 };

/* What a block has accessed of a line of memory, and is in the log: live.c. */
typedef struct {
  uint64_t tag;     /* the line, and the era; 0: none */
  uint64_t seen[2]; /* bytes that were accessed, and those that were written */
  uint64_t open[2]; /* Thread.segment when RAW_LINE_READ, _WRITE were logged, plus where their second words are */
  uint64_t code[2]; /* of these; shifted by LINE_CODE_SHIFT, and the logarithm of the size */
  uint64_t opened;  /* the word of the stripe that was open to readers, if it was; else 0 */
} Line;

enum { LINES_BITS = 9, LINES = 1 << LINES_BITS, LINE_CODE_SHIFT = 3, CHUNK_WORDS = RAW_CHUNK / sizeof(uint64_t) };

/* What a transaction has accessed: the last ones. */
enum { TOUCHED = 32 };
typedef struct {
  uint32_t n; /* all, even if there are not as many here */
  struct {
    uintptr_t from, to;
    bool written;
  } at[TOUCHED]; /* number i is at i % TOUCHED */
} Touched;

/* What a loop does next in a place. */
enum { LOOP_UNTOLD = 2 }; /* what calls_hash never is */
typedef struct {
  uintptr_t address, step; /* which goes on by so many bytes */
  uint64_t key;            /* of the code and the kind: loops_key */
  uint64_t callers;        /* Thread.callers when nothing was to be said of the stack; LOOP_UNTOLD: it never was */
  uintptr_t line;          /* that was accessed last; UINTPTR_MAX: there is none; */
  const Stripe *stripe;    /* and its stripe */
} LoopAccess;

/* A loop that goes on, in the log: loops.h. */
typedef struct {
  uint64_t *at;                 /* after its RAW_LOOP; NULL: there is none */
  LoopAccess *now, *end;        /* the next access, of `next`; and behind the last one */
  uint32_t period;              /* of the RAW_LOOP; */
  uint32_t left;                /* so often more it may go round */
  bool again;                   /* none has come after it in its chunk, so that another one may go on as it */
  uint64_t anchor;              /* where there is none: a word, whose code is waited for; */
  uint64_t *anchor_at;          /* and where it was logged; may be of another chunk */
  LoopAccess next[RAW_PERIODS]; /* by place */
} Loop;

/* A thread that is recorded. */
typedef struct Thread {
  RawShown shown;     /* where somebody reads while the program runs; else zero */
  uint64_t *at, *end; /* the rest of the chunk that is written now */
  uint64_t *late;     /* from here on the next one is taken before an event begins; behind the end if nobody reads */
  uint64_t *quick;    /* before it a word is logged without a look at the reader, or at the floor: the end if there is
                       * neither; else NULL */
  Stripe *held;       /* of the last access, if it is not kept; or NULL */
  const Stripe *volatile reading; /* likewise, if nobody holds it: it is open to readers, and this is a read; or NULL */
  uint64_t opened;                /* its word, if there is one */
  uint32_t reader;                /* 1 + its place among them; 0: none yet */
  uint32_t n_kept;
  const Stripe *volatile wanted; /* another thread waits for it; or NULL */
  uint64_t clock;
  uint64_t era;     /* of `lines`; 0: it is not lean, or in no block, so that nothing is left out */
  uint64_t segment; /* a multiple of CHUNK_WORDS, which goes up where what was logged before may not change any more */
  uintptr_t code;   /* base of the program counters, in units of 2^20 */
  uint32_t holder;  /* 1 + its number, and STRIPE_HELD, as in a stripe */
  uint32_t slot;    /* of the region met last */
  uint16_t region[RAW_REGIONS];
  volatile bool busy;
  volatile bool waiting; /* for a stripe: its accesses so far are over */
  volatile bool starved; /* it waits for the reader of its log, in the middle of an event */
  bool exact;
  bool lean;                    /* no log is made, so what changes nothing for a monitor is left out (live.c) */
  bool followed;                /* it passes gates (follow.c); changed only by thread_unfollow once it has begun */
  bool choosing;                /* not all of its accesses are recorded (choice.c) */
  uint32_t n_more;              /* of `more` */
  uint64_t *chunk;              /* NULL where the log of this thread has ended */
  RawTail *tail;                /* of the chunk, NULL where it is not used */
  Stripe *kept[KEPT];           /* by stripe_place; or NULL */
  const Stripe *listed[KEPT];   /* likewise: what was put into the list of `tail` last */
  uint64_t keeps[KEPT_WORDS];   /* bits of those places in which there is one */
  uint32_t sampled;             /* then: the depth of the call in which they are; 0: it is in none */
  uint32_t first_calls;         /* that are still to be logged */
  uint32_t depth;               /* of calls; of those beyond CALLS nothing is known */
  uint64_t callers;             /* of the innermost; 0: not known */
  uint64_t told[RAW_TOLD + 1];  /* by code: code and callers of the RAW_STACK logged last, added */
  uint16_t tells[RAW_TOLD + 1]; /* likewise: how many */
  uint64_t stacks[RAW_STACKS];  /* by number: callers */
  Call calls[AROUND + CALLS];   /* before the first one there are some of zeros */
  uintptr_t site;               /* where `new` was called, on its way to the allocator; or 0 */
  Stripe *more[MORE_MAX];       /* held too, for accesses to several lines */
  uint64_t *written;            /* after the RAW_WRITE_RANGE logged last, which was of these: */
  uintptr_t written_to, written_code;
  struct { /* the atomic variable that was read last: */
    uintptr_t address, code;
    int64_t value;
    uint64_t clock, chunk; /* when that was logged; the first word of the chunk */
    uint64_t *event, *end; /* its words, NULL: in a chunk before; and where the log went on when it was read last */
    bool again;            /* the same was read again */
  } spin;
  uint32_t number;
  pid_t tid;
  uint64_t *last; /* of a thread that has ended, where there will be no log: what was its chunk; or NULL */
  uintptr_t stack, stack_size;
  uint32_t block_depth; /* of calls, where the block began that `era` is about */
  uint64_t eras;        /* the last one */
  uint64_t *after_read; /* of a plain read that is lean, and logged last */
  Line lines[LINES];    /* by stripe, live_place */
  Loop loop;
  pthread_t handle;
  struct Thread *next; /* in its bucket of those not yet joined */
  bool detached, exited;
  uint32_t rounds; /* of destructors of thread-specific data */
  struct {
    uint32_t role;                                    /* 1 + that of the plan which is this thread's; 0: none */
    bool holds;                                       /* it has passed a leg, and has another one to come */
    bool let_be;                                      /* it has been held long enough before its transaction */
    uint32_t in_thread[PLAN_LEGS], inside[PLAN_LEGS]; /* how many events of each leg there were */
    uint32_t begun[PLAN_ROLES];                       /* likewise of each role's begin */
  } follow;
  struct {
    uint32_t depth;  /* of blocks; of a function that is a transaction 1; 0: it is in none */
    uintptr_t frame; /* of the transaction's begin */
    bool function;   /* it is one */
    uint32_t locks;  /* that it holds */
    uintptr_t last;  /* the code of its last event, */
    uintptr_t place; /* if that was in the transaction, and it may be held after that; 0: no */
    uint32_t met;    /* the hold that it has met, and has not passed yet, */
    bool met_inside; /* and that in a transaction of its own */
    bool partner;    /* its transaction has met one that was held */
    Touched touched; /* by the transaction */
    uint32_t burst;  /* gates passed in a row */
    uint32_t looks;  /* in a row at the same atomic variable */
  } stress;
} Thread;

/* Of this thread. NULL before it is known and after its end, and always where nothing is recorded. */
extern _Thread_local Thread *self __attribute__((tls_model("initial-exec")));

/* The same, but NULL, too, while the thread is `followed` or `choosing`: what happens most often looks at nothing else
 * to know that there is no gate, and that it is recorded. */
extern _Thread_local Thread *unfollowed __attribute__((tls_model("initial-exec")));

static inline void thread_set_self(Thread *t) {
  self = t;
  unfollowed = t && !t->followed && !t->choosing ? t : NULL;
}

extern RawHeader *header; /* NULL where nothing is recorded */

/* thread.c */
void record_init(void);                    /* may be called often */
Thread *thread_new(void);                  /* NULL where nothing is recorded */
Thread *thread_of_number(uint32_t number); /* or NULL */
/* What is found by its number stays what it is, even if it ends, until who looks at it looks away. */
void thread_look(void);
void thread_look_away(void);
Thread *thread_enter_slowly(void);                 /* for thread_enter: a thread not seen before, or NULL */
void thread_begin(Thread *thread, void *function); /* makes it this thread's */
void thread_next_chunk(Thread *thread);            /* to write in */
void thread_lock(void);                            /* guards what all share; signals are blocked */
void thread_unlock(void);
void thread_code(Thread *thread, uintptr_t base);   /* logs the new base of program counters */
void thread_region(Thread *thread, uintptr_t base); /* is that of its slot; logged where it was in none */
void thread_lost(RawLost why);                      /* one more in RawHeader.lost */
bool thread_add_name(const char *name, size_t length, uint32_t n); /* of a block, the n-th; false: no room */
void thread_stop(void);                                            /* this one is not recorded any more */
Thread *thread_take(pthread_t handle);                             /* the ended thread that was this one; or NULL */
void thread_forget(Thread *t);                                     /* it has ended, and nobody needs it any more */
void thread_coming(void);             /* one is created that will begin: until it has, or will not after all, */
void thread_came(void);               /* which this says */
void thread_detach(pthread_t handle); /* nobody will join it. It is this thread's still; waits until it has begun */
void *real(void **cache, const char *name);        /* the function of that name behind ours; aborts if there is none */
void *real_if_any(void **cache, const char *name); /* NULL if there is none */
sigset_t signals_block(void);           /* all; what was blocked before. Handlers may jump out of what they interrupt */
void signals_restore(sigset_t blocked); /* what signals_block returned */

/* chunks.c: the file of the log. Chunks have numbers, from 0. Where there is no room, header->full says why. */
int chunks_open(const char *path);       /* the file; -1: it cannot be opened */
void chunks_begin(void);                 /* the header is there */
void chunks_close(void);                 /* nothing more is recorded: in a child */
uint64_t *chunks_map(uint32_t *number);  /* a new one, zero; NULL: there is no room */
uint64_t *chunks_take(uint32_t *number); /* the same, or one that was another thread's */
bool chunks_keep(Thread *thread);        /* a copy of all of its chunk; signals are blocked. False: there is no room */
void chunks_give(Thread *thread);        /* a copy of what is in its chunk, which it has no more */

/* live.c: what happens where somebody reads while the program runs. */
void live_begin(void);           /* the process is the one that is recorded */
Thread *live_thread(void);       /* memory for a new one, zero; NULL: there is none that the reader could see */
void live_renew(Thread *thread); /* likewise that of one that has ended, of which the reader knows nothing any more */
void live_show(Thread *thread);  /* to the reader: it has its number and its chunk */
/* For an event: room in the chunk, and a clock that is not below the floor. NULL: nothing is recorded any more. */
Thread *live_prepare(Thread *thread);
void live_raise(Thread *thread);              /* its clock, to the floor */
bool live_chunk(Thread *t, uint32_t *number); /* for a copy of its chunk; waits for it. False: nobody reads any more */
void live_announce(uint32_t chunk);           /* it is there */
bool live_has_place(void);                    /* is the next one of the ring free, or was it read? */
void live_starve(Thread *t, uint32_t naps);   /* waits a little for the reader, for so many times from 1, in an event */

/* What was logged before may not change any more: live.h. */
static inline void live_end_segment(Thread *t) { t->segment += CHUNK_WORDS; }

/* Is there a reader? */
static inline bool live_is_on(void) { return UNLIKELY(atomic_load_explicit(&header->live.on, memory_order_relaxed)); }

/* choice.c: which accesses are recorded, where not all are. Synchronisation is, and what is allocated and freed. */
void choice_begin(int file);                           /* the header is there */
bool choice_is_on(void);                               /* not all are recorded */
bool choice_has(const Thread *thread, uintptr_t code); /* is an access of this code? */
void choice_enter(Thread *thread, uintptr_t code);     /* a call has begun, of the function that the code is in */

/* calls.c */
void calls_tell(Thread *thread, uintptr_t code);      /* logs the stack of the innermost function */
void calls_tell_more(Thread *thread, uintptr_t code); /* with RAW_ALLOC_CALLERS */
void calls_leave(Thread *thread, uintptr_t frame);    /* those below it */

/* atomic.c: a thread that looks at an atomic variable until it changes, and may do so in several chunks */
bool atomic_is_idle(const Thread *thread); /* it has done nothing that others could notice since it read the variable it
                                              read last; false, too, where that cannot be seen */
void atomic_next_chunk(Thread *thread);    /* one has begun in which there is nothing so far; it was idle before */

/* follow.c: the gates of a run that follows a plan. For threads with `followed` only; all waiting is bounded. */
void follow_thread(Thread *thread); /* a new one */
void follow_modules(void);          /* others may have been loaded */
/* Before an event, which may have to wait, and then gives back all stripes. The thread is busy. */
void follow_gate(Thread *thread);
void follow_gate_begin(Thread *thread, RawKind kind, uintptr_t code); /* before that of a transaction */
/* The event is in the log, and cannot be overtaken. */
void follow_done(Thread *thread, RawKind kind, uintptr_t address, size_t size, uintptr_t code);

uintptr_t follow_base(uint32_t module); /* where that of the plan is loaded */
bool follow_is_loaded(uint32_t module);

/* stress.c: the same gates where there is no plan. */
void stress_gate(Thread *thread);
void stress_gate_begin(Thread *thread, RawKind kind, uintptr_t code);
void stress_done(Thread *thread, RawKind kind, uintptr_t address, size_t size, uintptr_t code);
void stress_leave(Thread *thread, uintptr_t frame); /* a jump leaves the frames below this one */
void stress_away(const Thread *thread);             /* it is about to block, perhaps */
/* A number that depends on the seed and on these two. */
uint64_t stress_choice(uint64_t a, uint64_t b);

/* split.c */
void split_gate(Thread *thread);
void split_gate_begin(Thread *thread);
void split_done(Thread *thread, uintptr_t address, size_t size,
                bool written); /* size 0: it is no access, or one that others cannot meet */

/* priorities.c */
void priorities_gate(Thread *thread);
void priorities_done(const Thread *thread); /* it is new, or after an event: it can go on */
void priorities_away(const Thread *thread); /* it is about to block, perhaps */

/* waiting.c: who waits at a gate sleeps on a word. */
uint64_t waiting_now(void);                                     /* milliseconds */
void waiting_nap(const _Atomic uint32_t *gate, uint32_t value); /* 2 ms at most, while the word has this value */
void waiting_wake(const _Atomic uint32_t *gate);                /* all who sleep on it */
/* After each nap: do all other threads of the process wait for others, now and a while ago? Then nothing will happen
 * any more while this one is held. `naps` counts them from 1; *stuck is 0 at first. */
bool waiting_in_vain(const Thread *thread, const _Atomic uint32_t *gate, uint32_t naps, uint32_t *stuck);

/* The function behind an interposed one. */
#define REAL(name)                                         \
  (__extension__({                                         \
    static void *cache_;                                   \
    void *p_ = __atomic_load_n(&cache_, __ATOMIC_RELAXED); \
    if (UNLIKELY(!p_)) p_ = real(&cache_, #name);          \
    (__typeof__(&name))p_;                                 \
  }))

/* Is nothing to be said of the stack of an event with this code: it is in the log, or has changed too often? */
static inline bool calls_are_told(const Thread *t, uintptr_t code) {
  return LIKELY(t->told[code & RAW_TOLD] == t->callers + code) || t->tells[code & RAW_TOLD] > RAW_TELLS;
}

/* For the next event, which has this code: its stack is in the log. */
static inline void calls_see(Thread *t, uintptr_t code) {
  if (UNLIKELY(!calls_are_told(t, code))) calls_tell(t, code);
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
  if (UNLIKELY(t->depth < t->sampled)) t->sampled = 0;
  t->callers = LIKELY(t->depth <= CALLS) ? t->calls[AROUND - 1 + t->depth].callers : 0;
}

/* Appends a word to the log of the thread; takes the next chunk where this one is full. */
static inline void thread_push(Thread *t, uint64_t word) {
  if (UNLIKELY(t->at == t->end)) thread_next_chunk(t);
  *(volatile uint64_t *)t->at = word;
  atomic_signal_fence(memory_order_release); /* a jump out of a signal handler leaves no gap */
  t->at++;
}

/* What is accessed from now on is none of the loop, and none that goes on as it. */
static inline void thread_end_loop(Thread *t) {
  t->loop.at = NULL;
  t->loop.again = false;
}

/* Sets the thread's clock, which does not go down, and logs it. With a new chunk it may have gone up by itself. */
static inline void thread_set_clock(Thread *t, uint64_t clock) {
  if (UNLIKELY(t->at == t->end)) thread_next_chunk(t);
  if (clock > t->clock) t->clock = clock;
  thread_push(t, t->clock << RAW_KIND_BITS | RAW_CLOCK);
  live_end_segment(t);
}

/* The slot of the region with that base; RAW_REGIONS: it has none. */
static inline uint32_t thread_slot(const Thread *t, uintptr_t base) {
  if (LIKELY(t->region[t->slot] == base)) return t->slot;
  uint32_t slot = 0;
  while (slot < RAW_REGIONS && t->region[slot] != base) slot++;
  return slot;
}

/* The word of an event whose region has that slot, and its code the base that was logged last. */
static inline uint64_t thread_put(uint64_t slot, RawKind kind, uintptr_t address, uintptr_t code) {
  return slot << RAW_REGION_SHIFT | (address & ((UINT64_C(1) << RAW_OFFSET_BITS) - 1)) << RAW_ADDRESS_SHIFT |
         (code & ((1u << RAW_CODE_BITS) - 1)) << RAW_KIND_BITS | (uint64_t)kind;
}

/* With what it stands on logged before. */
static inline uint64_t thread_word(Thread *t, RawKind kind, uintptr_t address, uintptr_t code) {
  const uintptr_t base = address >> RAW_OFFSET_BITS;
  if (UNLIKELY(t->region[t->slot] != base)) thread_region(t, base);
  if (UNLIKELY(code >> RAW_CODE_BITS != t->code)) thread_code(t, code >> RAW_CODE_BITS);
  return thread_put(t->slot, kind, address, code);
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

/* The thread, which is this one, passes no gates any more. */
static inline void thread_unfollow(Thread *t) {
  t->followed = false;
  thread_set_self(t);
}

/* For thread_enter: this thread, which is not busy. NULL, as there. */
static inline Thread *thread_begin_event(Thread *t) {
  t->busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  if (UNLIKELY(atomic_load_explicit(&header->live.floor, memory_order_relaxed) > t->clock || t->at > t->late))
    return live_prepare(t);
  return t;
}

/* NULL: do not record this. */
static inline Thread *thread_enter(void) {
  Thread *t = self;
  if (UNLIKELY(!t || t->busy)) {
    t = thread_enter_slowly();
    if (!t) return NULL;
  }
  return thread_begin_event(t);
}

/* The end of a callback: from here on the thread's calls are recorded again. */
static inline void thread_leave(Thread *t) {
  atomic_signal_fence(memory_order_seq_cst);
  t->busy = false;
}

#endif
