/* Explicit reachability on nets whose answers are known by thought. */
#include "tests/oracle/reach.h"
#include "tests/unit/known_net.h"

#include <CUnit/CUnit.h>

#include <stdio.h>
#include <stdlib.h>

/* n rings of k places, each with a token on its first place: k^n markings. */
static Net *rings(Heap *heap, uint32_t n, uint32_t k) {
  NetBuilder *b = net_builder_new(heap);
  for (uint32_t i = 0; i < n * k; i++) {
    char name[32];
    snprintf(name, sizeof name, "p%u", i);
    net_add_place(b, name, i % k == 0);
    net_add_trans(b, "step");
  }
  for (uint32_t i = 0; i < n * k; i++) {
    net_add_input(b, (PlaceId){i}, (TransId){i});
    net_add_output(b, (TransId){i}, (PlaceId){i % k == k - 1 ? i + 1 - k : i + 1});
  }
  Err err;
  return net_freeze(b, &err);
}

/* Two threads take the locks l (place 0) and m (place 1) in different order: 0 l, 1 m, then per thread idle, one, both.
 */
static Net *two_locks(Heap *heap) {
  NetBuilder *b = net_builder_new(heap);
  net_add_place(b, "l", true);
  net_add_place(b, "m", true);
  for (uint32_t i = 0; i < 6; i++) net_add_place(b, "c", i % 3 == 0);
  for (uint32_t thread = 0; thread < 2; thread++) {
    const uint32_t c = 2 + 3 * thread, first = thread, second = 1 - thread;
    const TransId take = net_add_trans(b, "take"), both = net_add_trans(b, "both"), drop = net_add_trans(b, "drop");
    net_add_input(b, (PlaceId){c}, take);
    net_add_input(b, (PlaceId){first}, take);
    net_add_output(b, take, (PlaceId){c + 1});
    net_add_input(b, (PlaceId){c + 1}, both);
    net_add_input(b, (PlaceId){second}, both);
    net_add_output(b, both, (PlaceId){c + 2});
    net_add_input(b, (PlaceId){c + 2}, drop);
    net_add_output(b, drop, (PlaceId){c});
    net_add_output(b, drop, (PlaceId){0});
    net_add_output(b, drop, (PlaceId){1});
  }
  Err err;
  return net_freeze(b, &err);
}

