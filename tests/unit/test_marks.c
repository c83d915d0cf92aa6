/* Numbered markings against plain sets of places, in nets with trees of one, two and three levels. */
#include "base/bitset.h"
#include "base/hash.h"
#include "unfold/marks.h"

#include <CUnit/CUnit.h>
#include <string.h>

enum { N_TRANS = 60, N_STEPS = 3000 };

typedef struct {
  Heap *heap;
  Net *net;
  Effects effects;
  Marks marks;
  uint64_t state;
  size_t n_words;
  uint64_t *known; /* per number: the set of places */
  uint32_t n_known;
  uint64_t *at_hand;
} Case;

static uint32_t pick(Case *c, uint32_t below) { return (uint32_t)(hash_word(++c->state) >> 33) % below; }

/* Transitions that empty a few places and fill others, near each other or far apart; also a place that is in both. */
static Net *scattered_net(Case *c, uint32_t n_places) {
  NetBuilder *builder = net_builder_new(c->heap);
  for (uint32_t p = 0; p < n_places; p++) net_add_place(builder, "p", pick(c, 2));
  for (uint32_t t = 0; t < N_TRANS; t++) {
    const TransId trans = net_add_trans(builder, "t");
    const uint32_t n = 1 + pick(c, 4), from = pick(c, n_places - 2 * n + 1),
                   step = pick(c, 2) ? 1 : (n_places - from) / (2 * n);
    for (uint32_t i = 0; i < 2 * n; i++) {
      if (i < n || pick(c, 4) == 0) net_add_input(builder, (PlaceId){from + i * step}, trans);
      if (i >= n) net_add_output(builder, trans, (PlaceId){from + i * step});
    }
  }
  Err err;
  return net_freeze(builder, &err);
}

static void begin(Case *c, uint32_t n_places) {
  *c = (Case){.heap = heap_new(0), .state = n_places, .n_words = bitset_words(n_places)};
  c->net = scattered_net(c, n_places);
  effects_init(&c->effects, c->heap, c->net);
  marks_init(&c->marks, c->heap, c->net, &c->effects);
  c->known = heap_zeroed(c->heap, (N_STEPS + 1) * c->n_words * sizeof *c->known);
  c->at_hand = heap_zeroed(c->heap, c->n_words * sizeof *c->at_hand);
  for (uint32_t p = 0; p < n_places; p++)
    if (c->net->marked[p]) bitset_add(c->known, p), bitset_add(c->at_hand, p);
  c->n_known = 1;
}

static void flip(Case *c, PlaceList list, PlaceList other) {
  for (uint32_t i = 0; i < list.n; i++)
    if (!net_place_list_has(other, list.at[i])) c->at_hand[list.at[i].v / 64] ^= (uint64_t)1 << list.at[i].v % 64;
}

static void toggle(Case *c) {
  const TransId t = {pick(c, N_TRANS)};
  flip(c, net_pre(c->net, t), net_post(c->net, t));
  flip(c, net_post(c->net, t), net_pre(c->net, t));
  marks_toggle(&c->marks, t.v);
}

static void look(Case *c) {
  bool same = true;
  for (uint32_t p = 0; p < c->net->n_places; p++) same = same && marks_has(&c->marks, p) == bitset_has(c->at_hand, p);
  CU_ASSERT_TRUE(same);
}

static uint32_t find(const Case *c) {
  for (uint32_t i = 0; i < c->n_known; i++)
    if (memcmp(c->known + i * c->n_words, c->at_hand, c->n_words * sizeof *c->known) == 0) return i;
  return c->n_known;
}

static void save(Case *c) {
  const uint32_t expected = find(c);
  CU_ASSERT_EQUAL(marks_save(&c->marks), expected);
  if (expected < c->n_known) return;
  memcpy(c->known + c->n_known++ * c->n_words, c->at_hand, c->n_words * sizeof *c->known);
}

static void load(Case *c) {
  const uint32_t number = pick(c, c->n_known);
  marks_load(&c->marks, number);
  memcpy(c->at_hand, c->known + number * c->n_words, c->n_words * sizeof *c->known);
}

static void numbers_are_markings(uint32_t n_places) {
  Case c;
  begin(&c, n_places);
  look(&c);
  for (uint32_t i = 0; i < N_STEPS; i++) {
    const uint32_t what = pick(&c, 8);
    if (what < 4) toggle(&c);
    else if (what < 7) save(&c);
    else load(&c);
    if (i % 50 == 0) look(&c);
  }
  CU_ASSERT_TRUE(c.n_known > 100);
  marks_fini(&c.marks);
  effects_fini(&c.effects);
  heap_free(c.heap);
}

static void one_level(void) {
  numbers_are_markings(20);
  numbers_are_markings(479);
  numbers_are_markings(480);
  numbers_are_markings(511);
}
static void two_levels(void) {
  numbers_are_markings(512);
  numbers_are_markings(513);
  numbers_are_markings(4000);
}
static void three_levels(void) { numbers_are_markings(20000); }

void suite_marks(void) {
  CU_pSuite suite = CU_add_suite("marks", NULL, NULL);
  CU_ADD_TEST(suite, one_level);
  CU_ADD_TEST(suite, two_levels);
  CU_ADD_TEST(suite, three_levels);
}
