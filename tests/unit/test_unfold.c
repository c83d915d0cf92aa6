/* The unfolder against explicit reachability, on random nets; nets that are not safe; limits; and known counts. */
#include "tests/oracle/reach.h"
#include "tests/unit/known_net.h"
#include "tests/unit/safe_net.h"
#include "unfold/unfold.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- comparisons; each says what is wrong, or NULL ---- */

static Prefix *unfold_plainly(Heap *heap, const Net *net, UnfoldOrder order) {
  Err err;
  return unfold(heap, net, &(UnfoldOptions){.order = order}, &err);
}

/* Fires the run; true if it can be fired, and safely but for the last step if that puts a second token on `unsafe`. */
static bool fires(const Net *net, const TransId *run, uint32_t n, PlaceId unsafe, uint64_t *marking) {
  token_initial(net, marking);
  for (uint32_t i = 0; i < n; i++) {
    if (!token_enabled(net, marking, run[i])) return false;
    const PlaceId second = token_fire(net, marking, run[i]);
    if (second.v != (i + 1 < n ? PLACE_NONE.v : unsafe.v)) return false;
  }
  return unsafe.v == PLACE_NONE.v || n > 0;
}

static const char *compare_unsafe(const Reach *reach, const Prefix *prefix) {
  uint64_t marking[4];
  const bool unsafe = reach->unsafe_from != REACH_NONE;
  if (unsafe != (prefix->status == UNFOLD_NOT_SAFE)) return "one of the two says that the net is safe";
  if (!unsafe) return prefix->status == UNFOLD_COMPLETE ? NULL : "the prefix is not complete";
  if (prefix->unsafe_place.v == PLACE_NONE.v) return "no unsafe place";
  if (!fires(prefix->net, prefix->unsafe_run, prefix->n_unsafe_run, prefix->unsafe_place, marking))
    return "a wrong unsafe run";
  return NULL;
}

/* The prefix as a net: conditions are places, events are transitions. */
static Net *occurrence_net(Heap *heap, const Prefix *prefix) {
  NetBuilder *builder = net_builder_new(heap);
  for (uint32_t c = 0; c < prefix->n_conditions; c++) net_add_place(builder, "b", c < prefix->post_start[0]);
  for (uint32_t e = 0; e < prefix->n_events; e++) {
    net_add_trans(builder, "e");
    for (uint32_t i = prefix->pre_start[e]; i < prefix->pre_start[e + 1]; i++)
      net_add_input(builder, (PlaceId){prefix->pre[i].v}, (TransId){e});
    for (uint32_t c = prefix->post_start[e]; c < prefix->post_start[e + 1]; c++)
      net_add_output(builder, (TransId){e}, (PlaceId){c});
  }
  Err err;
  return net_freeze(builder, &err);
}

/* The number in `reach` of the marking that a cut of the prefix stands for. */
static uint32_t marking_of_cut(const Reach *reach, const Prefix *prefix, const uint64_t *cut) {
  uint64_t marking[4] = {0};
  for (uint32_t c = 0; c < prefix->n_conditions; c++)
    if (bitset_has(cut, c)) bitset_add(marking, prefix->condition_place[c].v);
  for (uint32_t m = 0; m < reach->n_markings; m++)
    if (memcmp(reach_marking(reach, m), marking, marking_words(reach->net) * sizeof *marking) == 0) return m;
  return REACH_NONE;
}

enum { CUTS = 3000 };

/* The markings of the prefix are the reachable ones. *compared is false where the prefix has too many cuts to tell. */
static const char *compare_markings(Heap *heap, const Reach *reach, const Prefix *prefix, bool *compared) {
  const char *wrong = NULL;
  Net *net = occurrence_net(heap, prefix);
  Reach *cuts = reach_explore(heap, net, CUTS);
  bool *met = heap_zeroed(heap, reach->n_markings);
  *compared = cuts->complete;
  for (uint32_t i = 0; i < cuts->n_markings && !wrong; i++) {
    const uint32_t m = marking_of_cut(reach, prefix, reach_marking(cuts, i));
    if (m == REACH_NONE) wrong = "the prefix has a marking that cannot be reached";
    else met[m] = true;
  }
  for (uint32_t m = 0; m < reach->n_markings && cuts->complete && !wrong; m++)
    if (!met[m]) wrong = "the prefix lacks a reachable marking";
  heap_release(heap, met);
  reach_free(cuts);
  net_free(net);
  return wrong;
}