static void test_rings(void) {
  Heap *heap = heap_new(0);
  Net *net = rings(heap, 5, 4);
  Reach *reach = reach_explore(heap, net, 100000);
  CU_ASSERT_EQUAL(reach->n_markings, 1024);
  CU_ASSERT(reach->complete);
  CU_ASSERT_EQUAL(reach->unsafe_from, REACH_NONE);
  CU_ASSERT_EQUAL(reach_find_deadlock(reach), REACH_NONE);
  reach_free(reach);
  net_free(net);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void test_budget(void) {
  Heap *heap = heap_new(0);
  Net *net = rings(heap, 5, 4);
  Reach *reach = reach_explore(heap, net, 1023);
  CU_ASSERT_EQUAL(reach->n_markings, 1023);
  CU_ASSERT_FALSE(reach->complete);
  reach_free(reach);
  reach = reach_explore(heap, net, 1024);
  CU_ASSERT(reach->complete);
  reach_free(reach);
  net_free(net);
  heap_free(heap);
}

/* More places than one word holds, and a run of the length that the rings say. */
static void test_shortest_run(void) {
  Heap *heap = heap_new(0);
  Net *net = rings(heap, 2, 70);
  Reach *reach = reach_explore(heap, net, 5000);
  CU_ASSERT_EQUAL(reach->n_markings, 4900);
  const uint32_t m = reach_find_place(reach, (PlaceId){70 + 69});
  CU_ASSERT_NOT_EQUAL_FATAL(m, REACH_NONE);
  TransId run[69];
  CU_ASSERT_EQUAL_FATAL(reach_run(reach, m, NULL), 69);
  CU_ASSERT_EQUAL(reach_run(reach, m, run), 69);
  for (uint32_t i = 0; i < 69; i++) CU_ASSERT_EQUAL(run[i].v, 70 + i);
  CU_ASSERT_EQUAL(reach_run(reach, 0, NULL), 0);
  reach_free(reach);
  net_free(net);
  heap_free(heap);
}

static void test_deadlock(void) {
  Heap *heap = heap_new(0);
  Net *net = two_locks(heap);
  Reach *reach = reach_explore(heap, net, 100);
  CU_ASSERT(reach->complete);
  CU_ASSERT_EQUAL(reach->n_markings, 6); /* idle; one; both for each of them; and each has one */
  const uint32_t m = reach_find_deadlock(reach);
  CU_ASSERT_NOT_EQUAL_FATAL(m, REACH_NONE);
  CU_ASSERT(marking_has(reach_marking(reach, m), (PlaceId){3}) && marking_has(reach_marking(reach, m), (PlaceId){6}));
  CU_ASSERT_EQUAL(reach_run(reach, m, NULL), 2);
  reach_free(reach);
  net_free(net);
  heap_free(heap);
}

static void test_not_safe(void) {
  Heap *heap = heap_new(0);
  NetBuilder *b = net_builder_new(heap);
  const PlaceId p = net_add_place(b, "p", true), q = net_add_place(b, "q", true), out = net_add_place(b, "out", false);
  const TransId t = net_add_trans(b, "t"), u = net_add_trans(b, "u");
  net_add_input(b, p, t);
  net_add_output(b, t, out);
  net_add_input(b, q, u);
  net_add_output(b, u, out);
  Err err;
  Net *net = net_freeze(b, &err);
  Reach *reach = reach_explore(heap, net, 100);
  CU_ASSERT_FALSE(reach->complete);
  CU_ASSERT_NOT_EQUAL_FATAL(reach->unsafe_from, REACH_NONE);
  CU_ASSERT_EQUAL(reach->unsafe_place.v, out.v);
  CU_ASSERT_EQUAL(reach->unsafe_trans.v, u.v);
  CU_ASSERT_EQUAL(reach_run(reach, reach->unsafe_from, NULL), 1);
  reach_free(reach);
  net_free(net);
  heap_free(heap);
}

static void test_nothing(void) {
  Heap *heap = heap_new(0);
  Err err;
  Net *net = net_freeze(net_builder_new(heap), &err);
  Reach *reach = reach_explore(heap, net, 1);
  CU_ASSERT(reach->complete && reach->n_markings == 1);
  CU_ASSERT_EQUAL(reach_find_deadlock(reach), 0);
  reach_free(reach);
  net_free(net);
  heap_free(heap);
}

/* Nets from the literature (J. C. Corbett's benchmarks) whose deadlocks are known: Q, ELEVATOR and KEY have one, the
 * others none. */
static void has_deadlock(Heap *heap, const Net *net, bool deadlock) {
  Reach *reach = reach_explore(heap, net, 1000000);
  CU_ASSERT(reach->complete);
  CU_ASSERT_EQUAL(reach_find_deadlock(reach) != REACH_NONE, deadlock);
}

static void test_known_nets(void) {
  static const struct {
    const char *name;
    bool deadlock;
  } nets[] = {{"q_1", true},        {"bds_1.sync", false}, {"elevator_4", true},
              {"furnace_3", false}, {"rw_12", false},      {"key_4", true}};
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
    Heap *heap = heap_new(0);
    const Net *net = known_net(heap, nets[i].name);
    if (net) has_deadlock(heap, net, nets[i].deadlock);
    heap_free(heap);
  }
}

void suite_reach(void);
void suite_reach(void) {
  CU_pSuite s = CU_add_suite("reach", NULL, NULL);
  CU_add_test(s, "independent rings", test_rings);
  CU_add_test(s, "the budget is exact", test_budget);
  CU_add_test(s, "shortest run", test_shortest_run);
  CU_add_test(s, "deadlock", test_deadlock);
  CU_add_test(s, "not 1-safe", test_not_safe);
  CU_add_test(s, "no place, no transition", test_nothing);
  CU_add_test(s, "nets from the literature", test_known_nets);
}
