/* Potential deadlocks of random threads against all circles of their acquires, one by one. */
#include "base/hash.h"
#include "predict/analysis/goodlock.h"

#include <CUnit/CUnit.h>

#include <stdio.h>
#include <string.h>

enum { THREADS = 4, LOCKS = 3, EVENTS = 40, RUNS = 20000, MOST = 400 };

/* An acquire within another one. */
typedef struct {
  uint32_t outer, inner, outer_location, inner_location, life;
  bool tries;
  LockSetId held;
  StageId stage;
} Section;

typedef struct {
  uint64_t dice;
  Heap *heap;
  LockSets sets;
  ForkOrder stages;
  Goodlock goodlock;
  HeldLocks held[THREADS];
  Section sections[MOST];
  uint32_t n, n_lives;
} Random;

static uint32_t roll(Random *r, uint32_t below) { return (uint32_t)(hash_word(++r->dice) >> 33) % below; }

static void acquire(Random *r, uint32_t t, uint32_t event) {
  const uint32_t lock = locksets_number(roll(r, LOCKS), roll(r, 4) == 0), location = roll(r, 2);
  const StageId stage = fork_order_of(&r->stages, t);
  HeldLocks *held = &r->held[t];
  const LockAcquire it = {lock, location, fork_order_life(&r->stages, stage), event, stage, roll(r, 6) == 0};
  if (!locksets_held_acquire(&r->sets, held, lock, event, location) || held->n == 1) return;
  held->n--;
  goodlock_see(&r->goodlock, held, &it);
  for (uint32_t i = 0; i < held->n; i++)
    r->sections[r->n++] = (Section){held->at[i].lock, lock,     held->at[i].location,    location,
                                    it.life,          it.tries, locksets_held_now(held), stage};
  held->n++;
}

static void random_run(Random *r) {
  for (uint32_t i = 0; i < EVENTS; i++) {
    const uint32_t t = roll(r, THREADS), what = roll(r, 20);
    HeldLocks *held = &r->held[t];
    bool nested;
    if (what < 9) acquire(r, t, i);
    else if (what < 16 && held->n)
      while (held->n && !locksets_held_release(&r->sets, held, held->at[roll(r, held->n)].lock, &nested)) continue;
    else if (what == 17) fork_order_signal(&r->stages, t, 0);
    else if (what == 18) fork_order_wait(&r->stages, t, 0);
    else if (what == 19 && !r->held[(t + 1) % THREADS].n) fork_order_join(&r->stages, t, (t + 1) % THREADS, true);
  }
  fork_order_close(&r->stages);
}

/* ---- one by one ---- */

static bool waits_for(const Section *a, const Section *b) {
  return a->inner / 2 == b->outer / 2 && !(a->inner % 2 && b->outer % 2);
}

static bool meet(const Random *r, const Section *a, const Section *b) {
  return fork_order_concurrent(&r->stages, a->stage, b->stage) && locksets_disjoint(&r->sets, a->held, b->held);
}

/* In one stage the places of the first time count. */
static bool is_first(const Random *r, uint32_t i) {
  const Section *b = &r->sections[i];
  for (uint32_t k = 0; k < i; k++) {
    const Section *a = &r->sections[k];
    if (a->outer == b->outer && a->inner == b->inner && a->tries == b->tries && a->held.v == b->held.v &&
        a->stage.v == b->stage.v)
      return false;
  }
  return true;
}

/* Circles by locks and places, as bits; bit 0: one in which they try. */
typedef struct {
  uint64_t bits[1 << 7];
} Circles;

static uint32_t word_from(const Section *const *way, uint32_t n, uint32_t first) {
  uint32_t word = 1;
  for (uint32_t i = 0; i < n; i++) {
    const Section *it = way[(first + i) % n];
    word = ((word * LOCKS + it->inner / 2) * 2 + it->outer_location) * 2 + it->inner_location;
  }
  return word;
}

/* Wherever the circle begins. */
static void note(Circles *circles, const Section *const *way, uint32_t n) {
  uint32_t least = UINT32_MAX;
  bool tries = false;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t word = word_from(way, n, i);
    tries |= way[i]->tries;
    if (word < least) least = word;
  }
  if (tries) circles->bits[0] |= 1;
  else circles->bits[least / 64] |= (uint64_t)1 << (least % 64);
}

