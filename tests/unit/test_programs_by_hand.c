/* Prediction for programs: schedules that can be checked by hand, hostile programs, errors, running out of memory. */
#include "tests/unit/sml_case.h"
#include "tests/unit/sml_predict.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- by hand ---- */

typedef struct {
  Heap *heap;
  Diag diag;
  PushdownPrediction prediction;
  Err err;
  bool good;
} Hand;

static void hand_open(Hand *h, const char *text, Granularity granularity) {
  *h = (Hand){.heap = heap_new(0)};
  diag_init(&h->diag, h->heap, "t.sml", text, strlen(text));
  h->good = sml_predict(h->heap, &h->diag, granularity, &h->prediction, &h->err);
}

static void hand_close(Hand *h) {
  if (h->good) pushdown_prediction_fini(h->heap, &h->prediction);
  diag_fini(&h->diag);
  CU_ASSERT_EQUAL(heap_used(h->heap), 0);
  heap_free(h->heap);
}

static bool is_of_cycle(const PushdownPrediction *prediction, uint32_t access) {
  for (uint32_t i = 0; i < prediction->visits.n; i++)
    if (prediction->visits.at[i].in == access || prediction->visits.at[i].out == access) return true;
  return false;
}

/* A line "T1 2:3 TEXT | r(X) w(Y)" per step; malloc'd. The accesses of the cycle have a star. */
static char *schedule_text(const PushdownPrediction *prediction) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) abort();
  for (uint32_t i = 0; i < prediction->steps.n; i++) {
    const PushdownStep *step = &prediction->steps.at[i];
    fprintf(out, "T%u %u:%u %s", step->thread + 1, step->line, step->column, step->text);
    for (uint32_t k = step->accesses; k < step->accesses + step->n_accesses; k++) {
      const PushdownAccess *access = &prediction->accesses.at[k];
      fprintf(out, "%s %s(%s)%s", k == step->accesses ? " |" : "", access->write ? "w" : "r",
              prediction->objects[access->object], is_of_cycle(prediction, k) ? "*" : "");
    }
    fputc('\n', out);
  }
  fclose(out);
  return text;
}

/* "" as the schedule: there is none. */
static void check_schedule(const char *program, Granularity granularity, const char *expected) {
  Hand h;
  hand_open(&h, program, granularity);
  CU_ASSERT_TRUE_FATAL(h.good);
  CU_ASSERT_EQUAL(h.prediction.verdict, expected[0] ? VERDICT_VIOLATED : VERDICT_HOLDS);
  char *text = schedule_text(&h.prediction);
  check_text(text, expected);
  free(text);
  hand_close(&h);
}

static void schedules(void) {
  check_schedule(
      "int B; begin:deposit b := B; B := b + 100 end || B := 0", GRANULARITY_STATEMENT,
      "T1 1:8 begin:deposit\nT1 1:22 b := B | r(B)*\nT2 1:50 B := 0 | w(B)*\nT1 1:30 B := b + 100 | w(B)*\n");
  check_schedule("int B; begin B := B + 100 end || B := 0", GRANULARITY_STATEMENT, "");
  check_schedule("int B;\nbegin B := B + 1 end ||\nB := B + 1", GRANULARITY_ACCESS,
                 "T1 2:1 begin\nT1 2:12 read B | r(B)*\nT2 3:6 read B | r(B)\nT2 3:1 B := B + 1 | w(B)*\n"
                 "T1 2:7 B := B + 1 | w(B)*\n");
  check_schedule("int X; begin atomic { x := X; X := x + 1 } end || X := 1", GRANULARITY_STATEMENT, "");
  check_schedule("int X; begin if (false) { x := X } X := 1 end || X := 1", GRANULARITY_STATEMENT, "");
}

static void schedules_with_tests(void) {
  check_schedule(
      "int X, Y;\nbegin X := 1; Y := 1 end ||\nbegin if (Y = 1 && nondet) { x := X } end", GRANULARITY_STATEMENT,
      "T1 2:1 begin\nT1 2:7 X := 1 | w(X)*\nT2 3:1 begin\nT2 3:7 [Y = 1 && nondet] | r(Y)*\nT2 3:30 x := X | r(X)*\n"
      "T1 2:15 Y := 1 | w(Y)*\n");
  check_schedule(
      "int X;\nbegin await (X = 0); while (false && X = 1) { } x := X end ||\nX := 1", GRANULARITY_STATEMENT,
      "T1 2:1 begin\nT1 2:7 await (X = 0) | r(X)*\nT2 3:1 X := 1 | w(X)*\nT1 2:22 [not (false && X = 1)] | r(X)*\n");
  check_schedule("int X;\nbegin x := X; await (1 = 2); x := X end ||\nX := 1", GRANULARITY_STATEMENT, "");
  check_schedule("int X, Y;\nbegin atomic { x := X; await (false) } x := X; x := X end ||\nX := 1",
                 GRANULARITY_STATEMENT, "");
}

