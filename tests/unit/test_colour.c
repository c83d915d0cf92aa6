/* From a program's net to its coloured net, and to a verdict. That the verdicts are right is for tests/differential.c.
 */
#include "petri/thread_view.h"
#include "tests/oracle/net_script.h"
#include "tests/unit/hand_net.h"
#include "tests/unit/sml_case.h"
#include "ask/atomicity.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

static const char ACQUIRE1_STAR[] =
    "bool M; int DATA;\n"
    "N * { local bool f; while (true) { f := true; while (f = true) { atomic { f := M; M := true } }\n"
    "begin x := DATA; DATA := x + 1 end; M := false } }\n";

static const ColourOptions CHAIN = {.colouring = COLOURING_CHAIN, .reduce = true},
                           FULL = {.colouring = COLOURING_FULL, .reduce = true};

/* ---- the program in the net ---- */

static void check_object(const ThreadView *program, const char *name, bool is_token, bool has_readers,
                         uint32_t n_values) {
  for (uint32_t o = 0; o < program->objects.n; o++) {
    const ViewObject *object = &program->objects.at[o];
    if (strcmp(object->name, name) != 0) continue;
    CU_ASSERT_EQUAL(object->is_token, is_token);
    CU_ASSERT_EQUAL(object->has_readers, has_readers);
    CU_ASSERT_EQUAL(object->n_values, n_values);
    return;
  }
  CU_FAIL("no such object");
}

static void objects_are_variables_and_locks(void) {
  SmlCase c = sml_case("int X, ALONE; int[3] K; lock l, mine;\n"
                       "X := 1; K := 2; acquire(l) ALONE := 1; release(l) acquire(mine) release(mine)\n"
                       "|| x := X; acquire(l) K := 1; release(l) || y := X; k := K");
  ThreadView program;
  Err err;
  CU_ASSERT_TRUE_FATAL(thread_view_init(&program, c.heap, c.net, &err));
  CU_ASSERT_EQUAL(program.objects.n, 3); /* what one thread uses alone is no object */
  check_object(&program, "X", false, true, 1);
  check_object(&program, "K", false, false, 3);
  check_object(&program, "l", true, false, 1);
  thread_view_fini(&program);
  sml_case_end(&c);
}

static void copies_are_twins(void) {
  SmlCase c = sml_case("int X; N * { X := 1 } || X := 2 || x := X || y := X || X := 3");
  ThreadView program;
  Err err;
  CU_ASSERT_TRUE_FATAL(thread_view_init(&program, c.heap, c.net, &err));
  const uint32_t expected[] = {0, 0, 0, 0, 4, 4, 0}; /* names and abstracted values do not count */
  CU_ASSERT_EQUAL_FATAL(program.n_threads, 7);
  for (uint32_t i = 0; i < 7; i++) CU_ASSERT_EQUAL(program.twin[i], expected[i]);
  thread_view_fini(&program);
  sml_case_end(&c);
}

/* Copies that are not used as the notes say are tokens, one by one. */
static void copies_used_otherwise_are_tokens(void) {
  Heap *heap = heap_new(0);
  Hand hand;
  hand_start(&hand, heap, "h.sml");
  const uint32_t a = hand_thread(&hand, "T1", 0, 1), b = hand_thread(&hand, "T2", 1, 2);
  const uint32_t x = hand_variable(&hand, "X");
  hand_read(&hand, hand_event(&hand, a, 1, "x := X"), a, x);
  hand_read(&hand, hand_event(&hand, b, 2, "y := X"), a, x); /* the copy of T1 */
  hand_write(&hand, hand_event(&hand, b, 3, "X := 1"), x);
  Net *net = hand_finish(&hand);
  ThreadView program;
  Err err;
  CU_ASSERT_TRUE_FATAL(thread_view_init(&program, heap, net, &err));
  CU_ASSERT_EQUAL(program.objects.n, 1); /* the copy of T2 is touched by T2 alone */
  CU_ASSERT_TRUE(program.objects.at[0].is_token);
  thread_view_fini(&program);
  net_free(net);
  heap_free(heap);
}

