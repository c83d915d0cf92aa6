/* raw.h: the raw log, which the runtime writes while the program runs and distil/ reads afterwards. It mostly lives as
 * long as one run, and is no interface to anybody else. Who records holds a shared lock (flock) of the file.
 *
 * The file is an array of chunks of RAW_CHUNK bytes. The first RAW_FIRST are a RawHeader, then comes
 * the table of RawChoice, if there is one. Every other one begins with a word that has the number of its thread plus 1
 * in its lower half (0: nobody's) and in its upper half counts the chunks of that thread; then come words, ended by a
 * zero word; at its end is a RawTail. Each chunk says again what its words stand on (RAW_REGION, RAW_CODE), and holds
 * both words of an event of two. A thread writes in a shared mapping, so that a dying process loses nothing. When that
 * is full a copy of it goes to another place in the file, it is cleared, and its count goes up; where the copy has the
 * same count, the process died before that, and one of both may be incomplete. When the thread ends a copy is made as
 * well, and the mapping is the next thread's; of the last copy of a thread only the words are there: what follows the
 * zero word may be a hole of the file, and so may chunks.
 *
 * Somebody may read while the program runs (RawLive, distil/live.h). Then each copy is announced to the reader, and
 * each thread has a chunk that begins with a RawShown, and is none of the log: the lower half of its first word is 0.
 *
 * A word is, from the lowest bit: 6 bits kind, 20 bits of the program counter, 38 bits of the address. The program
 * counter is relative to the thread's last RAW_CODE, the address is one of four regions, 2 bits, which RAW_REGION sets,
 * and 36 bits in it. Some kinds use the upper 58 bits for a number, and some have a second word.
 *
 * Time: RAW_CLOCK sets the thread's clock. Of two events of different threads that are ordered (conflicting accesses,
 * operations on one lock, fork and join), the later one has the higher clock. Sorted by (clock, thread), each thread's
 * own order kept, the events are a linearization of the run. */
#ifndef RECORD_RAW_H
#define RECORD_RAW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
  RAW_CHUNK = 1 << 16,
  RAW_FIRST = 4,
  RAW_KIND_BITS = 6,
  RAW_CODE_BITS = 20,
  RAW_ADDRESS_SHIFT = RAW_KIND_BITS + RAW_CODE_BITS,
  RAW_REGION_SHIFT = RAW_ADDRESS_SHIFT + 36,
  RAW_REGIONS = 4,
  RAW_OFFSET_BITS = 36,
  RAW_SIZES = 5, /* of an access: 1, 2, 4, 8, 16 bytes */
  RAW_VALUE_BITS = 29
};

