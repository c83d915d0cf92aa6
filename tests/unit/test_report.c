/* What is told of a verdict: text and JSON. */
#include "base/drawing.h"
#include "base/json.h"
#include "base/text.h"
#include "tests/unit/hand_net.h"
#include "tests/unit/report_case.h"
#include "tests/unit/skip.h"

#include <CUnit/CUnit.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static char *json_of(const AtomicityReport *result) { return report_case_written(result, json_write, (TextStyle){0}); }

static void check_text(const AtomicityReport *report, TextStyle style, const char *expected) {
  char *text = report_case_text(report, style);
  CU_ASSERT_STRING_EQUAL(text, expected);
  if (strcmp(text, expected)) fprintf(stderr, "--- expected\n%s--- got\n%s---\n", expected, text);
  free(text);
}

/* ---- a little JSON reader: only whether the syntax is right ---- */

static const char *json_value(const char *at, int depth);

static const char *json_space(const char *at) { return at + strspn(at, " \n\t\r"); }

static const char *json_quoted(const char *at) {
  if (*at++ != '"') return NULL;
  for (; *at != '"'; at++) {
    if ((unsigned char)*at < 0x20) return NULL;
    if (*at == '\\' && !strchr("\"\\/bfnrtu", *++at)) return NULL;
  }
  return at + 1;
}

static const char *json_members(const char *at, char end, int depth) {
  at = json_space(at + 1);
  if (*at == end) return at + 1;
  for (;;) {
    if (end == '}') {
      if (!(at = json_quoted(at))) return NULL;
      at = json_space(at);
      if (*at++ != ':') return NULL;
    }
    if (!(at = json_value(json_space(at), depth + 1))) return NULL;
    at = json_space(at);
    if (*at == end) return at + 1;
    if (*at != ',') return NULL;
    at = json_space(at + 1);
  }
}

static const char *json_value(const char *at, int depth) {
  static const char *const WORDS[] = {"null", "true", "false"};
  if (depth > 50) return NULL;
  if (*at == '{') return json_members(at, '}', depth);
  if (*at == '[') return json_members(at, ']', depth);
  if (*at == '"') return json_quoted(at);
  for (size_t i = 0; i < 3; i++)
    if (!strncmp(at, WORDS[i], strlen(WORDS[i]))) return at + strlen(WORDS[i]);
  const size_t digits = strspn(at, "-+.0123456789eE");
  return digits && at[0] != '+' && at[0] != '.' ? at + digits : NULL;
}

static bool is_json(const char *text) {
  const char *end = json_value(json_space(text), 0);
  return end && *json_space(end) == '\0';
}

/* ---- text ---- */

static const char *const FIGURE5A = "figure5a.sml:3:3: error: block 'deposit' of thread T1 is not causally atomic\n"
                                    "figure5a.sml:5:3: note: T1 writes Y here\n"
                                    "    5 | Y := 5\n"
                                    "figure5a.sml:10:3: note: T2 reads Y in between\n"
                                    "   10 | x := Y - 2\n"
                                    "figure5a.sml:6:3: note: T1 writes Y again\n"
                                    "    6 | Y := 3\n";

static void test_figure5a_text(void) {
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_violated(&c, heap, figure5a(heap, "deposit"), "abcgd");
  char expected[2000];
  snprintf(expected, sizeof expected, "%sverdict: violated\n", FIGURE5A);
  check_text(&c.report, (TextStyle){0}, expected);
  check_text(&c.report, (TextStyle){.quiet = true}, "verdict: violated\n");
  snprintf(expected, sizeof expected, "%s%s", FIGURE5A,
           "figure5a.sml:3:3: note: a run that shows it, in 5 steps:\n"
           "    1. T1  line 3   begin       <- the block begins\n"
           "    2. T1  line 4   acquire(l)\n"
           "    3. T1  line 5   Y := 5      <- writes Y\n"
           "    4. T2  line 10  x := Y - 2  <- reads Y in between\n"
           "    5. T1  line 6   Y := 3      <- writes Y again\n"
           "verdict: violated\n");
  check_text(&c.report, (TextStyle){.verbose = true}, expected);
  report_case_end(&c);
}

