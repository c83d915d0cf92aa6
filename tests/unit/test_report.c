/* What is told of a verdict: text, JSON and pictures. */
#include "report/of_blocks.h"

#include "base/drawing.h"
#include "base/json.h"
#include "base/text.h"
#include "report/writers.h"
#include "tests/unit/hand_net.h"
#include "tests/unit/skip.h"

#include <CUnit/CUnit.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* ---- helpers ---- */

typedef struct {
  Heap *heap;
  Net *net;
  Witness witness;
  BlockVerdict block;
  AtomicityReport report;
} Case;

static void start_case(Case *c, Heap *heap, Net *net, Verdict verdict) {
  *c = (Case){.heap = heap, .net = net};
  c->block = (BlockVerdict){.verdict = verdict, .entered = ENTERED_SOMETIMES};
  c->report = (AtomicityReport){.net = net, .blocks = &c->block, .n_blocks = 1, .verdict = verdict};
  c->report.stats = (VerdictStats){31, 17, 12, 40, 0, 0.000412, 61440};
}

static void start_violated(Case *c, Heap *heap, Net *net, const char *letters) {
  TransId run[64];
  Err err;
  start_case(c, heap, net, VERDICT_VIOLATED);
  const uint32_t n = (uint32_t)strlen(letters);
  for (uint32_t i = 0; i < n; i++) run[i] = (TransId){(uint32_t)(letters[i] - 'a')};
  CU_ASSERT_FATAL(witness_judge(heap, net, 0, run, n, &c->witness, &err));
  c->block.witness = &c->witness;
}

/* Frees all, and sees that nothing else was left. */
static void end_case(Case *c) {
  if (c->witness.heap) witness_fini(&c->witness);
  net_free(c->net);
  CU_ASSERT_EQUAL(heap_used(c->heap), 0);
  heap_free(c->heap);
}

static bool write_with(Heap *heap, const AtomicityReport *result, WriteReport *write, TextStyle style, FILE *out,
                       Err *err) {
  Report report;
  report_init(&report, heap, "causalcheck", false);
  of_blocks(&report, result);
  const bool good = write(&report, style, out, err);
  report_fini(&report);
  return good;
}

static char *written(const AtomicityReport *result, WriteReport *write, TextStyle style) {
  char *text = NULL;
  size_t length;
  Err err;
  FILE *out = open_memstream(&text, &length);
  CU_ASSERT_FATAL(write_with(result->net->arena.heap, result, write, style, out, &err));
  fclose(out);
  char *copy = strdup(text);
  free(text);
  return copy;
}

static char *text_of(const AtomicityReport *result, TextStyle style) { return written(result, text_write, style); }
static char *json_of(const AtomicityReport *result) { return written(result, json_write, (TextStyle){0}); }

static void check_text(const AtomicityReport *report, TextStyle style, const char *expected) {
  char *text = text_of(report, style);
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
  Case c;
  Heap *heap = heap_new(0);
  start_violated(&c, heap, figure5a(heap, "deposit"), "abcgd");
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
  end_case(&c);
}

static void test_colours(void) {
  Case c;
  Heap *heap = heap_new(0);
  start_case(&c, heap, figure5b(heap), VERDICT_HOLDS);
  check_text(&c.report, (TextStyle){.colour = true},
             "\33[1mfigure5b.sml:3:3: \33[0m\33[1;36mnote\33[0m: block of thread T1 is causally atomic\n"
             "verdict: \33[1;32matomic\33[0m\n");
  end_case(&c);
}

static void test_unknown_text(void) {
  Case c;
  Heap *heap = heap_new(0);
  start_case(&c, heap, figure5b(heap), VERDICT_UNKNOWN);
  c.report.why = "--max-events 10 reached";
  check_text(
      &c.report, (TextStyle){0},
      "figure5b.sml:3:3: warning: cannot tell whether block of thread T1 is causally atomic: --max-events 10 reached\n"
      "verdict: unknown\n");
  end_case(&c);
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
  Case c;
  Heap *heap = heap_new(0);
  start_violated(&c, heap, many_threads(heap), "abefc"); /* T5 broken by T4 */
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
  end_case(&c);
}

