/* TAPAAL's .tapn: random nets, divided into components, come back; an odd file; the exact message for each fault
 * (tests/nets/tapn_FAULT.tapn). */
#include "petri/tapn.h"
#include "base/hash.h"
#include "petri/net_io.h"
#include "tests/unit/random_net.h"

#include <CUnit/CUnit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_RANDOM = 400, COMPONENTS = 3 };

#define NAMESPACE "http://www.informatik.hu-berlin.de/top/pnml/ptNetb"

/* ---- random nets ---- */

/* Arc number i of the transition belongs to that component: some transitions are in one only. */
static uint32_t component_of(uint64_t seed, uint32_t trans, uint32_t i) {
  const uint64_t h = hash_word(seed * 1000003 + trans);
  return (uint32_t)(h % 2 ? h / 2 % COMPONENTS : (h / 2 + i) % COMPONENTS);
}

static bool is_shared(uint64_t seed, uint32_t trans) { return hash_word(seed * 1000003 + trans) % 2 == 0; }

static void put_place(FILE *out, const Net *net, uint32_t p, uint64_t seed) {
  fprintf(out, "<place id='p%u' name='p%u'", p, p);
  if ((seed + p) % 2) fprintf(out, " initialMarking='%d' invariant='&lt; inf'", net->marked[p]);
  fputs("/>\n", out);
}

static void put_arcs(FILE *out, const Net *net, uint32_t t, uint32_t component, uint64_t seed) {
  const PlaceList pre = net_pre(net, (TransId){t}), post = net_post(net, (TransId){t});
  for (uint32_t i = 0; i < pre.n; i++)
    if (component_of(seed, t, i) == component)
      fprintf(out, "<arc source='p%u' target='t%u' type='timed' inscription='[0,inf)' weight='1'/>\n", pre.at[i].v, t);
  for (uint32_t i = 0; i < post.n; i++)
    if (component_of(seed, t, i + 1) == component)
      fprintf(out, "<arc source='t%u' target='p%u' type='normal' inscription='1'/>\n", t, post.at[i].v);
}

static void put_component(FILE *out, const Net *net, uint32_t component, uint64_t seed) {
  fprintf(out, "<net id='C%u' active='true'>\n", component);
  for (uint32_t p = 0; p < net->n_places; p++) put_place(out, net, p, seed);
  for (uint32_t t = 0; t < net->n_trans; t++) {
    if (!is_shared(seed, t) && component_of(seed, t, 0) != component) continue;
    fprintf(out, "<transition id='t%u' name='t%u'/>\n", t, t);
    put_arcs(out, net, t, component, seed);
  }
  fputs("</net>\n", out);
}

/* All places are shared, and some transitions. */
static void put_net(FILE *out, const Net *net, uint64_t seed) {
  fputs("<pnml xmlns='" NAMESPACE "'>\n", out);
  for (uint32_t p = 0; p < net->n_places; p++)
    fprintf(out, "<shared-place name='p%u' initialMarking='%d'/>\n", p, net->marked[p]);
  for (uint32_t t = 0; t < net->n_trans; t++)
    if (is_shared(seed, t)) fprintf(out, "<shared-transition name='t%u'/>\n", t);
  for (uint32_t c = 0; c < COMPONENTS; c++) put_component(out, net, c, seed);
  fputs("</pnml>\n", out);
}

/* "t7" or "C1.t7" is 7. */
static uint32_t number_of(const char *name) {
  const char *dot = strchr(name, '.');
  return (uint32_t)strtoul((dot ? dot + 1 : name) + 1, NULL, 10);
}

static bool same_list(const PlaceList a, const PlaceList b) {
  return a.n == b.n && (!a.n || memcmp(a.at, b.at, a.n * sizeof *a.at) == 0);
}

/* The places come in their order, the transitions do not. */
static bool is_same(const Net *net, const Net *back, uint64_t seed) {
  bool same = net->n_places == back->n_places && net->n_trans == back->n_trans;
  for (uint32_t p = 0; same && p < net->n_places; p++)
    same = net->marked[p] == back->marked[p] && number_of(back->place_name[p]) == p;
  for (uint32_t t = 0; same && t < net->n_trans; t++) {
    const TransId id = {number_of(back->trans_name[t])};
    same = id.v < net->n_trans && same_list(net_pre(net, id), net_pre(back, (TransId){t})) &&
           same_list(net_post(net, id), net_post(back, (TransId){t})) &&
           is_shared(seed, id.v) == !strchr(back->trans_name[t], '.');
  }
  return same;
}

static void round_trip(uint64_t seed) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  Net *net = random_net(heap, seed, false, "");
  InFile file = {.name = "memory.tapn"};
  FILE *out = open_memstream(&file.text, &file.length);
  put_net(out, net, seed);
  fclose(out);
  Net *back = net_read(heap, &file, &err);
  if (!back || !is_same(net, back, seed)) printf("\n    seed %llu: %s\n", (unsigned long long)seed, err.text);
  CU_ASSERT(back && net_audit(back, &err) && is_same(net, back, seed));
  free(file.text);
  net_free(net);
  net_free(back);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void test_round_trip(void) {
  for (uint64_t seed = 1; seed <= N_RANDOM; seed++) round_trip(seed);
}

/* ---- files ---- */

static Net *read_path(Heap *heap, const char *path, Err *err) {
  InFile file;
  if (!file_read(heap, path, &file, err)) return NULL;
  Net *net = strstr(path, "entity") ? net_read_as(heap, &file, NET_TAPN, err) : net_read(heap, &file, err);
  file_release(heap, &file);
  return net;
}

