/* Sets of locks against plain arrays, with numbers that agree in their last bits; and what a thread holds. */
#include "base/hash.h"
#include "predict/analysis/locksets.h"

#include <CUnit/CUnit.h>

enum { LOCKS = 10, ROUNDS = 3000, MOST_HELD = 8 };
static const uint32_t NUMBERS[LOCKS] = {0, 1, 2, 64, 65, 128, 129, 1000, 1024, UINT32_MAX - 1};

static uint64_t dice;
static uint32_t roll(uint32_t below) { return (uint32_t)(hash_word(++dice) >> 33) % below; }

/* ---- sets ---- */

static bool is_set(const LockSets *sets, LockSetId set, uint32_t bits) {
  uint32_t n, at = 0;
  const uint32_t *locks = locksets_locks(sets, set, &n);
  for (uint32_t i = 0; i < LOCKS; i++) {
    if (!(bits >> i & 1)) continue;
    if (at == n || locks[at++] != NUMBERS[i]) return false;
  }
  return at == n;
}

static LockSetId make_set(LockSets *sets, uint32_t bits) {
  LockSetId set = LOCKSET_EMPTY;
  const uint32_t start = roll(LOCKS);
  for (uint32_t i = 0; i < LOCKS; i++) {
    const uint32_t lock = (start + i) % LOCKS;
    if (bits >> lock & 1) set = locksets_add(sets, set, NUMBERS[lock]);
  }
  return set;
}

/* No lock of both that one of them does not share: even numbers are held alone. */
static bool are_disjoint(uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < LOCKS; i++)
    for (uint32_t j = 0; j < LOCKS; j++)
      if ((a >> i & b >> j & 1) && NUMBERS[i] / 2 == NUMBERS[j] / 2 && !(NUMBERS[i] % 2 && NUMBERS[j] % 2))
        return false;
  return true;
}

static bool has_lock(uint32_t bits, uint32_t lock, bool alone) {
  for (uint32_t i = 0; i < LOCKS; i++)
    if ((bits >> i & 1) && NUMBERS[i] / 2 == lock && (!alone || NUMBERS[i] % 2 == 0)) return true;
  return false;
}

/* The locks that are in both, alone if both have them so. */
static uint32_t weakest(uint32_t a, uint32_t b) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < LOCKS; i++) {
    const uint32_t lock = NUMBERS[i] / 2;
    const bool alone = has_lock(a, lock, true) && has_lock(b, lock, true);
    if (has_lock(a, lock, false) && has_lock(b, lock, false) && alone == (NUMBERS[i] % 2 == 0)) bits |= 1u << i;
  }
  return bits;
}

static void sets_are_sets(void) {
  Heap *heap = heap_new(0);
  LockSets sets;
  uint32_t wrong = 0;
  locksets_init(&sets, heap);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    const uint32_t a = roll(1 << LOCKS) & roll(1 << LOCKS), b = roll(1 << LOCKS) & roll(1 << LOCKS), lock = roll(LOCKS);
    const LockSetId x = make_set(&sets, a), y = make_set(&sets, b);
    wrong += !is_set(&sets, x, a) || x.v != make_set(&sets, a).v || (x.v == y.v) != (a == b) ||
             (x.v == LOCKSET_EMPTY.v) != !a;
    wrong += !is_set(&sets, locksets_add(&sets, x, NUMBERS[lock]), a | 1u << lock);
    wrong += !is_set(&sets, locksets_remove(&sets, x, NUMBERS[lock]), a & ~(1u << lock));
    wrong += !is_set(&sets, locksets_common(&sets, x, y), a & b);
    wrong += !is_set(&sets, locksets_weakest(&sets, x, y), weakest(a, b));
    wrong += locksets_disjoint(&sets, x, y) != are_disjoint(a, b);
  }
  CU_ASSERT_EQUAL(wrong, 0);
  locksets_fini(&sets);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

