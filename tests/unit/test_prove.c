/* Short proofs: the programs of tests/proofs, which say in their first line what proves them; and what differential
 * testing (tests/differential.c) does not see: more copies than the net has, nets that are refused, and ending early.
 */
#include "prove/prove.h"

#include "base/file.h"
#include "prove/known.h"
#include "tests/oracle/colouring.h"
#include "tests/oracle/net_script.h"
#include "tests/oracle/random_protocol.h"
#include "tests/oracle/random_sml.h"
#include "tests/unit/sml_case.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

static const ProveOptions ALL = {.movers = true, .environment = true, .pairs = true};

/* ---- tests/proofs ---- */

/* "movers: WORDS", "environment: WORDS", "counting: WORDS", "pairs: WORDS", "none: THREADS", "violated: THREADS": what
 * the proofs say of the only block. */
static void describe(const Net *net, const Proofs *proofs, Answer answer, char *text, size_t room) {
  CU_ASSERT_EQUAL_FATAL(proofs->n_blocks, 1);
  const BlockProof *proof = &proofs->blocks[0];
  switch (proof->kind) {
  case PROVED_BY_MOVERS: snprintf(text, room, "// movers: %s", proof->words); break;
  case PROVED_BY_ENVIRONMENT: snprintf(text, room, "// environment: %s", proof->words); break;
  case PROVED_BY_PAIRS:
    snprintf(text, room, "// %s: %s", strncmp(proof->words, "pairs", 5) == 0 ? "pairs" : "counting", proof->words);
    break;
  case PROVED_NOT: snprintf(text, room, answer == ANSWER_ATOMIC ? "// none:" : "// violated:"); break;
  }
  CU_ASSERT_EQUAL(answer == ANSWER_VIOLATED, strncmp(text, "// violated", 11) == 0);
  for (uint32_t i = 0; i < proof->n_chain; i++) {
    const size_t length = strlen(text);
    snprintf(text + length, room - length, " %s", net->notes->threads[proof->chain[i]].name);
  }
}

/* `searched`: there are few enough states to see the verdict. */
static void check_program(const char *name, bool searched) {
  char path[100], got[300], expected[300];
  InFile file;
  Err err;
  Heap *heap = heap_new(0);
  snprintf(path, sizeof path, "tests/proofs/%s.sml", name);
  CU_ASSERT_TRUE_FATAL(file_read(heap, path, &file, &err));
  SmlCase c = sml_case_with(file.text, file.length, GRANULARITY_STATEMENT, ENCODING_COMPACT);
  Answer answer = ANSWER_ATOMIC;
  if (searched) CU_ASSERT_TRUE_FATAL(colouring_search(c.heap, c.net, 100000, &answer, &err));
  CU_ASSERT_NOT_EQUAL(answer, ANSWER_UNKNOWN);
  Proofs *proofs = prove_net(c.heap, c.net, &ALL);
  describe(c.net, proofs, answer, got, sizeof got);
  snprintf(expected, sizeof expected, "%.*s", (int)strcspn(file.text, "\n"), file.text);
  if (strcmp(got, expected) != 0) printf("\n  %s: %s\n", path, got);
  CU_ASSERT_STRING_EQUAL(got, expected);
  prove_free(proofs);
  sml_case_end(&c);
  file_release(heap, &file);
  heap_free(heap);
}

static void programs(void) {
  static const char *const names[] = {
      "two_phase",    "flag_lock",  "nested_locks",   "released_inside", "one_step",           "published",
      "no_holder",    "one_way",    "one_way_copies", "barrier",         "own_copy",           "forgotten_lock",
      "two_sections", "wrong_lock", "spin_inside",    "through_two",     "enabled_by_a_third", "slice",
      "readers",      "peterson",   "readers_lock",   "saturates",       "two_flags",          "narrowed"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) check_program(names[i], true);
  check_program("many_at_barrier", false);
  check_program("many_readers", false);
}

/* ---- which stage ---- */

static ProofKind kind_with(const char *program, ProveOptions options) {
  SmlCase c = sml_case(program);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  Proofs *proofs = prove_net(c.heap, c.net, &options);
  CU_ASSERT_TRUE(proofs->complete);
  const ProofKind kind = proofs->blocks[0].kind;
  prove_free(proofs);
  sml_case_end(&c);
  return kind;
}

