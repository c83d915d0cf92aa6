/* The judge of witnesses: what proves that a block is not causally atomic, and what does not. */
#include "check/witness.h"

#include "tests/unit/hand_net.h"

#include <CUnit/CUnit.h>
#include <string.h>

enum { MAX_RUN = 64 };

/* A sequence of transitions as a string of the letters 'a' + number. */
static bool judge(Heap *heap, const Net *net, uint32_t block, const char *letters, Witness *witness, Err *err) {
  TransId run[MAX_RUN];
  const uint32_t n = (uint32_t)strlen(letters);
  for (uint32_t i = 0; i < n; i++) run[i] = (TransId){(uint32_t)(letters[i] - 'a')};
  return witness_judge(heap, net, block, run, n, witness, err);
}

static bool accepted(Heap *heap, const Net *net, const char *letters) {
  Witness witness;
  Err err;
  const bool proven = judge(heap, net, 0, letters, &witness, &err);
  if (proven) witness_fini(&witness);
  if (!proven) CU_ASSERT_EQUAL(err.kind, ERR_CHECK);
  return proven;
}

static bool rejected_for(Heap *heap, const Net *net, uint32_t block, const char *letters, const char *why) {
  Witness witness;
  Err err;
  if (judge(heap, net, block, letters, &witness, &err)) {
    witness_fini(&witness);
    return false;
  }
  return err.kind == ERR_CHECK && strstr(err.text, why) != NULL;
}

/* The steps kept, as letters. */
static bool steps_are(const Witness *witness, const char *letters) {
  if (witness->n_steps != strlen(letters)) return false;
  for (uint32_t i = 0; i < witness->n_steps; i++)
    if (witness->steps[i].transition.v != (uint32_t)(letters[i] - 'a')) return false;
  return true;
}

/* The roles as letters: . begin Out In Chain Back. */
static bool roles_are(const Witness *witness, const char *letters) {
  for (uint32_t i = 0; i < witness->n_steps; i++)
    if (".bOICB"[witness->steps[i].role] != letters[i]) return false;
  return true;
}

static bool taints_are(const Witness *witness, const char *letters) {
  for (uint32_t i = 0; i < witness->n_steps; i++)
    if (".BYR"[witness->steps[i].taint] != letters[i]) return false;
  return true;
}

static const CausalEdge *edge_between(const Witness *witness, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < witness->n_edges; i++)
    if (witness->edges[i].from == from && witness->edges[i].to == to) return &witness->edges[i];
  return NULL;
}