/* What keeps others away from a read: any; from a write: what is held alone. */
static void guards_of_accesses(void) {
  Heap *heap = heap_new(0);
  LockSets sets;
  locksets_init(&sets, heap);
  const LockSetId both = locksets_add(&sets, locksets_add(&sets, LOCKSET_EMPTY, 6), 9);
  uint32_t n;
  const uint32_t *numbers = locksets_locks(&sets, locksets_guards(&sets, both, false), &n);
  CU_ASSERT_TRUE(n == 2 && numbers[0] == 6 && numbers[1] == 8);
  numbers = locksets_locks(&sets, locksets_guards(&sets, both, true), &n);
  CU_ASSERT_TRUE(n == 1 && numbers[0] == 6);
  locksets_fini(&sets);
  heap_free(heap);
}

/* ---- what is held ---- */

typedef struct {
  uint32_t lock, count; /* lock: an index of NUMBERS */
  uint64_t since;
} Plain;

typedef struct {
  LockSets sets;
  HeldLocks held;
  Plain plain[LOCKS];
  uint32_t n;
  uint64_t position;
} Play;

static uint32_t bits_since(const Play *play, uint64_t position) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < play->n; i++)
    if (play->plain[i].since < position) bits |= 1u << play->plain[i].lock;
  return bits;
}

static uint32_t find(const Play *play, uint32_t lock) {
  uint32_t i = 0;
  while (i < play->n && play->plain[i].lock != lock) i++;
  return i;
}

static bool acquire(Play *play, uint32_t lock) {
  const uint32_t i = find(play, lock);
  if (i < play->n) return play->plain[i].count++, false;
  play->plain[play->n++] = (Plain){lock, 1, play->position};
  return true;
}

static bool release(Play *play, uint32_t lock, bool *nested) {
  const uint32_t i = find(play, lock);
  if (i == play->n || --play->plain[i].count) return false;
  if (i + 1 < play->n) *nested = false;
  for (uint32_t k = i; k + 1 < play->n; k++) play->plain[k] = play->plain[k + 1];
  play->n--;
  return true;
}

/* False if the two differ. */
static bool step(Play *play) {
  const uint32_t lock = roll(LOCKS);
  bool nested = true, expected = true, same;
  play->position += 1 + roll(3);
  if (roll(2) && play->n < MOST_HELD) {
    same = locksets_held_acquire(&play->sets, &play->held, NUMBERS[lock], play->position, 7) == acquire(play, lock);
  } else {
    same = locksets_held_release(&play->sets, &play->held, NUMBERS[lock], &nested) == release(play, lock, &expected);
  }
  const uint64_t position = roll((uint32_t)play->position + 2);
  return same && nested == expected &&
         is_set(&play->sets, locksets_held_now(&play->held), bits_since(play, UINT64_MAX)) &&
         is_set(&play->sets, locksets_held_since(&play->held, position), bits_since(play, position));
}

static void what_is_held_is_counted(void) {
  Heap *heap = heap_new(0);
  uint32_t wrong = 0;
  for (uint32_t run = 0; run < 100; run++) {
    Play play = {0};
    locksets_init(&play.sets, heap);
    for (uint32_t i = 0; i < 100; i++) wrong += !step(&play);
    for (uint32_t i = 0; i < play.n; i++) { /* positions of acquires themselves */
      const uint64_t since = play.plain[i].since;
      wrong += !is_set(&play.sets, locksets_held_since(&play.held, since), bits_since(&play, since));
    }
    vec_fini(heap, &play.held);
    locksets_fini(&play.sets);
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

void suite_locksets(void) {
  CU_pSuite suite = CU_add_suite("locksets", NULL, NULL);
  CU_ADD_TEST(suite, sets_are_sets);
  CU_ADD_TEST(suite, guards_of_accesses);
  CU_ADD_TEST(suite, what_is_held_is_counted);
}
