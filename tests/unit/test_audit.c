/* The audit of prefixes: from true ones, one fault of each kind, and each is named. */
#include "tests/unit/safe_net.h"
#include "unfold/unfold.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 64, MOST_PRESET = 16 };

/* ---- drafts: prefixes that can be edited; conditions and producers follow from the events ---- */

typedef struct {
  uint32_t trans, n_pre, pre[MOST_PRESET];
  bool is_cutoff;
  uint32_t corresponding;
} DraftEvent;

typedef struct {
  uint32_t n;
  DraftEvent events[MOST_EVENTS];
} Draft;

/* A transition that is none has no places. */
static PlaceList postset(const Net *net, uint32_t trans) {
  return trans < net->n_trans ? net_post(net, (TransId){trans}) : (PlaceList){NULL, 0};
}

static void add_condition(Prefix *prefix, uint32_t place, uint32_t producer) {
  prefix->condition_place[prefix->n_conditions].v = place;
  prefix->producer[prefix->n_conditions++].v = producer;
}

static void add_event(Prefix *prefix, const DraftEvent *event) {
  const uint32_t e = prefix->n_events++;
  prefix->event_trans[e].v = event->trans;
  prefix->is_cutoff[e] = event->is_cutoff;
  prefix->corresponding[e].v = event->corresponding;
  for (uint32_t i = 0; i < event->n_pre; i++) prefix->pre[prefix->pre_start[e] + i].v = event->pre[i];
  prefix->pre_start[e + 1] = prefix->pre_start[e] + event->n_pre;
  const PlaceList post = postset(prefix->net, event->trans);
  for (uint32_t i = 0; i < post.n; i++) add_condition(prefix, post.at[i].v, e);
  prefix->post_start[e + 1] = prefix->n_conditions;
  prefix->counts.cutoffs += event->is_cutoff;
}

/* Owned by the heap. */
static Prefix *build(Heap *heap, const Net *net, const Draft *draft) {
  Prefix *prefix = heap_zeroed(heap, sizeof *prefix);
  const size_t n = draft->n + 1, n_conditions = (n + 1) * net->n_places;
  *prefix = (Prefix){.heap = heap, .net = net, .status = UNFOLD_COMPLETE};
  prefix->event_trans = heap_zeroed(heap, n * sizeof *prefix->event_trans);
  prefix->is_cutoff = heap_zeroed(heap, n * sizeof *prefix->is_cutoff);
  prefix->corresponding = heap_zeroed(heap, n * sizeof *prefix->corresponding);
  prefix->pre_start = heap_zeroed(heap, (n + 1) * sizeof *prefix->pre_start);
  prefix->post_start = heap_zeroed(heap, (n + 1) * sizeof *prefix->post_start);
  prefix->pre = heap_zeroed(heap, n * MOST_PRESET * sizeof *prefix->pre);
  prefix->condition_place = heap_zeroed(heap, n_conditions * sizeof *prefix->condition_place);
  prefix->producer = heap_zeroed(heap, n_conditions * sizeof *prefix->producer);
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->marked[p]) add_condition(prefix, p, EVENT_NONE.v);
  prefix->post_start[0] = prefix->n_conditions;
  for (uint32_t e = 0; e < draft->n; e++) add_event(prefix, &draft->events[e]);
  prefix->counts.events = prefix->n_events;
  prefix->counts.conditions = prefix->n_conditions;
  return prefix;
}

static void copy_prefix(const Prefix *prefix, Draft *draft) {
  draft->n = prefix->n_events;
  for (uint32_t e = 0; e < prefix->n_events; e++) {
    DraftEvent *event = &draft->events[e];
    *event = (DraftEvent){.trans = prefix->event_trans[e].v, .is_cutoff = prefix->is_cutoff[e]};
    event->corresponding = prefix->corresponding[e].v;
    for (uint32_t i = prefix->pre_start[e]; i < prefix->pre_start[e + 1]; i++)
      event->pre[event->n_pre++] = prefix->pre[i].v;
  }
}