static void a_thread_with_two_tokens_is_refused(void) {
  Heap *heap = heap_new(0);
  NetBuilder *builder = net_builder_new(heap);
  NotesBuilder *notes = net_builder_notes(builder);
  notes_add_thread(notes, "T1", 0, (SrcPos){.line = 1, .column = 1});
  const TransId t = net_add_trans(builder, "fork");
  for (uint32_t i = 0; i < 3; i++) {
    const PlaceId p = net_add_place(builder, "p", i == 0);
    notes_set_place(notes, p.v, (PlaceNote){ROLE_CONTROL, 0, NOTE_NONE, 0, 0, NOTE_NONE, POINT_OTHER});
    if (i == 0) net_add_input(builder, p, t);
    else net_add_output(builder, t, p);
  }
  notes_set_trans(notes, t.v, (TransNote){0, {.line = 1, .column = 1}, "fork", NOTE_NONE, NOTE_NONE, false});
  Err err;
  Net *net = net_freeze(builder, &err);
  ThreadView program;
  CU_ASSERT_FALSE(thread_view_init(&program, heap, net, &err));
  CU_ASSERT_EQUAL(err.kind, ERR_INPUT);
  CU_ASSERT_STRING_EQUAL(err.text,
                         "thread 'T1' is not sequential: transition 'fork' takes 1 of its control tokens and puts 2");
  net_free(net);
  heap_free(heap);
}

/* u1 lends its token, on p4, to u0. While it is on p3 it is not on p4, so nothing puts a second one on p3. */
static void control_that_is_lent_is_in_one_place(void) {
  static const char script[] = "p1 u0 *\np3 u1\np4 u1 *\np5 - *\n"
                               "p1 -> t0\nt0 -> p1\np4 -> t0\nt0 -> p4\n"
                               "p4 -> t1\nt1 -> p3\np5 -> t1\nt1 -> p5\np3 -> t2\nt2 -> p4\n--begin=t0\n";
  Heap *heap = heap_new(0);
  Err err;
  Net *net = net_script(heap, script, strlen(script), &err);
  ThreadView program;
  CU_ASSERT_TRUE_FATAL(net && thread_view_init(&program, heap, net, &err));
  CU_ASSERT_EQUAL_FATAL(program.objects.n, 1);
  check_object(&program, "p4", true, false, 1);
  CU_ASSERT_EQUAL(program.state_start[2] - program.state_start[1], 2); /* p5; p3 and p5 */
  thread_view_fini(&program);
  net_free(net);
  heap_free(heap);
}

static void a_block_of_no_thread_is_refused(void) {
  for (uint32_t ends = 0; ends < 2; ends++) {
    Heap *heap = heap_new(0);
    NetBuilder *builder = net_builder_new(heap);
    NotesBuilder *notes = net_builder_notes(builder);
    const uint32_t block = notes_add_block(notes, NULL, (SrcPos){0}, (SrcPos){0});
    const TransId t = net_add_trans(builder, "t");
    net_add_input(builder, net_add_place(builder, "p", true), t);
    notes_set_trans(notes, t.v,
                    (TransNote){NOTE_NONE, {0}, "", ends ? NOTE_NONE : block, ends ? block : NOTE_NONE, false});
    Err err;
    Net *net = net_freeze(builder, &err);
    ThreadView program;
    CU_ASSERT_FALSE(thread_view_init(&program, heap, net, &err));
    CU_ASSERT_EQUAL(err.kind, ERR_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text, ends ? "transition 't' ends a block, but belongs to no thread"
                                          : "transition 't' begins a block, but belongs to no thread");
    net_free(net);
    heap_free(heap);
  }
}

/* ---- the coloured net ---- */