/* Which counts are open, and with which ones a block is violated, in its own net. */
static void test_any_number(void) {
  static const char *const names[] = {"N", "M", "K"};
  static const uint32_t more[] = {0, 2, 1}, fewer[] = {1, 1, 0};
  Case c;
  Heap *heap = heap_new(0);
  start_violated(&c, heap, many_threads(heap), "abefc");
  BlockVerdict blocks[3] = {c.block, c.block, {.block = 2, .verdict = VERDICT_UNKNOWN}};
  for (uint32_t i = 0; i < 2; i++) blocks[i].net = c.net, blocks[i].numbers = i ? fewer : more;
  c.report.blocks = blocks;
  c.report.n_blocks = 3;
  c.report.open = names;
  c.report.n_open = 3;
  c.report.why = "it was late";
  char *text = text_of(&c.report, (TextStyle){0});
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
  end_case(&c);
}

/* T1: X := 1 .. z := Z.  T2: y := X, skip, W := y.  T3: Z := W. */
static Net *long_chain(Heap *heap, bool by_locks) {
  Hand hand;
  hand_start(&hand, heap, "chain.sml");
  hand_thread(&hand, "T1", 0, 1);
  hand_thread(&hand, "T2", 1, 1);
  hand_thread(&hand, "T3", 2, 1);
  const uint32_t X = hand_variable(&hand, "X"), W = hand_variable(&hand, "W"), Z = hand_variable(&hand, "Z");
  const uint32_t l = hand_lock(&hand, "l");
  const uint32_t block = hand_block(&hand, NULL, 1, 1, 9);
  hand_begin(&hand, 0, 1, block);                                                                 /* a */
  hand_acquire(&hand, hand_event(&hand, 0, 2, "acquire(l)"), l);                                  /* b */
  hand_release(&hand, hand_event(&hand, 0, 3, "release(l)"), l);                                  /* c */
  hand_write(&hand, hand_event(&hand, 0, 4, "X := 1"), X);                                        /* d */
  hand_read(&hand, hand_event(&hand, 0, 5, by_locks ? "q := X" : "z := Z"), 0, by_locks ? X : Z); /* e */
  hand_read(&hand, hand_event(&hand, 1, 11, "y := X"), 1, X);                                     /* f */
  hand_event(&hand, 1, 12, "skip");                                                               /* g */
  hand_write(&hand, hand_event(&hand, 1, 13, "W := y"), W);                                       /* h */
  const TransId both = hand_event(&hand, 2, 21, "Z := W");                                        /* i */
  hand_read(&hand, both, 2, W);
  hand_write(&hand, both, Z);
  const TransId update = hand_event(&hand, 2, 22, "X := X + 1"); /* j */
  hand_read(&hand, update, 2, X);
  net_add_input(hand.net, hand.copy[X][0], update);
  net_add_output(hand.net, update, hand.copy[X][0]);
  net_add_input(hand.net, hand.copy[X][1], update);
  net_add_output(hand.net, update, hand.copy[X][1]);
  notes_add_access(hand.notes, update.v, (Access){X, ACCESS_WRITE});
  return hand_finish(&hand);
}

static void test_long_chain(void) {
  Case c;
  Heap *heap = heap_new(0);
  start_violated(&c, heap, long_chain(heap, false), "abcdfghie");
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
  end_case(&c);
}

static void test_update_in_between(void) {
  Case c;
  Heap *heap = heap_new(0);
  start_violated(&c, heap, long_chain(heap, true), "abcdfghije");
  char *text = text_of(&c.report, (TextStyle){0});
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "note: T3 reads and writes X in between\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "note: T1 reads X afterwards\n"));
  free(text);
  end_case(&c);
}