/* The event stands there once more, behind itself; what is later is counted anew. */
static void double_event(const Net *net, const Prefix *prefix, uint32_t e, Draft *draft) {
  const uint32_t moved = postset(net, prefix->event_trans[e].v).n, from = prefix->post_start[e + 1];
  memmove(draft->events + e + 1, draft->events + e, (draft->n - e) * sizeof *draft->events);
  draft->n++;
  for (uint32_t i = e + 2; i < draft->n; i++) {
    DraftEvent *event = &draft->events[i];
    for (uint32_t k = 0; k < event->n_pre; k++)
      if (event->pre[k] >= from) event->pre[k] += moved;
    if (event->corresponding != EVENT_NONE.v && event->corresponding > e) event->corresponding++;
  }
}

/* ---- nets and prefixes in words ---- */

/* "ab: a>c, b>d, cd>ab": the marked places, then the transitions; places are a, b, c, ... up to the last that is named.
 */
static Net *read_net(Heap *heap, const char *text) {
  NetBuilder *builder = net_builder_new(heap);
  const char *marked_end = strchr(text, ':');
  char last = 'a';
  for (const char *c = text; *c; c++)
    if (*c >= 'a' && *c > last) last = *c;
  for (char place = 'a'; place <= last; place++) {
    const char *at = strchr(text, place);
    net_add_place(builder, (char[]){place, '\0'}, at && at < marked_end);
  }
  bool input = false;
  TransId trans = TRANS_NONE;
  for (const char *c = marked_end; *c; c++) {
    const PlaceId place = {(uint32_t)(*c - 'a')};
    if (*c == ':' || *c == ',') trans = net_add_trans(builder, "t"), input = true;
    else if (*c == '>') input = false;
    else if (*c >= 'a' && input) net_add_input(builder, place, trans);
    else if (*c >= 'a') net_add_output(builder, trans, place);
  }
  Err err;
  return net_freeze(builder, &err);
}

/* "0 0; 1 1; x2 2 3 = -": a transition and its preset per event; a cut-off has an x before it, and behind it an event
 * that corresponds, or - for the initial marking. */
static void read_draft(const char *text, Draft *draft) {
  *draft = (Draft){0};
  while (*text) {
    DraftEvent *event = &draft->events[draft->n++];
    char *end;
    *event = (DraftEvent){.corresponding = EVENT_NONE.v};
    text += strspn(text, " ");
    if (*text == 'x') event->is_cutoff = true, text++;
    event->trans = (uint32_t)strtoul(text, &end, 10);
    for (text = end; text += strspn(text, " "), *text >= '0' && *text <= '9'; text = end)
      event->pre[event->n_pre++] = (uint32_t)strtoul(text, &end, 10);
    if (*text == '=') text += 1 + strspn(text + 1, " ");
    if (*text == '-') text++;
    else if (*text >= '0' && *text <= '9') event->corresponding = (uint32_t)strtoul(text, &end, 10), text = end;
    CU_ASSERT_FATAL(*text == ';' || !*text);
    if (*text) text++;
  }
}

static void expect(const Prefix *prefix, const char *why, const char *what) {
  Err err = {.text = "accepted"};
  char wanted[100] = "accepted";
  if (why) snprintf(wanted, sizeof wanted, "bad prefix: %s", why);
  const bool good = prefix_audit(prefix, &err);
  if (strcmp(err.text, wanted) != 0) printf("\n%s\n%s, not: %s\n", what, err.text, wanted);
  CU_ASSERT_STRING_EQUAL(err.text, wanted);
  CU_ASSERT_EQUAL(good, !why);
  CU_ASSERT_TRUE(good || err.kind == ERR_CHECK);
}

/* ---- faults of events ---- */

typedef struct {
  const char *net, *prefix;
  const char *why; /* NULL: it is a prefix */
} Row;

#define RING "ab: a>c, b>d, cd>ab"               /* two threads that meet */
#define FORKS "a: a>b, a>c, b>d, c>d, bc>a, d>a" /* two ways to d; b and c never meet */
#define THREE "a: a>b, a>c, a>e, b>d, c>d, e>d"

