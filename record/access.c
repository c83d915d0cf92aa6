/* access.c: what the compilers insert for plain accesses, functions and blocks. gcc and clang do not emit the same
 * names. */
#include "record/live.h"
#include "record/loops.h"

/* With its gate, or perhaps not recorded, or of a thread not seen before. Apart, since nearly no run follows anything.
 */
static __attribute__((noinline)) void record_slowly(RawKind kind, const void *address, size_t size, uintptr_t code) {
  Thread *t = thread_enter_access(code);
  if (!t) return;
  if (t->followed) follow_gate(t);
  stripe_hold(t, (uintptr_t)address, size, kind < RAW_WRITE);
  calls_see(t, code);
  thread_log(t, kind, (uintptr_t)address, code);
  if (t->followed) follow_done(t, kind, (uintptr_t)address, size, code);
  thread_leave(t);
}

/* Of a plain access. */
static size_t size_of(RawKind kind) { return (size_t)1 << (kind - RAW_READ) % RAW_SIZES; }

static inline bool is_in_line(uintptr_t address, size_t size) {
  return (address & ((1u << LINE_BITS) - 1)) + size <= 1u << LINE_BITS;
}

/* A monitor is told no call stacks of accesses. */
static void record_leanly(Thread *t, RawKind kind, uintptr_t address, size_t size, uintptr_t code) {
  if (t->era && is_in_line(address, size)) {
    live_log(t, kind >= RAW_WRITE, address, (kind - RAW_READ) % RAW_SIZES, code);
    return;
  }
  if (kind >= RAW_WRITE && kind < RAW_UPDATE && live_replaces(t, kind, address, code)) return;
  thread_log(t, kind, address, code);
  t->after_read = kind < RAW_WRITE ? t->at : NULL;
}

static __attribute__((noinline)) void record_event(Thread *t, RawKind kind, uintptr_t address, size_t size,
                                                   uintptr_t code) {
  t = thread_begin_event(t);
  if (!t) return;
  stripe_hold(t, address, size, kind < RAW_WRITE);
  if (UNLIKELY(t->lean)) {
    record_leanly(t, kind, address, size, code);
  } else {
    calls_see(t, code);
    if (LIKELY(!t->shown.record)) loops_log(t, kind, address, code);
    else thread_log(t, kind, address, code);
  }
  thread_leave(t);
}

/* There is room. The mark comes last: with a jump out of a signal handler it may be missing, but no other word has it.
 */
static inline void push_marked(Thread *t, uint64_t word, bool listed) {
  const size_t place = (size_t)(t->at - t->chunk);
  volatile uint8_t *marks = (uint8_t *)t->tail->marks;
  *(volatile uint64_t *)t->at = word;
  atomic_signal_fence(memory_order_release);
  t->at++;
  atomic_signal_fence(memory_order_release);
  if (listed) marks[place / 8] |= (uint8_t)(1u << place % 8);
}

/* Does the thread hold what the access to this line, which is kept in that place, needs? What it has held for its last
 * one is given back, if this one needs something else. */
static inline bool has_kept(Thread *t, Stripe *stripe, uint32_t place, bool reads) {
  if (UNLIKELY(!t->exact)) return loops_see(t, stripe);
  if (UNLIKELY(t->n_more || t->wanted)) return false;
  if (UNLIKELY(t->held == stripe)) return stripe_has(t, stripe, reads);
  if (UNLIKELY(t->held)) {
    stripe_give(t, t->held);
    t->held = NULL;
  }
  return stripe_has(t, stripe, reads) && (t->kept[place] == stripe || t->reading);
}

/* Most accesses, which are all in one line, need nothing that is not there: the stripe, the bases of their word, their
 * call stack; and are of no loop. All this is seen here, without a call; if it is not so, record_event does everything.
 * The thread is busy. */
static __attribute__((noinline)) void record_quickly(Thread *t, RawKind kind, uintptr_t address, uintptr_t code) {
  const uint32_t slot = thread_slot(t, address >> RAW_OFFSET_BITS), index = raw_stripe(address),
                 place = stripe_place(index);
  const uint64_t word = thread_put(slot, kind, address, code);
  const bool known = slot < RAW_REGIONS && code >> RAW_CODE_BITS == t->code && calls_are_told(t, code);
  if (LIKELY(t->at < t->quick && known && loops_ignore(t, word) &&
             has_kept(t, &stripes[index], place, kind < RAW_WRITE))) {
    t->slot = slot;
    loops_wait(t, word);
    push_marked(t, word, t->listed[place] == &stripes[index]);
    thread_leave(t);
  } else {
    record_event(t, kind, address, size_of(kind), code);
  }
}

