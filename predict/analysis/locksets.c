#include "predict/analysis/locksets.h"

#include "base/bitset.h"

#include <assert.h>
#include <string.h>

static LockSetId intern(LockSets *sets) {
  Heap *heap = sets->sets.arena.heap;
  bool is_new;
  const LockSetId id = {
      intern_add(&sets->sets, (const char *)sets->scratch.at, sets->scratch.n * sizeof(uint32_t), &is_new)};
  if (!is_new) return id;
  uint64_t mask = 0;
  for (uint32_t i = 0; i < sets->scratch.n; i++) bitset_add(&mask, locksets_lock(sets->scratch.at[i]) % 64);
  vec_push(heap, &sets->masks, mask);
  return id;
}

void locksets_init(LockSets *sets, Heap *heap) {
  *sets = (LockSets){0};
  intern_init(&sets->sets, heap);
  vec_reserve(heap, &sets->scratch, 1);
  intern(sets);
}

void locksets_fini(LockSets *sets) {
  Heap *heap = sets->sets.arena.heap;
  intern_fini(&sets->sets);
  vec_fini(heap, &sets->masks);
  vec_fini(heap, &sets->scratch);
}

const uint32_t *locksets_locks(const LockSets *sets, LockSetId set, uint32_t *n) {
  assert(set.v < sets->masks.n);
  *n = sets->sets.lengths.at[set.v] / (uint32_t)sizeof(uint32_t);
  return (const uint32_t *)(const void *)sets->sets.strings.at[set.v];
}

LockSetId locksets_add(LockSets *sets, LockSetId set, uint32_t lock) {
  uint32_t n, i = 0;
  const uint32_t *locks = locksets_locks(sets, set, &n);
  vec_clear(&sets->scratch);
  vec_reserve(sets->sets.arena.heap, &sets->scratch, (size_t)n + 1);
  for (; i < n && locks[i] < lock; i++) sets->scratch.at[sets->scratch.n++] = locks[i];
  if (i < n && locks[i] == lock) return set;
  sets->scratch.at[sets->scratch.n++] = lock;
  for (; i < n; i++) sets->scratch.at[sets->scratch.n++] = locks[i];
  return intern(sets);
}

LockSetId locksets_remove(LockSets *sets, LockSetId set, uint32_t lock) {
  uint32_t n;
  const uint32_t *locks = locksets_locks(sets, set, &n);
  vec_clear(&sets->scratch);
  vec_reserve(sets->sets.arena.heap, &sets->scratch, (size_t)n + 1);
  for (uint32_t i = 0; i < n; i++)
    if (locks[i] != lock) sets->scratch.at[sets->scratch.n++] = locks[i];
  return sets->scratch.n == n ? set : intern(sets);
}

/* The place behind that number; `whole`: behind the lock, which has one number or both. */
static uint32_t next_number(const uint32_t *numbers, uint32_t n, uint32_t i, bool whole) {
  return whole && i + 1 < n && locksets_lock(numbers[i + 1]) == locksets_lock(numbers[i]) ? i + 2 : i + 1;
}

/* The numbers in both; or the locks in both, as shared where one of the two only shares them. */
static LockSetId in_both(LockSets *sets, LockSetId a, LockSetId b, bool locks) {
  uint32_t na, nb;
  const uint32_t *x = locksets_locks(sets, a, &na), *y = locksets_locks(sets, b, &nb);
  vec_clear(&sets->scratch);
  vec_reserve(sets->sets.arena.heap, &sets->scratch, (size_t)na + 1);
  for (uint32_t i = 0, j = 0; i < na && j < nb;) {
    const uint32_t one = locks ? locksets_lock(x[i]) : x[i], other = locks ? locksets_lock(y[j]) : y[j];
    if (one == other) sets->scratch.at[sets->scratch.n++] = locksets_is_shared(x[i]) ? x[i] : y[j];
    if (one <= other) i = next_number(x, na, i, locks);
    if (other <= one) j = next_number(y, nb, j, locks);
  }
  return intern(sets);
}