/* A foreign net: no file, no lines, no objects; names with bytes that must not reach a terminal. */
static Net *foreign_net(Heap *heap) {
  NetBuilder *builder = net_builder_new(heap);
  NotesBuilder *notes = net_builder_notes(builder);
  notes_add_thread(notes, "U0", 0, (SrcPos){0});
  notes_add_block(notes, NULL, (SrcPos){0}, (SrcPos){0});
  const char *const NAMES[] = {"start", "inside", "the\33[31mre\xff", "back"};
  PlaceId p[4];
  for (uint32_t i = 0; i < 4; i++) p[i] = net_add_place(builder, NAMES[i], i == 0);
  const TransId begin = net_add_trans(builder, "go"), other = net_add_trans(builder, "x<\"\\y\">"),
                last = net_add_trans(builder, "last");
  const uint32_t ARCS[][3] = {{0, 0, 0}, {1, 0, 1}, {1, 0, 2}, {0, 1, 2}, {1, 1, 3}, {0, 2, 1}, {0, 2, 3}};
  const TransId t[] = {begin, other, last};
  for (size_t i = 0; i < sizeof ARCS / sizeof *ARCS; i++)
    if (ARCS[i][0]) net_add_output(builder, t[ARCS[i][1]], p[ARCS[i][2]]);
    else net_add_input(builder, p[ARCS[i][2]], t[ARCS[i][1]]);
  notes_set_trans(notes, begin.v, (TransNote){0, {0}, "", 0, NOTE_NONE});
  notes_set_trans(notes, last.v, (TransNote){0, {0}, "", NOTE_NONE, NOTE_NONE});
  Err err;
  Net *net = net_freeze(builder, &err);
  CU_ASSERT_FATAL(net != NULL);
  return net;
}

static void test_foreign_text(void) {
  Case c;
  Heap *heap = heap_new(0);
  start_violated(&c, heap, foreign_net(heap), "abc");
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
  end_case(&c);
}

/* ---- JSON ---- */

static void test_json_golden(void) {
  Case c;
  Heap *heap = heap_new(0);
  start_violated(&c, heap, figure5a(heap, "deposit"), "abcgd");
  char *text = json_of(&c.report);
  CU_ASSERT(is_json(text));
  static const char BEGIN[] =
      "{\n"
      "  \"schema\": \"causalcheck/1\",\n"
      "  \"verdict\": \"violated\",\n"
      "  \"why\": null,\n"
      "  \"any_number\": null,\n"
      "  \"blocks\": [\n"
      "    {\n"
      "      \"name\": \"deposit\",\n"
      "      \"line\": 3,\n"
      "      \"column\": 3,\n"
      "      \"threads\": [1],\n"
      "      \"verdict\": \"violated\",\n"
      "      \"with\": null,\n"
      "      \"entered\": true,\n"
      "      \"grounds\": null,\n"
      "      \"witness\": [\n"
      "        {\"thread\": 1, \"line\": 3, \"column\": 3, \"text\": \"begin\", \"role\": \"begin\"},\n"
      "        {\"thread\": 1, \"line\": 4, \"column\": 3, \"text\": \"acquire(l)\", \"role\": null},\n"
      "        {\"thread\": 1, \"line\": 5, \"column\": 3, \"text\": \"Y := 5\", \"role\": \"out\"},\n"
      "        {\"thread\": 2, \"line\": 10, \"column\": 3, \"text\": \"x := Y - 2\", \"role\": \"in\"},\n"
      "        {\"thread\": 1, \"line\": 6, \"column\": 3, \"text\": \"Y := 3\", \"role\": \"back\"}\n"
      "      ]\n"
      "    }\n"
      "  ],\n"
      "  \"stats\": {\"places\": 31, \"transitions\": 17, \"events\": 12, \"conditions\": 40, \"cutoffs\": 0, "
      "\"seconds\": 0.000412, \"bytes\": 61440},\n"
      "  \"findings\": [\n"
      "    {\n"
      "      \"rule\": \"not-causally-atomic\",\n";
  CU_ASSERT_EQUAL(strncmp(text, BEGIN, sizeof BEGIN - 1), 0);
  free(text);
  end_case(&c);
}