static ProofKind kind_by(const char *program, bool movers, bool environment) {
  return kind_with(program, (ProveOptions){.movers = movers, .environment = environment});
}

static void stages(void) {
  const char *simple = "int X; begin X := 1 end || X := 2";
  CU_ASSERT_EQUAL(kind_by(simple, true, false), PROVED_BY_MOVERS);
  CU_ASSERT_EQUAL(kind_by(simple, true, true), PROVED_BY_MOVERS);
  CU_ASSERT_EQUAL(kind_by(simple, false, true), PROVED_BY_ENVIRONMENT);
  CU_ASSERT_EQUAL(kind_by(simple, false, false), PROVED_NOT);
  CU_ASSERT_EQUAL(kind_by("int X, Y; t := X || begin X := 1; Y := 1 end || r := Y", true, false), PROVED_NOT);
  CU_ASSERT_EQUAL(kind_with(simple, (ProveOptions){.pairs = true}), PROVED_BY_PAIRS);
  CU_ASSERT_EQUAL(kind_with(simple, ALL), PROVED_BY_MOVERS);
}

static void blocks_are_chosen(void) {
  SmlCase c = sml_case("int X; begin X := 1 end; begin X := 2 end || X := 3");
  const bool blocks[] = {false, true};
  Proofs *proofs = prove_net(c.heap, c.net, &(ProveOptions){.movers = true, .blocks = blocks});
  CU_ASSERT_EQUAL(proofs->blocks[0].kind, PROVED_NOT);
  CU_ASSERT_EQUAL(proofs->blocks[1].kind, PROVED_BY_MOVERS);
  prove_free(proofs);
  sml_case_end(&c);
}

/* A block of a proc is run by several threads, and must be proved for all. */
static void all_callers_count(void) {
  CU_ASSERT_EQUAL(kind_by("int X, Y; proc p { begin X := 1; Y := 1 end } call p; skip || X := 2", true, true),
                  PROVED_BY_MOVERS);
  CU_ASSERT_EQUAL(kind_by("int X, Y; proc p { begin X := 1; Y := 1 end } call p; skip || call p", true, true),
                  PROVED_NOT);
}

/* ---- counters ---- */

/* The words of the proof of the first block, or "". */
static void check_words(const char *program, const char *expected) {
  SmlCase c = sml_case(program);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  Proofs *proofs = prove_net(c.heap, c.net, &(ProveOptions){.pairs = true});
  if (strcmp(proofs->blocks[0].words, expected) != 0) printf("\n  %s\n", proofs->blocks[0].words);
  CU_ASSERT_STRING_EQUAL(proofs->blocks[0].words, expected);
  prove_free(proofs);
  sml_case_end(&c);
}

#define WAITS " begin X := 1; X := 2 end || "

static void what_is_counted(void) {
  const char *counting = "counting (N)";
  check_words("int[3] N; int X; await (N = 2);" WAITS "x := X; N := N + 1 || x := X; N := N + 1", counting);
  /* so many may count that N comes round */
  check_words("int[3] N; int X; await (N = 2);" WAITS "4 * { x := X; N := N + 1 }", "");
  check_words("int[5] N; int X; await (N = 4);" WAITS "4 * { x := X; N := N + 1 }", counting);
  check_words("int[5] N; int X; await (N = 3);" WAITS "4 * { x := X; N := N + 1 }", "");
  /* down, from a value that is not 0, and by two */
  check_words("int[5] N := 3; int X; await (N = 0);" WAITS "x := X; N := N - 2 || x := X; N := N - 1", counting);
  check_words("int[5] N := 3; int X; await (N = 1);" WAITS "x := X; N := N - 2 || x := X; N := N - 1", "");
  /* in a loop, modulo 3; and one way is not as long as another one */
  check_words("int[3] N; int X; await (N = 2);" WAITS "while (true) { N := N + 1 } || x := X; N := N + 1", "");
  check_words("int[5] N; int X; await (N = 2);" WAITS "x := X; if (nondet = 1) { N := N + 1 } || x := X; N := N + 1",
              "");
  /* a step that is never taken does not count */
  check_words("int[5] N; bool D; int X; await (N = 2);" WAITS
              "x := X; N := N + 1; if (D) { N := 4 } || x := X; N := N + 1",
              counting);
  /* what one does alone is a matter of values */
  check_words("int[3] N; int X; await (N = 2);" WAITS "x := X; N := N + 1; N := N + 1",
              "the environment: no chain through other threads comes back");
}