static void no_conflict_needs_no_unfolding(void) {
  SmlCase c = sml_case("int X, Y; begin X := 1; X := 2 end || Y := 1 || y := Y");
  Err err;
  Coloured *coloured = colour_net(c.heap, c.net, &CHAIN, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(coloured);
  CU_ASSERT_EQUAL(colour_result_red(coloured, 0).v, PLACE_NONE.v);
  CU_ASSERT_TRUE(net_audit(colour_result_net(coloured), &err));
  colour_free(coloured);
  sml_case_end(&c);
}

static uint32_t count_named(const Net *net, const char *name) {
  uint32_t n = 0;
  for (uint32_t p = 0; p < net->n_places; p++) n += strcmp(net->place_name[p], name) == 0;
  return n;
}

static void there_is_one_red_place(void) {
  static const char *const programs[] = {"int X; begin X := 1; X := 2 end || X := 3",
                                         "int X; begin X := 1; X := 2 end; begin x := X; X := 2 end || X := 3",
                                         "int X; begin X := 1 end || X := 3"};
  for (uint32_t i = 0; i < sizeof programs / sizeof *programs; i++)
    for (uint32_t k = 0; k < 2; k++) {
      SmlCase c = sml_case(programs[i]);
      Err err;
      Coloured *coloured = colour_net(c.heap, c.net, k ? &FULL : &CHAIN, &err);
      CU_ASSERT_PTR_NOT_NULL_FATAL(coloured);
      CU_ASSERT_EQUAL(count_named(colour_result_net(coloured), "red"), 1);
      CU_ASSERT_TRUE(net_audit(colour_result_net(coloured), &err));
      colour_free(coloured);
      sml_case_end(&c);
    }
}

/* ---- verdicts ---- */

static Atomicity check_within(SmlCase *c, AtomicityOptions options, AskLimits limits) {
  Atomicity result;
  Err err;
  CU_ASSERT_TRUE_FATAL(atomicity_check(c->heap, c->net, &options, &limits, &result, &err));
  return result;
}

static Atomicity check(SmlCase *c, AtomicityOptions options) { return check_within(c, options, (AskLimits){0}); }

static uint64_t events_of_copies(uint32_t n, ColourOptions colour) {
  char text[400];
  snprintf(text, sizeof text, "bool M; int DATA;\n%u%s", n, strchr(strchr(ACQUIRE1_STAR, 'N'), ' '));
  SmlCase c = sml_case(text);
  Atomicity result = check(&c, (AtomicityOptions){.colour = colour});
  CU_ASSERT_EQUAL(result.verdict, VERDICT_HOLDS);
  const uint64_t events = result.stats.events;
  atomicity_fini(&result);
  sml_case_end(&c);
  return events;
}

static void events_grow_linearly_with_the_threads(void) {
  const ColourOptions both[] = {CHAIN, FULL};
  for (uint32_t i = 0; i < 2; i++) {
    const uint64_t ten = events_of_copies(10, both[i]), twenty = events_of_copies(20, both[i]);
    CU_ASSERT_TRUE(twenty > ten);
    CU_ASSERT_EQUAL(events_of_copies(40, both[i]) - twenty, 2 * (twenty - ten));
  }
}

/* Silent steps to a state with many others stay; each third block is violated. */
static void many_blocks_as_without_reductions(void) {
  enum { BLOCKS = 300 };
  CharVec text = {0};
  Heap *heap = heap_new(0);
  char line[100];
  const size_t head = (size_t)snprintf(line, sizeof line, "int X, Y, Z;\n");
  for (size_t k = 0; k < head; k++) vec_push(heap, &text, line[k]);
  for (uint32_t i = 0; i < BLOCKS; i++) {
    const size_t n =
        (size_t)snprintf(line, sizeof line, i % 3 ? "begin X := 1; Z := 2 end;\n" : "begin Y := 1; Y := 2 end;\n");
    for (size_t k = 0; k < n; k++) vec_push(heap, &text, line[k]);
  }
  static const char other[] = "|| y := X; y := Y";
  for (size_t k = 0; k < sizeof other; k++) vec_push(heap, &text, other[k]);
  SmlCase c = sml_case(text.at);
  Atomicity small = check(&c, (AtomicityOptions){.colour = CHAIN}),
            whole = check(&c, (AtomicityOptions){.colour = {COLOURING_CHAIN, false, NULL}});
  CU_ASSERT_EQUAL_FATAL(small.n_blocks, BLOCKS);
  for (uint32_t i = 0; i < BLOCKS; i++) {
    CU_ASSERT_EQUAL(small.blocks[i].verdict, i % 3 ? VERDICT_HOLDS : VERDICT_VIOLATED);
    CU_ASSERT_EQUAL(whole.blocks[i].verdict, small.blocks[i].verdict);
  }
  atomicity_fini(&small);
  atomicity_fini(&whole);
  sml_case_end(&c);
  heap_free(heap);
}

static void a_spin_loop_disappears(void) {
  const uint64_t with = events_of_copies(3, FULL);
  CU_ASSERT_TRUE(with > 0 && with < 20);
}

static void limits_give_unknown(void) {
  SmlCase c = sml_case(ACQUIRE1_STAR);
  static const Stop stops[] = {
      {0}, {.asked = STOP_CANCELLED}, {.asked = STOP_TIME, .seconds = 2}, {.asked = STOP_TIME, .due = 1, .seconds = 3}};
  static const char *const why[] = {"the limit of 2 events was reached", "interrupted after 0 events",
                                    "the time limit of 2 s was reached after 0 events",
                                    "the time limit of 3 s was reached after 0 events"};
  for (uint32_t i = 0; i < 4; i++) {
    heap_watch(c.heap, &stops[i]);
    Atomicity result = check_within(&c, (AtomicityOptions){.colour = FULL}, (AskLimits){.max_events = i ? 0 : 2});
    heap_watch(c.heap, NULL);
    CU_ASSERT_EQUAL(result.verdict, VERDICT_UNKNOWN);
    CU_ASSERT_EQUAL(result.blocks[0].verdict, VERDICT_UNKNOWN);
    CU_ASSERT_NSTRING_EQUAL(result.why, why[i], strlen(why[i]));
    atomicity_fini(&result);
  }
  sml_case_end(&c);
}

static void only_the_blocks_asked_for(void) {
  SmlCase c = sml_case("int X; begin X := 1; X := 2 end; begin X := 3 end || X := 4");
  const bool second[] = {false, true};
  Atomicity result = check(&c, (AtomicityOptions){.colour = {COLOURING_CHAIN, true, second}});
  CU_ASSERT_EQUAL_FATAL(result.n_blocks, 1);
  CU_ASSERT_EQUAL(result.blocks[0].block, 1);
  CU_ASSERT_EQUAL(result.verdict, VERDICT_HOLDS);
  atomicity_fini(&result);
  sml_case_end(&c);
}

/* Two accesses of one thread around those of another, behind a detour that the reductions take out and the witness
 * needs. */
static void what_was_reduced_is_in_the_witness(void) {
  SmlCase c =
      sml_case("int X; bool GO; skip; GO := true; begin X := 1; skip; X := 2 end || await (GO = true); skip; x := X");
  for (uint32_t i = 0; i < 2; i++) {
    Atomicity result = check(&c, (AtomicityOptions){.colour = i ? FULL : CHAIN});
    CU_ASSERT_EQUAL_FATAL(result.verdict, VERDICT_VIOLATED);
    CU_ASSERT_EQUAL(result.witnesses[0].n_steps, 9);
    atomicity_fini(&result);
  }
  sml_case_end(&c);
}

typedef struct {
  Heap *heap;
  const Net *net;
  ColourOptions options;
} Attempt;

static void attempt(void *argument) {
  const Attempt *a = argument;
  Err err;
  colour_free(colour_net(a->heap, a->net, &a->options, &err));
}

/* Each allocation fails in turn; what was allocated can be given back (the heap's own books and ASan would tell). */
static void every_allocation_may_fail(void) {
  for (uint32_t i = 0; i < 2; i++) {
    bool done = false;
    for (uint64_t nth = 1; !done; nth++) {
      SmlCase c = sml_case("int X, Y; bool F; begin:a X := 1; Y := X end || if (F) { x := X } else { F := true }");
      Heap *heap = heap_new(0);
      Attempt a = {heap, c.net, i ? FULL : CHAIN};
      heap_fail_at(heap, nth);
      done = heap_try(heap, attempt, &a);
      if (done) CU_ASSERT_EQUAL(heap_used(heap), 0);
      CU_ASSERT_FATAL(nth < 100000);
      heap_free(heap);
      sml_case_end(&c);
    }
  }
}

void suite_colour(void);
void suite_colour(void) {
  CU_pSuite suite = CU_add_suite("colour", NULL, NULL);
  CU_ADD_TEST(suite, objects_are_variables_and_locks);
  CU_ADD_TEST(suite, copies_are_twins);
  CU_ADD_TEST(suite, copies_used_otherwise_are_tokens);
  CU_ADD_TEST(suite, a_thread_with_two_tokens_is_refused);
  CU_ADD_TEST(suite, control_that_is_lent_is_in_one_place);
  CU_ADD_TEST(suite, a_block_of_no_thread_is_refused);
  CU_ADD_TEST(suite, no_conflict_needs_no_unfolding);
  CU_ADD_TEST(suite, there_is_one_red_place);
  CU_ADD_TEST(suite, events_grow_linearly_with_the_threads);
  CU_ADD_TEST(suite, a_spin_loop_disappears);
  CU_ADD_TEST(suite, many_blocks_as_without_reductions);
  CU_ADD_TEST(suite, limits_give_unknown);
  CU_ADD_TEST(suite, only_the_blocks_asked_for);
  CU_ADD_TEST(suite, what_was_reduced_is_in_the_witness);
  CU_ADD_TEST(suite, every_allocation_may_fail);
}
