/* The explicit search against explicit reachability, which is made to be obviously right, not fast. */
#include "tests/oracle/reach.h"
#include "tests/unit/safe_net.h"
#include "unfold/states.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

enum { N_RANDOM = 4000, MARKINGS = 2000 };

static const UnfoldOptions NO_OPTIONS = {0};

typedef struct {
  Heap *heap;
  const Net *net;
  Limits limits;
  States states;
} Search;

static void begin(Search *s, Heap *heap, const Net *net, uint32_t most) {
  *s = (Search){.heap = heap, .net = net};
  limits_init(&s->limits, heap, &NO_OPTIONS);
  states_init(&s->states, heap, net, &s->limits, most);
}

/* In portions of that size. */
static StatesStatus explore(Search *s, StatesGoal *goal, const void *argument, uint64_t portion) {
  StatesStatus status;
  while ((status = states_explore(&s->states, goal, argument, portion)) == STATES_MORE) continue;
  return status;
}

static bool is_marked(const void *place, const States *states) {
  return marks_has(&states->marks, ((const PlaceId *)place)->v);
}

/* The marking after the way to `at`; false if that cannot be fired. */
static bool play(const Search *s, uint64_t *marking) {
  const uint32_t n = states_run(&s->states, s->states.at, NULL);
  TransId *run = heap_alloc(s->heap, ((size_t)n + 1) * sizeof *run);
  states_run(&s->states, s->states.at, run);
  bool good = true;
  token_initial(s->net, marking);
  for (uint32_t i = 0; i < n && good; i++)
    good = token_enabled(s->net, marking, run[i]) && token_fire(s->net, marking, run[i]).v == PLACE_NONE.v;
  heap_release(s->heap, run);
  return good;
}

/* What is found is nearest, and there. */
static const char *compare_goal(Search *s, const Reach *reach, StatesStatus status, uint32_t m) {
  uint64_t marking[SKETCH_PLACES / 64 + 1];
  if (m == REACH_NONE)
    return status == STATES_ALL && s->states.steps.n == reach->n_markings ? NULL : "one sees what is not there";
  if (status != STATES_FOUND) return "one does not see what is there";
  if (!play(s, marking)) return "the run";
  return states_run(&s->states, s->states.at, NULL) == reach_run(reach, m, NULL) ? NULL : "the length of the run";
}

static const char *compare_place(const Reach *reach, PlaceId place) {
  Search s;
  uint64_t marking[SKETCH_PLACES / 64 + 1];
  begin(&s, reach->heap, reach->net, MARKINGS);
  const StatesStatus status = explore(&s, is_marked, &place, UINT64_MAX);
  const char *wrong = compare_goal(&s, reach, status, reach_find_place(reach, place));
  if (!wrong && status == STATES_FOUND && !(play(&s, marking) && marking_has(marking, place))) wrong = "the marking";
  states_fini(&s.states);
  return wrong;
}

static const char *compare_deadlock(const Reach *reach, uint64_t portion) {
  Search s;
  begin(&s, reach->heap, reach->net, MARKINGS);
  const char *wrong = compare_goal(&s, reach, explore(&s, states_is_dead, NULL, portion), reach_find_deadlock(reach));
  states_fini(&s.states);
  return wrong;
}

static const char *compare_safe(const Reach *reach) {
  const char *wrong = NULL;
  for (uint32_t p = 0; p < reach->net->n_places && !wrong; p++) wrong = compare_place(reach, (PlaceId){p});
  if (!wrong) wrong = compare_deadlock(reach, 1);
  return wrong ? wrong : compare_deadlock(reach, UINT64_MAX);
}

/* A shortest way to a second token. */
static const char *compare_unsafe(const Reach *reach) {
  Search s;
  uint64_t marking[SKETCH_PLACES / 64 + 1];
  const char *wrong = NULL;
  begin(&s, reach->heap, reach->net, MARKINGS);
  if (explore(&s, NULL, NULL, 7) != STATES_UNSAFE) wrong = "no second token";
  else if (!play(&s, marking) || !token_enabled(s.net, marking, s.states.via)) wrong = "the run to a second token";
  else if (token_fire(s.net, marking, s.states.via).v == PLACE_NONE.v) wrong = "a second token";
  else if (states_run(&s.states, s.states.at, NULL) != reach_run(reach, reach->unsafe_from, NULL)) wrong = "its length";
  states_fini(&s.states);
  return wrong;
}

