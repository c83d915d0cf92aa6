/* Any number of threads: what is said of all numbers, and of the least ones, against explicit search of the programs
 * with small numbers; by all stages, without proofs, and by the search backwards alone. */
#include "ask/any_number.h"

#include "petri/instance.h"
#include "prove/backward.h"
#include "tests/oracle/colouring.h"
#include "tests/oracle/random_sml.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

/* ---- a claim ---- */

enum { MOST_BLOCKS = 32 };

/* Is a block violated, and first with which N and M? A count that the program does not have is 0. */
typedef struct {
  Verdict verdict;
  uint32_t n, m;
} Claim;

static Claim claim_of(Verdict verdict, const uint32_t *numbers, const char *const *names, uint32_t n_names) {
  Claim claim = {.verdict = verdict};
  for (uint32_t i = 0; numbers && i < n_names; i++)
    if (names[i][0] == 'N') claim.n = numbers[i];
    else claim.m = numbers[i];
  return claim;
}

static bool ask(Heap *heap, const char *text, size_t length, const AtomicityOptions *options, uint64_t max_events,
                AnyNumber *found, Err *err) {
  Arena arena;
  arena_init(&arena, heap);
  const InFile file = {.name = "t.sml", .text = arena_copy(&arena, text, length), .length = length};
  const BlockInputOptions input = {.program.sml.unmarked = SML_UNMARKED_FAILS};
  *err = (Err){0};
  const bool good = any_number_check(heap, &file, &input, options, &(AskLimits){.max_events = max_events}, found, err);
  arena_fini(&arena);
  return good;
}

/* How many blocks there are; *claims about them. */
static uint32_t claim_by_asking(Heap *heap, const CharVec *text, unsigned tries, Claim *claims) {
  const AtomicityOptions options = {.tries = tries, .colour.reduce = true};
  AnyNumber found;
  Err err;
  CU_ASSERT_TRUE_FATAL(ask(heap, text->at, text->n, &options, 300000, &found, &err));
  const uint32_t n = found.n_blocks;
  CU_ASSERT_TRUE_FATAL(n <= MOST_BLOCKS);
  for (uint32_t i = 0; i < n; i++)
    claims[i] = claim_of(found.blocks[i].verdict, found.blocks[i].numbers, found.open, found.n_open);
  any_number_fini(&found);
  return n;
}

/* ---- backwards alone ---- */

static Net *compile_with(Heap *heap, const char *text, size_t length, uint32_t n, uint32_t m) {
  const SmlDefine defines[] = {{"N", n}, {"M", m}};
  Diag diag;
  diag_init(&diag, heap, "t.sml", text, length);
  Net *net = sml_compile(heap, &(SmlOptions){.defines = defines, .n_defines = 2}, &diag);
  diag_fini(&diag);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  return net;
}

/* With two for each open count, and notes about them. */
static Net *compile_open(Heap *heap, const CharVec *text, Encoding encoding) {
  Diag diag;
  diag_init(&diag, heap, "t.sml", text->at, text->n);
  Net *net = sml_compile(heap, &(SmlOptions){.any_number = true, .encoding = encoding}, &diag);
  diag_fini(&diag);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  return net;
}

/* Of the net alone. */
static void claim_by_net(Heap *heap, const CharVec *text, Encoding encoding, Claim *claims) {
  const AtomicityOptions options = {.tries = TRY_ALL, .colour.reduce = true};
  BlockInput input = {.net = compile_open(heap, text, encoding)};
  AnyNumber found;
  Err err;
  if (!input.net->notes->n_counts) { /* as it was before */
    net_free(input.net);
    return;
  }
  CU_ASSERT_TRUE_FATAL(any_number_check_net(heap, &input, &options, &(AskLimits){.max_events = 300000}, &found, &err));
  for (uint32_t i = 0; i < found.n_blocks; i++)
    claims[i] = claim_of(found.blocks[i].verdict, found.blocks[i].numbers, found.open, found.n_open);
  any_number_fini(&found);
}

static Claim claim_backward(Backward *backward, uint32_t block, const Notes *notes) {
  uint32_t tuple[2];
  uint64_t elements;
  switch (backward_search(backward, block, 100000, NULL, tuple, &elements)) {
  case BACKWARD_NEVER: return claim_of(VERDICT_HOLDS, NULL, NULL, 0);
  case BACKWARD_FOUND: return claim_of(VERDICT_VIOLATED, tuple, notes->counts, notes->n_counts);
  case BACKWARD_LIMIT:
  case BACKWARD_ASKED: break;
  }
  return (Claim){0};
}

