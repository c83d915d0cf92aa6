/* The nets that the benchmarks make are those of the files, and have their prefixes. */
#include "bench/families.h"
#include "tests/unit/known_net.h"
#include "unfold/unfold.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the same net? ---- */

typedef struct {
  const Net *net;
  PlaceId place;
} Node;

static int compare_lists(TransList a, TransList b) {
  if (a.n != b.n) return a.n < b.n ? -1 : 1;
  return a.n ? memcmp(a.at, b.at, a.n * sizeof *a.at) : 0;
}

/* Places of two nets with the same transitions are alike iff they are marked alike and have the same arcs. */
static int compare_places(const void *a, const void *b) {
  const Node *x = a, *y = b;
  const int marks = x->net->marked[x->place.v] - y->net->marked[y->place.v];
  const int consumers = compare_lists(net_consumers(x->net, x->place), net_consumers(y->net, y->place));
  const int producers = compare_lists(net_producers(x->net, x->place), net_producers(y->net, y->place));
  return marks ? marks : consumers ? consumers : producers;
}

static Node *sorted_places(Heap *heap, const Net *net) {
  Node *nodes = heap_alloc(heap, net->n_places * sizeof *nodes);
  for (uint32_t p = 0; p < net->n_places; p++) nodes[p] = (Node){net, {p}};
  qsort(nodes, net->n_places, sizeof *nodes, compare_places);
  return nodes;
}

/* Is there a bijection of the places that keeps all arcs and marks, transitions keeping their numbers? */
static bool same_net(Heap *heap, const Net *a, const Net *b) {
  if (a->n_places != b->n_places || a->n_trans != b->n_trans) return false;
  const Node *x = sorted_places(heap, a), *y = sorted_places(heap, b);
  for (uint32_t i = 0; i < a->n_places; i++)
    if (compare_places(&x[i], &y[i]) != 0) return false;
  return true;
}

static const struct {
  const char *name;
  Family family;
  uint32_t n;
} FILES[] = {
    {"dme11", FAMILY_DME, 11},
    {"key_4", FAMILY_KEY, 4},
    {"rw_12", FAMILY_RW, 12},
    {"acquire1_30", FAMILY_ACQUIRE1, 30},
    {"acquire1_100", FAMILY_ACQUIRE1, 100},
};
enum { N_FILES = sizeof FILES / sizeof *FILES };

static void nets_are_those_of_the_files(void) {
  for (uint32_t i = 0; i < N_FILES; i++) {
    Heap *heap = heap_new(0);
    const Net *net = known_net(heap, FILES[i].name);
    if (net) CU_ASSERT_TRUE(same_net(heap, net, family_net(heap, FILES[i].family, FILES[i].n)));
    heap_free(heap);
  }
}

static void another_net_is_not_the_same(void) {
  Heap *heap = heap_new(0);
  CU_ASSERT_TRUE(same_net(heap, family_net(heap, FAMILY_KEY, 3), family_net(heap, FAMILY_KEY, 3)));
  CU_ASSERT_FALSE(same_net(heap, family_net(heap, FAMILY_KEY, 3), family_net(heap, FAMILY_KEY, 2)));
  NetBuilder *builders[2];
  Net *nets[2];
  Err err;
  for (uint32_t i = 0; i < 2; i++) {
    builders[i] = net_builder_new(heap);
    const PlaceId p = net_add_place(builders[i], "p", i == 0), q = net_add_place(builders[i], "q", i == 0);
    const TransId t = net_add_trans(builders[i], "t");
    net_add_input(builders[i], p, t);
    net_add_output(builders[i], t, q);
    nets[i] = net_freeze(builders[i], &err);
  }
  CU_ASSERT_FALSE(same_net(heap, nets[0], nets[1]));
  heap_free(heap);
}

/* ---- their prefixes ---- */

static const struct {
  Family family;
  uint32_t n;
  UnfoldCounts counts;
} KNOWN[] = {
    {FAMILY_DME, 11, {9185, 31186, 121, 0}},      {FAMILY_KEY, 4, {67954, 135914, 32049, 0}},
    {FAMILY_RW, 12, {49179, 147607, 45069, 0}},   {FAMILY_ACQUIRE1, 30, {124, 2135, 30, 0}},
    {FAMILY_ACQUIRE1, 100, {404, 21105, 100, 0}}, {FAMILY_SWAP, 100, {2, 300, 1, 0}},
    {FAMILY_LOOPS, 100, {100, 200, 100, 0}},
};
enum { N_KNOWN = sizeof KNOWN / sizeof *KNOWN };

static void prefixes_have_their_size(void) {
  for (uint32_t i = 0; i < N_KNOWN; i++) {
    Heap *heap = heap_new(0);
    Err err;
    UnfoldCounts counts;
    const Net *net = family_net(heap, KNOWN[i].family, KNOWN[i].n);
    CU_ASSERT_PTR_NOT_NULL(unfold(heap, net, &(UnfoldOptions){.counts = &counts}, &err));
    CU_ASSERT_EQUAL(counts.events, KNOWN[i].counts.events);
    CU_ASSERT_EQUAL(counts.conditions, KNOWN[i].counts.conditions);
    CU_ASSERT_EQUAL(counts.cutoffs, KNOWN[i].counts.cutoffs);
    heap_free(heap);
  }
}

void suite_families(void) {
  CU_pSuite suite = CU_add_suite("families", NULL, NULL);
  CU_ADD_TEST(suite, nets_are_those_of_the_files);
  CU_ADD_TEST(suite, another_net_is_not_the_same);
  CU_ADD_TEST(suite, prefixes_have_their_size);
}