/* Likewise where a loop expects the access. */
static __attribute__((noinline)) void record_in_loop(Thread *t, RawKind kind, uintptr_t address, uintptr_t code) {
  if (LIKELY(loops_know(t, code, kind < RAW_WRITE))) {
    loops_count(t);
    thread_leave(t);
  } else {
    record_event(t, kind, address, size_of(kind), code);
  }
}

static inline __attribute__((always_inline)) void record_access(RawKind kind, const void *at, size_t size,
                                                                uintptr_t code) {
  const uintptr_t address = (uintptr_t)at;
  Thread *t = unfollowed;
  if (UNLIKELY(!t || t->busy)) {
    record_slowly(kind, at, size, code);
  } else if (UNLIKELY(t->era)) {
    if (!live_knows(t, kind >= RAW_WRITE, address, (kind - RAW_READ) % RAW_SIZES, code))
      record_event(t, kind, address, size, code);
  } else {
    t->busy = true;
    atomic_signal_fence(memory_order_seq_cst);
    if (loops_expects(t, kind, address, code)) record_in_loop(t, kind, address, code);
    else if (LIKELY(is_in_line(address, size))) record_quickly(t, kind, address, code);
    else record_event(t, kind, address, size, code);
  }
}

#define ACCESS(name, kind, size) \
  EXPORTED void __tsan_##name(void *address) { record_access(kind, address, size, CALLER()); }
#define ACCESS_PC(name, kind, size) \
  EXPORTED void __tsan_##name##_pc(void *address, void *pc) { record_access(kind, address, size, (uintptr_t)pc); }