static void what_is_said_of_copies(void) {
  check_words("int[3] N; int X; await (N = 2);" WAITS "2 * { x := X; N := N + 1 }", "counting (N)");
  const char *peterson = "bool F, G, T; int X, Y;"
                         "F := true; T := true; await (!G or !T); begin X := 1; X := 2 end; F := false ||"
                         "G := true; T := false; await (!F or T); x := X; G := false";
  char text[400];
  check_words(peterson, "pairs of threads (F, G, T)");
  snprintf(text, sizeof text, "%s || 2 * { y := Y }", peterson);
  check_words(text, "pairs of threads (F, G, T), for any number of copies");
  snprintf(text, sizeof text, "int[5] N; %s || 2 * { N := N + 1 }", peterson);
  check_words(text, "pairs of threads (F, G, T), and counting (N)");
}

/* Where the environment has found a chain, pairs need not look for it again; but they prove what they prove alone. */
static void check_after_environment(SmlCase c) {
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  Proofs *alone = prove_net(c.heap, c.net, &(ProveOptions){.pairs = true});
  Proofs *after = prove_net(c.heap, c.net, &(ProveOptions){.environment = true, .pairs = true});
  for (uint32_t b = 0; b < alone->n_blocks; b++)
    CU_ASSERT_EQUAL(alone->blocks[b].kind == PROVED_NOT, after->blocks[b].kind == PROVED_NOT);
  prove_free(alone);
  prove_free(after);
  sml_case_end(&c);
}

static void pairs_after_the_environment(void) {
  check_after_environment(sml_case("bool F, G, T; int X; while (true) { F := true; T := true; await (!G or !T);"
                                   "begin X := 1; X := 2 end; F := false } || while (true) { G := true; T := false;"
                                   "await (!F or T); begin X := 3; X := 4 end; G := false }"));
  check_after_environment(sml_case("int[3] N; int X; await (N = 2);" WAITS "x := X; N := N + 1 || x := X; N := N + 1"));
  for (uint64_t seed = 1; seed <= 200; seed++) {
    Heap *heap = heap_new(0);
    CharVec text = {0};
    random_protocol(heap, seed, &text);
    check_after_environment(sml_case_with(text.at, text.n, GRANULARITY_STATEMENT, ENCODING_COMPACT));
    heap_free(heap);
  }
}

/* ---- slices ---- */

/* "T1 T2": the threads that the first block needs. */
static void check_slice(const char *program, const char *expected) {
  char got[100] = "";
  SmlCase c = sml_case(program);
  Proofs *proofs = prove_net(c.heap, c.net, &(ProveOptions){.movers = true, .environment = true, .slice = true});
  const BlockProof *proof = &proofs->blocks[0];
  for (uint32_t i = 0; i < proof->n_slice; i++) {
    const size_t length = strlen(got);
    snprintf(got + length, sizeof got - length, "%s%s", i ? " " : "", c.net->notes->threads[proof->slice[i]].name);
  }
  CU_ASSERT_STRING_EQUAL(got, expected);
  prove_free(proofs);
  sml_case_end(&c);
}

static void slices(void) {
  check_slice("int X; begin X := 1 end || X := 2", ""); /* proved */
  check_slice("int X, Y; begin X := 1; X := 2 end || x := X || Y := 1 || y := Y", "T1 T2");
  check_slice("int X, Y; lock l; begin acquire(l) X := 1; release(l) X := 2 end || x := X || acquire(l) Y := 1; "
              "release(l) || y := Y",
              "T1 T2"); /* a lock keeps nobody */
  check_slice("bool F; int X; begin X := 1; X := 2 end || await (F); t := X || F := true || F := false || x := 1",
              "T1 T2 T3 T4");
  check_slice("bool F; int X; begin X := 1; X := 2 end || await (F); t := X || await (F) || F := true",
              "T1 T2 T4"); /* who looks */
  check_slice(
      "bool M; int X; begin X := 1; X := 2 end || await (M); t := X || atomic { await (!M); M := true }; M := false",
      "T1 T2 T3"); /* a lock that others look at while it is held */
  check_slice("int X; begin X := 1; X := 2 end || 3 * { x := X } || 2 * { y := 1 }", "T1 T2 T3 T4"); /* all copies */
}