static const char *compare_target(Heap *heap, const Reach *reach, const Prefix *prefix, uint32_t p) {
  uint64_t marking[4];
  const uint32_t m = reach_find_place(reach, (PlaceId){p});
  if (prefix->target_covered[p] != (m != REACH_NONE)) return "coverability";
  const EventId e = prefix->target_event[p];
  if ((e.v == EVENT_NONE.v) != (m == REACH_NONE || m == 0)) return "a target's event";
  if (e.v == EVENT_NONE.v) return NULL;
  const uint32_t n = prefix_local_run(prefix, e, NULL);
  TransId *run = heap_alloc(heap, n * sizeof *run);
  bool good = prefix_local_run(prefix, e, run) == n && fires(prefix->net, run, n, PLACE_NONE, marking);
  good = good && marking_has(marking, (PlaceId){p}) && n == reach_run(reach, m, NULL);
  heap_release(heap, run);
  return good ? NULL : "a run to a target";
}

/* All places are targets: what is said of them, and that the search stops as early as it should. */
static const char *compare_targets(Heap *heap, const Reach *reach, UnfoldOrder order) {
  const Net *net = reach->net;
  Err err;
  PlaceId targets[64];
  const char *wrong = NULL;
  for (uint32_t p = 0; p < net->n_places; p++) targets[p].v = p;
  Prefix *prefix =
      unfold(heap, net, &(UnfoldOptions){.order = order, .targets = targets, .n_targets = net->n_places}, &err);
  for (uint32_t p = 0; p < net->n_places && !wrong; p++) wrong = compare_target(heap, reach, prefix, p);
  for (uint32_t p = 0; p < net->n_places && !wrong; p++) {
    const UnfoldOptions options = {.order = order, .targets = &targets[p], .n_targets = 1, .stop_at_targets = true};
    Prefix *early = unfold(heap, net, &options, &err);
    const EventId e = prefix->target_event[p];
    if (early->target_event[0].v != e.v) wrong = "another event where it stops at the target";
    else if ((early->status == UNFOLD_STOPPED) != prefix->target_covered[p])
      wrong = "it should have stopped, or should not";
    else if (early->status == UNFOLD_STOPPED && early->n_events != e.v + 1) wrong = "it stopped at another event";
    prefix_free(early);
  }
  prefix_free(prefix);
  return wrong;
}

/* ---- the order, anew: by length, Parikh words, levels of the Foata normal form ---- */

enum { MAX_RUN = 600 };

/* A local configuration: its transitions in ascending order, the same level by level, and the marking it leads to. */
typedef struct {
  uint32_t size, parikh[MAX_RUN], foata[2 * MAX_RUN], level_size[MAX_RUN + 1];
  uint64_t marking[4];
} Shape;