static void agrees_with_reachability(void) {
  uint32_t n_safe = 0, n_unsafe = 0;
  for (uint64_t seed = 1; seed <= N_RANDOM; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    Net *net = safe_net(heap, seed);
    Reach *reach = reach_explore(heap, net, MARKINGS);
    const bool unsafe = reach->unsafe_from != REACH_NONE;
    const char *wrong = unsafe ? compare_unsafe(reach) : reach->complete ? compare_safe(reach) : NULL;
    if (wrong) printf("\nseed %u: %s\n", (unsigned)seed, wrong);
    CU_ASSERT_PTR_NULL(wrong);
    n_safe += reach->complete;
    n_unsafe += unsafe;
    reach_free(reach);
    net_free(net);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(n_safe > N_RANDOM / 2 && n_unsafe > N_RANDOM / 10);
}

/* n switches that go on and off: 2^n markings. */
static Net *switches(Heap *heap, uint32_t n) {
  NetBuilder *builder = net_builder_new(heap);
  Err err;
  for (uint32_t i = 0; i < n; i++) {
    const PlaceId off = net_add_place(builder, "off", true), on = net_add_place(builder, "on", false);
    const TransId up = net_add_trans(builder, "up"), down = net_add_trans(builder, "down");
    net_add_input(builder, off, up);
    net_add_output(builder, up, on);
    net_add_input(builder, on, down);
    net_add_output(builder, down, off);
  }
  return net_freeze(builder, &err);
}

static void the_limit_is_kept(void) {
  Heap *heap = heap_new(0);
  const Net *net = switches(heap, 10);
  Search s;
  begin(&s, heap, net, 1023);
  CU_ASSERT_EQUAL(explore(&s, NULL, NULL, 100), STATES_FULL);
  CU_ASSERT_EQUAL(s.states.steps.n, 1023);
  states_fini(&s.states);
  begin(&s, heap, net, 1024);
  CU_ASSERT_EQUAL(explore(&s, NULL, NULL, 100), STATES_ALL);
  CU_ASSERT_EQUAL(s.states.steps.n, 1024);
  states_fini(&s.states);
  heap_free(heap);
}

static void it_can_be_stopped(void) {
  Heap *heap = heap_new(0);
  Stop stop = {.asked = STOP_NOT};
  Search s;
  begin(&s, heap, switches(heap, 20), UINT32_MAX);
  heap_watch(heap, &stop);
  CU_ASSERT_EQUAL(states_explore(&s.states, NULL, NULL, 1000), STATES_MORE);
  stop.asked = STOP_TIME;
  CU_ASSERT_EQUAL(explore(&s, NULL, NULL, UINT64_MAX), STATES_STOPPED);
  states_fini(&s.states);
  heap_free(heap);
}

typedef struct {
  Search s;
  StatesStatus status;
} Attempt;

static void attempt(void *argument) {
  Attempt *a = argument;
  a->status = explore(&a->s, NULL, NULL, UINT64_MAX);
}

/* Each allocation fails once, and what was held is given back. */
static void memory_may_run_out_anywhere(void) {
  bool done = false;
  for (uint64_t nth = 1; !done; nth++) {
    Heap *heap = heap_new(0);
    Net *net = switches(heap, 8);
    Attempt a = {0};
    begin(&a.s, heap, net, UINT32_MAX);
    heap_fail_at(heap, nth);
    done = heap_try(heap, attempt, &a);
    heap_fail_at(heap, 0);
    states_fini(&a.s.states);
    net_free(net);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    heap_free(heap);
    CU_ASSERT_TRUE(!done || nth > 10);
  }
}

void suite_states(void) {
  CU_pSuite suite = CU_add_suite("states", NULL, NULL);
  CU_ADD_TEST(suite, agrees_with_reachability);
  CU_ADD_TEST(suite, the_limit_is_kept);
  CU_ADD_TEST(suite, it_can_be_stopped);
  CU_ADD_TEST(suite, memory_may_run_out_anywhere);
}