static void test_colours(void) {
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_start(&c, heap, figure5b(heap), VERDICT_HOLDS);
  check_text(&c.report, (TextStyle){.colour = true},
             "\33[1mfigure5b.sml:3:3: \33[0m\33[1;36mnote\33[0m: block of thread T1 is causally atomic\n"
             "verdict: \33[1;32matomic\33[0m\n");
  report_case_end(&c);
}

static void test_unknown_text(void) {
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_start(&c, heap, figure5b(heap), VERDICT_UNKNOWN);
  c.report.why = "--max-events 10 reached";
  check_text(
      &c.report, (TextStyle){0},
      "figure5b.sml:3:3: warning: cannot tell whether block of thread T1 is causally atomic: --max-events 10 reached\n"
      "verdict: unknown\n");
  report_case_end(&c);
}

/* Blocks: 0 run by the copies T2 .. T5 and by T1; 1 by nobody; 2 by T1 and T3. */
static Net *many_threads(Heap *heap) {
  Hand hand;
  hand_start(&hand, heap, "m.sml");
  hand_thread(&hand, "T1", 0, 1);
  for (uint32_t t = 1; t < 5; t++) {
    char name[8];
    snprintf(name, sizeof name, "T%u", t + 1);
    hand_thread(&hand, name, 1, 1);
  }
  const uint32_t X = hand_variable(&hand, "X");
  for (uint32_t b = 0; b < 3; b++) hand_block(&hand, b ? NULL : "copy", b + 1, 1, 9);
  for (uint32_t t = 5; t-- > 0;) {
    const PlaceId start = hand.at[t];
    hand_begin(&hand, t, 1, 0);
    hand_write(&hand, hand_event(&hand, t, 1, "X := 1"), X);
    hand_write(&hand, hand_event(&hand, t, 1, "X := 2"), X);
    hand.at[t] = start;
    hand_begin(&hand, t, 1, 0); /* twice in each */
  }
  hand_begin(&hand, 2, 3, 2);
  hand_begin(&hand, 0, 3, 2);
  return hand_finish(&hand);
}

static void test_copies_are_one_line(void) {
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_violated(&c, heap, many_threads(heap), "abefc"); /* T5 broken by T4 */
  BlockVerdict blocks[3] = {c.block,
                            {.block = 1, .verdict = VERDICT_HOLDS, .entered = ENTERED_SOMETIMES},
                            {.block = 2, .verdict = VERDICT_HOLDS, .entered = ENTERED_SOMETIMES}};
  c.report.blocks = blocks;
  c.report.n_blocks = 3;
  check_text(&c.report, (TextStyle){0},
             "m.sml:1:1: error: block 'copy' of threads T2..T5 is not causally atomic\n"
             "m.sml:1:3: note: T5 writes X here\n"
             "    1 | X := 1\n"
             "m.sml:1:3: note: T4 writes X in between\n"
             "    1 | X := 1\n"
             "m.sml:1:3: note: T5 writes X again\n"
             "    1 | X := 2\n"
             "m.sml:2:1: note: block, which no thread reaches, is causally atomic\n"
             "m.sml:3:1: note: block of threads T1, T3 is causally atomic\n"
             "verdict: violated\n");
  blocks[0] = (BlockVerdict){.block = 0, .verdict = VERDICT_HOLDS, .entered = ENTERED_SOMETIMES};
  c.report.n_blocks = 1;
  c.report.verdict = VERDICT_HOLDS;
  check_text(&c.report, (TextStyle){0},
             "m.sml:1:1: note: block 'copy' of threads T1..T5 is causally atomic\nverdict: atomic\n");
  report_case_end(&c);
}