static void find(const Random *r, Circles *circles, const Section **way, uint32_t n, bool *pairs) {
  for (uint32_t i = 0; i < r->n; i++) {
    const Section *it = &r->sections[i];
    bool good = is_first(r, i) && (n == 0 || waits_for(way[n - 1], it));
    for (uint32_t k = 0; k < n && good; k++) good = meet(r, way[k], it) && way[k]->outer / 2 != it->outer / 2;
    if (n == 1 && !good && is_first(r, i) && waits_for(way[0], it) && waits_for(it, way[0]) && meet(r, way[0], it))
      good = true; /* both share one lock, and want it alone */
    if (!good) continue;
    way[n] = it;
    if (n > 0 && waits_for(it, way[0])) {
      note(circles, way, n + 1);
      if (n == 1) pairs[way[0]->life * 64 + it->life] = true;
    }
    if (n < 2 && (n == 0 || it->outer / 2 != way[0]->outer / 2)) find(r, circles, way, n + 1, pairs);
  }
}

static void told(const Random *r, Circles *circles) {
  const Goodlock *g = &r->goodlock;
  circles->bits[0] |= g->tried;
  for (uint32_t c = 0; c < g->circles.n; c++) {
    Section sections[LOCKS];
    const Section *way[LOCKS];
    for (uint32_t i = 0; i < g->circles.at[c].n; i++) {
      const LockLink link = g->circles.at[c].links[i];
      const LockEdge *edge = &g->edges.at[link.edge];
      sections[i] = (Section){edge->outer, edge->inner, edge->outer_location, edge->inner_location,
                              edge->life,  edge->tries, edge->held,           edge->uses.at[link.use].stage};
      way[i] = &sections[i];
      for (uint32_t k = 0; k < i; k++) CU_ASSERT_TRUE(meet(r, way[k], way[i]));
      if (i) CU_ASSERT_TRUE(waits_for(way[i - 1], way[i]));
    }
    CU_ASSERT_TRUE(waits_for(way[g->circles.at[c].n - 1], way[0]));
    note(circles, way, g->circles.at[c].n);
  }
}

static bool agree(Random *r, uint32_t *found) {
  Circles one_by_one = {{0}}, at_once = {{0}};
  const Section *way[LOCKS];
  bool pairs[64 * 64] = {false}, good = true;
  find(r, &one_by_one, way, 0, pairs);
  goodlock_find(&r->goodlock, &r->sets, &r->stages, UINT64_MAX);
  told(r, &at_once);
  *found += r->goodlock.circles.n;
  for (uint32_t a = 0; a < r->stages.lives.n; a++)
    for (uint32_t b = 0; b < r->stages.lives.n; b++)
      good &= goodlock_between(&r->goodlock, &r->sets, &r->stages, a, b) == (pairs[a * 64 + b] || pairs[b * 64 + a]);
  return good && memcmp(&one_by_one, &at_once, sizeof at_once) == 0;
}

static void circles_are_those_of_acquires(void) {
  Heap *heap = heap_new(0);
  uint32_t wrong = 0, found = 0;
  for (uint64_t seed = 1; seed <= RUNS && !wrong; seed++) {
    Random *r = heap_zeroed(heap, sizeof *r);
    r->dice = seed << 32;
    r->heap = heap;
    locksets_init(&r->sets, heap);
    fork_order_init(&r->stages, heap);
    goodlock_init(&r->goodlock, heap);
    random_run(r);
    wrong += !agree(r, &found);
    if (wrong) printf("\nseed %u\n", (unsigned)seed);
    goodlock_fini(&r->goodlock);
    fork_order_fini(&r->stages);
    locksets_fini(&r->sets);
    for (uint32_t t = 0; t < THREADS; t++) vec_fini(heap, &r->held[t]);
    heap_release(heap, r);
  }
  printf("(%u circles) ", found);
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_TRUE(found > RUNS / 10);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

void suite_goodlock(void) {
  CU_pSuite suite = CU_add_suite("goodlock", NULL, NULL);
  CU_ADD_TEST(suite, circles_are_those_of_acquires);
}