static const Row ROWS[] = {
    {RING, "0 0; 1 1; x2 2 3 = -", NULL},
    {RING, "", NULL},
    {RING, "1 1; 0 0; x2 2 3 = -", NULL},
    {RING, "1 1; 0 0", NULL},

    {RING, "0 0; 0 0; 1 1; x2 2 4 = -", "an event that stands there twice (number 1)"},
    {RING, "0 0; 1 1; x2 2 3 = -; x2 2 3 = -", "an event that stands there twice (number 3)"},
    {RING, "0 0; 1 1; 0 0", "an event that stands there twice (number 2)"},
    {"ab: a>b, a>c, b>d", "0 0", "two tokens on a place: condition (number 2)"},
    {"ab: a>cd, b>ce, de>f", "0 0; 1 1; 2 3 5", "two tokens on a place: condition (number 4)"},

    {FORKS, "0 0; 1 0; 2 1; x3 2 = 2", NULL},
    {FORKS, "0 0; 1 0; 4 1 2", "an event in conflict with itself (number 1)"},
    {FORKS, "0 0; 1 0; 2 1; x3 2 = 2; 4 1 2", "an event in conflict with itself (number 1)"},
    {"a: a>b, ab>c", "0 0; 1 0 1", "an event in conflict with itself (number 0)"},
    {"ab: a>c, a>d, bc>e, de>f", "0 0; 1 0; 2 1 2; 3 3 4", "an event in conflict with itself (number 0)"},
    {"ab: a>cd, c>e, d>f, ef>g", "0 0; 1 2; 2 3; 3 4 5", NULL},

    {FORKS, "0 0; 1 0; 2 1; x3 2 = 2; x5 4 = -", "an event after a cut-off (number 4)"},
    {RING, "0 0; 1 1; x2 2 3 = -; 0 4", "an event after a cut-off (number 3)"},
    {"ab: a>a, b>c", "1 1; x0 0 = -", NULL},
    {"ab: a>a, b>c", "x0 0 = -; 1 1", "a cut-off before its time (number 1)"},
    {"ab: a>a, b>c, c>d", "1 1; x0 0 = -; 2 2", NULL},
    {"ab: a>c, c>d, b>e", "0 0; 1 2; 2 1", "events out of order (number 2)"},
    {"ab: a>c, c>d, b>e", "0 0; 2 1; 1 2", NULL},

    {RING, "x0 0 = -", "a cut-off that is not back at the start (number 0)"},
    {RING, "0 0; x1 1 = -", "a cut-off that is not back at the start (number 1)"},
    {RING, "0 0; x1 1 = 0", "a cut-off with another marking (number 1)"},
    {"a: a>b, a>bc", "0 0; x1 0 = 0", "a cut-off with another marking (number 1)"},
    {RING, "0 0; 1 1; x2 2 3 = 1", "a cut-off with another marking (number 2)"},
    {FORKS, "0 0; 1 0; 2 1; x3 2 = 1", "a cut-off with another marking (number 3)"},
    {FORKS, "0 0; 1 0; 2 1; x3 2 = 3", "a cut-off's corresponding event (number 3)"},
    {FORKS, "0 0; 1 0; x2 1 = 3; 3 2", "a cut-off's corresponding event (number 2)"},
    {THREE, "0 0; 1 0; 2 0; 3 1; x4 2 = 3; x5 3 = 3", NULL},
    {THREE, "0 0; 1 0; 2 0; 3 1; x4 2 = 3; x5 3 = 4", "a cut-off's corresponding event (number 5)"},
    {RING, "0 0 = 0", "a corresponding event without a cut-off (number 0)"},
    {RING, "0 0; 1 1 = 0", "a corresponding event without a cut-off (number 1)"},

    {RING, "0 0; 3 1", "a transition out of range (number 1)"},
    {RING, "0 0 1", "the size of a preset (number 0)"},
    {RING, "0 0; 1 1; 2 2", "the size of a preset (number 2)"},
    {RING, "0 2", "a preset with a later condition (number 0)"},
    {RING, "0 0; 1 1; 2 2 4", "a preset with a later condition (number 2)"},
    {RING, "0 0; 1 1; 2 3 2", "a preset out of order (number 2)"},
    {RING, "0 0; 1 1; 2 2 2", "a preset out of order (number 2)"},
    {RING, "0 1", "the places of a preset (number 0)"},
    {RING, "0 0; 1 1; 2 1 2", "the places of a preset (number 2)"},
    {"ab: a>c, b>c, cd>e", "0 0; 1 1; 2 2 3", "the places of a preset (number 2)"},
    {"ab: a>c, b>c, cd>e", "0 0; 1 1; 2 0 2", "the places of a preset (number 2)"},
};

