/* Threads from invariants, against all subsets of places and all reachable markings; their text, read back; what is
 * refused. */
#include "petri/net_threads.h"
#include "tests/oracle/reach.h"
#include "tests/unit/random_net.h"
#include "tests/unit/safe_net.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_RANDOM = 4000, MOST_SUBSETS = 12 };

static uint32_t count(PlaceList places, uint32_t set) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < places.n; i++) n += set >> places.at[i].v & 1;
  return n;
}

/* One token at first, and each transition takes one and puts one, or neither. */
static bool is_invariant(const Net *net, uint32_t set) {
  uint32_t tokens = 0;
  for (uint32_t p = 0; p < net->n_places; p++) tokens += (set >> p & 1) && net->marked[p];
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const uint32_t taken = count(net_pre(net, (TransId){t}), set), put = count(net_post(net, (TransId){t}), set);
    if (taken != put || taken > 1) return false;
  }
  return tokens == 1;
}

/* A place that is one by itself would be joined with others for nothing. */
static bool has_set(const Net *net, uint32_t place, uint32_t used) {
  bool any = false;
  for (uint32_t set = 0; set < 1u << net->n_places && !any; set++)
    any = set >> place & 1 && !(set & used) && set & (set - 1) && is_invariant(net, set);
  return any && !is_invariant(net, 1u << place);
}

static uint32_t set_of(const Net *net, uint32_t unit) {
  const PlaceList places = net_unit_places(net, unit);
  uint32_t set = 0;
  for (uint32_t i = 0; i < places.n; i++) set |= 1u << places.at[i].v;
  return set;
}

/* Each marked place is in a set, unless there is none with it beside the sets that were found before. */
static bool all_are_found(const Net *net) {
  uint32_t used = 0, unit = 0;
  for (uint32_t p = 0; p < net->n_places; p++) {
    if (!net->marked[p] || used >> p & 1) continue;
    const bool found = unit < net->n_units && set_of(net, unit) >> p & 1;
    if (found != has_set(net, p, used)) return false;
    if (found && (set_of(net, unit) & used || !is_invariant(net, set_of(net, unit)))) return false;
    if (found) used |= set_of(net, unit++);
  }
  return unit == net->n_units;
}

static bool always_one(const Reach *reach, uint32_t unit) {
  const PlaceList places = net_unit_places(reach->net, unit);
  for (uint32_t m = 0; m < reach->n_markings; m++) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < places.n; i++) n += marking_has(reach_marking(reach, m), places.at[i]);
    if (n != 1) return false;
  }
  return true;
}

static void sets_are_invariants(void) {
  uint32_t found = 0, compared = 0;
  for (uint64_t seed = 1; seed <= N_RANDOM; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    Net *net = safe_net(heap, seed);
    Err err = {.text = ""};
    net_threads_find(heap, net);
    CU_ASSERT(net_audit(net, &err));
    Reach *reach = reach_explore(heap, net, 300);
    for (uint32_t u = 0; u < net->n_units; u++) CU_ASSERT(!reach->complete || always_one(reach, u));
    if (net->n_places <= MOST_SUBSETS) {
      if (!all_are_found(net)) printf("\nseed %u\n", (unsigned)seed);
      CU_ASSERT(all_are_found(net));
      compared++;
    }
    found += net->n_units;
    heap_free(heap);
  }
  CU_ASSERT(found > N_RANDOM / 2 && compared > N_RANDOM / 4);
}

/* ---- the text ---- */

static bool same_units(const Net *a, const Net *b) {
  bool same = a->n_units == b->n_units;
  for (uint32_t p = 0; same && a->n_units && p < a->n_places; p++) same = a->unit_of[p] == b->unit_of[p];
  return same;
}

/* Names are anything; two nets of one seed are the same. */
static void round_trip(uint64_t seed) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  Net *net = random_net(heap, seed, false, ""), *other = random_net(heap, seed, false, "");
  InFile file = {.name = "threads"};
  net_threads_find(heap, net);
  FILE *out = open_memstream(&file.text, &file.length);
  net_threads_print(net, out);
  fclose(out);
  bool named_twice = false; /* two threads may have the name of their first places */
  for (uint32_t u = 0; u < net->n_units; u++)
    for (uint32_t v = 0; v < u; v++) named_twice |= strcmp(net->unit_name[u], net->unit_name[v]) == 0;
  const bool good = net_threads_read(heap, &file, other, &err);
  if (!good && !named_twice) printf("\nseed %u: %s\n%s", (unsigned)seed, err.text, file.text);
  CU_ASSERT(good ? same_units(net, other) && net_audit(other, &err) : named_twice);
  free(file.text);
  net_free(net);
  net_free(other);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void what_is_printed_is_read(void) {
  for (uint64_t seed = 1; seed <= 600; seed++) round_trip(seed);
}

static Net *small_net(Heap *heap) {
  NetBuilder *builder = net_builder_new(heap);
  Err err;
  static const char *const NAMES[] = {"p", "q", "a b", "twice", "twice", "#1"};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) net_add_place(builder, NAMES[i], i == 0);
  return net_freeze(builder, &err);
}

static const struct {
  const char *text, *message; /* the message; or the units of the places, as letters */
} TEXTS[] = {
    {"", "------"},
    {"A: p q", "00----"},
    {"# a comment\n\nA : \"a b\" p\r\n\"B \"\"C\": #4 #5\n  E:", "0-011-"},
    {"A: #1\nB: #2", "-1---0"},
    {"A p", "f:1: expected ':' behind the thread's name"},
    {"A: p\nA: q", "f:2: thread 'A' comes twice"},
    {"A: p\nB: p", "f:2: place 'p' comes twice"},
    {"A: p p", "f:1: place 'p' comes twice"},
    {"A: twice", "f:1: several places are named 'twice'; '#N' is the N-th one"},
    {"A: r", "f:1: the net has no place 'r'"},
    {"A: #0", "f:1: the net has no place '#0'"},
    {"A: #7", "f:1: the net has no place '#7'"},
    {"A: #99999999999999999999", "f:1: the net has no place '#99999999999999999999'"},
    {"\n\"A: p", "f:2: expected '\"' at the end of the line"},
    {": p", "f:1: expected a thread"},
    {"A: :", "f:1: expected a place"},
};

static void texts(void) {
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    Heap *heap = heap_new(0);
    Err err = {.text = ""};
    Net *net = small_net(heap);
    const InFile file = {(char *)(uintptr_t)TEXTS[i].text, strlen(TEXTS[i].text), "f"};
    char said[] = "------";
    const bool good = net_threads_read(heap, &file, net, &err);
    for (uint32_t p = 0; p < 6 && net->n_units; p++)
      if (net->unit_of[p] != UNIT_NONE) said[p] = (char)('0' + net->unit_of[p]);
    if (strcmp(good ? said : err.text, TEXTS[i].message) != 0)
      printf("\n%s: %s\n", TEXTS[i].text, good ? said : err.text);
    CU_ASSERT_STRING_EQUAL(good ? said : err.text, TEXTS[i].message);
    CU_ASSERT(net_audit(net, &err));
    heap_free(heap);
  }
}

void suite_net_threads(void);
void suite_net_threads(void) {
  CU_pSuite s = CU_add_suite("net_threads", NULL, NULL);
  CU_ADD_TEST(s, sets_are_invariants);
  CU_ADD_TEST(s, what_is_printed_is_read);
  CU_ADD_TEST(s, texts);
}