/* Which counts are open, and with which ones a block is violated, in its own net. */
static void test_any_number(void) {
  static const char *const names[] = {"N", "M", "K"};
  static const uint32_t more[] = {0, 2, 1}, fewer[] = {1, 1, 0};
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_violated(&c, heap, many_threads(heap), "abefc");
  BlockVerdict blocks[3] = {c.block, c.block, {.block = 2, .verdict = VERDICT_UNKNOWN}};
  for (uint32_t i = 0; i < 2; i++) blocks[i].net = c.net, blocks[i].numbers = i ? fewer : more;
  c.report.blocks = blocks;
  c.report.n_blocks = 3;
  c.report.open = names;
  c.report.n_open = 3;
  c.report.why = "it was late";
  char *text = report_case_text(&c.report, (TextStyle){0});
  CU_ASSERT_PTR_NOT_NULL(
      strstr(text, "of threads T2..T5 is not causally atomic with N = 0, M = 2, K = 1, nor with larger numbers\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "block is causally atomic for every N, M and K: it was late\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\nverdict: violated with N = 1, M = 1, K = 0\n"));
  free(text);
  text = json_of(&c.report);
  CU_ASSERT(is_json(text));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"any_number\": [\"N\", \"M\", \"K\"]"));
  CU_ASSERT_PTR_NOT_NULL(
      strstr(text, "\"with\": [{\"name\": \"N\", \"number\": 0}, {\"name\": \"M\", \"number\": 2}, "));
  free(text);
  blocks[0] = (BlockVerdict){.verdict = VERDICT_HOLDS, .entered = ENTERED_SOMETIMES};
  blocks[1] = (BlockVerdict){.block = 1, .verdict = VERDICT_HOLDS, .entered = ENTERED_NEVER};
  c.report.n_blocks = 2;
  c.report.n_open = 1;
  c.report.verdict = VERDICT_HOLDS;
  check_text(&c.report, (TextStyle){0},
             "m.sml:1:1: note: block 'copy' is causally atomic for every N\n"
             "m.sml:2:1: warning: block is never entered for any N: no run reaches its begin, so it is atomic whatever "
             "it contains\n"
             "verdict: atomic for every N\n");
  report_case_end(&c);
}

static void test_long_chain(void) {
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_violated(&c, heap, report_case_long_chain(heap, false), "abcdfghie");
  check_text(&c.report, (TextStyle){0},
             "chain.sml:1:1: error: block of thread T1 is not causally atomic\n"
             "chain.sml:4:3: note: T1 writes X here\n"
             "    4 | X := 1\n"
             "chain.sml:11:3: note: T2 reads X in between\n"
             "   11 | y := X\n"
             "chain.sml:13:3: note: T2 then writes W\n"
             "   13 | W := y\n"
             "chain.sml:21:3: note: T3 reads W, then writes Z\n"
             "   21 | Z := W\n"
             "chain.sml:5:3: note: T1 reads Z, which depends on it\n"
             "    5 | z := Z\n"
             "verdict: violated\n");
  report_case_end(&c);
}

static void test_update_in_between(void) {
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_violated(&c, heap, report_case_long_chain(heap, true), "abcdfghije");
  char *text = report_case_text(&c.report, (TextStyle){0});
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "note: T3 reads and writes X in between\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "note: T1 reads X afterwards\n"));
  free(text);
  report_case_end(&c);
}

static void test_foreign_text(void) {
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_violated(&c, heap, report_case_foreign_net(heap), "abc");
  check_text(
      &c.report, (TextStyle){.verbose = true},
      "error: block 1 of thread U0 is not causally atomic\n"
      "note: U0 puts a token on 'the\xef\xbf\xbd[31mre\xef\xbf\xbd' here\n"
      "note: the environment takes the token of 'the\xef\xbf\xbd[31mre\xef\xbf\xbd', then puts a token on 'back'\n"
      "note: U0 takes the token of 'back', which depends on it\n"
      "note: a run that shows it, in 3 steps:\n"
      "    1. U0               go       <- puts a token on 'the\xef\xbf\xbd[31mre\xef\xbf\xbd'\n"
      "    2. the environment  x<\"\\y\">  <- takes the token of 'the\xef\xbf\xbd[31mre\xef\xbf\xbd', then puts a token on 'back'\n"
      "    3. U0               last     <- takes the token of 'back', which depends on it\n"
      "verdict: violated\n");
  report_case_end(&c);
}

/* ---- JSON ---- */

