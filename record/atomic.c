/* atomic.c: atomic operations. They are done here, sequentially consistent whatever the program asks for, while their
 * stripe is held. Where nothing is recorded they are done all the same. */
#include "record/runtime.h"

typedef uint8_t U8;
typedef uint16_t U16;
typedef uint32_t U32;
typedef uint64_t U64;
__extension__ typedef unsigned __int128 U128;

static inline Thread *atomic_enter(const volatile void *address) {
  Thread *t = thread_enter();
  if (!t) return NULL;
  stripe_release(t);
  stripe_take(t, stripe_of((uintptr_t)address));
  return t;
}

static inline void atomic_leave(Thread *t, RawKind kind, const volatile void *address, uintptr_t code) {
  if (!t) return;
  thread_log(t, kind, (uintptr_t)address, code);
  stripe_give(t, stripe_of((uintptr_t)address));
  thread_leave(t);
}

#define FETCH(bits, type, log, name, operation)                                                     \
  EXPORTED type __tsan_atomic##bits##_fetch_##name(volatile type *address, type value, int order) { \
    (void)order;                                                                                    \
    Thread *t = atomic_enter(address);                                                              \
    type old = load##bits(address);                                                                 \
    while (!swap##bits(address, &old, (type)(operation))) {}                                        \
    atomic_leave(t, RAW_UPDATE + log, address, CALLER());                                           \
    return old;                                                                                     \
  }

#define COMPARE_EXCHANGE(bits, type, log, strength)                                                                  \
  EXPORTED int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *address, type *expected, type value, \
                                                                 int order, int failure) {                           \
    (void)order, (void)failure;                                                                                      \
    Thread *t = atomic_enter(address);                                                                               \
    type seen = *expected;                                                                                           \
    const bool done = swap##bits(address, &seen, value);                                                             \
    atomic_leave(t, (done ? RAW_UPDATE : RAW_READ) + log, address, CALLER());                                        \
    if (!done) *expected = seen;                                                                                     \
    return done;                                                                                                     \
  }

#define ATOMICS(bits, type, log)                                                                              \
  EXPORTED type __tsan_atomic##bits##_load(const volatile type *address, int order) {                         \
    (void)order;                                                                                              \
    Thread *t = atomic_enter(address);                                                                        \
    const type value = load##bits((volatile type *)address);                                                  \
    atomic_leave(t, RAW_READ + log, address, CALLER());                                                       \
    return value;                                                                                             \
  }                                                                                                           \
  EXPORTED void __tsan_atomic##bits##_store(volatile type *address, type value, int order) {                  \
    (void)order;                                                                                              \
    Thread *t = atomic_enter(address);                                                                        \
    type old = load##bits(address);                                                                           \
    while (!swap##bits(address, &old, value)) {}                                                              \
    atomic_leave(t, RAW_WRITE + log, address, CALLER());                                                      \
  }                                                                                                           \
  EXPORTED type __tsan_atomic##bits##_compare_exchange_val(volatile type *address, type expected, type value, \
                                                           int order, int failure) {                          \
    (void)order, (void)failure;                                                                               \
    Thread *t = atomic_enter(address);                                                                        \
    const bool done = swap##bits(address, &expected, value);                                                  \
    atomic_leave(t, (done ? RAW_UPDATE : RAW_READ) + log, address, CALLER());                                 \
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
    atomic_leave(t, RAW_UPDATE + log, address, CALLER());                                                     \
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