/* No claim where a thread acquires a lock that it has: each copy is then stuck with an object of its own. */
static void claim_by_searching(Heap *heap, const CharVec *text, Claim *claims) {
  Err err;
  Net *net = compile_open(heap, text, ENCODING_COMPACT);
  const Notes *notes = net->notes;
  uint32_t *of_group = heap_alloc(heap, (notes->n_threads + (size_t)1) * sizeof *of_group);
  for (uint32_t i = 0; i < notes->n_threads; i++) of_group[notes->threads[i].group] = notes->threads[i].count;
  const OpenNumbers open = {notes->n_counts, of_group};
  Backward *backward = backward_new(heap, net, &open, &err);
  for (uint32_t b = 0; b < notes->n_blocks; b++) claims[b] = backward ? claim_backward(backward, b, notes) : (Claim){0};
  backward_free(backward);
  net_free(net);
  heap_release(heap, of_group);
}

/* ---- random programs ---- */

enum { WAYS = 4, LARGEST = 4, STATES = 20000 };

typedef struct {
  CharVec text;
  bool has_m;
  uint32_t n_blocks;
  Claim claims[WAYS][MOST_BLOCKS];
} Case;

typedef struct {
  uint32_t n[VERDICT_KINDS], confirmed, refuted;
} Tally;

static bool has_count(const CharVec *text, const char *count) {
  for (uint32_t i = 0; i + 5 <= text->n; i++)
    if (memcmp(text->at + i, count, 5) == 0) return true;
  return false;
}

/* The claim says violated from its numbers on, and with no smaller sum. */
static bool is_refuted(const Claim *claim, Answer answer, uint32_t n, uint32_t m) {
  if (answer == ANSWER_UNKNOWN || claim->verdict == VERDICT_UNKNOWN) return false;
  if (claim->verdict == VERDICT_HOLDS) return answer == ANSWER_VIOLATED;
  if (n >= claim->n && m >= claim->m) return answer == ANSWER_ATOMIC;
  return n + m < claim->n + claim->m && answer == ANSWER_VIOLATED;
}

static void compare_claim(const Case *c, uint32_t way, uint32_t block, Answer answer, uint32_t n, uint32_t m,
                          Tally *tally) {
  const Claim *claim = &c->claims[way][block];
  tally->confirmed += answer != ANSWER_UNKNOWN && claim->verdict != VERDICT_UNKNOWN;
  if (!is_refuted(claim, answer, n, m)) return;
  tally->refuted++;
  printf("\n  way %u, block %u: %d from N = %u, M = %u on, but with %u, %u it is %s:\n%.*s\n", way, block + 1,
         (int)claim->verdict, claim->n, claim->m, n, m, answer_name(answer), (int)c->text.n, c->text.at);
}