static void test_json_golden(void) {
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_violated(&c, heap, figure5a(heap, "deposit"), "abcgd");
  char *text = json_of(&c.report);
  CU_ASSERT(is_json(text));
  static const char BEGIN[] =
      "{\n"
      "  \"schema\": \"causalcheck/2\",\n"
      "  \"verdict\": \"violated\",\n"
      "  \"why\": null,\n"
      "  \"sources\": [],\n"
      "  \"diagnostics\": [],\n"
      "  \"any_number\": null,\n"
      "  \"threads\": [\n"
      "    {\"first\": 1, \"copies\": 1, \"name\": \"T1\", \"file\": \"figure5a.sml\", \"line\": 3, \"column\": 1, \"function\": null},\n"
      "    {\"first\": 2, \"copies\": 1, \"name\": \"T2\", \"file\": \"figure5a.sml\", \"line\": 10, \"column\": 1, \"function\": null}\n"
      "  ],\n"
      "  \"objects\": [\n"
      "    {\"name\": \"Y\", \"kind\": \"variable\", \"values\": null},\n"
      "    {\"name\": \"l\", \"kind\": \"lock\", \"values\": null}\n"
      "  ],\n"
      "  \"blocks\": [\n"
      "    {\n"
      "      \"name\": \"deposit\",\n"
      "      \"file\": \"figure5a.sml\",\n"
      "      \"line\": 3,\n"
      "      \"column\": 3,\n"
      "      \"function\": null,\n"
      "      \"end\": {\"file\": \"figure5a.sml\", \"line\": 8, \"column\": 3, \"function\": null},\n"
      "      \"threads\": [1],\n"
      "      \"verdict\": \"violated\",\n"
      "      \"with\": null,\n"
      "      \"entered\": true,\n"
      "      \"grounds\": null,\n"
      "      \"finding\": 0\n"
      "    }\n"
      "  ],\n"
      "  \"stats\": {\"places\": 31, \"transitions\": 17, \"events\": 12, \"conditions\": 40, \"cutoffs\": 0, "
      "\"seconds\": 0.000412, \"bytes\": 61440},\n"
      "  \"findings\": [\n"
      "    {\n"
      "      \"rule\": \"not-causally-atomic\",\n";
  CU_ASSERT_EQUAL(strncmp(text, BEGIN, sizeof BEGIN - 1), 0);
  free(text);
  report_case_end(&c);
}

static void test_json_others(void) {
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_start(&c, heap, many_threads(heap), VERDICT_UNKNOWN);
  char *text = json_of(&c.report);
  CU_ASSERT(is_json(text));
  CU_ASSERT_PTR_NOT_NULL(strstr(
      text,
      "\"threads\": [1, 2, 3, 4, 5],\n      \"verdict\": \"unknown\",\n      \"with\": null,\n      \"entered\": true,\n"
      "      \"grounds\": null,\n"
      "      \"finding\": 0\n"));
  free(text);
  report_case_end(&c);
  heap = heap_new(0);
  report_case_violated(&c, heap, report_case_foreign_net(heap), "abc");
  text = json_of(&c.report);
  CU_ASSERT(is_json(text));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "{\"thread\": 1, \"place\": null, \"text\": \"x<\\\"\\\\y\\\">\"}"));
  free(text);
  c.report.n_blocks = 0;
  text = json_of(&c.report);
  CU_ASSERT(is_json(text));
  free(text);
  report_case_end(&c);
}

static void test_json_strings_and_numbers(void) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  Json json = json_start(out);
  json_open(&json, '[', JSON_ROW);
  json_string(&json, "a\"b\\c\n\t\x01\x7f\xc3\xa9\xff\xed\xa0\x80\xf0\x9f\x98\x80");
  json_string(&json, NULL);
  json_number(&json, 1234.5);
  json_number(&json, 1e-9);
  json_number(&json, 0);
  json_number(&json, 1e308 * 10);
  json_count(&json, UINT64_MAX);
  json_bool(&json, true);
  json_open(&json, '{', JSON_LINES);
  json_close(&json);
  json_close(&json);
  json_finish(&json);
  fclose(out);
  CU_ASSERT_STRING_EQUAL(
      text,
      "[\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xf0\x9f\x98\x80\", "
      "null, 1234.5, 1e-09, 0, null, 18446744073709551615, true, {}]\n");
  CU_ASSERT(is_json(text));
  free(text);
}

static void test_json_in_a_comma_locale(void) {
  static const char *const LOCALES[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "ps_AF.UTF-8"};
  const char *found = NULL;
  for (size_t i = 0; i < sizeof LOCALES / sizeof *LOCALES && !found; i++) found = setlocale(LC_ALL, LOCALES[i]);
  if (!found) {
    skip("there is no locale with a decimal comma");
    return;
  }
  char text[40] = "";
  FILE *out = fmemopen(text, sizeof text, "w");
  Json json = json_start(out);
  json_number(&json, 0.25);
  json_finish(&json);
  fclose(out);
  setlocale(LC_ALL, "C");
  CU_ASSERT_STRING_EQUAL(text, "0.25\n");
}