/* What a word of the log is. */
typedef enum {
  RAW_NOTHING,
  RAW_READ, /* RAW_READ + i: 2^i bytes */
  RAW_WRITE = RAW_READ + RAW_SIZES,
  RAW_UPDATE = RAW_WRITE + RAW_SIZES,      /* a read and a write in one */
  RAW_READ_RANGE = RAW_UPDATE + RAW_SIZES, /* second word: bytes */
  RAW_WRITE_RANGE,
  RAW_FREE,    /* of memory, which may come again as something else; second word: bytes */
  RAW_ALLOC,   /* of a block of the heap; the code is what asked for it; second word: bytes, at least 1 */
  RAW_ACQUIRE, /* address: of the lock */
  RAW_RELEASE,
  RAW_TRY, /* an acquire that would have given up */
  RAW_SHARED_ACQUIRE,
  RAW_SHARED_TRY,
  RAW_SHARED_RELEASE,
  RAW_ATOMIC_READ,  /* of an atomic variable; second word: raw_atomic */
  RAW_ATOMIC_WRITE, /* likewise */
  RAW_ATOMIC_UPDATE,
  RAW_SYNC,  /* of what is no lock; second word: a RawSync and, from bit RAW_COUNT_SHIFT on, a number */
  RAW_BEGIN, /* of a block; address: the stack pointer; second word: the index of its name in RawHeader */
  RAW_END,
  RAW_ENTRY, /* of a function, the code is in it; address: the stack pointer */
  RAW_RETURN,
  RAW_UNWIND, /* frames below this stack pointer are gone */
  RAW_CALLER, /* address: a return address, where the function of the next one, or of a RAW_STACK, was called; the low
               * bits of the code count them from 0, the innermost first */
  RAW_STACK,  /* address: twice a number, 0 for none, and 1 if it stands from now on for the callers just logged. From
               * now on it is the call stack of the function at each event with this code, and of no other code with the
               * same bits under RAW_TOLD */
  RAW_FORK,   /* second word: 1 + the number of the other thread */
  RAW_JOIN,
  RAW_START,      /* address: the thread's first function */
  RAW_FIRST_CALL, /* of the first RAW_FIRST_CALLS functions that a thread calls, the code is in it */
  RAW_EXIT,
  RAW_CLOCK,      /* upper 58 bits: the clock */
  RAW_REGION,     /* address: which, and its base in units of 2^36 */
  RAW_CODE,       /* upper 58 bits: the base of the code, in units of 2^20 */
  RAW_LINE_READ,  /* of a thread in a block, where somebody reads while the program runs and there is no log: accesses
                   * to a line of memory, in the low bits of whose address is the logarithm of their size; second word:
                   * the bytes of it, a bit for each. More may be added until the thread's clock is above */
  RAW_LINE_WRITE, /* likewise */
  RAW_LOOP,       /* the plain accesses right before it go on as in a loop: see raw_loop. Not where somebody reads while
                   * the program runs */
  RAW_KINDS
} RawKind;

_Static_assert((int)RAW_KINDS <= 1 << RAW_KIND_BITS, "kinds fit their bits");

/* Callers that an event has, at most, and the block that is allocated; numbers of a RAW_STACK, and mask for codes.
 * After so many of a thread for codes with the same bits there is one that is empty, and then none. */
enum { RAW_CALLERS = 3, RAW_ALLOC_CALLERS = 16, RAW_STACKS = 512, RAW_TOLD = 255, RAW_TELLS = 500 };
enum { RAW_FIRST_CALLS = 64 };

/* A RAW_LOOP stands for `n` words of plain accesses, 1 to RAW_LOOP_MOST. The `period` words before a word of it and the
 * `period` words before those tell what it is: it is as far, as a number, from the first word of the former as that is
 * from the first word of the latter, and what is between them differs in the address alone. So what comes right before
 * a RAW_LOOP is 2 * `period` words of plain accesses, in the same chunk; `period` is 1 to RAW_PERIODS. While nothing
 * comes after it n may grow.
 *
 * With a turn, 1 to `period`, it is the last loop of its chunk that goes on elsewhere, and `period` words tell where:
 * the i-th of these, from 0, goes on by what place (i + turn - 1) % `period` of that loop went on by. */
enum { RAW_PERIODS = 16, RAW_PERIOD_BITS = 8, RAW_LENGTH_BITS = 16, RAW_LOOP_MOST = 1 << 12 };
_Static_assert(RAW_PERIODS < 1 << (RAW_PERIOD_BITS - 1), "one bit is left for distil/loops.h");

static inline uint64_t raw_loop(uint32_t period, uint32_t n) {
  return (uint64_t)RAW_LOOP | (uint64_t)period << RAW_KIND_BITS | (uint64_t)n << (RAW_KIND_BITS + RAW_PERIOD_BITS);
}

/* To be added to that. */
static inline uint64_t raw_turn(uint32_t turn) {
  return (uint64_t)turn << (RAW_KIND_BITS + RAW_PERIOD_BITS + RAW_LENGTH_BITS);
}

/* The word with one access more. */
static inline uint64_t raw_loop_more(uint64_t word) {
  return word + (UINT64_C(1) << (RAW_KIND_BITS + RAW_PERIOD_BITS));
}

static inline uint32_t raw_loop_period(uint64_t word) { return word >> RAW_KIND_BITS & ((1u << RAW_PERIOD_BITS) - 1); }