static void schedules_with_calls(void) {
  check_schedule("int X; lock l;\nproc p { if (nondet) { begin call p end } else { X := 1 } }\n"
                 "call p; x := X ||\nx := X; acquire(l); release(l); begin x := X; x := X; release(l) end",
                 GRANULARITY_STATEMENT,
                 "T2 4:1 x := X | r(X)\nT2 4:9 acquire(l)\nT2 4:21 release(l)\nT2 4:33 begin\nT2 4:39 x := X | r(X)*\n"
                 "T1 3:1 call p\nT1 2:10 [not nondet]\nT1 2:50 X := 1 | w(X)*\nT2 4:47 x := X | r(X)*\n");
  /* the block that the recursion leaves open is the outermost one's: both reads are in it, at whatever depth */
  check_schedule(
      "int X;\nproc p { begin x := X; call p end }\ncall p ||\nX := 1", GRANULARITY_STATEMENT,
      "T1 3:1 call p\nT1 2:10 begin\nT1 2:16 x := X | r(X)*\nT2 4:1 X := 1 | w(X)*\nT1 2:24 call p\nT1 2:10 begin\n"
      "T1 2:16 x := X | r(X)*\n");
  check_schedule("int X;\nproc p { begin x := X end call p }\ncall p ||\nX := 1", GRANULARITY_STATEMENT, "");
  check_schedule("int X;\nproc p { call p }\nbegin x := X; call p; x := X end ||\nX := 1", GRANULARITY_STATEMENT, "");
}

/* ---- what is hostile ---- */

static char *chain(const char *first, uint32_t n, const char *body, const char *last, const char *threads) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) abort();
  fputs(first, out);
  for (uint32_t i = 0; i < n; i++) {
    fprintf(out, "proc p%u { ", i);
    if (i + 1 < n) fprintf(out, body, i + 1, i + 1);
    else fputs(last, out);
    fputs(" }\n", out);
  }
  fputs(threads, out);
  fclose(out);
  return text;
}

static void check_chain(char *text, Verdict verdict, uint32_t n_steps, const char *why) {
  Hand h;
  hand_open(&h, text, GRANULARITY_STATEMENT);
  CU_ASSERT_TRUE_FATAL(h.good);
  CU_ASSERT_EQUAL(h.prediction.verdict, verdict);
  CU_ASSERT_EQUAL(h.prediction.steps.n, n_steps);
  CU_ASSERT_STRING_EQUAL(h.prediction.why ? h.prediction.why : "", why);
  hand_close(&h);
  free(text);
}

static void deep_calls(void) {
  enum { N = 10000 };
  /* x := X at the end of the chain, and once more after all returns */
  check_chain(chain("int X;\n", N, "call p%u;", "x := X", "begin call p0; x := X end || X := 1"), VERDICT_VIOLATED,
              N + 4, "");
  check_chain(chain("int X;\n", N, "begin call p%u; x := X end", "x := X", "call p0 || X := 1"), VERDICT_VIOLATED,
              2 * N + 2, "");
  check_chain(chain("int X;\n", N, "call p%u;", "call p0", "begin x := X; call p0; x := X end || X := 1"),
              VERDICT_HOLDS, 0, "");
}

/* Words that double with each proc: what is found cannot be written down. */
static void long_words(void) {
  const char *threads = "begin x := X; call p0; x := X end || X := 1";
  const char *event = "begin x := X; atomic { call p0 } x := X end || X := 1";
  const char *why = "there is a cycle, but a thread takes more than 1000000 steps to do its part";
  check_chain(chain("int X;\n", 8, "call p%u; call p%u;", "skip", threads), VERDICT_VIOLATED, 255 + 128 + 4, "");
  check_chain(chain("int X;\n", 100, "call p%u; call p%u;", "skip", threads), VERDICT_UNKNOWN, 0, why);
  check_chain(chain("int X;\n", 100, "call p%u; call p%u;", "", threads), VERDICT_UNKNOWN, 0, why);
  check_chain(chain("int X;\n", 100, "call p%u; call p%u;", "", event), VERDICT_UNKNOWN, 0, why);
}

static void many_copies(void) {
  Hand h;
  hand_open(&h, "int X, Y; 1000 * { begin X := 1; Y := 1 end }", GRANULARITY_STATEMENT);
  CU_ASSERT_TRUE_FATAL(h.good && h.prediction.verdict == VERDICT_VIOLATED);
  CU_ASSERT_EQUAL(h.prediction.n_threads, 1000);
  CU_ASSERT_EQUAL(h.prediction.visits.n, 2);
  hand_close(&h);
  hand_open(&h, "int X, Y; 1000 * { begin X := 1 end; x := Y }", GRANULARITY_STATEMENT);
  CU_ASSERT_TRUE_FATAL(h.good && h.prediction.verdict == VERDICT_HOLDS);
  hand_close(&h);
  hand_open(&h, "int X; 0 * { begin X := 1; X := 2 end } || X := 1", GRANULARITY_STATEMENT);
  CU_ASSERT_TRUE_FATAL(h.good && h.prediction.verdict == VERDICT_HOLDS);
  hand_close(&h);
  hand_open(&h, "", GRANULARITY_STATEMENT);
  CU_ASSERT_TRUE_FATAL(h.good && h.prediction.verdict == VERDICT_HOLDS);
  hand_close(&h);
}