static void each_fault_of_an_event_is_named(void) {
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    Heap *heap = heap_new(0);
    Draft draft;
    read_draft(ROWS[i].prefix, &draft);
    expect(build(heap, read_net(heap, ROWS[i].net), &draft), ROWS[i].why, ROWS[i].prefix);
    heap_free(heap);
  }
}

/* The last event of a net that is not safe may put two tokens on a place; all else holds there too. */
static void nets_that_are_not_safe_are_audited(void) {
  static const Row rows[] = {
      {"ab: a>b", "0 0", NULL},
      {"ab: a>b", "0 1", "the places of a preset (number 0)"},
      {"ab: a>b", "0 0; 0 0", "an event that stands there twice (number 1)"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Heap *heap = heap_new(0);
    Draft draft;
    read_draft(rows[i].prefix, &draft);
    Prefix *prefix = build(heap, read_net(heap, rows[i].net), &draft);
    prefix->status = UNFOLD_NOT_SAFE;
    expect(prefix, rows[i].why, rows[i].prefix);
    heap_free(heap);
  }
}

/* ---- faults of the arrays, each in the prefix of RING: conditions 0 a, 1 b, 2 c, 3 d, 4 a, 5 b ---- */

static void other_place(Prefix *p) { p->condition_place[1].v = 0; }
static void made_at_first(Prefix *p) { p->producer[1].v = 2; }
static void one_too_many(Prefix *p) { p->post_start[0]++; }
static void too_few(Prefix *p) { p->n_conditions = 1; }
static void fewer(Prefix *p) { p->counts.conditions = --p->n_conditions; }
static void more(Prefix *p) { p->counts.conditions = ++p->n_conditions; }
static void longer_postset(Prefix *p) { p->post_start[1]++; }
static void shorter_postset(Prefix *p) { p->post_start[2]--; }
static void other_output(Prefix *p) { p->condition_place[3].v = 2; }
static void last_output(Prefix *p) { p->condition_place[5].v = 2; }
static void other_producer(Prefix *p) { p->producer[3].v = 0; }
static void no_producer(Prefix *p) { p->producer[2] = EVENT_NONE; }
static void events_counted(Prefix *p) { p->counts.events--; }
static void conditions_counted(Prefix *p) { p->counts.conditions++; }
static void cutoffs_counted(Prefix *p) { p->counts.cutoffs--; }
static void another_cutoff(Prefix *p) { p->is_cutoff[0] = true; }
static void unchanged(Prefix *p) { (void)p; }

static const struct {
  void (*edit)(Prefix *prefix);
  const char *why;
} EDITS[] = {
    {unchanged, NULL},
    {other_place, "an initial condition (number 1)"},
    {made_at_first, "an initial condition has a producer (number 1)"},
    {one_too_many, "the number of initial conditions (number 3)"},
    {too_few, "an initial condition (number 1)"},
    {fewer, "the number of conditions (number 2)"},
    {more, "the number of conditions (number 2)"},
    {longer_postset, "the size of a postset (number 0)"},
    {shorter_postset, "the size of a postset (number 1)"},
    {other_output, "a condition of a postset (number 3)"},
    {last_output, "a condition of a postset (number 5)"},
    {other_producer, "a condition of a postset (number 3)"},
    {no_producer, "a condition of a postset (number 2)"},
    {events_counted, "the count of events (number 3)"},
    {conditions_counted, "the count of conditions (number 6)"},
    {cutoffs_counted, "the count of cut-offs (number 1)"},
    {another_cutoff, "the count of cut-offs (number 2)"},
};

static void each_fault_of_the_arrays_is_named(void) {
  for (size_t i = 0; i < sizeof EDITS / sizeof *EDITS; i++) {
    Heap *heap = heap_new(0);
    Draft draft;
    read_draft("0 0; 1 1; x2 2 3 = -", &draft);
    Prefix *prefix = build(heap, read_net(heap, RING), &draft);
    EDITS[i].edit(prefix);
    expect(prefix, EDITS[i].why, "an edit");
    heap_free(heap);
  }
}

/* ---- faults in what the unfolder makes ---- */

static void expect_at(Heap *heap, const Net *net, const Draft *draft, const char *why, uint32_t e) {
  char text[80];
  if (why) snprintf(text, sizeof text, "%s (number %u)", why, (unsigned)e);
  expect(build(heap, net, draft), why ? text : NULL, net->name);
}

static void spoil_event(Heap *heap, const Prefix *prefix, uint32_t e, UnfoldOrder order) {
  Draft draft;
  copy_prefix(prefix, &draft);
  double_event(prefix->net, prefix, e, &draft);
  expect_at(heap, prefix->net, &draft, "an event that stands there twice", e + 1);
  copy_prefix(prefix, &draft);
  if (!prefix->is_cutoff[e]) {
    draft.events[e].is_cutoff = true;
    expect_at(heap, prefix->net, &draft, "a cut-off that is not back at the start", e);
    return;
  }
  /* in a total order no two events but cut-offs have the same marking */
  for (uint32_t other = 0; other < e && order == UNFOLD_ERV; other++) {
    if (prefix->is_cutoff[other] || other == prefix->corresponding[e].v) continue;
    draft.events[e].corresponding = other;
    expect_at(heap, prefix->net, &draft, "a cut-off with another marking", e);
  }
}

static bool is_small(const Prefix *prefix) {
  bool small = prefix->n_events < MOST_EVENTS && prefix->status == UNFOLD_COMPLETE;
  for (uint32_t e = 0; e < prefix->n_events; e++)
    small = small && prefix->pre_start[e + 1] - prefix->pre_start[e] <= MOST_PRESET;
  return small;
}

static uint32_t spoil_prefix(uint64_t seed, UnfoldOrder order) {
  Err err;
  Heap *heap = heap_new(0);
  Prefix *prefix =
      unfold(heap, safe_net(heap, seed), &(UnfoldOptions){.order = order, .max_events = MOST_EVENTS}, &err);
  const uint32_t n = is_small(prefix) ? prefix->n_events : 0;
  Draft draft;
  if (n) copy_prefix(prefix, &draft);
  if (n) expect_at(heap, prefix->net, &draft, NULL, 0);
  for (uint32_t e = 0; e < n; e++) spoil_event(heap, prefix, e, order);
  heap_free(heap);
  return n;
}

static void faults_in_what_is_unfolded_are_named(void) {
  uint32_t n = 0;
  for (uint64_t seed = 1; seed <= 1500; seed++)
    n += spoil_prefix(seed, UNFOLD_ERV) + spoil_prefix(seed, UNFOLD_MCMILLAN);
  CU_ASSERT_TRUE(n > 5000);
}

void suite_audit(void) {
  CU_pSuite suite = CU_add_suite("audit", NULL, NULL);
  CU_ADD_TEST(suite, each_fault_of_an_event_is_named);
  CU_ADD_TEST(suite, nets_that_are_not_safe_are_audited);
  CU_ADD_TEST(suite, each_fault_of_the_arrays_is_named);
  CU_ADD_TEST(suite, faults_in_what_is_unfolded_are_named);
}