static inline uint32_t raw_loop_length(uint64_t word) {
  return word >> (RAW_KIND_BITS + RAW_PERIOD_BITS) & ((1u << RAW_LENGTH_BITS) - 1);
}

static inline uint32_t raw_loop_turn(uint64_t word) {
  return (uint32_t)(word >> (RAW_KIND_BITS + RAW_PERIOD_BITS + RAW_LENGTH_BITS));
}

/* So many words before it tell what it is. */
static inline uint32_t raw_loop_basis(uint64_t word) {
  return raw_loop_turn(word) ? raw_loop_period(word) : 2 * raw_loop_period(word);
}

/* What a RAW_SYNC is. It is logged before what sets others free, and after what waits. */
typedef enum {
  SYNC_NOTHING,
  SYNC_SEMAPHORE, /* it begins, with this number */
  SYNC_OPENED,    /* likewise, if it was not open */
  SYNC_POST,
  SYNC_TAKE,
  SYNC_TRY_TAKE, /* a take that would have given up */
  SYNC_BARRIER,  /* it begins, for this number of threads */
  SYNC_ARRIVE,
  SYNC_LEAVE,
  SYNC_WAITING, /* for a condition, from now on */
  SYNC_SIGNAL,
  SYNC_BROADCAST,
  SYNC_WOKEN,
  SYNC_GONE,   /* it waits no more, and was not woken */
  SYNC_DONE,   /* what is done once is done */
  SYNC_PASSED, /* the thread has seen that */
  SYNCS
} RawSync;

enum { RAW_COUNT_SHIFT = 8, RAW_COUNT_MOST = INT32_MAX };

/* Of an atomic operation: 3 bits the logarithm of its bytes, flags, the value that was found, and the one that is there
 * now. Never 0. */
enum { RAW_IS_ATOMIC = 1 << 3, RAW_CLAIMS = 1 << 4 /* compare-exchange, or exchange */, RAW_AWAITED = 1 << 5 };
enum { RAW_OLD_SHIFT = 6, RAW_NEW_SHIFT = RAW_OLD_SHIFT + RAW_VALUE_BITS };
_Static_assert(RAW_NEW_SHIFT + RAW_VALUE_BITS == 64, "both values fit");

/* Values near 0 are told apart, all others are this one. */
#define RAW_FAR (1u << (RAW_VALUE_BITS - 1))

static inline uint32_t raw_value(int64_t value) {
  const bool near = value > -(int64_t)RAW_FAR && value < (int64_t)RAW_FAR;
  return near ? (uint32_t)value & ((1u << RAW_VALUE_BITS) - 1) : RAW_FAR;
}

/* The second word; the values are of raw_value. */
static inline uint64_t raw_atomic(uint32_t log_size, uint32_t flags, uint32_t old, uint32_t new_) {
  return log_size | RAW_IS_ATOMIC | flags | (uint64_t)old << RAW_OLD_SHIFT | (uint64_t)new_ << RAW_NEW_SHIFT;
}

/* Memory is divided into lines, which are hashed to stripes: neighbours to neighbours, but what lies at the same place
 * in two threads' heaps, which begin at multiples of large powers of two, to different ones. Linear: a line of a region
 * has the sum of both hashes. */
enum { RAW_LINE_BITS = 6, RAW_STRIPE_BITS = 18, RAW_STRIPE_STEP = 162011 /* golden ratio */ };

/* The stripe of a line, and of an address. Less than 2^RAW_STRIPE_BITS. */
static inline uint32_t raw_stripe_of_line(uint64_t line) {
  return (uint32_t)(line + (line >> RAW_STRIPE_BITS) * RAW_STRIPE_STEP) & ((1u << RAW_STRIPE_BITS) - 1);
}

static inline uint32_t raw_stripe(uint64_t address) { return raw_stripe_of_line(address >> RAW_LINE_BITS); }