#define ACCESSES(log, bytes)                                      \
  ACCESS(read##bytes, RAW_READ + log, bytes)                      \
  ACCESS(write##bytes, RAW_WRITE + log, bytes)                    \
  ACCESS(read_write##bytes, RAW_UPDATE + log, bytes)              \
  ACCESS(volatile_read##bytes, RAW_READ + log, bytes)             \
  ACCESS(volatile_write##bytes, RAW_WRITE + log, bytes)           \
  ACCESS(unaligned_read##bytes, RAW_READ + log, bytes)            \
  ACCESS(unaligned_write##bytes, RAW_WRITE + log, bytes)          \
  ACCESS(unaligned_read_write##bytes, RAW_UPDATE + log, bytes)    \
  ACCESS(unaligned_volatile_read##bytes, RAW_READ + log, bytes)   \
  ACCESS(unaligned_volatile_write##bytes, RAW_WRITE + log, bytes) \
  ACCESS_PC(read##bytes, RAW_READ + log, bytes)                   \
  ACCESS_PC(write##bytes, RAW_WRITE + log, bytes)

ACCESSES(0, 1)
ACCESSES(1, 2)
ACCESSES(2, 4)
ACCESSES(3, 8)
ACCESSES(4, 16)

ACCESS(vptr_read, RAW_READ + 3, 8)

/* Constructors set the table pointer again and again; a store of what is there already is none. */
EXPORTED void __tsan_vptr_update(void **address, void *value) {
  if (*address != value) record_access(RAW_WRITE + 3, address, 8, CALLER());
}

/* gcc has both calls for a copy from memory to memory before it, that of the write first: does this read belong to the
 * write before? */
static bool is_copy(const Thread *t, RawKind kind, size_t size) {
  if (kind != RAW_READ_RANGE || t->written != t->at || t->at[-1] != size || !t->n_more) return false;
  for (uint32_t i = 0; i < t->n_more; i++)
    if (!stripe_is_ours(t, t->more[i])) return false;
  return true;
}

static void record_access_range(RawKind kind, const void *address, size_t size, uintptr_t code) {
  Thread *t = size ? thread_enter_access(code) : NULL;
  if (!t) return;
  const bool copied = is_copy(t, kind, size); /* between the two there is no gate */
  if (UNLIKELY(t->followed) && !copied) follow_gate(t);
  if (copied) stripe_take_copy(t, (uintptr_t)address, size);
  else stripe_take_range(t, (uintptr_t)address, size);
  calls_see(t, code);
  thread_log_with(t, kind, (uintptr_t)address, code, size);
  if (UNLIKELY(t->followed)) follow_done(t, kind, (uintptr_t)address, size, code);
  if (kind == RAW_WRITE_RANGE) {
    t->written = t->at;
    t->written_to = (uintptr_t)address;
    t->written_code = code;
  }
  thread_leave(t);
}

EXPORTED void __tsan_read_range(void *address, size_t size) {
  record_access_range(RAW_READ_RANGE, address, size, CALLER());
}
EXPORTED void __tsan_write_range(void *address, size_t size) {
  record_access_range(RAW_WRITE_RANGE, address, size, CALLER());
}
EXPORTED void __tsan_read_range_pc(void *address, size_t size, void *pc) {
  record_access_range(RAW_READ_RANGE, address, size, (uintptr_t)pc);
}
EXPORTED void __tsan_write_range_pc(void *address, size_t size, void *pc) {
  record_access_range(RAW_WRITE_RANGE, address, size, (uintptr_t)pc);
}

/* --- functions and blocks --- */

/* The stack pointer tells which frames are left when a frame above goes on. */
#define FRAME() ((uintptr_t)__builtin_frame_address(0))

static void log_first_call(Thread *t, uintptr_t frame, uintptr_t code) {
  const bool busy = t->busy;
  t->busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  t->first_calls--;
  thread_log(t, RAW_FIRST_CALL, frame, code);
  atomic_signal_fence(memory_order_seq_cst);
  t->busy = busy;
}

static void note_call(Thread *t, RawKind kind, uintptr_t frame, uintptr_t from, uintptr_t code) {
  stripe_release_last(t);
  if (kind != RAW_ENTRY) {
    calls_pop(t);
    if (UNLIKELY(t->era) && t->depth < t->block_depth) live_end_block(t);
    return;
  }
  calls_push(t, frame, from);
  if (UNLIKELY(t->choosing)) choice_enter(t, code);
  if (UNLIKELY(t->first_calls)) log_first_call(t, frame, code);
}

static __attribute__((noinline)) void record_frame_slowly(RawKind kind, uintptr_t frame, uintptr_t from,
                                                          uintptr_t code) {
  Thread *t = self;
  if (t && !header->functions) {
    if (!t->busy) note_call(t, kind, frame, from, code);
    return;
  }
  t = thread_enter();
  if (!t) return;
  if (UNLIKELY(t->followed) && kind == RAW_ENTRY) follow_gate_begin(t, kind, code);
  note_call(t, kind, frame, from, code);
  if (header->functions) thread_log(t, kind, frame, code);
  if (UNLIKELY(t->followed)) follow_done(t, kind, frame, 0, code);
  thread_leave(t);
}

/* Most calls need no more than that they are known; this is seen without a call. */
static inline __attribute__((always_inline)) void record_frame(RawKind kind, uintptr_t frame, uintptr_t from,
                                                               uintptr_t code) {
  Thread *t = unfollowed;
  if (UNLIKELY(!t || t->busy || header->functions || t->held || t->n_more || t->wanted || t->first_calls ||
               (kind != RAW_ENTRY && t->era && t->depth <= t->block_depth))) {
    record_frame_slowly(kind, frame, from, code);
    return;
  }
  t->reading = NULL;
  if (kind == RAW_ENTRY) calls_push(t, frame, from);
  else calls_pop(t);
}

EXPORTED void __tsan_func_entry(void *pc) { record_frame(RAW_ENTRY, FRAME(), (uintptr_t)pc, CALLER()); }
EXPORTED void __tsan_func_exit(void) { record_frame(RAW_RETURN, FRAME(), 0, CALLER()); }

static uint64_t name_number(const char *name) {
  size_t length = 0;
  while (name[length]) length++;
  for (;;) {
    const uint32_t n = atomic_load(&header->n_names);
    for (uint32_t i = 0; i < n; i++) {
      const char *known = header->names + header->name_at[i];
      size_t k = 0;
      while (known[k] && known[k] == name[k]) k++;
      if (known[k] == name[k]) return i + 1;
    }
    if (thread_add_name(name, length, n)) continue;
    return RAW_NAMES + 1;
  }
}

EXPORTED void causal_atomic_begin(const char *name) {
  Thread *t = thread_enter();
  if (!t) return;
  if (UNLIKELY(t->followed)) follow_gate_begin(t, RAW_BEGIN, CALLER());
  stripe_release(t);
  live_begin_block(t);
  thread_log_with(t, RAW_BEGIN, FRAME(), CALLER(), name_number(name));
  if (UNLIKELY(t->followed)) follow_done(t, RAW_BEGIN, FRAME(), 0, CALLER());
  thread_leave(t);
}

EXPORTED void causal_atomic_end(void) {
  Thread *t = thread_enter();
  if (!t) return;
  stripe_release(t);
  live_end_block(t);
  thread_log(t, RAW_END, FRAME(), CALLER());
  if (UNLIKELY(t->followed)) follow_done(t, RAW_END, FRAME(), 0, CALLER());
  thread_leave(t);
}

/* --- the rest of the interface --- */

EXPORTED void __tsan_init(void) { record_init(); }
EXPORTED void __tsan_ignore_thread_begin(void) {}
EXPORTED void __tsan_ignore_thread_end(void) {}
EXPORTED void __tsan_flush_memory(void) {}

static void touch(void *address) {
  Thread *t = thread_enter();
  if (!t) return;
  stripe_touch(t, (uintptr_t)address);
  thread_leave(t);
}

EXPORTED void __tsan_acquire(void *address) { touch(address); }
EXPORTED void __tsan_release(void *address) { touch(address); }