static void test_json_others(void) {
  Case c;
  Heap *heap = heap_new(0);
  start_case(&c, heap, many_threads(heap), VERDICT_UNKNOWN);
  char *text = json_of(&c.report);
  CU_ASSERT(is_json(text));
  CU_ASSERT_PTR_NOT_NULL(strstr(
      text,
      "\"threads\": [1, 2, 3, 4, 5],\n      \"verdict\": \"unknown\",\n      \"with\": null,\n      \"entered\": true,\n"
      "      \"grounds\": null,\n"
      "      \"witness\": []\n"));
  free(text);
  end_case(&c);
  heap = heap_new(0);
  start_violated(&c, heap, foreign_net(heap), "abc");
  text = json_of(&c.report);
  CU_ASSERT(is_json(text));
  CU_ASSERT_PTR_NOT_NULL(
      strstr(text, "{\"thread\": null, \"line\": 0, \"column\": 0, \"text\": \"x<\\\"\\\\y\\\">\", \"role\": \"in\"}"));
  free(text);
  c.report.n_blocks = 0;
  text = json_of(&c.report);
  CU_ASSERT(is_json(text));
  free(text);
  end_case(&c);
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

/* ---- pictures ---- */

static char *picture_of(const AtomicityReport *result, WriteReport *write) {
  return written(result, write, (TextStyle){0});
}

/* The text with line ends and indentation made single spaces, as DOT may be broken anywhere. */
static void squeeze(char *text) {
  char *to = text;
  for (const char *at = text; *at; at++) {
    const bool space = strchr(" \t\n", *at) != NULL;
    if (!space || (to > text && to[-1] != ' ')) *to++ = space ? ' ' : *at;
  }
  *to = '\0';
}

/* What `dot` says when it gets the text: nothing if all is well. NULL if there is no dot here. */
static char *dot_complains(const char *text) {
  char path[] = "/tmp/report-XXXXXX", command[100];
  const int file = mkstemp(path);
  FILE *out = fdopen(file, "w");
  fputs(text, out);
  fclose(out);
  snprintf(command, sizeof command, "dot -Tcanon %s 2>&1 >/dev/null && dot -Tsvg %s 2>&1 >/dev/null", path, path);
  char *complaint = NULL;
  if (system("command -v dot >/dev/null") == 0) {
    complaint = calloc(1, 2000);
    FILE *pipe = popen(command, "r");
    const size_t n = fread(complaint, 1, 1900, pipe);
    if (pclose(pipe) != 0) snprintf(complaint + n, 100, " dot failed");
  }
  remove(path);
  return complaint;
}

static void check_dot(const char *text) {
  char *complaint = dot_complains(text);
  if (!complaint) skip("dot is not installed");
  if (complaint) CU_ASSERT_STRING_EQUAL(complaint, "");
  free(complaint);
}

static void test_figure5a_dot(void) {
  Case c;
  Heap *heap = heap_new(0);
  start_violated(&c, heap, figure5a(heap, "deposit"), "abcgd");
  char *text = picture_of(&c.report, picture_write_dot), *again = picture_of(&c.report, picture_write_dot);
  CU_ASSERT_STRING_EQUAL(text, again);
  check_dot(text);
  squeeze(text);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "layout=nop2"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "label=\"Block 'deposit' of thread T1 is not causally atomic\""));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "label=\"figure5a.sml, line 3\""));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "label=\"T1 writes Y; T2 reads Y in between; T1 "));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "label=\"6: Y := 3\""));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "label=\"Y: write → read\""));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "label=\"Y: read → write\""));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"block 1, step 4\" -> \"block 1, step 5\""));
  CU_ASSERT_PTR_NULL(strstr(text, "\"block 1, step 2\" -> \"block 1, step 4\""));
  free(text);
  free(again);
  end_case(&c);
}

/* T2's read of X comes before T3's write of X through W and Z too: the edges are drawn that say something new. */
static void test_implied_edges_are_not_drawn(void) {
  Case c;
  Heap *heap = heap_new(0);
  start_violated(&c, heap, long_chain(heap, true), "abcdfghije");
  char *text = picture_of(&c.report, picture_write_dot);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"block 1, step 4\" -> \"block 1, step 5\""));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"block 1, step 7\" -> \"block 1, step 8\""));
  CU_ASSERT_PTR_NULL(strstr(text, "\"block 1, step 5\" -> \"block 1, step 9\""));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"block 1, step 4\" -> \"block 1, step 9\"")); /* implied, but on the chain */
  free(text);
  end_case(&c);
}

static void test_svg(void) {
  Case c;
  Heap *heap = heap_new(0);
  start_violated(&c, heap, long_chain(heap, false), "abcdfghie");
  char *text = picture_of(&c.report, picture_write_svg), *again = picture_of(&c.report, picture_write_svg);
  CU_ASSERT_STRING_EQUAL(text, again);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "<svg "));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "</svg>"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, ">13: W := y</text>"));
  CU_ASSERT_PTR_NULL(strstr(text, "<image"));
  CU_ASSERT_PTR_NULL(strstr(text, "href="));
  free(text);
  free(again);
  end_case(&c);
}

