/* TINA's .net: random nets, written in two ways, come back; odd files; the exact message for each fault
 * (tests/nets/tina_FAULT.net). */
#include "petri/tina.h"
#include "base/hash.h"
#include "petri/net_io.h"
#include "tests/unit/random_net.h"

#include <CUnit/CUnit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_RANDOM = 400 };

/* ---- random nets ---- */

/* The node's number in front makes the name the only one of its kind. */
static void put_name(FILE *out, uint32_t number, const char *name) {
  fprintf(out, "{%u:", number);
  for (; *name; name++) fprintf(out, "%s%c", strchr("{}\\", *name) ? "\\" : "", *name);
  fputc('}', out);
}

static void put_tr(FILE *out, const Net *net, uint32_t t) {
  const PlaceList pre = net_pre(net, (TransId){t}), post = net_post(net, (TransId){t});
  fputs("tr ", out);
  put_name(out, t, net->trans_name[t]);
  for (uint32_t i = 0; i < pre.n; i++) put_name(out, pre.at[i].v, net->place_name[pre.at[i].v]);
  fputs(" -> ", out);
  for (uint32_t i = 0; i < post.n; i++) {
    put_name(out, post.at[i].v, net->place_name[post.at[i].v]);
    if (i % 2) fputs("*1 ", out);
  }
  fputc('\n', out);
}

static void put_pl(FILE *out, const Net *net, uint32_t p, bool arcs) {
  const TransList producers = net_producers(net, (PlaceId){p}), consumers = net_consumers(net, (PlaceId){p});
  fputs("pl ", out);
  put_name(out, p, net->place_name[p]);
  fprintf(out, ":label (%d)", net->marked[p]);
  for (uint32_t i = 0; arcs && i < producers.n; i++)
    put_name(out, producers.at[i].v, net->trans_name[producers.at[i].v]);
  if (arcs) fputs(" -> ", out);
  for (uint32_t i = 0; arcs && i < consumers.n; i++)
    put_name(out, consumers.at[i].v, net->trans_name[consumers.at[i].v]);
  fputc('\n', out);
}

/* The arcs stand in the lines of the transitions, or in those of the places. Nodes come in their order. */
static void put_net(FILE *out, const Net *net, bool by_place) {
  fputs("# random\nnet n\n", out);
  for (uint32_t t = 0; by_place && t < net->n_trans; t++) {
    fputs("tr ", out);
    put_name(out, t, net->trans_name[t]);
    fputs(" [0 , w[\r\n", out);
  }
  for (uint32_t p = 0; p < net->n_places; p++) put_pl(out, net, p, by_place);
  for (uint32_t t = 0; !by_place && t < net->n_trans; t++) put_tr(out, net, t);
}

static bool same_list(const uint32_t *a, uint32_t n_a, const uint32_t *b, uint32_t n_b) {
  return n_a == n_b && (!n_a || memcmp(a, b, n_a * sizeof *a) == 0);
}

static bool is_named(const char *name, uint32_t number, const char *old) {
  char front[20];
  snprintf(front, sizeof front, "%u:", number);
  return strncmp(name, front, strlen(front)) == 0 && strcmp(name + strlen(front), old) == 0;
}

static bool is_same(const Net *net, const Net *back) {
  bool same = net->n_places == back->n_places && net->n_trans == back->n_trans;
  for (uint32_t p = 0; same && p < net->n_places; p++)
    same = net->marked[p] == back->marked[p] && is_named(back->place_name[p], p, net->place_name[p]);
  for (uint32_t t = 0; same && t < net->n_trans; t++) {
    const TransId id = {t};
    same = is_named(back->trans_name[t], t, net->trans_name[t]) &&
           same_list(&net_pre(net, id).at->v, net_pre(net, id).n, &net_pre(back, id).at->v, net_pre(back, id).n) &&
           same_list(&net_post(net, id).at->v, net_post(net, id).n, &net_post(back, id).at->v, net_post(back, id).n);
  }
  return same;
}