/* What may be skipped in a chunk: a word with a mark is a plain access to a line whose stripe is in the list. So if no
 * stripe of the list is shared (RawHeader) after all, those words are local to the thread. A mark stands only where its
 * word does, and after it is written; others may be missing. Not in the last chunk of a thread. */
enum { RAW_ALONE = 128, RAW_MARKS = RAW_CHUNK / 8 / 64 };
typedef struct {
  uint64_t zero; /* ends the words; anything else: this is no tail, but words */
  uint32_t n, unused;
  uint32_t stripes[RAW_ALONE]; /* n of them */
  uint64_t marks[RAW_MARKS];   /* bits of words, by their place in the chunk */
} RawTail;

/* Where it begins; so many words there are at most, the chunk's first one included. */
enum { RAW_WORDS = (RAW_CHUNK - (int)sizeof(RawTail)) / (int)sizeof(uint64_t) };

enum {
  RAW_NAMES = 1024,
  RAW_NAME_BYTES = 32768,
  RAW_MODULE_BYTES = 16384,
  RAW_LIST_BYTES = 8192,
  RAW_LOST = 4,
  RAW_MAX_THREADS = (1 << 23) - 2
};

/* Why something may be missing in the log. */
typedef enum {
  RAW_LOST_SIGNAL, /* events of signal handlers that came in the middle of another event */
  RAW_LOST_FULL,   /* threads whose log ended because the disk was full */
  RAW_LOST_ORDER,  /* accesses whose order was guessed, because a thread held on too long, or they are of too many lines
                    */
  RAW_LOST_NAMES   /* blocks or modules beyond the tables below */
} RawLost;

/* --- what a run is to follow (docs/confirming.md): `tracerec run` writes it, the runtime does it (follow.c) --- */

enum { PLAN_LEGS = 32, PLAN_ROLES = 8, PLAN_MODULES = 8, PLAN_CODES = 16, PLAN_ID_BYTES = 32 };

/* What an event of a leg does. ORDER PlanClass: tools/tracerec/steps.c, ask/steps.c */
typedef enum {
  PLAN_READ,
  PLAN_WRITE,
  PLAN_ACQUIRE, /* of a lock, or of what was waited for */
  PLAN_RELEASE, /* likewise: before others are set free */
  PLAN_BEGIN,
  PLAN_END,
  PLAN_FORK,
  PLAN_JOIN,
  PLAN_CLASSES
} PlanClass;

/* An event: of a class, at one of these places, perhaps on this object. */
typedef struct {
  uint32_t role, class;
  uint32_t module; /* of the codes, an index of RawPlan.modules */
  uint32_t n_codes;
  uint64_t codes[PLAN_CODES];  /* return addresses, from where the module was loaded */
  uint64_t object, object_end; /* bytes of the module `object_module`, likewise; both 0: any */
  uint32_t object_module;
  uint32_t same; /* 1 + the leg, this one or one before, on whose object it is, whatever that was; 0: as above */
  uint32_t in_thread, in_transaction; /* the how manieth such event it is there, from 1; 0: any */
} PlanLeg;

/* The GNU build-id of a file that is loaded. */
typedef struct {
  uint8_t id[PLAN_ID_BYTES];
  uint32_t n;
} PlanModule;

/* Legs, which are to come in this order. */
typedef struct {
  uint32_t n_legs; /* 0: the run follows nothing */
  uint32_t n_roles, n_modules;
  uint32_t timeout; /* milliseconds that a thread is held for a leg */
  PlanModule modules[PLAN_MODULES];
  PlanLeg legs[PLAN_LEGS];
  PlanLeg begins[PLAN_ROLES]; /* of each role's transaction; n_codes 0: it has none */
  _Atomic uint32_t passed;    /* legs */
  _Atomic uint32_t gave_up;   /* a leg did not come, 1: in time, 2: since all other threads waited; all was let go */
  _Atomic uint32_t found;     /* a bit for each module that was loaded */
  _Atomic uint32_t waited;    /* milliseconds, for that leg */
} RawPlan;

/* --- or how it is to be stressed, without a plan (docs/confirming.md): stress.c --- */