static int ascending(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Levels are found by playing: a token has the level of the event that made it. */
static bool shape_of(const Prefix *prefix, EventId e, Shape *shape) {
  const Net *net = prefix->net;
  TransId run[MAX_RUN];
  uint32_t level[64] = {0}, of[MAX_RUN], n = 0;
  shape->size = prefix_local_run(prefix, e, NULL);
  if (shape->size > MAX_RUN) return false;
  prefix_local_run(prefix, e, run);
  token_initial(net, shape->marking);
  for (uint32_t i = 0; i < shape->size; i++) {
    const PlaceList pre = net_pre(net, run[i]), post = net_post(net, run[i]);
    of[i] = 0;
    for (uint32_t k = 0; k < pre.n; k++) of[i] = level[pre.at[k].v] > of[i] ? level[pre.at[k].v] : of[i];
    of[i]++;
    for (uint32_t k = 0; k < post.n; k++) level[post.at[k].v] = of[i];
    token_fire(net, shape->marking, run[i]);
    shape->parikh[i] = run[i].v;
  }
  for (uint32_t l = 1; l <= shape->size; l++) {
    const uint32_t from = n;
    for (uint32_t i = 0; i < shape->size; i++)
      if (of[i] == l) shape->foata[n++] = run[i].v;
    shape->level_size[l] = n - from;
    if (n > from) qsort(shape->foata + from, n - from, sizeof *shape->foata, ascending);
  }
  qsort(shape->parikh, shape->size, sizeof *shape->parikh, ascending);
  return true;
}

static int compare_words(const uint32_t *a, const uint32_t *b, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

static int compare_shapes(const Shape *a, const Shape *b) {
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  int result = compare_words(a->parikh, b->parikh, a->size);
  for (uint32_t l = 1, at = 0; l <= a->size && !result; at += a->level_size[l++]) {
    if (a->level_size[l] != b->level_size[l]) return a->level_size[l] < b->level_size[l] ? -1 : 1;
    result = compare_words(a->foata + at, b->foata + at, a->level_size[l]);
  }
  return result;
}

/* Of the events with one marking the smallest is no cut-off, and the others are (McMillan: those that are not larger).
 */
static const char *compare_order(const Prefix *prefix, UnfoldOrder order) {
  static const char fault[] = "the wrong one of two events is the cut-off";
  const uint32_t n = prefix->n_events < 60 ? prefix->n_events : 60;
  Shape a, b;
  for (uint32_t e = 0; e < n; e++) {
    if (!shape_of(prefix, (EventId){e}, &a)) continue;
    uint64_t initial[4];
    token_initial(prefix->net, initial);
    const bool home = memcmp(initial, a.marking, marking_words(prefix->net) * sizeof *initial) == 0;
    if (home && !prefix->is_cutoff[e]) return "an event that is back at the start is no cut-off";
    for (uint32_t f = 0; f < n && !home; f++) {
      if (f == e || prefix->is_cutoff[f] || !shape_of(prefix, (EventId){f}, &b)) continue;
      if (memcmp(a.marking, b.marking, marking_words(prefix->net) * sizeof *initial)) continue;
      const int result = order == UNFOLD_ERV ? compare_shapes(&a, &b) : (a.size > b.size) - (a.size < b.size);
      if (result == 0 && order == UNFOLD_ERV) return "two events are equal";
      if (prefix->is_cutoff[e] ? result <= 0 : result != 0) return fault;
    }
  }
  return NULL;
}

static uint32_t non_cutoffs(const Prefix *prefix) { return prefix->n_events - (uint32_t)prefix->counts.cutoffs; }

static const char *compare_net(Heap *heap, const Net *net, UnfoldOrder order, bool *compared) {
  Reach *reach = reach_explore(heap, net, 500);
  const char *wrong = NULL;
  Err err;
  *compared = false;
  if (reach->complete || reach->unsafe_from != REACH_NONE) {
    Prefix *prefix = unfold_plainly(heap, net, order);
    wrong = prefix_audit(prefix, &err) ? compare_unsafe(reach, prefix) : "the audit";
    if (!wrong && reach->complete) wrong = compare_markings(heap, reach, prefix, compared);
    if (!wrong && reach->complete) wrong = compare_targets(heap, reach, order);
    if (!wrong && reach->complete) wrong = compare_order(prefix, order);
    if (!wrong && order == UNFOLD_ERV && reach->complete && non_cutoffs(prefix) >= reach->n_markings)
      wrong = "too many events";
    prefix_free(prefix);
  }
  reach_free(reach);
  return wrong;
}

/* ---- tests ---- */

enum { N_SAFE = 5000 }; /* nets that are 1-safe and whose prefixes have few enough cuts to look at all of them */

static void compare_random_nets(UnfoldOrder order) {
  uint32_t n_compared = 0;
  for (uint64_t seed = 1; n_compared < N_SAFE; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    Net *net = safe_net(heap, seed);
    bool compared;
    const char *wrong = compare_net(heap, net, order, &compared);
    if (wrong) printf("\nseed %u: %s\n", (unsigned)seed, wrong);
    CU_ASSERT_PTR_NULL(wrong);
    n_compared += compared;
    net_free(net);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    heap_free(heap);
  }
}

static void erv_agrees_with_reachability(void) { compare_random_nets(UNFOLD_ERV); }
static void mcmillan_agrees_with_reachability(void) { compare_random_nets(UNFOLD_MCMILLAN); }

static bool same_prefix(const Prefix *a, const Prefix *b) {
  const size_t events = a->n_events, conditions = a->n_conditions;
  return a->n_events == b->n_events && a->n_conditions == b->n_conditions && a->status == b->status &&
         memcmp(a->event_trans, b->event_trans, events * sizeof *a->event_trans) == 0 &&
         memcmp(a->pre_start, b->pre_start, (events + 1) * sizeof *a->pre_start) == 0 &&
         memcmp(a->pre, b->pre, a->pre_start[events] * sizeof *a->pre) == 0 &&
         memcmp(a->condition_place, b->condition_place, conditions * sizeof *a->condition_place) == 0 &&
         memcmp(a->corresponding, b->corresponding, events * sizeof *a->corresponding) == 0 &&
         memcmp(a->is_cutoff, b->is_cutoff, events * sizeof *a->is_cutoff) == 0;
}

static void order_of_arcs_does_not_matter(void) {
  for (uint64_t seed = 1; seed <= N_SAFE; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    NetSketch sketch;
    sketch_random(&sketch, seed);
    Net *first = sketch_freeze(heap, &sketch);
    sketch_shuffle_arcs(&sketch, seed);
    Net *second = sketch_freeze(heap, &sketch);
    Prefix *a = unfold_plainly(heap, first, UNFOLD_ERV), *b = unfold_plainly(heap, second, UNFOLD_ERV);
    CU_ASSERT_TRUE(same_prefix(a, b));
    heap_free(heap);
  }
}

static void empty_presets_are_errors(void) {
  Heap *heap = heap_new(0);
  NetBuilder *builder = net_builder_new(heap);
  net_add_output(builder, net_add_trans(builder, "spring"), net_add_place(builder, "p", false));
  Err err = {0};
  Net *net = net_freeze(builder, &err);
  CU_ASSERT_PTR_NULL(unfold(heap, net, &(UnfoldOptions){0}, &err));
  CU_ASSERT_EQUAL(err.kind, ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "'spring'"));
  net_free(net);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void nothing_unfolds_to_nothing(void) {
  Heap *heap = heap_new(0);
  Err err;
  Net *net = net_freeze(net_builder_new(heap), &err);
  Prefix *prefix = unfold_plainly(heap, net, UNFOLD_ERV);
  CU_ASSERT_EQUAL(prefix->status, UNFOLD_COMPLETE);
  CU_ASSERT_EQUAL(prefix->n_events, 0);
  CU_ASSERT_EQUAL(prefix->n_conditions, 0);
  CU_ASSERT_TRUE(prefix_audit(prefix, &err));
  heap_free(heap);
}

/* Components of `length` steps, each ending where it began. */
static Net *ring_net(Heap *heap, uint32_t n_components, uint32_t length) {
  NetBuilder *builder = net_builder_new(heap);
  for (uint32_t c = 0; c < n_components; c++)
    for (uint32_t i = 0; i < length; i++) net_add_place(builder, "p", i == 0);
  for (uint32_t c = 0; c < n_components; c++)
    for (uint32_t i = 0; i < length; i++) {
      const TransId t = net_add_trans(builder, "t");
      net_add_input(builder, (PlaceId){c * length + i}, t);
      net_add_output(builder, t, (PlaceId){c * length + (i + 1) % length});
    }
  Err err;
  return net_freeze(builder, &err);
}

static void long_runs_are_linear(void) {
  Heap *heap = heap_new(0);
  const uint32_t length = 100000;
  Net *net = ring_net(heap, 1, length);
  Prefix *prefix = unfold_plainly(heap, net, UNFOLD_ERV);
  CU_ASSERT_EQUAL(prefix->status, UNFOLD_COMPLETE);
  CU_ASSERT_EQUAL(prefix->n_events, length);
  CU_ASSERT_EQUAL(prefix->counts.cutoffs, 1);
  CU_ASSERT_EQUAL(prefix->corresponding[length - 1].v, EVENT_NONE.v);
  CU_ASSERT_EQUAL(prefix_local_run(prefix, (EventId){length - 1}, NULL), length);
  heap_free(heap);
}

/* The net "a -> t, c -> u" with the outputs given. */
static void second_token(bool t_fills, bool u_fills, bool again, uint32_t length) {
  Heap *heap = heap_new(0);
  NetBuilder *builder = net_builder_new(heap);
  const PlaceId a = net_add_place(builder, "a", true), c = net_add_place(builder, "c", true);
  const PlaceId full = net_add_place(builder, "full", false);
  const TransId t = net_add_trans(builder, "t"), u = net_add_trans(builder, "u");
  net_add_input(builder, a, t);
  net_add_input(builder, c, u);
  if (t_fills) net_add_output(builder, t, full);
  if (u_fills) net_add_output(builder, u, full);
  if (again) net_add_output(builder, t, a);
  Err err;
  Net *net = net_freeze(builder, &err);
  Prefix *prefix = unfold_plainly(heap, net, UNFOLD_ERV);
  uint64_t marking[1];
  CU_ASSERT_EQUAL(prefix->status, UNFOLD_NOT_SAFE);
  CU_ASSERT_EQUAL(prefix->unsafe_place.v, full.v);
  CU_ASSERT_EQUAL(prefix->n_unsafe_run, length);
  CU_ASSERT_TRUE(fires(net, prefix->unsafe_run, prefix->n_unsafe_run, full, marking));
  heap_free(heap);
}

static void second_tokens_are_found(void) {
  second_token(true, true, false, 2); /* two threads fill one place */
  second_token(true, false, true, 2); /* a producer without bounds */
}

/* A thread that fills a place which was filled at the start, after `length` steps. */
static void late_second_tokens_are_found(void) {
  Heap *heap = heap_new(0);
  const uint32_t length = 5000;
  NetBuilder *builder = net_builder_new(heap);
  const PlaceId full = net_add_place(builder, "full", true);
  for (uint32_t i = 0; i < length; i++) net_add_place(builder, "p", i == 0);
  for (uint32_t i = 0; i < length; i++) {
    const TransId t = net_add_trans(builder, "t");
    net_add_input(builder, (PlaceId){1 + i}, t);
    net_add_output(builder, t, i + 1 < length ? (PlaceId){2 + i} : full);
  }
  Err err;
  Net *net = net_freeze(builder, &err);
  Prefix *prefix = unfold_plainly(heap, net, UNFOLD_ERV);
  CU_ASSERT_EQUAL(prefix->status, UNFOLD_NOT_SAFE);
  CU_ASSERT_EQUAL(prefix->unsafe_place.v, full.v);
  CU_ASSERT_EQUAL(prefix->n_unsafe_run, length);
  uint64_t *marking = heap_alloc(heap, marking_words(net) * sizeof *marking);
  CU_ASSERT_TRUE(fires(net, prefix->unsafe_run, prefix->n_unsafe_run, full, marking));
  heap_free(heap);
}

static void limits_are_kept(void) {
  Heap *heap = heap_new(0);
  Net *net = ring_net(heap, 3, 50);
  UnfoldCounts counts;
  Err err;
  Prefix *prefix = unfold(heap, net, &(UnfoldOptions){.max_events = 10, .counts = &counts}, &err);
  CU_ASSERT_EQUAL(prefix->status, UNFOLD_LIMIT);
  CU_ASSERT_EQUAL(prefix->n_events, 10);
  CU_ASSERT_EQUAL(counts.events, 10);
  CU_ASSERT_EQUAL(counts.conditions, 13);
  CU_ASSERT_EQUAL(counts.queued, 3);
  CU_ASSERT_TRUE(prefix_audit(prefix, &err));
  prefix_free(prefix);
  prefix = unfold(heap, net, &(UnfoldOptions){.max_events = 150}, &err);
  CU_ASSERT_EQUAL(prefix->status, UNFOLD_COMPLETE);
  prefix_free(prefix);
  static const Stop stop = {.asked = STOP_TIME, .seconds = 7};
  char why[100];
  heap_watch(heap, &stop);
  prefix = unfold(heap, net, &(UnfoldOptions){0}, &err);
  CU_ASSERT_EQUAL(prefix->status, UNFOLD_CANCELLED);
  prefix_explain(prefix, why, sizeof why);
  CU_ASSERT_STRING_EQUAL(why, "the time limit of 7 s was reached after 0 events");
  prefix_free(prefix);
  net_free(net);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

typedef struct {
  Heap *heap;
  const Net *net;
  UnfoldCounts counts;
} Attempt;

static void attempt(void *argument) {
  Attempt *a = argument;
  Err err;
  prefix_free(unfold(a->heap, a->net, &(UnfoldOptions){.counts = &a->counts}, &err));
}

/* Each allocation fails once; whatever was reached is in the counts, and the heap knows all that is left. */
static void memory_may_run_out_anywhere(void) {
  uint64_t n = 0;
  for (bool done = false; !done; n++) {
    Heap *heap = heap_new(0);
    Attempt a = {.heap = heap, .net = safe_net(heap, 1)};
    heap_fail_at(heap, n + 1);
    done = heap_try(heap, attempt, &a);
    CU_ASSERT_TRUE(a.counts.cutoffs <= a.counts.events);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(n > 20);
}

static void audit_finds_faults(void) {
  Heap *heap = heap_new(0);
  Err err;
  Net *net = ring_net(heap, 2, 3);
  Prefix *prefix = unfold_plainly(heap, net, UNFOLD_ERV);
  CU_ASSERT_TRUE(prefix_audit(prefix, &err));
  prefix->counts.cutoffs++;
  CU_ASSERT_FALSE(prefix_audit(prefix, &err));
  prefix->counts.cutoffs--;
  for (uint32_t i = 0; i < prefix->pre_start[prefix->n_events]; i++) {
    const ConditionId old = prefix->pre[i];
    prefix->pre[i].v ^= 1;
    CU_ASSERT_FALSE(prefix_audit(prefix, &err));
    prefix->pre[i] = old;
  }
  for (uint32_t e = 0; e < prefix->n_events; e++) {
    prefix->is_cutoff[e] ^= true;
    CU_ASSERT_FALSE(prefix_audit(prefix, &err));
    prefix->is_cutoff[e] ^= true;
    const EventId old = prefix->corresponding[e];
    prefix->corresponding[e].v = old.v == EVENT_NONE.v ? 0 : EVENT_NONE.v;
    CU_ASSERT_FALSE(prefix_audit(prefix, &err));
    prefix->corresponding[e] = old;
  }
  CU_ASSERT_TRUE(prefix_audit(prefix, &err));
  heap_free(heap);
}

/* ---- nets with known prefixes ---- */

/* Counts on which four independent unfolders agree; bench/unfold.txt has them too. */
static const struct {
  const char *name;
  UnfoldCounts counts;
} KNOWN[] = {
    {"q_1", {7469, 20969, 1062, 0}},
    {"bds_1.sync", {12900, 37306, 8584, 0}},
    {"dpd_7.sync", {10457, 30248, 2620, 0}},
    {"elevator_4", {16935, 32354, 7337, 0}},
    {"furnace_3", {25394, 58897, 16597, 0}},
    {"key_4", {67954, 135914, 32049, 0}},
    {"byzagr4_1b", {14724, 42276, 752, 0}},
    {"rw_12", {49179, 147607, 45069, 0}},
    {"dme11", {9185, 31186, 121, 0}},
    {"ftp_1.sync", {83889, 251720, 33348, 0}},
    {"acquire1_30", {124, 2135, 30, 0}},
    {"acquire1_100", {404, 21105, 100, 0}},
    {"acquire1_11_unreduced", {101959, 650401, 72657, 0}},
};
enum { N_KNOWN = sizeof KNOWN / sizeof *KNOWN };

/* Events up to this number are audited: the time for one grows with the configuration. */
enum { AUDITED = 30000 };

static void compare_known(Heap *heap, const Net *net, const UnfoldCounts *known) {
  Err err = {0};
  UnfoldCounts counts;
  Prefix *prefix = unfold(heap, net, &(UnfoldOptions){.counts = &counts}, &err);
  CU_ASSERT_EQUAL(prefix->status, UNFOLD_COMPLETE);
  CU_ASSERT_EQUAL(counts.events, known->events);
  CU_ASSERT_EQUAL(counts.conditions, known->conditions);
  CU_ASSERT_EQUAL(counts.cutoffs, known->cutoffs);
  CU_ASSERT_EQUAL(counts.queued, 0);
  if (prefix->n_events <= AUDITED) CU_ASSERT_TRUE(prefix_audit(prefix, &err));
}

static void known_prefixes_have_their_size(void) {
  for (uint32_t i = 0; i < N_KNOWN; i++) {
    Heap *heap = heap_new((size_t)1 << 30);
    const Net *net = known_net(heap, KNOWN[i].name);
    if (net) compare_known(heap, net, &KNOWN[i].counts);
    heap_free(heap);
  }
}

void suite_unfold(void) {
  CU_pSuite suite = CU_add_suite("unfold", NULL, NULL);
  CU_ADD_TEST(suite, erv_agrees_with_reachability);
  CU_ADD_TEST(suite, mcmillan_agrees_with_reachability);
  CU_ADD_TEST(suite, order_of_arcs_does_not_matter);
  CU_ADD_TEST(suite, empty_presets_are_errors);
  CU_ADD_TEST(suite, nothing_unfolds_to_nothing);
  CU_ADD_TEST(suite, long_runs_are_linear);
  CU_ADD_TEST(suite, second_tokens_are_found);
  CU_ADD_TEST(suite, late_second_tokens_are_found);
  CU_ADD_TEST(suite, limits_are_kept);
  CU_ADD_TEST(suite, memory_may_run_out_anywhere);
  CU_ADD_TEST(suite, known_prefixes_have_their_size);
  CU_ADD_TEST(suite, audit_finds_faults);
}