/* ---- facts ---- */

/* How many objects are found to be locks. */
static uint32_t count_bits(const char *program) {
  SmlCase c = sml_case(program);
  Classes classes;
  Known facts;
  Err err;
  CU_ASSERT_TRUE_FATAL(classes_init(&classes, c.heap, c.net, &err));
  CU_ASSERT_TRUE_FATAL(known_init(&facts, c.heap, &classes));
  const uint32_t n = facts.n_bits;
  known_fini(&facts);
  classes_fini(&classes);
  sml_case_end(&c);
  return n;
}

static void what_is_a_lock(void) {
  CU_ASSERT_EQUAL(count_bits("lock l; acquire(l) release(l) || acquire(l) release(l)"), 1);
  CU_ASSERT_EQUAL(count_bits("bool M; await(!M); M := true; M := false || await(!M); M := true; M := false"),
                  0); /* not in one step */
  CU_ASSERT_EQUAL(count_bits("bool M; N * { atomic { await(!M); M := true }; M := false }"), 1);
  CU_ASSERT_EQUAL(count_bits("bool M := true; N * { atomic { await(M); M := false }; M := true }"), 1);
  CU_ASSERT_EQUAL(count_bits("bool M; N * { atomic { await(!M); M := true }; M := false } || M := false"), 0);
  CU_ASSERT_EQUAL(count_bits("int[3] M; N * { atomic { await(M = 0); M := 1 }; M := 2; M := 0 }"), 1);
}

/* ---- any number of copies ---- */

enum { COPIED = 400, STATES = 60000 };

/* The net with `n` instead of 2 copies of what has copies, or NULL if there are none. */
static Net *with_copies(Heap *heap, const CharVec *text, char n) {
  CharVec copy = {0};
  uint32_t found = 0;
  for (uint32_t i = 0; i < text->n; i++) {
    const bool here = text->n - i > 4 && memcmp(text->at + i, "2 * {", 5) == 0;
    found += here;
    vec_push(heap, &copy, here ? n : text->at[i]);
  }
  Diag diag;
  diag_init(&diag, heap, "random.sml", copy.at, copy.n);
  Net *net = found ? sml_compile(heap, &(SmlOptions){0}, &diag) : NULL;
  diag_fini(&diag);
  return net;
}

typedef struct {
  uint32_t proved, confirmed;
} Tally;

static void check_more_copies(Heap *heap, const Proofs *proofs, const Net *more, Tally *tally) {
  Answer answers[32];
  Err err;
  CU_ASSERT_TRUE_FATAL(more->notes->n_blocks == proofs->n_blocks && proofs->n_blocks <= 32);
  CU_ASSERT_TRUE_FATAL(colouring_search(heap, more, STATES, answers, &err));
  for (uint32_t b = 0; b < proofs->n_blocks; b++) {
    if (!strstr(proofs->blocks[b].words, "any number of copies")) continue;
    tally->proved++;
    tally->confirmed += answers[b] == ANSWER_ATOMIC;
    CU_ASSERT_NOT_EQUAL(answers[b], ANSWER_VIOLATED);
  }
}

static void check_copied(Heap *heap, const CharVec *text, Tally *tally) {
  Net *two = with_copies(heap, text, '2'), *three = with_copies(heap, text, '3');
  if (two && three) {
    Proofs *proofs = prove_net(heap, two, &ALL);
    check_more_copies(heap, proofs, three, tally);
    prove_free(proofs);
  }
  net_free(two);
  net_free(three);
}

