/* Deadlocks by the prefix against deadlocks by explicit reachability; nets whose deadlocks are known by thought;
 * limits. */
#include "base/hash.h"
#include "tests/oracle/reach.h"
#include "tests/unit/known_net.h"
#include "tests/unit/safe_net.h"
#include "unfold/deadlock.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

/* Can the run be fired, and is nothing enabled after it? */
static bool ends_in_deadlock(Heap *heap, const Net *net, const TransId *run, uint32_t n) {
  uint64_t *marking = heap_zeroed(heap, marking_words(net) * sizeof *marking);
  bool good = true;
  token_initial(net, marking);
  for (uint32_t i = 0; i < n && good; i++)
    good = token_enabled(net, marking, run[i]) && token_fire(net, marking, run[i]).v == PLACE_NONE.v;
  for (uint32_t t = 0; t < net->n_trans && good; t++) good = !token_enabled(net, marking, (TransId){t});
  heap_release(heap, marking);
  return good;
}

static Prefix *unfold_in(Heap *heap, const Net *net, UnfoldOrder order) {
  Err err;
  return unfold(heap, net, &(UnfoldOptions){.order = order}, &err);
}

/* ---- random nets ---- */

/* What is wrong, or NULL. */
static const char *compare(const Reach *reach, const Prefix *prefix, const Deadlock *found) {
  const uint32_t m = reach_find_deadlock(reach);
  if (found->answer == DEADLOCK_UNKNOWN) return "unknown without a limit";
  if ((found->answer == DEADLOCK_FOUND) != (m != REACH_NONE)) return "one of the two sees a deadlock";
  if (m == REACH_NONE) return found->run || found->n_run || found->shortest ? "a run to no deadlock" : NULL;
  if (!ends_in_deadlock(prefix->heap, prefix->net, found->run, found->n_run)) return "the run";
  if (!found->shortest) return "not the shortest, without a limit";
  return found->n_run == reach_run(reach, m, NULL) ? NULL : "the length of the run";
}

/* As it comes; by the solver alone; and in turns that are as short as can be. */
static const DeadlockOptions WAYS[] = {{0}, {.by_solver = true}, {.portion = 1}};
enum { N_WAYS = sizeof WAYS / sizeof *WAYS };

static const char *compare_net(const Reach *reach, UnfoldOrder order) {
  Prefix *prefix = unfold_in(reach->heap, reach->net, order);
  const char *wrong = NULL;
  for (uint32_t i = 0; i < N_WAYS && !wrong; i++) {
    Deadlock found = deadlock_find(prefix, &WAYS[i]);
    wrong = compare(reach, prefix, &found);
    heap_release(prefix->heap, found.run);
  }
  prefix_free(prefix);
  return wrong;
}

static uint32_t pick(uint64_t *random, uint32_t below) { return (uint32_t)(hash_word(++*random) >> 33) % below; }

enum { LOCKS = 3 };

/* Position `at` of a thread, of which `held` are the locks; one step, and the position after it. */
static PlaceId add_random_step(NetBuilder *builder, uint64_t *random, PlaceId at, bool *held) {
  const PlaceId next = net_add_place(builder, "p", false), lock = {pick(random, LOCKS)};
  const uint32_t kind = pick(random, 4);
  const TransId t = net_add_trans(builder, "t");
  net_add_input(builder, at, t);
  net_add_output(builder, t, next);
  if (kind == 0) { /* another way, which takes two steps */
    const PlaceId half = net_add_place(builder, "half", false);
    const TransId to = net_add_trans(builder, "to"), from = net_add_trans(builder, "from");
    net_add_input(builder, at, to);
    net_add_output(builder, to, half);
    net_add_input(builder, half, from);
    net_add_output(builder, from, next);
  } else if (kind == 1 || !held[lock.v]) {
    if (held[lock.v]) net_add_output(builder, t, lock);
    else net_add_input(builder, lock, t);
    held[lock.v] ^= true;
  }
  return next;
}