static void test_figure5a(void) {
  Heap *heap = heap_new(0);
  Net *net = figure5a(heap, NULL);
  Witness witness;
  Err err;
  CU_ASSERT_FATAL(judge(heap, net, 0, "abcgd", &witness, &err));
  CU_ASSERT_EQUAL(witness.thread, 0);
  CU_ASSERT(steps_are(&witness, "abcgd"));
  CU_ASSERT(roles_are(&witness, "b.OIB"));
  CU_ASSERT(taints_are(&witness, "BBBYR"));
  CU_ASSERT(witness.steps[2].in_block && !witness.steps[3].in_block && witness.steps[4].in_block);
  const CausalEdge *out = edge_between(&witness, 2, 3), *back = edge_between(&witness, 3, 4);
  CU_ASSERT_FATAL(out && back);
  CU_ASSERT(&witness.edges[witness.steps[3].chain_in] == out && &witness.edges[witness.steps[3].chain_out] == back);
  CU_ASSERT(witness.steps[0].chain_in == NOTE_NONE && witness.steps[4].chain_out == NOTE_NONE);
  CU_ASSERT(out->on_chain && out->object == 0 && out->from_mode == ACCESS_WRITE && out->to_mode == ACCESS_READ);
  CU_ASSERT(back->on_chain && back->object == 0 && back->from_mode == ACCESS_READ && back->to_mode == ACCESS_WRITE);
  CU_ASSERT_STRING_EQUAL(net->place_name[out->place.v], "Y_2");
  const CausalEdge *order = edge_between(&witness, 2, 4);
  CU_ASSERT_FATAL(order != NULL); /* control, and the first copy of Y: one edge, program order */
  CU_ASSERT(!order->on_chain && order->object == NOTE_NONE);
  CU_ASSERT_EQUAL(witness.n_edges, 5);
  witness_fini(&witness);
  net_free(net);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void test_no_proof(void) {
  Heap *heap = heap_new(0);
  Net *a = figure5a(heap, "deposit"), *b = figure5b(heap);
  const char *const BETWEEN = "no event of another thread is causally between";
  CU_ASSERT(rejected_for(heap, a, 0, "", "empty"));
  CU_ASSERT(rejected_for(heap, a, 0, "abcd", BETWEEN));  /* T1 alone */
  CU_ASSERT(rejected_for(heap, a, 0, "agbcd", BETWEEN)); /* the read comes before the writes */
  CU_ASSERT(rejected_for(heap, a, 0, "abcdg", "not inside the block"));
  CU_ASSERT(rejected_for(heap, a, 0, "abcdge", BETWEEN)); /* release(l) does not depend on the read */
  CU_ASSERT(rejected_for(heap, a, 0, "abcdgef", "ends the block"));
  CU_ASSERT(rejected_for(heap, b, 0, "abcd", BETWEEN));
  CU_ASSERT(rejected_for(heap, b, 0, "ghiabcd", BETWEEN)); /* T2 wholly before */
  CU_ASSERT(rejected_for(heap, b, 0, "abcdefghi", "not inside the block"));
  Witness witness;
  Err err;
  CU_ASSERT_FALSE(judge(heap, a, 0, "abcd", &witness, &err));
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "block 'deposit' (line 3)"));
  net_free(a);
  net_free(b);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void test_cannot_fire(void) {
  Heap *heap = heap_new(0);
  Net *a = figure5a(heap, NULL), *b = figure5b(heap);
  CU_ASSERT(rejected_for(heap, a, 0, "bcgd", "step 1 of the witness, 'acquire(l)', cannot fire: no token on 'T1_2'"));
  CU_ASSERT(rejected_for(heap, a, 0, "abcggd", "step 5 of the witness, 'x := Y - 2', cannot fire"));
  CU_ASSERT(rejected_for(heap, a, 0, "abcgz", "step 5 of the witness is not a transition of the net"));
  CU_ASSERT(rejected_for(heap, b, 0, "abcghd", "step 4 of the witness, 'acquire(l)', cannot fire: no token on 'l'"));
  net_free(a);
  net_free(b);
  heap_free(heap);
}

static void test_second_token(void) {
  Heap *heap = heap_new(0);
  Hand hand;
  hand_start(&hand, heap, "");
  hand_thread(&hand, "T1", 0, 1);
  hand_block(&hand, NULL, 1, 1, 1);
  const uint32_t l = hand_lock(&hand, "l");
  hand_release(&hand, hand_event(&hand, 0, 1, "release(l)"), l);
  Net *net = hand_finish(&hand);
  CU_ASSERT(rejected_for(heap, net, 0, "a", "puts a second token on 'l'"));
  net_free(net);
  heap_free(heap);
}

/* Every wrong swap, loss or doubling of a step is found, or leaves a run that still proves it. */
static void test_mutations(void) {
  Heap *heap = heap_new(0);
  Net *net = figure5a(heap, NULL);
  const char *const good = "abcgd";
  char run[MAX_RUN];
  for (size_t lost = 0; lost < 5; lost++) {
    memcpy(run, good, lost);
    memcpy(run + lost, good + lost + 1, 5 - lost);
    CU_ASSERT_FALSE(accepted(heap, net, run));
  }
  for (size_t from = 0; from < 5; from++)
    for (size_t to = from + 1; to < 5; to++) {
      memcpy(run, good, 6);
      run[from] = good[to];
      run[to] = good[from];
      CU_ASSERT_FALSE(accepted(heap, net, run));
    }
  for (size_t at = 0; at < 5; at++)
    for (char letter = 'a'; letter <= 'h'; letter++) {
      memcpy(run, good, 6);
      run[at] = letter;
      CU_ASSERT_EQUAL(accepted(heap, net, run), letter == good[at]);
    }
  net_free(net);
  heap_free(heap);
}

