/* The builder and its errors, the audit, the token game. */
#include "petri/net.h"
#include "petri/token.h"

#include <CUnit/CUnit.h>

#include <string.h>

/* p0* -> t0 -> p1, and t1 with a self-loop on p2*; the arcs are added in an order that freezing must sort. */
static NetBuilder *small_net(Heap *heap) {
  NetBuilder *b = net_builder_new(heap);
  const PlaceId p0 = net_add_place(b, "p0", true), p1 = net_add_place(b, "p1", false),
                p2 = net_add_place(b, "p2", true);
  const TransId t0 = net_add_trans(b, "t0"), t1 = net_add_trans(b, "t1");
  net_add_input(b, p2, t1);
  net_add_output(b, t1, p2);
  net_add_output(b, t1, p1);
  net_add_input(b, p2, t0);
  net_add_input(b, p0, t0);
  net_add_output(b, t0, p1);
  return b;
}

static void test_freeze_sorts(void) {
  Heap *heap = heap_new(0);
  Err err;
  Net *net = net_freeze(small_net(heap), &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  CU_ASSERT(net_audit(net, &err));
  const PlaceList pre = net_pre(net, (TransId){0}), post = net_post(net, (TransId){1});
  CU_ASSERT(pre.n == 2 && pre.at[0].v == 0 && pre.at[1].v == 2);
  CU_ASSERT(post.n == 2 && post.at[0].v == 1 && post.at[1].v == 2);
  const TransList consumers = net_consumers(net, (PlaceId){2}), producers = net_producers(net, (PlaceId){1});
  CU_ASSERT(consumers.n == 2 && consumers.at[0].v == 0 && consumers.at[1].v == 1);
  CU_ASSERT(producers.n == 2 && producers.at[0].v == 0 && producers.at[1].v == 1);
  CU_ASSERT(net->n_inputs == 3 && net->n_outputs == 3);
  CU_ASSERT(net->marked[0] && !net->marked[1] && net->marked[2]);
  CU_ASSERT_STRING_EQUAL(net->trans_name[1], "t1");
  CU_ASSERT(net->notes == NULL && net->unit_of == NULL);
  net_free(net);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void test_empty_net(void) {
  Heap *heap = heap_new(0);
  Err err;
  Net *net = net_freeze(net_builder_new(heap), &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  CU_ASSERT(net_audit(net, &err));
  CU_ASSERT(net->n_places == 0 && net->n_trans == 0);
  net_free(net);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

/* Freezing fails with that message, and gives everything back. */
static void expect_failure(Heap *heap, NetBuilder *builder, const char *message) {
  Err err = {.text = ""};
  CU_ASSERT_PTR_NULL(net_freeze(builder, &err));
  CU_ASSERT(err.kind == ERR_INPUT);
  CU_ASSERT_STRING_EQUAL(err.text, message);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
}

static void test_double_arcs(void) {
  Heap *heap = heap_new(0);
  NetBuilder *b = small_net(heap);
  net_add_input(b, (PlaceId){0}, (TransId){0});
  expect_failure(heap, b, "two arcs from 'p0' to 't0': an arc of weight 2, but the net must be 1-safe");
  b = small_net(heap);
  net_add_output(b, (TransId){1}, (PlaceId){2});
  expect_failure(heap, b, "two arcs from 't1' to 'p2': an arc of weight 2, but the net must be 1-safe");
  heap_free(heap);
}

static void test_bad_notes(void) {
  Heap *heap = heap_new(0);
  NetBuilder *b = small_net(heap);
  notes_set_place(net_builder_notes(b), 0, (PlaceNote){ROLE_CONTROL, 0, NOTE_NONE, 0, 0, NOTE_NONE, POINT_OTHER});
  expect_failure(heap, b, "the note of place number 0 names a thread or an object that is not declared");
  b = small_net(heap);
  notes_set_place(net_builder_notes(b), 1, (PlaceNote){ROLE_LOCK, NOTE_NONE, NOTE_NONE, 0, 0, NOTE_NONE, POINT_OTHER});
  expect_failure(heap, b, "the note of place number 1 lacks the thread or object that its role needs");
  b = small_net(heap);
  notes_set_trans(net_builder_notes(b), 1, (TransNote){NOTE_NONE, {0}, "", 3, NOTE_NONE, false});
  expect_failure(heap, b, "the note of transition number 1 names a thread or a block that is not declared");
  b = small_net(heap);
  const SrcPos elsewhere = {.line = 1, .file = 1}, unnamed = {.line = 1, .function = 1};
  notes_add_thread(net_builder_notes(b), "T1", 0, elsewhere);
  expect_failure(heap, b, "a note is in a file or a function that is not declared");
  b = small_net(heap);
  notes_add_block(net_builder_notes(b), NULL, (SrcPos){0}, unnamed);
  expect_failure(heap, b, "a note is in a file or a function that is not declared");
  b = small_net(heap);
  notes_add_access(net_builder_notes(b), 1, (Access){7, ACCESS_READ});
  expect_failure(heap, b, "the note of transition number 1 names an object that is not declared");
  b = small_net(heap);
  notes_add_access(net_builder_notes(b), 2, (Access){7, ACCESS_READ});
  expect_failure(heap, b, "the annotations refer to transitions that the net does not have");
  b = small_net(heap);
  notes_set_place(net_builder_notes(b), 3, NO_PLACE_NOTE);
  expect_failure(heap, b, "the annotations refer to places or transitions that the net does not have");
  heap_free(heap);
}

/* The accesses come out by transition, in the order in which each got its own. */
static void test_notes(void) {
  Heap *heap = heap_new(0);
  Err err;
  NetBuilder *b = small_net(heap);
  NotesBuilder *notes = net_builder_notes(b);
  const uint32_t x = notes_add_object(notes, "X", OBJECT_VARIABLE, 0), l = notes_add_object(notes, "l", OBJECT_LOCK, 0);
  notes_add_access(notes, 1, (Access){l, ACCESS_ACQUIRE});
  notes_add_access(notes, 0, (Access){x, ACCESS_READ});
  notes_add_access(notes, 1, (Access){x, ACCESS_WRITE});
  Net *net = net_freeze(b, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net->notes);
  const AccessList first = notes_accesses(net->notes, 0), second = notes_accesses(net->notes, 1);
  CU_ASSERT(first.n == 1 && first.at[0].object == x && first.at[0].mode == ACCESS_READ);
  CU_ASSERT(second.n == 2 && second.at[0].object == l && second.at[1].mode == ACCESS_WRITE);
  net_free(net);
  heap_free(heap);
}

/* A net in which one word was changed behind its back. */
static void expect_audit(uint32_t *word, uint32_t value, const Net *net, const char *message) {
  const uint32_t old = *word;
  Err err = {.text = ""};
  *word = value;
  CU_ASSERT_FALSE(net_audit(net, &err));
  CU_ASSERT(err.kind == ERR_CHECK);
  CU_ASSERT_STRING_EQUAL(err.text, message);
  *word = old;
  CU_ASSERT(net_audit(net, &err));
}

static void test_units(void) {
  Heap *heap = heap_new(0);
  Err err;
  NetBuilder *b = small_net(heap);
  const uint32_t one = net_add_unit(b, "one"), none = net_add_unit(b, "none"), two = net_add_unit(b, "two");
  net_set_unit(b, (PlaceId){2}, one);
  net_set_unit(b, (PlaceId){0}, one);
  net_set_unit(b, (PlaceId){1}, two);
  net_set_unit(b, (PlaceId){1}, UNIT_NONE);
  Net *net = net_freeze(b, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  CU_ASSERT(net_audit(net, &err));
  const PlaceList places = net_unit_places(net, one);
  CU_ASSERT(places.n == 2 && places.at[0].v == 0 && places.at[1].v == 2);
  CU_ASSERT(net_unit_places(net, none).n == 0 && net_unit_places(net, two).n == 0);
  uint32_t *unit_of = (uint32_t *)(uintptr_t)net->unit_of;
  expect_audit(&unit_of[0], 7, net, "net: place 0 is in a unit that does not exist");
  expect_audit(&unit_of[1], 0, net, "net: place 1 is missing in the list of its unit");
  expect_audit(&unit_of[0], UNIT_NONE, net, "net: the lists of the units hold places that are not theirs");
  net_free(net);
  heap_free(heap);
}

static void test_audit(void) {
  Heap *heap = heap_new(0);
  Err err;
  Net *net = net_freeze(small_net(heap), &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  uint32_t *pre = (uint32_t *)(uintptr_t)net->pre, *consumers = (uint32_t *)(uintptr_t)net->consumers;
  expect_audit(&pre[0], 2, net, "net: the row of transition 0 is out of range or not ascending");
  expect_audit(&pre[1], 9, net, "net: the row of transition 0 is out of range or not ascending");
  expect_audit(&pre[1], 1, net, "net: an arc of place 2 stands in one direction only");
  expect_audit(&consumers[0], 5, net, "net: the row of place 0 is out of range or not ascending");
  uint32_t *start = (uint32_t *)(uintptr_t)net->pre_start;
  expect_audit(&start[2], 2, net, "net: the rows do not hold all arcs");
  net_free(net);
  heap_free(heap);
}

static void test_token_game(void) {
  Heap *heap = heap_new(0);
  Err err;
  Net *net = net_freeze(small_net(heap), &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  uint64_t marking[1];
  token_initial(net, marking);
  CU_ASSERT_EQUAL(marking[0], 5);
  CU_ASSERT(token_enabled(net, marking, (TransId){0}) && token_enabled(net, marking, (TransId){1}));
  CU_ASSERT_EQUAL(token_fire(net, marking, (TransId){1}).v, PLACE_NONE.v);
  CU_ASSERT_EQUAL(marking[0], 7);
  /* a second token on p1; the self-loop on p2 is none */
  CU_ASSERT_EQUAL(token_fire(net, marking, (TransId){1}).v, 1);
  CU_ASSERT_EQUAL(token_fire(net, marking, (TransId){0}).v, 1);
  CU_ASSERT_EQUAL(marking[0], 7);
  bitset_remove(marking, 1);
  CU_ASSERT_EQUAL(token_fire(net, marking, (TransId){0}).v, PLACE_NONE.v);
  CU_ASSERT_EQUAL(marking[0], 2);
  CU_ASSERT_FALSE(token_enabled(net, marking, (TransId){0}));
  net_free(net);
  heap_free(heap);
}

/* Each allocation of building and freezing fails once: control comes back, and the heap gives all back. */
static void build_and_free(void *heap) {
  Err err;
  net_free(net_freeze(small_net(heap), &err));
}

static void test_out_of_memory(void) {
  bool done = false;
  for (uint64_t nth = 1; !done && nth < 1000; nth++) {
    Heap *heap = heap_new(0);
    heap_fail_at(heap, nth);
    done = heap_try(heap, build_and_free, heap);
    heap_free(heap);
  }
  CU_ASSERT(done);
}

void suite_net(void);
void suite_net(void) {
  CU_pSuite s = CU_add_suite("net", NULL, NULL);
  CU_add_test(s, "freezing sorts", test_freeze_sorts);
  CU_add_test(s, "an empty net", test_empty_net);
  CU_add_test(s, "double arcs", test_double_arcs);
  CU_add_test(s, "notes", test_notes);
  CU_add_test(s, "notes that do not fit", test_bad_notes);
  CU_add_test(s, "the audit sees each fault", test_audit);
  CU_add_test(s, "units", test_units);
  CU_add_test(s, "token game", test_token_game);
  CU_add_test(s, "out of memory", test_out_of_memory);
}