/* ---- errors ---- */

static void check_error(const char *program, const char *expected) {
  Hand h;
  hand_open(&h, program, GRANULARITY_STATEMENT);
  char *text = diag_text(&h.diag, false);
  CU_ASSERT_FALSE(h.good);
  CU_ASSERT_EQUAL(h.err.kind, ERR_INPUT);
  check_text(text, expected);
  free(text);
  hand_close(&h);
}

static void errors(void) {
  check_error("int X; proc p { if (nondet) { call q } } proc q { call p }\nbegin atomic { call p } end",
              "t.sml:2:16: error: this call is inside 'atomic { }', but the proc 'p' calls itself\n"
              "  begin atomic { call p } end\n                 ^~~~~~\n");
  check_error(
      "proc p { call q } proc q { while (nondet) { } }\nbegin atomic { call p } end",
      "t.sml:2:16: error: this call is inside 'atomic { }', but the proc contains a loop, a lock operation or a "
      "block\n"
      "  begin atomic { call p } end\n                 ^~~~~~\n"
      "t.sml:1:28: note: it is here\n  proc p { call q } proc q { while (nondet) { } }\n"
      "                             ^~~~~~~~~~~~~~\n");
  check_error("begin call p end", "t.sml:1:12: error: unknown proc 'p'; write 'proc p { }' before the first thread\n"
                                  "  begin call p end\n             ^\n");
}

/* Recursive programs have no net: with locks prediction cannot be decided for them. */
static void recursion_with_locks(void) {
  const char *program = "proc p { call p }\nbegin call p end";
  const Remedies remedies = {.words = {[REMEDY_LOCKS] = "leave the locks alone, or "}};
  const SmlOptions options = {.abstract_data = true, .remedies = &remedies};
  Heap *heap = heap_new(0);
  Diag diag;
  diag_init(&diag, heap, "t.sml", program, strlen(program));
  CU_ASSERT_PTR_NULL(sml_compile(heap, &options, &diag));
  char *text = diag_text(&diag, false);
  check_text(text,
             "t.sml:1:10: error: 'p' calls itself; with recursion and locks prediction is undecidable (Farzan and "
             "Madhusudan, TACAS 2009, Theorem 5): leave the locks alone, or unroll the calls to a fixed depth\n"
             "  proc p { call p }\n           ^~~~~~\n");
  free(text);
  heap_free(heap);
}

/* ---- memory ---- */

typedef struct {
  Heap *heap;
  Verdict verdict;
} Attempt;

static void predict(void *argument) {
  static const char program[] =
      "int X, Y; bool F; lock m; proc a { if (X = 1) { Y := 1 } }\n"
      "proc p { begin x := X; if (nondet) { call p } end; atomic { call a; await (X = Y) } }\n"
      "2 * { call p; acquire(m); while (Y = 1) { X := Y + X } } ||\n"
      "begin Y := 1; F := true; X := 1 end || x := F";
  Attempt *a = argument;
  Diag diag;
  PushdownPrediction prediction;
  Err err;
  diag_init(&diag, a->heap, "t.sml", program, strlen(program));
  a->verdict =
      sml_predict(a->heap, &diag, GRANULARITY_ACCESS, &prediction, &err) ? prediction.verdict : VERDICT_UNKNOWN;
}

static void memory_runs_out(void) {
  bool done = false;
  uint64_t failures = 0;
  while (!done) {
    Attempt a = {.heap = heap_new(0), .verdict = VERDICT_HOLDS};
    heap_fail_at(a.heap, ++failures);
    done = heap_try(a.heap, predict, &a);
    CU_ASSERT_TRUE(!done || a.verdict == VERDICT_VIOLATED);
    heap_free(a.heap);
  }
  printf("(%llu allocations) ", (unsigned long long)failures - 1);
  CU_ASSERT_TRUE(failures > 50);
}

void suite_programs_by_hand(void) {
  CU_pSuite suite = CU_add_suite("programs_by_hand", NULL, NULL);
  CU_add_test(suite, "schedules by hand", schedules);
  CU_add_test(suite, "schedules by hand: tests", schedules_with_tests);
  CU_add_test(suite, "schedules by hand: calls", schedules_with_calls);
  CU_add_test(suite, "deep calls", deep_calls);
  CU_add_test(suite, "words that are too long", long_words);
  CU_add_test(suite, "many copies", many_copies);
  CU_add_test(suite, "errors", errors);
  CU_add_test(suite, "recursion with locks", recursion_with_locks);
  CU_add_test(suite, "memory runs out", memory_runs_out);
}