static void test_odd_file(void) {
  static const char *const places[] = {"S & S", "alone", "A.idle", "A.P2"};
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  Net *net = read_path(heap, "tests/nets/good_tapn_odd.tapn", &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  CU_ASSERT_STRING_EQUAL(net->name, "");
  CU_ASSERT(net->n_places == 4 && net->n_trans == 2 && net->n_inputs == 3 && net->n_outputs == 2);
  for (uint32_t p = 0; p < 4; p++) CU_ASSERT_STRING_EQUAL(net->place_name[p], places[p]);
  CU_ASSERT(net->marked[0] && !net->marked[1] && net->marked[2] && !net->marked[3]);
  CU_ASSERT_STRING_EQUAL(net->trans_name[0], "both");
  CU_ASSERT_STRING_EQUAL(net->trans_name[1], "A.back");
  CU_ASSERT_EQUAL(net->trans_line[1], 16);
  heap_free(heap);
}

static const struct {
  const char *file, *message;
} BAD_FILES[] = {
    {"tapn_arc_twice.tapn", "7: two arcs from 'A.p' to 'A.t': an arc of weight 2, but the net must be 1-safe"},
    {"tapn_arc_twice_shared.tapn", "13: two arcs from 'p' to 't': an arc of weight 2, but the net must be 1-safe"},
    {"tapn_coloured.tapn", "8: feature: isColored=\"true\": coloured nets are not read"},
    {"tapn_coloured_place.tapn", "4: hlinitialMarking: coloured nets are not read"},
    {"tapn_dangling.tapn", "6: arc: its component has no 'u'"},
    {"tapn_guard.tapn", "6: arc: inscription=\"[2,5]\": only [0,inf), which is no constraint on time, is read"},
    {"tapn_id_missing.tapn", "4: place: the attribute 'id' is missing"},
    {"tapn_id_twice.tapn", "5: place: the id 'p' stands in its component twice"},
    {"tapn_inhibitor.tapn", "6: arc: inhibitor arcs are not read"},
    {"tapn_invariant.tapn", "4: place: invariant=\"<= 3\": only '< inf', which is no constraint on time, is read"},
    {"tapn_marking.tapn", "4: place: initialMarking=\"2\": a place of a 1-safe net holds 0 or 1 token"},
    {"tapn_marking_constant.tapn", "5: place: initialMarking=\"N\": a place of a 1-safe net holds 0 or 1 token"},
    {"tapn_marking_shared.tapn", "5: place 'p': its marking is not the one of the shared place"},
    {"tapn_place_to_place.tapn", "6: arc from a place to a place"},
    {"tapn_priority.tapn", "4: transition: priority=\"1\": priorities are not read"},
    {"tapn_shared_late.tapn", "8: shared-place: expected before the components"},
    {"tapn_shared_twice.tapn", "4: shared-place 'q' is declared twice"},
    {"tapn_stochastic.tapn", "8: feature: isStochastic=\"true\": stochastic nets are not read"},
    {"tapn_transport_guard.tapn",
     "6: arc: inscription=\"[1,inf)\": only [0,inf), which is no constraint on time, is read"},
    {"tapn_type.tapn", "6: arc: type=\"colour\": expected timed, normal, transport or tapnInhibitor"},
    {"tapn_weight.tapn", "6: arc: weight=\"2\": arcs of a 1-safe net have the weight 1"},
    {"tapn_name_empty.tapn", "4: place: the name is empty"},
    {"tapn_entity.tapn", "2: declarations in the DOCTYPE are not allowed"},
};

static void test_bad_files(void) {
  for (size_t i = 0; i < sizeof BAD_FILES / sizeof *BAD_FILES; i++) {
    char path[200], expected[1200];
    Heap *heap = heap_new(0);
    Err err = {.text = ""};
    snprintf(path, sizeof path, "tests/nets/%s", BAD_FILES[i].file);
    snprintf(expected, sizeof expected, "%s:%s", path, BAD_FILES[i].message);
    CU_ASSERT_PTR_NULL(read_path(heap, path, &err));
    CU_ASSERT_EQUAL(err.kind, ERR_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text, expected);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    heap_free(heap);
  }
}

static void test_recognised(void) {
  static const char *const nets[] = {"<pnml xmlns='" NAMESPACE "'>",
                                     "\xef\xbb\xbf<?xml?> <!-- <pnml> -->\n<pnml a='b'\nxmlns=\"" NAMESPACE "\"/>"},
                           *const others[] = {"",
                                              "<pnml>",
                                              "<pnml",
                                              "<!-- " NAMESPACE,
                                              "<pnml><net x='" NAMESPACE "'>",
                                              "<net xmlns='" NAMESPACE "'>",
                                              "<pnml xmlns='" NAMESPACE "'"};
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) CU_ASSERT(tapn_recognise(nets[i], strlen(nets[i])));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    CU_ASSERT_FALSE(tapn_recognise(others[i], strlen(others[i])));
}

void suite_tapn(void);
void suite_tapn(void) {
  CU_pSuite s = CU_add_suite("tapn", NULL, NULL);
  CU_ADD_TEST(s, test_round_trip);
  CU_ADD_TEST(s, test_odd_file);
  CU_ADD_TEST(s, test_bad_files);
  CU_ADD_TEST(s, test_recognised);
}
