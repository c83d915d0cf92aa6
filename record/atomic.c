/* atomic.c: atomic operations. They are done here, sequentially consistent whatever the program asks for, while their
 * stripe is held. Where nothing is recorded they are done all the same.
 *
 * The values go to the log, too: by them distil/ knows a flag that is used as a lock. What a thread reads while it
 * waits is logged once; and once it has seen another value, as if it had read that alone. */
#include "record/stripe.h"

typedef uint8_t U8;
typedef uint16_t U16;
typedef uint32_t U32;
typedef uint64_t U64;
__extension__ typedef unsigned __int128 U128;

static inline Thread *atomic_enter(const volatile void *address) {
  Thread *t = thread_enter();
  if (!t) return NULL;
  if (UNLIKELY(t->followed)) follow_gate(t);
  stripe_release(t);
  stripe_write(stripe_of((uintptr_t)address));
  stripe_take(t, stripe_of((uintptr_t)address));
  return t;
}

/* Is the word an access to memory that no other thread has had so far? */
static bool is_private(const Thread *t, uint64_t word) {
  const uint64_t offset = word >> RAW_ADDRESS_SHIFT & ((UINT64_C(1) << RAW_OFFSET_BITS) - 1);
  const uintptr_t address = (uintptr_t)t->region[word >> RAW_REGION_SHIFT] << RAW_OFFSET_BITS | offset;
  return !stripe_is_shared(stripe_of(address));
}

/* All accesses of a RAW_LOOP without a turn, of which there are few. */
static bool is_private_loop(const Thread *t, const uint64_t *at) {
  enum { MOST = 64 };
  const uint32_t period = raw_loop_period(*at), n = raw_loop_length(*at);
  bool all = n <= MOST && !raw_loop_turn(*at);
  for (uint32_t i = 0; i < n && all; i++) {
    const uint64_t last = at[(int)(i % period) - (int)period], step = last - at[(int)(i % period) - 2 * (int)period];
    all = is_private(t, last + step * (i / period + 1));
  }
  return all;
}

bool atomic_is_idle(const Thread *t) {
  if (!t->chunk || t->spin.chunk != t->chunk[0] || t->at < t->spin.end || t->at - t->spin.end > SPIN_WORDS)
    return false;
  for (const uint64_t *at = t->spin.end; at < t->at; at++) {
    const uint32_t kind = *at & ((1u << RAW_KIND_BITS) - 1);
    if (kind == RAW_CLOCK || kind == RAW_CODE || kind == RAW_ENTRY || kind == RAW_RETURN || kind == RAW_CALLER ||
        kind == RAW_STACK)
      continue;
    if (kind == RAW_LOOP && is_private_loop(t, at)) continue;
    if (kind > RAW_WRITE_RANGE || !is_private(t, *at)) return false;
    at += kind >= RAW_READ_RANGE;
  }
  return true;
}

void atomic_next_chunk(Thread *t) {
  t->spin.chunk = t->chunk ? t->chunk[0] : 0;
  t->spin.event = NULL;
  t->spin.end = t->at;
}

/* Makes nothing of what was read first: all that counts of the waiting is its end. In another chunk it stays. */
static void unlog_first(Thread *t) {
  volatile uint64_t *event = t->spin.event;
  if (!event) return;
  event[0] = event[1] = t->spin.clock << RAW_KIND_BITS | RAW_CLOCK;
}

/* A thread that reads the same value again and again in one place, and nothing else, waits for another value. */
typedef enum { NEW, SAME, CHANGED } Spin;

static Spin spin_state(const Thread *t, uintptr_t address, uintptr_t code, int64_t old) {
  if (t->spin.address != address || t->spin.code != code || !atomic_is_idle(t)) return NEW;
  return t->spin.value == old ? SAME : t->spin.again ? CHANGED : NEW;
}

typedef struct {
  RawKind kind;
  uint32_t log_size, flags;
  int64_t old, value; /* INT64_MIN: any */
} Operation;

static void log_operation(Thread *t, Operation o, uintptr_t address, uintptr_t code) {
  const bool waits = o.kind != RAW_ATOMIC_WRITE && o.old == o.value && o.old != INT64_MIN;
  const Spin spin = o.kind == RAW_ATOMIC_WRITE || o.old == INT64_MIN ? NEW : spin_state(t, address, code, o.old);
  if (spin == SAME && waits) {
    t->spin.again = true;
    t->spin.end = t->at;
    if (t->n_kept) stripe_release_kept(t);
    thread_end_loop(t);
    return;
  }
  if (spin == CHANGED) {
    unlog_first(t);
    o.flags |= RAW_AWAITED;
  }
  calls_see(t, code);
  thread_log_with(t, o.kind, address, code, raw_atomic(o.log_size, o.flags, raw_value(o.old), raw_value(o.value)));
  t->spin.address = waits ? address : 0;
  t->spin.code = code;
  t->spin.value = o.old;
  t->spin.clock = t->clock;
  t->spin.chunk = t->chunk ? t->chunk[0] : 0;
  t->spin.event = t->at - 2;
  t->spin.end = t->at;
  t->spin.again = false;
}

static inline void atomic_leave(Thread *t, Operation o, const volatile void *address, uintptr_t code) {
  if (!t) return;
  log_operation(t, o, (uintptr_t)address, code);
  if (UNLIKELY(t->followed)) follow_done(t, o.kind, (uintptr_t)address, (size_t)1 << o.log_size, code);
  stripe_give(t, stripe_of((uintptr_t)address));
  thread_leave(t);
}