static void proofs_hold_for_more_copies(void) {
  Tally tally = {0}, protocols = {0};
  for (uint64_t seed = 1; seed <= COPIED; seed++) {
    Heap *heap = heap_new(0);
    CharVec text = {0};
    random_sml(heap, seed, RANDOM_WIDE, &text);
    check_copied(heap, &text, &tally);
    vec_clear(&text);
    random_protocol(heap, seed, &text);
    check_copied(heap, &text, &protocols);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(tally.proved > 100 && tally.confirmed > 60);
  CU_ASSERT_TRUE(protocols.proved > 10 && protocols.confirmed > 5);
}

/* ---- nets that no proof is about, and ending early ---- */

static void check_refused(const char *script, const char *why) {
  Heap *heap = heap_new(0);
  Err err;
  Net *net = net_script(heap, script, strlen(script), &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  Proofs *proofs = prove_net(heap, net, &ALL);
  CU_ASSERT_PTR_NOT_NULL(strstr(proofs->why, why));
  CU_ASSERT_TRUE(proofs->complete);
  for (uint32_t b = 0; b < proofs->n_blocks; b++) CU_ASSERT_EQUAL(proofs->blocks[b].kind, PROVED_NOT);
  prove_free(proofs);
  net_free(net);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void refused_nets(void) {
  /* p2 gets a second token */
  check_refused(
      "p0 u0 *\np1 u1 *\np2 -\np3 u0\np4 u1\np0 -> t0\nt0 -> p2\nt0 -> p3\np1 -> t1\nt1 -> p2\nt1 -> p4\n--begin=t0\n",
      "not 1-safe");
  /* u0 forks */
  check_refused("p0 u0 *\np1 u0\np2 u0\np0 -> t0\nt0 -> p1\nt0 -> p2\np1 -> t1\n--begin=t0\n", "not sequential");
}

/* In a net of another tool a begin may touch what others touch: a chain may leave there. */
static void begin_that_touches(void) {
  static const char script[] =
      "p0 u0 *\np1 u0\np2 u0\np3 u1 *\np4 u1\np5 - *\np0 -> t0\np5 -> t0\nt0 -> p1\nt0 -> p5\n"
      "p1 -> t1\np5 -> t1\nt1 -> p2\nt1 -> p5\np3 -> t2\np5 -> t2\nt2 -> p4\nt2 -> p5\n--begin=t0\n";
  Heap *heap = heap_new(0);
  Err err;
  Net *net = net_script(heap, script, strlen(script), &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  Proofs *proofs = prove_net(heap, net, &ALL);
  CU_ASSERT_STRING_EQUAL(proofs->why, "");
  CU_ASSERT_EQUAL(proofs->blocks[0].kind, PROVED_NOT);
  prove_free(proofs);
  net_free(net);
  heap_free(heap);
}

static void ends_early(void) {
  SmlCase c = sml_case("int X; bool F; begin X := 1; F := true end || await(F); X := 2");
  const Stop stop = {.asked = STOP_TIME};
  heap_watch(c.heap, &stop);
  Proofs *proofs = prove_net(c.heap, c.net, &ALL);
  CU_ASSERT_FALSE(proofs->complete);
  CU_ASSERT_EQUAL(proofs->blocks[0].kind, PROVED_NOT);
  prove_free(proofs);
  heap_watch(c.heap, NULL);
  sml_case_end(&c);
}

void suite_prove(void) {
  CU_pSuite suite = CU_add_suite("prove", NULL, NULL);
  CU_ADD_TEST(suite, programs);
  CU_ADD_TEST(suite, stages);
  CU_ADD_TEST(suite, blocks_are_chosen);
  CU_ADD_TEST(suite, all_callers_count);
  CU_ADD_TEST(suite, what_is_counted);
  CU_ADD_TEST(suite, what_is_said_of_copies);
  CU_ADD_TEST(suite, pairs_after_the_environment);
  CU_ADD_TEST(suite, slices);
  CU_ADD_TEST(suite, what_is_a_lock);
  CU_ADD_TEST(suite, proofs_hold_for_more_copies);
  CU_ADD_TEST(suite, refused_nets);
  CU_ADD_TEST(suite, begin_that_touches);
  CU_ADD_TEST(suite, ends_early);
}