/* Threads that take and release locks (places 0 to LOCKS - 1), release them all at the end, and begin again. */
static Net *random_locking(Heap *heap, uint64_t seed) {
  uint64_t random = seed << 32;
  NetBuilder *builder = net_builder_new(heap);
  for (uint32_t i = 0; i < LOCKS; i++) net_add_place(builder, "lock", true);
  for (uint32_t thread = 0, n = 2 + pick(&random, 3); thread < n; thread++) {
    const PlaceId first = net_add_place(builder, "first", true);
    bool held[LOCKS] = {0};
    PlaceId at = first;
    for (uint32_t i = 0, steps = 3 + pick(&random, 4); i < steps; i++) at = add_random_step(builder, &random, at, held);
    const TransId again = net_add_trans(builder, "again");
    net_add_input(builder, at, again);
    net_add_output(builder, again, first);
    for (uint32_t i = 0; i < LOCKS; i++)
      if (held[i]) net_add_output(builder, again, (PlaceId){i});
  }
  Err err;
  return net_freeze(builder, &err);
}

enum { N_RANDOM = 5000 };

/* How many of the random nets have no deadlock, have one, and have none that is less than five steps away. */
typedef struct {
  uint32_t none, found, far;
} Tally;

static void count_answer(Tally *tally, const Reach *reach) {
  const uint32_t m = reach_find_deadlock(reach);
  tally->none += m == REACH_NONE;
  tally->found += m != REACH_NONE;
  tally->far += m != REACH_NONE && reach_run(reach, m, NULL) >= 5;
}

static Tally compare_random_nets(Net *(*make)(Heap *heap, uint64_t seed), UnfoldOrder order) {
  Tally tally = {0};
  for (uint64_t seed = 1; seed <= N_RANDOM; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    Net *net = make(heap, seed);
    Reach *reach = reach_explore(heap, net, 2000);
    const char *wrong = reach->complete ? compare_net(reach, order) : NULL;
    if (wrong) printf("\nseed %u: %s\n", (unsigned)seed, wrong);
    CU_ASSERT_PTR_NULL(wrong);
    if (reach->complete) count_answer(&tally, reach);
    reach_free(reach);
    net_free(net);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    heap_free(heap);
  }
  return tally;
}

static void agrees_with_reachability(UnfoldOrder order) {
  const Tally any = compare_random_nets(safe_net, order), locking = compare_random_nets(random_locking, order);
  CU_ASSERT_TRUE(any.none > N_RANDOM / 10 && any.found > N_RANDOM / 2);
  CU_ASSERT_TRUE(locking.none > N_RANDOM / 10 && locking.far > N_RANDOM / 5);
}

static void erv_agrees_with_reachability(void) { agrees_with_reachability(UNFOLD_ERV); }
static void mcmillan_agrees_with_reachability(void) { agrees_with_reachability(UNFOLD_MCMILLAN); }

/* ---- nets by thought ---- */

/* Frees the net's heap. */
static void check_prefix(const Prefix *prefix, const DeadlockOptions *way, DeadlockAnswer answer, bool shortest,
                         uint32_t length) {
  const Deadlock found = deadlock_find(prefix, way);
  CU_ASSERT_EQUAL(found.answer, answer);
  CU_ASSERT_EQUAL(found.shortest, shortest);
  CU_ASSERT_EQUAL(found.n_run, length);
  if (answer == DEADLOCK_FOUND) CU_ASSERT_TRUE(ends_in_deadlock(prefix->heap, prefix->net, found.run, found.n_run));
  heap_release(prefix->heap, found.run);
}