/* The net with these numbers that is made of the one with open counts says the same. */
static void compare_instance(Heap *heap, const Case *c, uint32_t n, uint32_t m, const Answer *expected) {
  Answer answers[MOST_BLOCKS];
  uint32_t numbers[2];
  Err err;
  Net *net = compile_open(heap, &c->text, n % 2 ? ENCODING_COMPACT : ENCODING_PAPER);
  for (uint32_t i = 0; i < net->notes->n_counts; i++) numbers[i] = net->notes->counts[i][0] == 'N' ? n : m;
  Net *instance = instance_of(heap, net, numbers, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(instance);
  CU_ASSERT_TRUE(net_audit(instance, &err));
  CU_ASSERT_TRUE_FATAL(colouring_search(heap, instance, STATES, answers, &err));
  for (uint32_t b = 0; b < c->n_blocks; b++)
    if (answers[b] != expected[b] && answers[b] != ANSWER_UNKNOWN && expected[b] != ANSWER_UNKNOWN) {
      CU_FAIL("an instance of a net is another one than that of the program");
      printf("\n  %u %u, block %u:\n%.*s\n", n, m, b + 1, (int)c->text.n, c->text.at);
    }
  net_free(instance);
  net_free(net);
}

/* With these numbers, by explicit search. */
static void compare_with(const Case *c, uint32_t n, uint32_t m, Tally *tally) {
  Answer answers[MOST_BLOCKS];
  Heap *heap = heap_new(0);
  Err err;
  Net *net = compile_with(heap, c->text.at, c->text.n, n, m);
  CU_ASSERT_EQUAL_FATAL(net->notes->n_blocks, c->n_blocks);
  CU_ASSERT_TRUE_FATAL(colouring_search(heap, net, STATES, answers, &err));
  for (uint32_t way = 0; way < WAYS; way++)
    for (uint32_t b = 0; b < c->n_blocks; b++) compare_claim(c, way, b, answers[b], n, m, tally);
  if (n + m < LARGEST) compare_instance(heap, c, n, m, answers);
  net_free(net);
  heap_free(heap);
}

static void check_seed(uint64_t seed, Tally *tally) {
  Heap *heap = heap_new(0);
  Case c = {0};
  random_sml(heap, seed, RANDOM_OPEN, &c.text);
  c.has_m = has_count(&c.text, "M * {");
  c.n_blocks = claim_by_asking(heap, &c.text, TRY_ALL, c.claims[0]);
  claim_by_asking(heap, &c.text, 0, c.claims[1]);
  claim_by_searching(heap, &c.text, c.claims[2]);
  claim_by_net(heap, &c.text, seed % 3 ? ENCODING_COMPACT : ENCODING_PAPER, c.claims[3]);
  for (uint32_t b = 0; b < c.n_blocks; b++) tally->n[c.claims[0][b].verdict]++;
  const uint32_t before = tally->refuted;
  for (uint32_t n = 0; n <= LARGEST; n++)
    for (uint32_t m = 0; m <= (c.has_m ? LARGEST - n : 0); m++) compare_with(&c, n, m, tally);
  if (tally->refuted > before) printf("  seed %llu\n", (unsigned long long)seed);
  vec_fini(heap, &c.text);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

#ifndef SEEDS
#define SEEDS 1, 300
#endif

static void random_programs(void) {
  static const uint64_t seeds[] = {SEEDS};
  Tally tally = {0};
  for (uint64_t seed = seeds[0]; seed <= seeds[1]; seed++) check_seed(seed, &tally);
  CU_ASSERT_EQUAL(tally.refuted, 0);
  CU_ASSERT_TRUE(tally.n[VERDICT_HOLDS] > 200 && tally.n[VERDICT_VIOLATED] > 30 && tally.confirmed > 3000);
  CU_ASSERT_TRUE(tally.n[VERDICT_UNKNOWN] < 30);
#ifdef TELL
  printf("atomic %u violated %u unknown %u confirmed %u refuted %u\n", tally.n[VERDICT_HOLDS],
         tally.n[VERDICT_VIOLATED], tally.n[VERDICT_UNKNOWN], tally.confirmed, tally.refuted);
#endif
}

/* ---- programs whose answers are known ---- */

/* "atomic", "violated 2", "violated 4 1": N, then M; and how the grounds begin. */
static void check_answer(const char *program, const char *expected, const char *grounds) {
  Heap *heap = heap_new(0);
  const AtomicityOptions options = {.tries = TRY_ALL, .colour.reduce = true};
  char got[100] = "unknown";
  AnyNumber found;
  Err err;
  CU_ASSERT_TRUE_FATAL(ask(heap, program, strlen(program), &options, 0, &found, &err));
  const BlockVerdict *block = &found.blocks[0];
  if (block->verdict == VERDICT_HOLDS) snprintf(got, sizeof got, "atomic");
  if (block->verdict == VERDICT_VIOLATED) snprintf(got, sizeof got, "violated %u", block->numbers[0]);
  if (block->verdict == VERDICT_VIOLATED && found.n_open > 1)
    snprintf(got + strlen(got), sizeof got - strlen(got), " %u", block->numbers[1]);
  CU_ASSERT_STRING_EQUAL(got, expected);
  CU_ASSERT_EQUAL(block->witness != NULL, block->verdict == VERDICT_VIOLATED);
  if (strncmp(block->grounds, grounds, strlen(grounds)) != 0) printf("\n  %s: %s\n", program, block->grounds);
  CU_ASSERT_EQUAL(strncmp(block->grounds, grounds, strlen(grounds)), 0);
  any_number_fini(&found);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

#define SPIN "f := true; while (f = true) { atomic { f := M; M := true } }; "
#define UPDATE "x := DATA; DATA := x + 1 "

static void locks(void) {
  check_answer("bool M; int DATA; N * { local bool f; while (true) { " SPIN "begin " UPDATE "end; M := false } }",
               "atomic", "proved by two-phase locking (M as a lock), for any number of copies");
  check_answer("lock l; int DATA; N * { while (true) { begin acquire(l); " UPDATE "; release(l) end } }", "atomic",
               "proved by two-phase locking (l), for any number of copies");
  check_answer("bool M; int DATA; N * { local bool f; while (true) { begin " SPIN UPDATE "end; M := false } }",
               "violated 2", "found with threads T1, T2 alone");
  check_answer("bool M; int DATA; N * { while (true) { await (!M); M := true; begin " UPDATE "end; M := false } }",
               "violated 2", "found with threads T1, T2 alone"); /* tested and set in two steps */
  check_answer("int DATA; lock l; begin acquire(l); " UPDATE "release(l) end || N * { DATA := 7 }", "violated 1",
               "found");
  check_answer("int DATA; begin " UPDATE "end || N * { DATA := 7 } || DATA := 7", "violated 0", "found");
}

/* Counters, which the environment does not see through. */
static void counters(void) {
  check_answer("int[3] S := 1; int DATA; N * { while (true) { atomic { await (S > 0); S := S - 1 }; begin " UPDATE
               "end; S := S + 1 } }",
               "atomic", "for every N: backward coverability, ");
  check_answer("int[3] S := 2; int DATA; N * { while (true) { atomic { await (S > 0); S := S - 1 }; begin " UPDATE
               "end; S := S + 1 } }",
               "violated 2", "found");
  check_answer("int[6] R; int D; N * { R := R + 1 } || begin D := 1; D := 2 end || await (R = 5); D := 7", "violated 5",
               "");
  check_answer(
      "int[9] C; int X; N * { x := X; atomic { await (C < 8); C := C + 1 } } || await (C = 8); begin X := 1; X "
      ":= 2 end",
      "violated 9", "");
  check_answer("int[4] R; bool W; int D; N * { while (true) { atomic { await (!W); R := R + 1 }; begin x := D; y := D "
               "end; R := R - 1 } } || M * { while (true) { atomic { await (!W && R = 0); W := true }; D := 1; W := "
               "false } }",
               "violated 4 1", "");
}

/* What has a number is never more: the three do not count to four. */
static void numbers_that_are_set(void) {
  check_answer(
      "int[6] C; int X; 3 * { C := C + 1 } || N * { x := C } || begin X := 1; X := 2 end || await (C = 4); X := 3",
      "atomic", "for every N: backward coverability, ");
  check_answer(
      "int[6] C; int X; 3 * { C := C + 1 } || N * { x := C } || begin X := 1; X := 2 end || await (C = 3); X := 3",
      "violated 0", "");
}

/* ---- tests/proofs ---- */

/* The first line says what comes out, for the only block; of the grounds, how they begin. */
static void check_file(const char *path) {
  Heap *heap = heap_new(0);
  const AtomicityOptions options = {.tries = TRY_ALL, .colour.reduce = true};
  char got[200] = "// unknown";
  InFile file;
  AnyNumber found;
  Err err = {0};
  CU_ASSERT_TRUE_FATAL(file_read(heap, path, &file, &err));
  CU_ASSERT_TRUE_FATAL(any_number_check(heap, &file, &(BlockInputOptions){0}, &options, &(AskLimits){0}, &found, &err));
  const BlockVerdict *block = &found.blocks[0];
  if (block->verdict == VERDICT_HOLDS) snprintf(got, sizeof got, "// atomic %s", block->grounds);
  if (block->verdict == VERDICT_VIOLATED) snprintf(got, sizeof got, "// violated with N = %u", block->numbers[0]);
  const size_t length = strcspn(file.text, "\n");
  if (strncmp(got, file.text, length) != 0) printf("\n  %s: %s\n", path, got);
  CU_ASSERT_EQUAL(strncmp(got, file.text, length), 0);
  any_number_fini(&found);
  file_release(heap, &file);
  heap_free(heap);
}

static void proofs(void) {
  check_file("tests/proofs/semaphore.sml");
  check_file("tests/proofs/gate.sml");
  check_file("tests/proofs/count_to_five.sml");
}

/* ---- what is refused, and ending early ---- */

static void check_error(const char *program, const char *expected) {
  Heap *heap = heap_new(0);
  AnyNumber found;
  Err err;
  CU_ASSERT_FALSE(ask(heap, program, strlen(program), &(AtomicityOptions){0}, 0, &found, &err));
  CU_ASSERT_EQUAL(err.kind, ERR_INPUT);
  CU_ASSERT_STRING_EQUAL(err.text, expected);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void errors(void) {
  check_error("int X; begin X := 1 end", "t.sml: no count is open");
  check_error("PEP\nPTNet\nFORMAT_N\nPL\n\"p\"M1\nTR\n\"t\"\nTP\nPT\n1>1\n",
              "t.sml: a net has a fixed number of threads");
  check_error("int X; N * { begin X := 1 ", "");
}

static void limits(void) {
  static const char program[] = "int[3] S := 1; int DATA; N * { while (true) { atomic { await (S > 0); S := S - 1 }; "
                                "begin x := DATA; DATA := x end; S := S + 1 } }";
  for (uint64_t most = 1; most < 300; most += 23) {
    Heap *heap = heap_new(0);
    AnyNumber found;
    Err err;
    const AtomicityOptions options = {.tries = TRY_ALL, .colour.reduce = true};
    CU_ASSERT_TRUE_FATAL(ask(heap, program, sizeof program - 1, &options, most, &found, &err));
    CU_ASSERT_EQUAL(found.verdict, VERDICT_UNKNOWN);
    CU_ASSERT_PTR_NOT_NULL(strstr(found.why, "events was reached"));
    any_number_fini(&found);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    heap_free(heap);
  }
}

static void ends_early(void) {
  const Stop stop = {.asked = STOP_TIME};
  Heap *heap = heap_new(0);
  static const char program[] = "int X; N * { begin X := 1; X := 2 end }";
  AnyNumber found;
  Err err;
  Net *net = compile_with(heap, program, sizeof program - 1, 2, 0);
  const uint32_t of_group[] = {0};
  heap_watch(heap, &stop);
  CU_ASSERT_PTR_NULL(backward_new(heap, net, &(OpenNumbers){1, of_group}, &err));
  CU_ASSERT_TRUE_FATAL(ask(heap, program, sizeof program - 1, &(AtomicityOptions){.tries = TRY_ALL}, 0, &found, &err));
  CU_ASSERT_EQUAL(found.verdict, VERDICT_UNKNOWN);
  CU_ASSERT_TRUE(found.why[0] != '\0');
  any_number_fini(&found);
  heap_watch(heap, NULL);
  net_free(net);
  heap_free(heap);
}

static void without_unfolding(void) {
  Heap *heap = heap_new(0);
  AnyNumber found;
  Err err;
  static const char program[] = "int X; N * { begin X := 1; X := 2 end }";
  const AtomicityOptions options = {.tries = TRY_MOVERS, .never_whole = true};
  CU_ASSERT_TRUE_FATAL(ask(heap, program, sizeof program - 1, &options, 0, &found, &err));
  CU_ASSERT_EQUAL(found.verdict, VERDICT_UNKNOWN);
  CU_ASSERT_STRING_EQUAL(found.why, "the chosen stages did not decide it");
  any_number_fini(&found);
  heap_free(heap);
}

/* ---- tuples ---- */

static void tuples_in_order(void) {
  static const uint32_t expected[][3] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 0, 2}, {0, 1, 1},
                                         {0, 2, 0}, {1, 0, 1}, {1, 1, 0}, {2, 0, 0}, {0, 0, 3}};
  uint32_t tuple[3] = {0};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    CU_ASSERT_EQUAL(memcmp(tuple, expected[i], sizeof tuple), 0);
    for (size_t k = 0; k < i; k++) {
      CU_ASSERT_TRUE(counted_is_before(expected[k], expected[i], 3));
      CU_ASSERT_FALSE(counted_is_before(expected[i], expected[k], 3));
    }
    CU_ASSERT_FALSE(counted_is_before(expected[i], expected[i], 3));
    counted_next(tuple, 3);
  }
  uint32_t one = 6;
  counted_next(&one, 1);
  CU_ASSERT_EQUAL(one, 7);
}

/* Threads that are alike are one class, whoever counts them. */
static void least_tuples(void) {
  static const char program[] = "int X; N * { X := 1 } || X := 1 || M * { X := 1 } || M * { begin x := X; X := 2 end }";
  Heap *heap = heap_new(0);
  Classes classes;
  Counted counted;
  Err err;
  Net *net = compile_with(heap, program, sizeof program - 1, 2, 2);
  static const uint32_t of_group[] = {0, NOTE_NONE, 1, 1};
  CU_ASSERT_TRUE_FATAL(classes_init(&classes, heap, net, &err));
  CU_ASSERT_TRUE_FATAL(counted_init(&counted, heap, &classes, &(OpenNumbers){2, of_group}));
  CU_ASSERT_EQUAL_FATAL(classes.n_classes, 2);
  uint32_t tuple[2];
  counted_least(&counted, (uint32_t[]){1, 0}, tuple);
  CU_ASSERT_TRUE(tuple[0] == 0 && tuple[1] == 0);
  counted_least(&counted, (uint32_t[]){3, 0}, tuple);
  CU_ASSERT_TRUE(tuple[0] == 0 && tuple[1] == 2);
  counted_least(&counted, (uint32_t[]){4, 1}, tuple);
  CU_ASSERT_TRUE(tuple[0] == 0 && tuple[1] == 3);
  CU_ASSERT_TRUE(counted_most(&counted, 0) == COUNTED_ANY && counted_most(&counted, 1) == COUNTED_ANY);
  counted_fini(&counted);
  CU_ASSERT_FALSE(
      counted_init(&counted, heap, &classes, &(OpenNumbers){1, (uint32_t[]){0, 0, 0, 0}})); /* a single one */
  classes_fini(&classes);
  net_free(net);
  heap_free(heap);
}

/* ---- sets that are closed upwards ---- */

/* A multiset of 4 numbers, as how often each is there: two bits each. */
static uint32_t numbers_of(uint32_t code, uint32_t *numbers) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < 4; i++)
    for (uint32_t k = code >> (2 * i) & 3; k > 0; k--) numbers[n++] = i;
  return n;
}