static void round_trip(uint64_t seed, bool by_place) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  Net *net = random_net(heap, seed, false, "");
  InFile file = {.name = "memory.net"};
  FILE *out = open_memstream(&file.text, &file.length);
  put_net(out, net, by_place);
  fclose(out);
  CU_ASSERT(tina_recognise(file.text, file.length));
  Net *back = net_read(heap, &file, &err);
  if (!back || !is_same(net, back)) printf("\n    seed %llu: %s\n", (unsigned long long)seed, err.text);
  CU_ASSERT(back && net_audit(back, &err) && is_same(net, back));
  free(file.text);
  net_free(net);
  net_free(back);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void test_round_trip(void) {
  for (uint64_t seed = 1; seed <= N_RANDOM; seed++) {
    round_trip(seed, false);
    round_trip(seed, true);
  }
}

/* ---- files ---- */

static Net *read_path(Heap *heap, const char *path, Err *err) {
  InFile file;
  if (!file_read(heap, path, &file, err)) return NULL;
  Net *net = net_read(heap, &file, err);
  file_release(heap, &file);
  return net;
}

static void test_odd_file(void) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  Net *net = read_path(heap, "tests/nets/good_tina_odd.net", &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  CU_ASSERT_STRING_EQUAL(net->name, "the {net}");
  CU_ASSERT(net->n_places == 3 && net->n_trans == 3 && net->n_inputs == 2 && net->n_outputs == 2);
  CU_ASSERT_STRING_EQUAL(net->place_name[2], "p 2");
  CU_ASSERT(net->marked[0] && !net->marked[1] && net->marked[2]);
  heap_free(heap);
}

static const struct {
  const char *file, *message;
} BAD_FILES[] = {
    {"tina_arc_twice.net", "3: two arcs from 'p' to 't': an arc of weight 2, but the net must be 1-safe"},
    {"tina_empty_name.net", "2: a transition: the name is empty"},
    {"tina_inhibitor.net", "2: read arcs and inhibitor arcs ('?') are not read"},
    {"tina_interval.net", "2: a time interval: only [0,w[, which is no constraint, is read"},
    {"tina_marking.net",
     "2: place 'p': its initial marking is above 1, but a place of a 1-safe net holds at most 1 token"},
    {"tina_marking_thousands.net",
     "2: place 'p': its initial marking is above 1, but a place of a 1-safe net holds at most 1 token"},
    {"tina_marking_twice.net", "3: place 'p' has its initial marking twice"},
    {"tina_no_arrow.net", "2: expected '->', found the end of the line"},
    {"tina_no_number.net", "2: expected a number, found 'x)'"},
    {"tina_nul.net", "2: a place: a NUL byte in a name"},
    {"tina_open_name.net", "1: the net's name: the name that begins here has no '}' at its end"},
    {"tina_priority.net", "3: priorities ('pr') are not read"},
    {"tina_read_arc.net", "2: read arcs and inhibitor arcs ('?') are not read"},
    {"tina_stopwatch.net", "2: stopwatch arcs ('!') are not read"},
    {"tina_two_arrows.net", "2: expected the end of the line, found '->'"},
    {"tina_unknown_line.net", "2: expected net, tr, pl, lb, nt or pr, found 'ta'"},
    {"tina_weight.net", "2: an arc whose weight is not 1, but arcs of a 1-safe net have the weight 1"},
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
  static const char *const nets[] = {"net n", "# net\n\n tr t p -> q", "pl {a b} (1)", "\xef\xbb\xbfnt n 0 x",
                                     "pr a > b"},
                           *const others[] = {"",        "net",     "net := 1",    "tr = 2",  "network n",
                                              "x := y",  "# net n", "net\nn := 1", "pl;q:=1", "int net x;",
                                              "<net n>", "net (n)", "PEP\nnet n"};
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) CU_ASSERT(tina_recognise(nets[i], strlen(nets[i])));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (tina_recognise(others[i], strlen(others[i]))) printf("\n    '%s'\n", others[i]);
    CU_ASSERT_FALSE(tina_recognise(others[i], strlen(others[i])));
  }
}

void suite_tina(void);
void suite_tina(void) {
  CU_pSuite s = CU_add_suite("tina", NULL, NULL);
  CU_ADD_TEST(s, test_round_trip);
  CU_ADD_TEST(s, test_odd_file);
  CU_ADD_TEST(s, test_bad_files);
  CU_ADD_TEST(s, test_recognised);
}