enum { STRESS_FUNCTIONS = 256, STRESS_SLEEP = 64 /* what a sleep is divided by */ };

typedef enum {
  STRESS_NOT,
  STRESS_SPLIT, /* transactions are held, mostly where they hold no lock, until another thread has passed: split.c */
  STRESS_PRIORITIES /* the first of the threads that can go on does so: priorities.c */
} RawStressHow;

typedef struct {
  uint32_t how;     /* a RawStressHow */
  uint32_t timeout; /* milliseconds that a thread is held at most */
  uint64_t seed;    /* all choices depend on it, */
  uint64_t length;  /* and, of STRESS_PRIORITIES, on this: priorities change within so many gates of transactions */
  uint32_t n_functions;
  struct {
    uint32_t module;             /* an index of RawPlan.modules */
    uint64_t code;               /* of a RAW_ENTRY, from where it was loaded */
  } functions[STRESS_FUNCTIONS]; /* whose calls are transactions, besides blocks */
  _Atomic uint32_t holds, met;   /* how often a transaction was held, and another thread passed meanwhile */
  _Atomic uint64_t inside;       /* gates in transactions */
} RawStress;

/* --- what of the accesses is recorded, if not all (docs/recording.md): choice.c --- */

enum { RAW_WORDS_BYTES = 256 };

/* A byte of these bits for each byte of the program's code is in the chunks after the header: those of a return address
 * are before it. */
typedef enum {
  RAW_CHOICE_BELOW = 1,  /* it is of a source file that was asked for */
  RAW_CHOICE_SAMPLE = 2, /* of a function in whose calls accesses are recorded */
  RAW_CHOICE_START = 4   /* of the one before whose first call none are */
} RawChoiceBit;

typedef struct {
  uint32_t wants;              /* RawChoiceBits; 0: all accesses are recorded */
  uint32_t chunks;             /* of the table */
  uint64_t size;               /* in bytes: from where the program is loaded */
  uint64_t device, inode;      /* of its file; another program is recorded as a whole */
  _Atomic uint32_t started;    /* RAW_CHOICE_START: it has been called */
  char words[RAW_WORDS_BYTES]; /* what is recorded */
} RawChoice;

/* --- a log of bounded size: chunks.c --- */

/* Copies of chunks go round. Each chunk begins with a clock then, above those of the one before. Copy number i is in
 * place i % chunks. */
typedef struct {
  uint32_t chunks, first; /* so many, from that one on; 0: all copies are kept */
  _Atomic uint64_t count; /* copies that were made */
  _Atomic uint64_t read;  /* while somebody reads: of these the first ones, which may be overwritten */
  _Atomic uint64_t lost;  /* all events above this clock are there, and none up to it counts; 0: all are there */
} RawRing;

/* --- reading while the program runs (distil/live.h) --- */

enum { RAW_QUEUE = 1 << 14, RAW_SPARE = 256, RAW_LIVE_THREADS = 1 << 14 };

/* What the runtime and the reader tell each other. `on`, the reader's process, becomes 0 when it reads no more, and is
 * 0 from the start where nobody reads. `floor` only goes up (raw_raise): whoever begins an event raises its clock to it
 * first. When it is UINT64_MAX nothing is recorded any more.
 * Chunks are announced in `queue`, a ring of their numbers, 0 where one is still to come; with `recycle` there are at
 * most RAW_SPARE of copies, and the reader puts those that it has read into `spare`, likewise. The first number of a
 * ring counts what was put in, the second one what was taken out. */
typedef struct {
  _Atomic uint32_t on;
  uint32_t recycle;
  uint32_t debugged; /* another process than the parent may attach to the program */
  _Atomic uint64_t floor;
  _Atomic uint32_t announced, taken;
  _Atomic uint32_t queue[RAW_QUEUE];
  _Atomic uint32_t made; /* chunks for copies, with `recycle` */
  _Atomic uint32_t spared, reused;
  _Atomic uint32_t spare[RAW_SPARE];
  _Atomic uint32_t unseen; /* threads of which the reader knows nothing: there were RAW_LIVE_THREADS that it knows */
} RawLive;