/* Values as signed numbers, of all sizes. */
static inline int64_t signed8(U8 value) { return (int8_t)value; }
static inline int64_t signed16(U16 value) { return (int16_t)value; }
static inline int64_t signed32(U32 value) { return (int32_t)value; }
static inline int64_t signed64(U64 value) { return (int64_t)value; }
static inline int64_t signed128(U128 value) {
  return value >> 63 == 0 || ~value >> 63 == 0 ? (int64_t)value : INT64_MIN;
}

#define OPERATION(bits, kind, log, flags, old, value) \
  ((Operation){RAW_ATOMIC_##kind, log, flags, signed##bits(old), signed##bits(value)})

/* A compare-exchange: `seen` is what it has found. */
#define COMPARED(bits, log, done, seen, value)                        \
  ((done) ? OPERATION(bits, UPDATE, log, RAW_CLAIMS, (seen), (value)) \
          : OPERATION(bits, READ, log, RAW_CLAIMS, (seen), (seen)))

#define FETCH(bits, type, log, name, operation)                                                     \
  EXPORTED type __tsan_atomic##bits##_fetch_##name(volatile type *address, type value, int order) { \
    (void)order;                                                                                    \
    Thread *t = atomic_enter(address);                                                              \
    type old = load##bits(address);                                                                 \
    while (!swap##bits(address, &old, (type)(operation))) {}                                        \
    atomic_leave(t, OPERATION(bits, UPDATE, log, 0, old, (type)(operation)), address, CALLER());    \
    return old;                                                                                     \
  }

#define COMPARE_EXCHANGE(bits, type, log, strength)                                                                  \
  EXPORTED int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *address, type *expected, type value, \
                                                                 int order, int failure) {                           \
    (void)order, (void)failure;                                                                                      \
    Thread *t = atomic_enter(address);                                                                               \
    type seen = *expected;                                                                                           \
    const bool done = swap##bits(address, &seen, value);                                                             \
    atomic_leave(t, COMPARED(bits, log, done, seen, value), address, CALLER());                                      \
    if (!done) *expected = seen;                                                                                     \
    return done;                                                                                                     \
  }

#define ATOMICS(bits, type, log)                                                                              \
  EXPORTED type __tsan_atomic##bits##_load(const volatile type *address, int order) {                         \
    (void)order;                                                                                              \
    Thread *t = atomic_enter(address);                                                                        \
    const type value = load##bits((volatile type *)address);                                                  \
    atomic_leave(t, OPERATION(bits, READ, log, 0, value, value), address, CALLER());                          \
    return value;                                                                                             \
  }                                                                                                           \
  EXPORTED void __tsan_atomic##bits##_store(volatile type *address, type value, int order) {                  \
    (void)order;                                                                                              \
    Thread *t = atomic_enter(address);                                                                        \
    type old = load##bits(address);                                                                           \
    while (!swap##bits(address, &old, value)) {}                                                              \
    atomic_leave(t, OPERATION(bits, WRITE, log, 0, old, value), address, CALLER());                           \
  }                                                                                                           \
  EXPORTED type __tsan_atomic##bits##_compare_exchange_val(volatile type *address, type expected, type value, \
                                                           int order, int failure) {                          \
    (void)order, (void)failure;                                                                               \
    Thread *t = atomic_enter(address);                                                                        \
    const bool done = swap##bits(address, &expected, value);                                                  \
    atomic_leave(t, COMPARED(bits, log, done, expected, value), address, CALLER());                           \
    return expected;                                                                                          \
  }                                                                                                           \
  COMPARE_EXCHANGE(bits, type, log, strong)                                                                   \
  COMPARE_EXCHANGE(bits, type, log, weak)                                                                     \
  FETCH(bits, type, log, add, old + value)                                                                    \
  FETCH(bits, type, log, sub, old - value)                                                                    \
  FETCH(bits, type, log, and, old &value)                                                                     \
  FETCH(bits, type, log, or, old | value)                                                                     \
  FETCH(bits, type, log, xor, old ^ value)                                                                    \
  FETCH(bits, type, log, nand, ~(old & value))                                                                \
  EXPORTED type __tsan_atomic##bits##_exchange(volatile type *address, type value, int order) {               \
    (void)order;                                                                                              \
    Thread *t = atomic_enter(address);                                                                        \
    type old = load##bits(address);                                                                           \
    while (!swap##bits(address, &old, value)) {}                                                              \
    atomic_leave(t, OPERATION(bits, UPDATE, log, RAW_CLAIMS, old, value), address, CALLER());                 \
    return old;                                                                                               \
  }

#define NATIVE(bits, type)                                                                                     \
  static inline type load##bits(volatile type *address) { return __atomic_load_n(address, __ATOMIC_SEQ_CST); } \
  static inline bool swap##bits(volatile type *address, type *expected, type value) {                          \
    return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
  }

NATIVE(8, U8)
NATIVE(16, U16)
NATIVE(32, U32)
NATIVE(64, U64)

/* cmpxchg16b; a load, too, is one, of any value for itself. */
static inline bool swap128(volatile U128 *address, U128 *expected, U128 value) {
  const U128 old = *expected;
  *expected = __sync_val_compare_and_swap(address, old, value);
  return *expected == old;
}

static inline U128 load128(volatile U128 *address) { return __sync_val_compare_and_swap(address, 0, 0); }

ATOMICS(8, U8, 0)
ATOMICS(16, U16, 1)
ATOMICS(32, U32, 2)
ATOMICS(64, U64, 3)
ATOMICS(128, U128, 4)

EXPORTED void __tsan_atomic_thread_fence(int order) {
  (void)order;
  Thread *t = thread_enter();
  if (t) {
    stripe_release(t);
    thread_leave(t);
  }
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

EXPORTED void __tsan_atomic_signal_fence(int order) {
  (void)order;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