static bool is_below(uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < 8; i += 2)
    if ((a >> i & 3) > (b >> i & 3)) return false;
  return true;
}

/* Random multisets, with two keys, against all that are there. */
static void upward_sets(void) {
  enum { TIMES = 60 };
  Heap *heap = heap_new(0);
  for (uint64_t seed = 0; seed < 200; seed++) {
    Upward set;
    uint32_t codes[TIMES], keys[TIMES], numbers[12];
    upward_init(&set, heap);
    uint32_t n = 0;
    for (uint32_t i = 0; i < TIMES; i++) {
      const uint64_t random = (seed * TIMES + i + 1) * 0x9e3779b97f4a7c15u;
      const uint32_t code = (uint32_t)(random >> 40) & 255, words[3] = {(uint32_t)(random >> 60) & 1, 7, 9};
      bool expected = true;
      for (uint32_t k = 0; k < n; k++) expected = expected && !(keys[k] == words[0] && is_below(codes[k], code));
      const uint32_t length = numbers_of(code, numbers);
      CU_ASSERT_EQUAL(upward_add(&set, words, numbers, length), expected);
      if (!expected) continue;
      codes[n] = code;
      keys[n++] = words[0];
      for (uint32_t k = 0; k < n; k++) {
        bool above = false;
        for (uint32_t l = k + 1; l < n; l++) above = above || (keys[l] == keys[k] && is_below(codes[l], codes[k]));
        CU_ASSERT_EQUAL(set.elements.at[k].is_dropped, above);
      }
      uint32_t got[3];
      upward_key(&set, n - 1, got);
      CU_ASSERT_EQUAL(memcmp(got, words, sizeof got), 0);
    }
    upward_fini(&set);
  }
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

void suite_any_number(void) {
  CU_pSuite suite = CU_add_suite("any_number", NULL, NULL);
  CU_ADD_TEST(suite, random_programs);
  CU_ADD_TEST(suite, locks);
  CU_ADD_TEST(suite, counters);
  CU_ADD_TEST(suite, numbers_that_are_set);
  CU_ADD_TEST(suite, proofs);
  CU_ADD_TEST(suite, errors);
  CU_ADD_TEST(suite, limits);
  CU_ADD_TEST(suite, ends_early);
  CU_ADD_TEST(suite, without_unfolding);
  CU_ADD_TEST(suite, tuples_in_order);
  CU_ADD_TEST(suite, least_tuples);
  CU_ADD_TEST(suite, upward_sets);
}