/* Makes it as much, if it is less. */
static inline void raw_raise(_Atomic uint64_t *floor, uint64_t clock) {
  uint64_t was = atomic_load(floor);
  while (was < clock && !atomic_compare_exchange_weak(floor, &was, clock)) {}
}

/* What the chunk of a thread that is read live begins with, and where there are some of its variables, in bytes from
 * there. While it is neither busy nor starved all that it has done is in the log, and what it does next is above the
 * floor. */
typedef struct {
  uint64_t mark;                      /* the lower half is 0 */
  uint32_t number;                    /* of the thread */
  uint32_t chunk, record;             /* in which it writes; this one */
  uint32_t busy, starved, clock, tid; /* bool, bool, uint64_t, pid_t */
  _Atomic uint32_t over;              /* set by the reader: it looks at none of this any more, nor at the chunk */
} RawShown;

/* --- what threads wait for, of a run that hangs (distil/hanging.h) --- */

enum { RAW_WAITS = 512 };

typedef enum {
  WAIT_NOT,
  WAIT_LOCK,
  WAIT_SHARED, /* a read-write lock, to read */
  WAIT_CONDITION,
  WAIT_SEMAPHORE,
  WAIT_BARRIER,
  WAIT_ONCE,   /* what another thread does once */
  WAIT_THREAD, /* its end */
  RAW_WAIT_KINDS
} RawWaitKind;

/* What a thread waits for, perhaps without end. */
typedef struct {
  _Alignas(64) _Atomic uint32_t kind; /* a RawWaitKind; the rest counts if it is not WAIT_NOT */
  uint32_t thread;
  uint64_t object; /* its address; of WAIT_THREAD the handle of that thread */
  uint64_t code;   /* a return address */
  uint64_t handle; /* of this thread */
} RawWait;

/* What the file begins with. */
typedef struct {
  uint64_t magic;           /* RAW_MAGIC, written by `tracerec run` */
  uint32_t functions;       /* 1: record entries and returns of functions */
  uint32_t exact;           /* 1: order racy accesses too */
  uint32_t keep_local;      /* 1: `shared` is full, for a log of all objects */
  _Atomic uint32_t full;    /* the errno with which the log of a thread ended, for RAW_LOST_FULL */
  _Atomic uint32_t pid;     /* of the process that is recorded, once it is there */
  _Atomic uint32_t threads; /* numbers given out */
  _Atomic uint32_t chunks;  /* chunks given out, this one included */
  _Atomic uint32_t owned;   /* at least so many of these are threads', where none is used again */
  _Atomic uint32_t n_names; /* of blocks */
  _Atomic uint32_t lost[RAW_LOST];
  _Atomic uint32_t name_bytes, module_bytes;
  uint32_t name_at[RAW_NAMES];
  char names[RAW_NAME_BYTES];     /* NUL-terminated */
  char modules[RAW_MODULE_BYTES]; /* lines "BASE SIZE TIME PATH", hexadecimal; TIME: ns, when the file was last changed
                                   */
  char atomic[RAW_LIST_BYTES], except[RAW_LIST_BYTES]; /* what `tracerec run` was told, with commas */
  RawPlan plan;
  RawStress stress;
  RawLive live;
  RawChoice choice;
  RawRing ring;
  RawWait waits[RAW_WAITS]; /* thread t's is t % RAW_WAITS, unless another one has that */
  _Atomic uint64_t
      shared[(1 << RAW_STRIPE_BITS) / 64]; /* a bit for each stripe; 0: at most one thread has accessed its lines */
} RawHeader;

_Static_assert(sizeof(RawHeader) <= RAW_FIRST * RAW_CHUNK, "the header fits its chunks");

#define RAW_MAGIC 0x4357415243415543u /* "CUACRAWC" */

/* The environment variable that carries the path of the raw log to the program. */
#define RAW_VARIABLE "TRACEREC_RAW"

#endif