LockSetId locksets_common(LockSets *sets, LockSetId a, LockSetId b) { return in_both(sets, a, b, false); }

LockSetId locksets_weakest(LockSets *sets, LockSetId a, LockSetId b) { return in_both(sets, a, b, true); }

LockSetId locksets_guards(LockSets *sets, LockSetId set, bool write) {
  uint32_t n;
  const uint32_t *numbers = locksets_locks(sets, set, &n);
  LockSetId guards = LOCKSET_EMPTY;
  for (uint32_t i = 0; i < n; i++)
    if (!write || !locksets_is_shared(numbers[i]))
      guards = locksets_add(sets, guards, locksets_number(locksets_lock(numbers[i]), false));
  return guards;
}

bool locksets_disjoint(const LockSets *sets, LockSetId a, LockSetId b) {
  assert(a.v < sets->masks.n && b.v < sets->masks.n);
  if (!(sets->masks.at[a.v] & sets->masks.at[b.v])) return true;
  uint32_t na, nb;
  const uint32_t *x = locksets_locks(sets, a, &na), *y = locksets_locks(sets, b, &nb);
  for (uint32_t i = 0, j = 0; i < na && j < nb;) {
    const uint32_t lock = locksets_lock(x[i]), other = locksets_lock(y[j]);
    if (lock == other && !(locksets_is_shared(x[i]) && locksets_is_shared(y[j]))) return false;
    i += lock <= other;
    j += other <= lock;
  }
  return true;
}

LockSetId locksets_without(LockSets *sets, LockSetId set, const bool *drop) {
  uint32_t n;
  const uint32_t *numbers = locksets_locks(sets, set, &n);
  vec_clear(&sets->scratch);
  vec_reserve(sets->sets.arena.heap, &sets->scratch, (size_t)n + 1);
  for (uint32_t i = 0; i < n; i++)
    if (!drop[locksets_lock(numbers[i])]) sets->scratch.at[sets->scratch.n++] = numbers[i];
  return sets->scratch.n == n ? set : intern(sets);
}

/* ---- what a thread holds ---- */

static void set_from(LockSets *sets, HeldLocks *held, uint32_t i) {
  for (; i < held->n; i++)
    held->at[i].up_to = locksets_add(sets, i ? held->at[i - 1].up_to : LOCKSET_EMPTY, held->at[i].lock);
}

bool locksets_held_acquire(LockSets *sets, HeldLocks *held, uint32_t lock, uint64_t position, uint32_t location) {
  assert(held->n == 0 || vec_last(held).since <= position);
  for (uint32_t i = 0; i < held->n; i++)
    if (held->at[i].lock == lock) return held->at[i].count++, false;
  const HeldLock fresh = {.lock = lock, .count = 1, .since = position, .location = location};
  vec_push(sets->sets.arena.heap, held, fresh);
  set_from(sets, held, held->n - 1);
  return true;
}

bool locksets_held_release(LockSets *sets, HeldLocks *held, uint32_t lock, bool *nested) {
  uint32_t i = held->n;
  while (i > 0 && held->at[i - 1].lock != lock) i--;
  assert(i == 0 || held->at[i - 1].count > 0);
  if (i == 0 || --held->at[i - 1].count > 0) return false;
  if (i < held->n) *nested = false;
  memmove(held->at + i - 1, held->at + i, (held->n - i) * sizeof *held->at);
  held->n--;
  set_from(sets, held, i - 1);
  return true;
}

LockSetId locksets_held_now(const HeldLocks *held) { return held->n ? vec_last(held).up_to : LOCKSET_EMPTY; }

LockSetId locksets_held_since(const HeldLocks *held, uint64_t position) {
  uint32_t i = held->n;
  while (i > 0 && held->at[i - 1].since >= position) i--;
  return i ? held->at[i - 1].up_to : LOCKSET_EMPTY;
}