/* What the last step does not need is dropped, and a witness ends where the chain first comes back. */
static void test_trimmed(void) {
  Heap *heap = heap_new(0);
  Hand hand;
  hand_start(&hand, heap, "");
  for (uint32_t t = 0; t < 3; t++) hand_thread(&hand, "T", t, 1);
  const uint32_t X = hand_variable(&hand, "X"), Z = hand_variable(&hand, "Z");
  const uint32_t block = hand_block(&hand, NULL, 1, 1, 9);
  hand_begin(&hand, 0, 1, block);                            /* a */
  hand_write(&hand, hand_event(&hand, 0, 1, "X := 1"), X);   /* b */
  hand_event(&hand, 0, 1, "skip");                           /* c */
  hand_read(&hand, hand_event(&hand, 0, 1, "t := X"), 0, X); /* d */
  hand_event(&hand, 0, 1, "skip");                           /* e */
  hand_event(&hand, 1, 2, "skip");                           /* f */
  hand_write(&hand, hand_event(&hand, 1, 2, "X := 2"), X);   /* g */
  hand_write(&hand, hand_event(&hand, 2, 3, "Z := 1"), Z);   /* h */
  hand_read(&hand, hand_event(&hand, 2, 3, "z := X"), 2, X); /* i */
  Net *net = hand_finish(&hand);
  Witness witness;
  Err err;
  CU_ASSERT_FATAL(judge(heap, net, 0, "hafbicgde", &witness, &err));
  CU_ASSERT(steps_are(&witness, "hfabcigd")); /* X := 2 comes after the read by T3 too */
  CU_ASSERT(roles_are(&witness, "..bO..IB"));
  CU_ASSERT(taints_are(&witness, "..BBBYYR"));
  witness_fini(&witness);
  CU_ASSERT_FATAL(judge(heap, net, 0, "hafbcgde", &witness, &err));
  CU_ASSERT(steps_are(&witness, "fabcgd"));
  CU_ASSERT(roles_are(&witness, ".bO.IB"));
  CU_ASSERT(taints_are(&witness, ".BBBYR"));
  witness_fini(&witness);
  net_free(net);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

/* T1: X := 1 .. z := Z; T2: y := X, W := y; T3: w := W; Z := w. The chain goes through three threads. */
static Net *long_chain(Heap *heap) {
  Hand hand;
  hand_start(&hand, heap, "chain.sml");
  for (uint32_t t = 0; t < 3; t++) hand_thread(&hand, "T", t, 1);
  const uint32_t X = hand_variable(&hand, "X"), W = hand_variable(&hand, "W"), Z = hand_variable(&hand, "Z");
  const uint32_t block = hand_block(&hand, NULL, 1, 1, 9);
  hand_begin(&hand, 0, 1, block);                            /* a */
  hand_write(&hand, hand_event(&hand, 0, 1, "X := 1"), X);   /* b */
  hand_read(&hand, hand_event(&hand, 0, 1, "z := Z"), 0, Z); /* c */
  hand_read(&hand, hand_event(&hand, 1, 2, "y := X"), 1, X); /* d */
  hand_event(&hand, 1, 2, "skip");                           /* e */
  hand_write(&hand, hand_event(&hand, 1, 2, "W := y"), W);   /* f */
  const TransId both = hand_event(&hand, 2, 3, "Z := W");    /* g */
  hand_read(&hand, both, 2, W);
  hand_write(&hand, both, Z);
  return hand_finish(&hand);
}

static void test_long_chain(void) {
  Heap *heap = heap_new(0);
  Net *net = long_chain(heap);
  Witness witness;
  Err err;
  CU_ASSERT_FATAL(judge(heap, net, 0, "abdefgc", &witness, &err));
  CU_ASSERT(roles_are(&witness, "bOICCCB"));
  CU_ASSERT(taints_are(&witness, "BBYYYYR"));
  const CausalEdge *last = edge_between(&witness, 5, 6);
  CU_ASSERT_FATAL(last != NULL);
  CU_ASSERT(last->object == 2 && last->from_mode == ACCESS_WRITE && last->to_mode == ACCESS_READ);
  CU_ASSERT_FALSE(accepted(heap, net, "abdecfg"));
  CU_ASSERT_FALSE(accepted(heap, net, "dabefgc")); /* T2 read X before it was written */
  witness_fini(&witness);
  net_free(net);
  heap_free(heap);
}

/* A loop around a block, and a block inside it: an occurrence ends at its own end. */
static Net *looping(Heap *heap) {
  Hand hand;
  hand_start(&hand, heap, "");
  for (uint32_t t = 0; t < 2; t++) hand_thread(&hand, "T", t, 1);
  const uint32_t X = hand_variable(&hand, "X");
  const uint32_t outer = hand_block(&hand, "outer", 1, 1, 9), inner = hand_block(&hand, "inner", 2, 1, 8);
  const PlaceId top = hand.at[0];
  hand_begin(&hand, 0, 1, outer);                          /* a */
  hand_begin(&hand, 0, 2, inner);                          /* b */
  hand_write(&hand, hand_event(&hand, 0, 3, "X := 1"), X); /* c */
  hand_end(&hand, 0, 4, inner);                            /* d */
  hand_write(&hand, hand_event(&hand, 0, 5, "X := 2"), X); /* e */
  hand_end(&hand, 0, 6, outer);                            /* f */
  hand_jump(&hand, 0, 7, "again", top);                    /* g */
  const PlaceId other = hand.at[1];
  hand_read(&hand, hand_jump(&hand, 1, 8, "x := X", other), 1, X); /* h */
  return hand_finish(&hand);
}

static void test_occurrences(void) {
  Heap *heap = heap_new(0);
  Net *net = looping(heap);
  Witness witness;
  Err err;
  CU_ASSERT_FATAL(judge(heap, net, 0, "abcdhe", &witness, &err)); /* between the two writes, after the inner end */
  CU_ASSERT(roles_are(&witness, "b.O.IB"));
  witness_fini(&witness);
  CU_ASSERT(rejected_for(heap, net, 1, "abcdhe", "not inside the block"));
  CU_ASSERT(rejected_for(heap, net, 1, "abchd", "ends the block"));
  /* the read depends on the first round's block, and the second round's writes on the read: no occurrence is broken */
  CU_ASSERT(rejected_for(heap, net, 0, "abcdefhgabcde", "no event of another thread"));
  CU_ASSERT(rejected_for(heap, net, 1, "abcdhefgabc", "no event of another thread"));
  /* the second round is */
  CU_ASSERT_FATAL(judge(heap, net, 0, "abcdefgabchde", &witness, &err));
  CU_ASSERT(roles_are(&witness, ".......b.O.IB"));
  CU_ASSERT_FALSE(witness.steps[0].in_block);
  CU_ASSERT(taints_are(&witness, ".......BBBBYR"));
  witness_fini(&witness);
  net_free(net);
  heap_free(heap);
}

/* A begin in an open occurrence closes nothing: while (..) { begin; X := 1 } with an end behind the loop alone. */
static void test_second_begin(void) {
  Heap *heap = heap_new(0);
  Hand hand;
  hand_start(&hand, heap, "again.sml");
  hand_thread(&hand, "T1", 0, 1), hand_thread(&hand, "T2", 1, 9);
  const uint32_t X = hand_variable(&hand, "X"), block = hand_block(&hand, NULL, 1, 3, 5);
  const PlaceId top = hand.at[0];
  hand_begin(&hand, 0, 1, block);                              /* a */
  hand_write(&hand, hand_jump(&hand, 0, 2, "X := 1", top), X); /* b */
  hand.at[0] = top;
  hand_end(&hand, 0, 3, block);                                /* c */
  hand_write(&hand, hand_jump(&hand, 0, 4, "X := 0", top), X); /* d */
  hand_write(&hand, hand_event(&hand, 1, 9, "X := 2"), X);     /* e */
  Net *net = hand_finish(&hand);
  Witness witness;
  Err err;
  CU_ASSERT_FATAL(judge(heap, net, 0, "abaeb", &witness, &err));
  CU_ASSERT(steps_are(&witness, "abaeb") && roles_are(&witness, "bO.IB") && taints_are(&witness, "BBBYR"));
  CU_ASSERT(witness.steps[0].in_block && witness.steps[2].in_block);
  witness_fini(&witness);
  CU_ASSERT(rejected_for(heap, net, 0, "ababced", "not inside the block")); /* the end closes both */
  CU_ASSERT(rejected_for(heap, net, 0, "abcdaeb", "no event of another thread"));
  net_free(net);
  heap_free(heap);
}

/* A net without roles: the place is named. T1 hands a token to T2 through p, and gets it back through q. */
static void test_foreign_net(void) {
  Heap *heap = heap_new(0);
  NetBuilder *builder = net_builder_new(heap);
  NotesBuilder *notes = net_builder_notes(builder);
  notes_add_thread(notes, "U0", 0, (SrcPos){0});
  notes_add_block(notes, NULL, (SrcPos){0}, (SrcPos){0});
  const PlaceId start = net_add_place(builder, "start", true), inside = net_add_place(builder, "inside", false);
  const PlaceId there = net_add_place(builder, "there", false), back = net_add_place(builder, "back", false);
  const TransId begin = net_add_trans(builder, "begin"), other = net_add_trans(builder, "other"),
                last = net_add_trans(builder, "last");
  net_add_input(builder, start, begin);
  net_add_output(builder, begin, inside);
  net_add_output(builder, begin, there);
  net_add_input(builder, there, other);
  net_add_output(builder, other, back);
  net_add_input(builder, inside, last);
  net_add_input(builder, back, last);
  notes_set_trans(notes, begin.v, (TransNote){0, {0}, "", 0, NOTE_NONE, false});
  notes_set_trans(notes, last.v, (TransNote){0, {0}, "", NOTE_NONE, NOTE_NONE, false});
  Err err;
  Net *net = net_freeze(builder, &err);
  CU_ASSERT_FATAL(net != NULL);
  Witness witness;
  CU_ASSERT_FATAL(judge(heap, net, 0, "abc", &witness, &err));
  CU_ASSERT(roles_are(&witness, "bIB"));
  CU_ASSERT_EQUAL(witness.steps[1].thread, NOTE_NONE);
  const CausalEdge *edge = edge_between(&witness, 0, 1);
  CU_ASSERT_FATAL(edge != NULL);
  CU_ASSERT(edge->on_chain && edge->object == NOTE_NONE && edge->place.v == there.v);
  CU_ASSERT_FALSE(edge_between(&witness, 0, 2)->on_chain);
  witness_fini(&witness);
  CU_ASSERT(rejected_for(heap, net, 0, "ab", "belongs to no thread"));
  net_free(net);
  heap_free(heap);
}

typedef struct {
  Heap *heap;
  const Net *net;
  Witness witness;
  bool proven;
} Attempt;

static void attempt_judging(void *argument) {
  Attempt *attempt = argument;
  Err err;
  attempt->proven = judge(attempt->heap, attempt->net, 0, "abcgd", &attempt->witness, &err);
}

static void test_out_of_memory(void) {
  Heap *heap = heap_new(0), *short_heap = NULL;
  Net *net = figure5a(heap, NULL);
  Attempt attempt = {.net = net};
  uint64_t nth = 1;
  for (; nth < 1000; nth++) {
    short_heap = heap_new(0);
    attempt.heap = short_heap;
    heap_fail_at(short_heap, nth);
    if (heap_try(short_heap, attempt_judging, &attempt)) break;
    heap_free(short_heap);
  }
  CU_ASSERT(nth > 5 && nth < 1000 && attempt.proven);
  heap_free(short_heap);
  net_free(net);
  heap_free(heap);
}

void suite_witness(void);
void suite_witness(void) {
  CU_pSuite suite = CU_add_suite("witness", NULL, NULL);
  CU_ADD_TEST(suite, test_figure5a);
  CU_ADD_TEST(suite, test_no_proof);
  CU_ADD_TEST(suite, test_cannot_fire);
  CU_ADD_TEST(suite, test_second_token);
  CU_ADD_TEST(suite, test_mutations);
  CU_ADD_TEST(suite, test_trimmed);
  CU_ADD_TEST(suite, test_long_chain);
  CU_ADD_TEST(suite, test_occurrences);
  CU_ADD_TEST(suite, test_second_begin);
  CU_ADD_TEST(suite, test_foreign_net);
  CU_ADD_TEST(suite, test_out_of_memory);
}