static void test_text_helpers(void) {
  Heap *heap = heap_new(0);
  Arena arena;
  arena_init(&arena, heap);
  CU_ASSERT_STRING_EQUAL(text_clean(&arena, "a\tb\n\33\xc2\x85\xc3(\xe2\x82\xac"),
                         "a b \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd(\xe2\x82\xac");
  CU_ASSERT_STRING_EQUAL(text_clean(&arena, ""), "");
  CU_ASSERT_EQUAL(text_length("a\xe2\x82\xac\xf0\x9f\x98\x80"), 3);
  CU_ASSERT_STRING_EQUAL(text_shorten(&arena,
                                      "a\xe2\x82\xac"
                                      "bc",
                                      4),
                         "a\xe2\x82\xac"
                         "bc");
  CU_ASSERT_STRING_EQUAL(text_shorten(&arena,
                                      "a\xe2\x82\xac"
                                      "bc",
                                      3),
                         "a\xe2\x82\xac…");
  CU_ASSERT_STRING_EQUAL(text_shorten(&arena, "ab", 1), "…");
  arena_fini(&arena);
  heap_free(heap);
}

/* ---- running out of memory ---- */

typedef struct {
  Heap *heap;
  const AtomicityReport *report;
  FILE *out;
  bool done;
} Attempt;

static void attempt_all(void *argument) {
  Attempt *attempt = argument;
  Err err;
  uint32_t n;
  const Writer *table = writers_table(&n);
  attempt->done = true;
  for (uint32_t i = 0; i < n; i++)
    attempt->done = report_case_write_with(attempt->heap, attempt->report, table[i].write, (TextStyle){.verbose = true},
                                           attempt->out, &err) &&
                    attempt->done;
}

static void test_out_of_memory(void) {
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_violated(&c, heap, figure5a(heap, "deposit"), "abcgd");
  Attempt attempt = {.report = &c.report, .out = fopen("/dev/null", "w")};
  bool survived = false;
  uint64_t nth = 1;
  for (; nth < 1000 && !survived; nth++) {
    attempt.heap = heap_new(0);
    heap_fail_at(attempt.heap, nth);
    survived = heap_try(attempt.heap, attempt_all, &attempt);
    if (survived) CU_ASSERT_EQUAL(heap_used(attempt.heap), 0);
    heap_free(attempt.heap);
  }
  CU_ASSERT(survived && attempt.done && nth > 10);
  fclose(attempt.out);
  report_case_end(&c);
}

/* A name of a megabyte is shown as far as one can read it. */
static void test_long_names(void) {
  enum { LONG = 1000000 };
  ReportCase c;
  Heap *heap = heap_new(0);
  char *name = heap_alloc(heap, LONG + 1);
  memset(name, 'n', LONG);
  name[LONG] = '\0';
  Net *net = figure5a(heap, name);
  heap_release(heap, name);
  report_case_violated(&c, heap, net, "abcgd");
  char *text = report_case_text(&c.report, (TextStyle){.verbose = true}),
       *dot = report_case_picture(&c.report, picture_write_dot);
  CU_ASSERT(strlen(text) < 2000 && strlen(dot) < 30000);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "nnn…' of thread T1 is not causally atomic\n"));
  free(text);
  free(dot);
  report_case_end(&c);
}

void suite_report(void);
void suite_report(void) {
  CU_pSuite suite = CU_add_suite("report", NULL, NULL);
  CU_ADD_TEST(suite, test_figure5a_text);
  CU_ADD_TEST(suite, test_colours);
  CU_ADD_TEST(suite, test_unknown_text);
  CU_ADD_TEST(suite, test_copies_are_one_line);
  CU_ADD_TEST(suite, test_any_number);
  CU_ADD_TEST(suite, test_long_chain);
  CU_ADD_TEST(suite, test_update_in_between);
  CU_ADD_TEST(suite, test_foreign_text);
  CU_ADD_TEST(suite, test_json_golden);
  CU_ADD_TEST(suite, test_json_others);
  CU_ADD_TEST(suite, test_json_strings_and_numbers);
  CU_ADD_TEST(suite, test_json_in_a_comma_locale);
  CU_ADD_TEST(suite, test_text_helpers);
  CU_ADD_TEST(suite, test_out_of_memory);
  CU_ADD_TEST(suite, test_long_names);
}