static void check_net(Heap *heap, Net *net, DeadlockAnswer answer, bool shortest, uint32_t length) {
  for (UnfoldOrder order = UNFOLD_ERV; order <= UNFOLD_MCMILLAN; order++) {
    Prefix *prefix = unfold_in(heap, net, order);
    for (uint32_t i = 0; i < N_WAYS; i++) check_prefix(prefix, &WAYS[i], answer, shortest, length);
    prefix_free(prefix);
  }
  net_free(net);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static Net *frozen(NetBuilder *builder) {
  Err err;
  return net_freeze(builder, &err);
}

static void nothing_is_a_deadlock(void) {
  Heap *heap = heap_new(0);
  check_net(heap, frozen(net_builder_new(heap)), DEADLOCK_FOUND, true, 0);
  heap = heap_new(0);
  NetBuilder *builder = net_builder_new(heap);
  net_add_place(builder, "full", true);
  net_add_place(builder, "empty", false);
  check_net(heap, frozen(builder), DEADLOCK_FOUND, true, 0);
}

static void a_net_can_be_dead_at_first(void) {
  Heap *heap = heap_new(0);
  NetBuilder *builder = net_builder_new(heap);
  net_add_input(builder, net_add_place(builder, "empty", false), net_add_trans(builder, "never"));
  check_net(heap, frozen(builder), DEADLOCK_FOUND, true, 0);
}

static TransId add_step(NetBuilder *builder, PlaceId from, PlaceId to) {
  const TransId t = net_add_trans(builder, "t");
  net_add_input(builder, from, t);
  net_add_output(builder, t, to);
  return t;
}

/* Chains of `length` steps; with `closed` each is a ring. */
static Net *chains(Heap *heap, uint32_t n, uint32_t length, bool closed) {
  NetBuilder *builder = net_builder_new(heap);
  for (uint32_t i = 0; i < n; i++) {
    const PlaceId first = net_add_place(builder, "first", true);
    PlaceId last = first;
    for (uint32_t k = 0; k + closed < length; k++) {
      const PlaceId next = net_add_place(builder, "p", false);
      add_step(builder, last, next);
      last = next;
    }
    if (closed) add_step(builder, last, first);
  }
  return frozen(builder);
}

static void rings_have_none(void) {
  Heap *heap = heap_new(0);
  check_net(heap, chains(heap, 3, 7, true), DEADLOCK_NONE, false, 0);
  heap = heap_new(0);
  check_net(heap, chains(heap, 1, 1, true), DEADLOCK_NONE, false, 0);
}

static void chains_end_in_one(void) {
  Heap *heap = heap_new(0);
  check_net(heap, chains(heap, 1, 5000, false), DEADLOCK_FOUND, true, 5000);
  heap = heap_new(0);
  check_net(heap, chains(heap, 40, 10, false), DEADLOCK_FOUND, true, 400);
}

/* The sum of the events would be too large a formula: the run may still be the shortest, but it is not said to be. */
static void too_long_a_sum_is_no_claim(void) {
  Heap *heap = heap_new(0);
  Net *net = chains(heap, 2, 3000, false);
  Prefix *prefix = unfold_in(heap, net, UNFOLD_ERV);
  check_prefix(prefix, &(DeadlockOptions){.by_solver = true}, DEADLOCK_FOUND, false, 6000);
  heap_free(heap);
}

/* The solver has a first model, which need not be a nearest one. */
static void any_deadlock_will_do(void) {
  Heap *heap = heap_new(0);
  Net *net = chains(heap, 2, 100, false);
  check_prefix(unfold_in(heap, net, UNFOLD_ERV), &(DeadlockOptions){.any = true, .by_solver = true}, DEADLOCK_FOUND,
               false, 200);
  check_prefix(unfold_in(heap, net, UNFOLD_ERV), &(DeadlockOptions){.any = true}, DEADLOCK_FOUND, true, 200);
  heap_free(heap);
}

/* Each takes the left fork, then the right one, eats, and puts both back. */
static Net *philosophers(Heap *heap, uint32_t n) {
  NetBuilder *builder = net_builder_new(heap);
  for (uint32_t i = 0; i < n; i++) {
    net_add_place(builder, "fork", true);
    net_add_place(builder, "thinks", true);
    net_add_place(builder, "waits", false);
    net_add_place(builder, "eats", false);
  }
  for (uint32_t i = 0; i < n; i++) {
    const PlaceId left = {4 * i}, thinks = {4 * i + 1}, waits = {4 * i + 2}, eats = {4 * i + 3},
                  right = {4 * ((i + 1) % n)};
    net_add_input(builder, left, add_step(builder, thinks, waits));
    net_add_input(builder, right, add_step(builder, waits, eats));
    const TransId put = add_step(builder, eats, thinks);
    net_add_output(builder, put, left);
    net_add_output(builder, put, right);
  }
  return frozen(builder);
}

static void philosophers_starve(void) {
  for (uint32_t n = 2; n <= 6; n++) {
    Heap *heap = heap_new(0);
    check_net(heap, philosophers(heap, n), DEADLOCK_FOUND, true, n);
  }
}

/* A choice among n; all but the last one, if that is a trap, come back. */
static Net *fan(Heap *heap, uint32_t n, bool trap) {
  NetBuilder *builder = net_builder_new(heap);
  const PlaceId first = net_add_place(builder, "first", true);
  for (uint32_t i = 0; i < n; i++) {
    const PlaceId chosen = net_add_place(builder, "chosen", false);
    add_step(builder, first, chosen);
    if (!trap || i + 1 < n) add_step(builder, chosen, first);
  }
  return frozen(builder);
}

static void a_condition_may_have_many_consumers(void) {
  Heap *heap = heap_new(0);
  check_net(heap, fan(heap, 2000, true), DEADLOCK_FOUND, true, 1);
  heap = heap_new(0);
  check_net(heap, fan(heap, 2000, false), DEADLOCK_NONE, false, 0);
}

/* A deadlock that a cut-off comes back to is found in front of it: 3 steps, not 3 and a round of the ring. */
static void deadlocks_behind_cutoffs_are_in_front_of_them(void) {
  Heap *heap = heap_new(0);
  NetBuilder *builder = net_builder_new(heap);
  PlaceId p[6];
  for (uint32_t i = 0; i < 6; i++) p[i] = net_add_place(builder, "p", i == 0);
  for (uint32_t i = 0; i < 4; i++) add_step(builder, p[i], p[(i + 1) % 4]);
  add_step(builder, p[2], p[4]);
  add_step(builder, p[3], p[5]);
  check_net(heap, frozen(builder), DEADLOCK_FOUND, true, 3);
}

/* ---- limits ---- */

static void limits_are_kept(void) {
  Heap *heap = heap_new(0);
  Net *net = philosophers(heap, 5);
  Prefix *prefix = unfold_in(heap, net, UNFOLD_ERV);
  Stop stop = {.asked = STOP_CANCELLED};
  const uint64_t before = heap_used(heap);
  heap_watch(heap, &stop);
  Deadlock found = deadlock_find(prefix, &WAYS[0]);
  CU_ASSERT_EQUAL(found.answer, DEADLOCK_UNKNOWN);
  CU_ASSERT_PTR_NULL(found.run);
  CU_ASSERT_EQUAL(heap_used(heap), before);
  stop.asked = STOP_NOT;
  found = deadlock_find(prefix, &WAYS[0]);
  CU_ASSERT_EQUAL(found.answer, DEADLOCK_FOUND);
  heap_free(heap);
}

typedef struct {
  const Prefix *prefix;
  const DeadlockOptions *way;
  Deadlock found;
} Attempt;

static void attempt(void *argument) {
  Attempt *a = argument;
  a->found = deadlock_find(a->prefix, a->way);
}

/* Each allocation fails once: before a deadlock is found there is no answer, after that it is one without the claim. */
static void memory_may_run_out_anywhere(void) {
  uint32_t n_out = 0, n_unproved = 0, n_proved = 0;
  for (uint64_t nth = 1; n_proved == 0; nth++) {
    Heap *heap = heap_new(0);
    Net *net = philosophers(heap, 3);
    Attempt a = {.prefix = unfold_in(heap, net, UNFOLD_ERV), .way = &WAYS[1]};
    heap_fail_at(heap, nth);
    const bool done = heap_try(heap, attempt, &a);
    heap_fail_at(heap, 0);
    if (done) {
      CU_ASSERT_EQUAL(a.found.answer, DEADLOCK_FOUND);
      CU_ASSERT_TRUE(ends_in_deadlock(heap, net, a.found.run, a.found.n_run));
      CU_ASSERT_TRUE(a.found.n_run >= 3);
    }
    n_out += !done;
    n_unproved += done && !a.found.shortest;
    n_proved += done && a.found.shortest;
    heap_free(heap);
  }
  CU_ASSERT_TRUE(n_out > 100 && n_unproved > 20);
}

/* ---- nets with known answers ---- */

/* The lengths are those of reach.h, which all of these but byzagr4_1b, dme11 and acquire1_11_unreduced are small enough
 * for. */
static const struct {
  const char *name;
  DeadlockAnswer answer;
  uint32_t length;
} KNOWN[] = {
    {"q_1", DEADLOCK_FOUND, 21},         {"bds_1.sync", DEADLOCK_NONE, 0},
    {"dpd_7.sync", DEADLOCK_NONE, 0},    {"elevator_4", DEADLOCK_FOUND, 18},
    {"furnace_3", DEADLOCK_NONE, 0},     {"key_4", DEADLOCK_FOUND, 44},
    {"byzagr4_1b", DEADLOCK_NONE, 0},    {"rw_12", DEADLOCK_NONE, 0},
    {"dme11", DEADLOCK_NONE, 0},         {"acquire1_30", DEADLOCK_FOUND, 4},
    {"acquire1_100", DEADLOCK_FOUND, 4}, {"acquire1_11_unreduced", DEADLOCK_NONE, 0},
};
enum { N_KNOWN = sizeof KNOWN / sizeof *KNOWN };

static void compare_known(Heap *heap, const Net *net, DeadlockAnswer answer, uint32_t length) {
  const Deadlock found = deadlock_find(unfold_in(heap, net, UNFOLD_ERV), &WAYS[0]);
  CU_ASSERT_EQUAL(found.answer, answer);
  CU_ASSERT_EQUAL(found.n_run, length);
  CU_ASSERT_EQUAL(found.shortest, answer == DEADLOCK_FOUND);
  if (answer == DEADLOCK_FOUND) CU_ASSERT_TRUE(ends_in_deadlock(heap, net, found.run, found.n_run));
}

static void known_nets_have_their_answers(void) {
  for (uint32_t i = 0; i < N_KNOWN; i++) {
    Heap *heap = heap_new((size_t)1 << 30);
    const Net *net = known_net(heap, KNOWN[i].name);
    if (net) compare_known(heap, net, KNOWN[i].answer, KNOWN[i].length);
    heap_free(heap);
  }
}

void suite_deadlock(void) {
  CU_pSuite suite = CU_add_suite("deadlock", NULL, NULL);
  CU_ADD_TEST(suite, erv_agrees_with_reachability);
  CU_ADD_TEST(suite, mcmillan_agrees_with_reachability);
  CU_ADD_TEST(suite, nothing_is_a_deadlock);
  CU_ADD_TEST(suite, a_net_can_be_dead_at_first);
  CU_ADD_TEST(suite, rings_have_none);
  CU_ADD_TEST(suite, chains_end_in_one);
  CU_ADD_TEST(suite, too_long_a_sum_is_no_claim);
  CU_ADD_TEST(suite, any_deadlock_will_do);
  CU_ADD_TEST(suite, philosophers_starve);
  CU_ADD_TEST(suite, a_condition_may_have_many_consumers);
  CU_ADD_TEST(suite, deadlocks_behind_cutoffs_are_in_front_of_them);
  CU_ADD_TEST(suite, limits_are_kept);
  CU_ADD_TEST(suite, memory_may_run_out_anywhere);
  CU_ADD_TEST(suite, known_nets_have_their_answers);
}