static void test_strange_names_are_drawn(void) {
  Case c;
  Heap *heap = heap_new(0);
  start_violated(&c, heap, foreign_net(heap), "abc");
  char *text = picture_of(&c.report, picture_write_dot);
  check_dot(text);
  free(text);
  text = picture_of(&c.report, picture_write_svg);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "&lt;&quot;\\y&quot;&gt;</text>"));
  CU_ASSERT_PTR_NULL(strchr(text, '\33'));
  free(text);
  end_case(&c);
}

static void test_labels_mean_nothing(void) {
  char *text = NULL;
  size_t length;
  Err err;
  Heap *heap = heap_new(0);
  Drawing drawing;
  drawing_init(&drawing, heap, "g");
  const DrawId node = drawing_add_node(&drawing, DRAW_TOP, "n");
  drawing_set_label(&drawing, node, "\\N && &lt; <b>\\n\n\"q\"");
  FILE *out = open_memstream(&text, &length);
  CU_ASSERT_FATAL(drawing_write_svg(&drawing, out, &err));
  fclose(out);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, ">\\N &amp;&amp; &amp;lt; &lt;b&gt;\\n &quot;q&quot;</text>"));
  free(text);
  drawing_fini(&drawing);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void test_unknown_layout_is_not_drawn(void) {
  Err err;
  Heap *heap = heap_new(0);
  Drawing drawing;
  drawing_init(&drawing, heap, "g");
  drawing_set(&drawing, DRAW_TOP, "layout", "no-such-engine");
  FILE *out = fopen("/dev/null", "w");
  CU_ASSERT_FALSE(drawing_write_svg(&drawing, out, &err));
  CU_ASSERT(err.kind == ERR_LIMIT && strstr(err.text, "lay out") != NULL);
  fclose(out);
  drawing_fini(&drawing);
  heap_free(heap);
}

static void test_nothing_to_draw(void) {
  Case c;
  Heap *heap = heap_new(0);
  start_case(&c, heap, figure5b(heap), VERDICT_HOLDS);
  char *text = picture_of(&c.report, picture_write_dot);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "Every marked block is causally atomic"));
  check_dot(text);
  free(text);
  c.report.verdict = c.block.verdict = VERDICT_UNKNOWN;
  text = picture_of(&c.report, picture_write_svg);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "No marked block was found violated"));
  free(text);
  end_case(&c);
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
    attempt->done =
        write_with(attempt->heap, attempt->report, table[i].write, (TextStyle){.verbose = true}, attempt->out, &err) &&
        attempt->done;
}

static void test_out_of_memory(void) {
  Case c;
  Heap *heap = heap_new(0);
  start_violated(&c, heap, figure5a(heap, "deposit"), "abcgd");
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
  end_case(&c);
}

/* A name of a megabyte is shown as far as one can read it. */
static void test_long_names(void) {
  enum { LONG = 1000000 };
  Case c;
  Heap *heap = heap_new(0);
  char *name = heap_alloc(heap, LONG + 1);
  memset(name, 'n', LONG);
  name[LONG] = '\0';
  Net *net = figure5a(heap, name);
  heap_release(heap, name);
  start_violated(&c, heap, net, "abcgd");
  char *text = text_of(&c.report, (TextStyle){.verbose = true}), *dot = picture_of(&c.report, picture_write_dot);
  CU_ASSERT(strlen(text) < 2000 && strlen(dot) < 30000);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "nnn…' of thread T1 is not causally atomic\n"));
  free(text);
  free(dot);
  end_case(&c);
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
  CU_ADD_TEST(suite, test_figure5a_dot);
  CU_ADD_TEST(suite, test_implied_edges_are_not_drawn);
  CU_ADD_TEST(suite, test_svg);
  CU_ADD_TEST(suite, test_strange_names_are_drawn);
  CU_ADD_TEST(suite, test_labels_mean_nothing);
  CU_ADD_TEST(suite, test_unknown_layout_is_not_drawn);
  CU_ADD_TEST(suite, test_nothing_to_draw);
  CU_ADD_TEST(suite, test_out_of_memory);
  CU_ADD_TEST(suite, test_long_names);
}
