/* stress.c: what runs have in common that are stressed (docs/confirming.md): what a thread stands in, transactions and
 * locks. That is only for the choice of where to hold a thread: if it is wrong the run is one of the program all the
 * same. */
#include "record/stripe.h"

uint64_t stress_choice(uint64_t a, uint64_t b) {
  uint64_t x = header->stress.seed * UINT64_C(0x9e3779b97f4a7c15) ^ a * UINT64_C(0xbf58476d1ce4e5b9) ^ b;
  for (uint32_t i = 0; i < 2; i++) x = (x ^ x >> 31) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* --- transactions --- */

static bool is_function(uintptr_t code) {
  const RawStress *stress = &header->stress;
  for (uint32_t i = 0; i < stress->n_functions; i++) {
    const uint32_t module = stress->functions[i].module;
    if (follow_is_loaded(module) && code == follow_base(module) + stress->functions[i].code) return true;
  }
  return false;
}

/* The innermost of what is open is not known, only how many blocks are. */
static void enter(Thread *t, bool function, uintptr_t frame) {
  if (t->stress.depth && (function || t->stress.function)) return;
  if (!t->stress.depth++) {
    t->stress.frame = frame;
    t->stress.function = function;
  }
}

static void leave_all(Thread *t) {
  t->stress.depth = 0;
  t->stress.partner = false;
  t->stress.place = 0;
  t->stress.touched.n = 0;
}

static void leave(Thread *t, bool function, uintptr_t frame) {
  if (!t->stress.depth || t->stress.function != function || (function && frame < t->stress.frame)) return;
  if (t->stress.depth == 1) leave_all(t);
  else t->stress.depth--;
}

void stress_leave(Thread *t, uintptr_t frame) {
  if (t->stress.depth && t->stress.frame < frame) leave_all(t);
}

static void count_transactions(Thread *t, RawKind kind, uintptr_t frame, uintptr_t code) {
  if (kind == RAW_BEGIN) enter(t, false, frame);
  else if (kind == RAW_ENTRY && is_function(code)) enter(t, true, frame);
  else if (kind == RAW_END || kind == RAW_RETURN) leave(t, kind == RAW_RETURN, frame);
}

static void count_locks(Thread *t, RawKind kind) {
  if (kind == RAW_ACQUIRE || kind == RAW_TRY || kind == RAW_SHARED_ACQUIRE || kind == RAW_SHARED_TRY) t->stress.locks++;
  else if ((kind == RAW_RELEASE || kind == RAW_SHARED_RELEASE) && t->stress.locks) t->stress.locks--;
}

/* --- accesses --- */

static bool is_access(RawKind kind) {
  return (kind >= RAW_READ && kind <= RAW_FREE) || (kind >= RAW_ATOMIC_READ && kind <= RAW_ATOMIC_UPDATE);
}

/* On its own stack, and nobody else has been there. That of the first thread ends at a place that the linker knows. */
static bool is_own(const Thread *t, uintptr_t address) {
  extern void *__libc_stack_end;
  const uintptr_t here = (uintptr_t)__builtin_frame_address(0),
                  end = t->stack ? t->stack + t->stack_size : (uintptr_t)__libc_stack_end;
  return address > here && address < end && !stripe_is_shared(stripe_of(address));
}

static void touch(Touched *touched, uintptr_t from, uintptr_t to, bool written) {
  const uint32_t n = touched->n < TOUCHED ? touched->n : TOUCHED;
  for (uint32_t i = 0; i < n; i++)
    if (touched->at[i].from == from && touched->at[i].to == to) {
      touched->at[i].written |= written;
      return;
    }
  const uint32_t at = touched->n++ % TOUCHED;
  touched->at[at].from = from;
  touched->at[at].to = to;
  touched->at[at].written = written;
}

static bool writes(RawKind kind) {
  return (kind >= RAW_WRITE && kind != RAW_READ_RANGE && kind <= RAW_FREE) || kind == RAW_ATOMIC_WRITE ||
         kind == RAW_ATOMIC_UPDATE;
}

/* It may be held after what others could notice, but not for each time that it looks at what it waits for. */
static void note_place(Thread *t, RawKind kind, uintptr_t code) {
  const bool spins = kind == RAW_ATOMIC_READ && code == t->stress.last;
  t->stress.last = code;
  t->stress.looks = spins ? t->stress.looks + 1 : 0;
  if (t->stress.depth && t->stress.touched.n && !spins) t->stress.place = code;
}

void stress_done(Thread *t, RawKind kind, uintptr_t address, size_t size, uintptr_t code) {
  const bool access = is_access(kind) && size, own = access && is_own(t, address);
  count_locks(t, kind);
  count_transactions(t, kind, address, code);
  if (header->stress.how == STRESS_PRIORITIES) priorities_done(t);
  if (own) return;
  if (access && t->stress.depth) touch(&t->stress.touched, address, address + size, writes(kind));
  note_place(t, kind, code);
  if (header->stress.how == STRESS_SPLIT) split_done(t, address, access ? size : 0, writes(kind));
}

/* --- gates --- */

void stress_away(const Thread *t) {
  if (header->stress.how == STRESS_PRIORITIES) priorities_away(t);
}

void stress_gate(Thread *t) {
  if (t->stress.depth) atomic_fetch_add_explicit(&header->stress.inside, 1, memory_order_relaxed);
  if (header->stress.how == STRESS_SPLIT) split_gate(t);
  else priorities_gate(t);
}

void stress_gate_begin(Thread *t, RawKind kind, uintptr_t code) {
  if (header->stress.how == STRESS_SPLIT && (kind == RAW_BEGIN || is_function(code))) split_gate_begin(t);
}
