/* Reports made by hand, in all the forms that the table has. */
#include "report/writers.h"

#include "report/place.h"
#include "report/rules.h"
#include "report/sources.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a report ---- */

static const FindingThread THREADS[] = {{.name = "T1", .about = "worker"}, {.name = "T2"}};
static const FindingStep STEPS[] = {
    {.thread = 0,
     .place = {.file = "a b.c", .line = 3, .column = 5, .function = "f"},
     .text = "read x",
     .words = "reads x",
     .role = FINDING_INSIDE,
     .matters = true,
     .frame = 1},
    {.thread = 1,
     .place = {.file = "a b.c", .line = 9},
     .text = "write x",
     .words = "writes x in between",
     .values = "x = 1",
     .role = FINDING_OTHER,
     .matters = true},
    {.thread = 1, .place = {.other = "event 7"}, .text = "release l", .role = FINDING_OTHER},
    {.thread = 0,
     .place = {.file = "a b.c", .line = 4, .column = 5},
     .text = "write x",
     .words = "writes x afterwards",
     .role = FINDING_BACK,
     .matters = true,
     .frame = 1}};
static const FindingEdge EDGES[] = {{.from = 0, .to = 1, .kind = EDGE_CHAIN, .object = "x", .label = "read → write"},
                                    {.from = 1, .to = 3, .kind = EDGE_CHAIN, .object = "x", .label = "write → write"}};
static const FindingNote NOTES[] = {{.level = LEVEL_NOTE,
                                     .place = {.file = "a b.c", .line = 9},
                                     .message = "T2 writes x in between",
                                     .source = "x = 1;"},
                                    {.level = LEVEL_NOTE, .message = "for example"}};
static const Finding FINDING = {.rule = "not-serializable",
                                .level = LEVEL_ERROR,
                                .place = {.file = "a b.c", .line = 3, .column = 5, .function = "f"},
                                .message = "transaction 'f' of T1 is not serializable",
                                .why = "T1 reads x; T2 writes x in between",
                                .threads = THREADS,
                                .n_threads = 2,
                                .notes = NOTES,
                                .n_notes = 2,
                                .steps = STEPS,
                                .n_steps = 4,
                                .edges = EDGES,
                                .n_edges = 2};

static const uint32_t ORDER[] = {3, 1, 2};

static void make(Report *report, Heap *heap) {
  report_init(report, heap, "toy", false);
  report->schema = "toy/1";
  report->question = "is it a toy?";
  report->verdict = VERDICT_VIOLATED;
  report->verdict_name = "violated";
  report_add(report, &FINDING);
  report_add_line(report, LINE_FULL, "note: a line");
  report_add_line(report, LINE_ALWAYS, "known: a line for all");
  members_open(&report->members, "things", '[', JSON_ROW);
  members_count(&report->members, NULL, 1);
  members_string(&report->members, NULL, "two");
  members_null(&report->members, NULL);
  members_close(&report->members);
  members_counts(&report->members, "order", ORDER, 3);
  report_add_statistic(report, STATISTIC("cut-offs", 4));
  report_add_statistic(report, STATISTIC_SECONDS(0.5));
  report_add_statistic(report, STATISTIC_BYTES(1500000));
  members_statistics(&report->members, report->statistics.at, report->statistics.n);
}

static char *written(WriteReport *write, const Report *report, TextStyle style) {
  char *text = NULL;
  size_t length;
  Err err;
  FILE *out = open_memstream(&text, &length);
  CU_ASSERT(write(report, style, out, &err));
  fclose(out);
  char *copy = strdup(text);
  free(text);
  return copy;
}

static void finish(Report *report, Heap *heap) {
  report_fini(report);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void check_same(char *got, const char *expected) {
  CU_ASSERT_STRING_EQUAL(got, expected);
  if (strcmp(got, expected)) fprintf(stderr, "--- expected\n%s--- got\n%s---\n", expected, got);
  free(got);
}

/* ---- the table ---- */

static bool write_toy(const Report *report, TextStyle style, FILE *out, Err *err) {
  (void)style;
  (void)err;
  fprintf(out, "%s: %u findings\n", report->tool, report->findings.n);
  return true;
}

static void every_row_writes_the_report(void) {
  static const char *const NEEDLES[] = {"not serializable", "\"findings\"", "\"path\":", "\"codeFlows\"", "<testcase",
                                        "sequenceDiagram",  "=== ",         "digraph",   "<svg",          "<script"};
  Report report;
  Heap *heap = heap_new(0);
  uint32_t n, names = 0;
  const Writer *table = writers_table(&n);
  make(&report, heap);
  CU_ASSERT_EQUAL_FATAL(n, sizeof NEEDLES / sizeof *NEEDLES);
  for (uint32_t i = 0; i < n; i++) {
    char *text = written(table[i].write, &report, (TextStyle){0});
    CU_ASSERT_PTR_NOT_NULL(strstr(text, NEEDLES[i]));
    free(text);
    CU_ASSERT_STRING_EQUAL(writers_names()[i], table[i].name);
    CU_ASSERT_PTR_EQUAL(writers_find(table[i].name), &table[i]);
  }
  while (writers_names()[names]) names++;
  CU_ASSERT_EQUAL(names, n);
  finish(&report, heap);
}

/* A new form is a function and a row: nothing else has to know it. */
static void a_new_form_is_one_function(void) {
  static const Writer ROW = {"toy", write_toy, true, false};
  Report report;
  Heap *heap = heap_new(0);
  make(&report, heap);
  check_same(written(ROW.write, &report, (TextStyle){0}), "toy: 1 findings\n");
  finish(&report, heap);
}

/* ---- text ---- */

static void text_is_as_compilers_write_it(void) {
  Report report;
  Heap *heap = heap_new(0);
  make(&report, heap);
  check_same(written(text_write, &report, (TextStyle){0}),
             "a b.c:3:5: error: transaction 'f' of T1 is not serializable\n"
             "a b.c:9: note: T2 writes x in between\n"
             "    9 | x = 1;\n"
             "note: for example\n"
             "note: a line\n"
             "known: a line for all\n"
             "verdict: violated\n");
  check_same(written(text_write, &report, (TextStyle){.quiet = true, .colour = true}),
             "known: a line for all\nverdict: \33[1;31mviolated\33[0m\n");
  report.lines_alone = true;
  check_same(written(text_write, &report, (TextStyle){0}), "note: a line\nknown: a line for all\n");
  finish(&report, heap);
}

static void a_run_is_a_table(void) {
  Report report;
  Heap *heap = heap_new(0);
  make(&report, heap);
  char *text = written(text_write, &report, (TextStyle){.verbose = true});
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "a b.c:3:5: note: a run that shows it, in 4 steps:\n"
                                      "    1. T1  line 3  read x     <- reads x\n"
                                      "    2. T2  line 9  write x    {x = 1}  <- writes x in between\n"
                                      "    3. T2          release l\n"
                                      "    4. T1  line 4  write x    <- writes x afterwards\n"));
  free(text);
  Finding *finding = &report.findings.at[0];
  finding->no_run = true;
  text = written(text_write, &report, (TextStyle){.verbose = true});
  CU_ASSERT_PTR_NULL(strstr(text, "steps:"));
  free(text);
  finish(&report, heap);
}

/* ---- places, and the files that they name ---- */

static void places_are_parsed(void) {
  static const struct {
    const char *text, *head, *words;
  } ROWS[] = {{"prog.c:12:5:main", "prog.c:12:5", "prog.c:12:5 in main"},
              {"prog.c:12:5:", "prog.c:12:5", "prog.c:12:5"},
              {"prog.c:12:0:bank::Account::put", "prog.c:12", "prog.c:12 in bank::Account::put"},
              {"prog.c:12:main", "prog.c:12", "prog.c:12 in main"},
              {"a:b.c:7", "a:b.c:7", "a:b.c:7"},
              {"prog.c", "prog.c", "prog.c"},
              {"17", "17", "17"},
              {":17", ":17", ":17"},
              {"prog.c:12x", "prog.c:12x", "prog.c:12x"},
              {"prog.c:0", "prog.c:0", "prog.c:0"},
              {"prog.c:99999999999", "prog.c:99999999999", "prog.c:99999999999"}};
  Heap *heap = heap_new(0);
  Arena arena;
  arena_init(&arena, heap);
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const Place place = place_parse(&arena, ROWS[i].text);
    CU_ASSERT_STRING_EQUAL(place_head(&arena, &place), ROWS[i].head);
    CU_ASSERT_STRING_EQUAL(place_words(&arena, &place), ROWS[i].words);
    CU_ASSERT(!place.file || place.file[0]);
    CU_ASSERT((place.file != NULL) == (place.line > 0) && (place.file != NULL) != (place.other != NULL));
  }
  const Place place = {.file = "f.c", .line = 2, .function = "f"};
  CU_ASSERT_STRING_EQUAL(place_here(&arena, &place), "here in f");
  CU_ASSERT_STRING_EQUAL(place_here(&arena, &(Place){0}), "here");
  CU_ASSERT_STRING_EQUAL(place_head(&arena, &(Place){0}), "");
  arena_fini(&arena);
  heap_free(heap);
}

static char folder[] = "/tmp/test_writers_XXXXXX";

static const char *path_of(const char *name) {
  static char path[100];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void put_file(const char *name, const char *text, size_t length) {
  FILE *file = fopen(path_of(name), "wb");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fwrite(text, 1, length, file);
  fclose(file);
}

static bool has_line(Sources *sources, const char *name, uint32_t line, uint32_t column, const char *expected) {
  const SourceLine found = sources_line(sources, path_of(name), line, column);
  if (!found.text || !expected) return !found.text && !expected;
  return found.length == strlen(expected) && memcmp(found.text, expected, found.length) == 0;
}

/* A place in a log may be any file: none of them hurts, and none is waited for. */
static void files_that_are_no_sources_have_no_lines(void) {
  Heap *heap = heap_new(0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
  put_file("good.c", "int x;\r\n\nlast", 13);
  put_file("binary", "\0\1\2\3\4\5\6\7", 8);
  put_file("huge", "x\n", 2);
  put_file("empty", "", 0);
  CU_ASSERT_EQUAL(truncate(path_of("huge"), (off_t)1 << 33), 0);
  CU_ASSERT_EQUAL(mkfifo(path_of("fifo"), 0600), 0);
  Sources *sources = sources_new(heap);
  CU_ASSERT(has_line(sources, "good.c", 1, 6, "int x;"));
  CU_ASSERT(has_line(sources, "good.c", 1, 7, NULL)); /* not the file that the place means */
  CU_ASSERT(has_line(sources, "good.c", 2, 0, NULL));
  CU_ASSERT(has_line(sources, "good.c", 3, 0, "last"));
  CU_ASSERT(has_line(sources, "good.c", 4, 0, NULL));
  CU_ASSERT(has_line(sources, "good.c", 0, 0, NULL));
  CU_ASSERT(has_line(sources, "missing", 1, 0, NULL));
  CU_ASSERT(has_line(sources, "binary", 1, 0, NULL));
  CU_ASSERT(has_line(sources, "huge", 1, 0, NULL));
  CU_ASSERT(has_line(sources, "empty", 1, 0, NULL));
  CU_ASSERT(has_line(sources, "fifo", 1, 0, NULL));
  CU_ASSERT(has_line(sources, ".", 1, 0, NULL));
  sources_free(sources);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void a_source_line_has_a_caret(void) {
  Report report;
  Heap *heap = heap_new(0);
  report_init(&report, heap, "toy", false);
  Finding finding = {.rule = "not-serializable",
                     .level = LEVEL_ERROR,
                     .place = {.file = path_of("good.c"), .line = 1, .column = 5},
                     .message = "wrong"};
  const FindingNote notes[] = {{LEVEL_NOTE, {.file = path_of("good.c"), .line = 1, .column = 3}, "here", "reads x"},
                               {LEVEL_NOTE, {.file = "missing.c", .line = 9, .column = 1}, "there", "writes x"}};
  finding.notes = notes;
  finding.n_notes = 2;
  report_add(&report, &finding);
  char expected[600];
  const char *file = path_of("good.c");
  static const char THERE[] = "missing.c:9:1: note: there\n    9 | writes x\nverdict: unknown\n";
  snprintf(expected, sizeof expected, "%s:1:5: error: wrong\n%s:1:3: note: here\n    1 | reads x\n%s", file, file,
           THERE);
  check_same(written(text_write, &report, (TextStyle){0}), expected);
  report.shows_sources = true;
  snprintf(expected, sizeof expected,
           "%s:1:5: error: wrong\n  int x;\n      ^\n%s:1:3: note: here\n  int x;\n    ^\n%s", file, file, THERE);
  check_same(written(text_write, &report, (TextStyle){0}), expected);
  finish(&report, heap);
  static const char *const FILES[] = {"good.c", "binary", "huge", "empty", "fifo"};
  for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) unlink(path_of(FILES[i]));
  rmdir(folder);
}

/* ---- JSON and SARIF ---- */

static void json_has_facts_and_findings(void) {
  Report report;
  Heap *heap = heap_new(0);
  make(&report, heap);
  char *text = written(json_write, &report, (TextStyle){0});
  static const char BEGIN[] = "{\n"
                              "  \"schema\": \"toy/1\",\n"
                              "  \"verdict\": \"violated\",\n"
                              "  \"why\": null,\n"
                              "  \"sources\": [],\n"
                              "  \"diagnostics\": [],\n"
                              "  \"things\": [1, \"two\", null],\n"
                              "  \"order\": [3, 1, 2],\n"
                              "  \"stats\": {\"cutoffs\": 4, \"seconds\": 0.5, \"bytes\": 1500000},\n"
                              "  \"findings\": [\n";
  CU_ASSERT_EQUAL(strncmp(text, BEGIN, sizeof BEGIN - 1), 0);
  if (strncmp(text, BEGIN, sizeof BEGIN - 1)) fputs(text, stderr);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(text, "{\"thread\": 1, \"place\": {\"elsewhere\": \"event 7\"}, \"text\": \"release l\"}"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "{\"level\": \"note\", \"place\": null, \"message\": \"for example\"}"));
  free(text);
  finish(&report, heap);
}

static void sarif_orders_the_threads(void) {
  Report report;
  Heap *heap = heap_new(0);
  make(&report, heap);
  report.why = "a limit";
  char *text = written(sarif_write, &report, (TextStyle){0});
  const char *first = strstr(text, "\"id\": \"T1\""), *second = strstr(text, "\"id\": \"T2\"");
  CU_ASSERT_FATAL(first && second && first < second);
  CU_ASSERT_PTR_NOT_NULL(strstr(first, "\"executionOrder\": 1, \"importance\": \"essential\""));
  CU_ASSERT(strstr(first, "\"executionOrder\": 4") < second &&
            strstr(second, "\"executionOrder\": 3, \"importance\": \"unimportant\""));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"artifactLocation\": {\"uri\": \"a%20b.c\", \"index\": 0}, \"region\": "
                                      "{\"startLine\": 3, \"startColumn\": 5}"));
  CU_ASSERT_PTR_NOT_NULL(
      strstr(text, "{\"level\": \"note\", \"message\": {\"text\": \"not everything is known: a limit\"}}"));
  free(text);
  report.findings.at[0].no_run = true;
  text = written(sarif_write, &report, (TextStyle){0});
  CU_ASSERT_PTR_NULL(strstr(text, "codeFlows"));
  free(text);
  finish(&report, heap);
}

static void rules_are_found(void) {
  for (uint32_t i = 0; i < N_RULES; i++) CU_ASSERT_EQUAL(rules_find(RULES[i].id), i);
}

static void statistics_are_a_line(void) {
  const Statistic rows[] = {STATISTIC("places", 31), STATISTIC_SECONDS(0.25), STATISTIC_BYTES(61440)};
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  statistics_print(rows, 3, out);
  statistics_print(rows, 1, out);
  fclose(out);
  check_same(text, "places 31, 0.250 s, 0.1 MB\nplaces 31\n");
}

void suite_writers(void);
void suite_writers(void) {
  CU_pSuite suite = CU_add_suite("writers", NULL, NULL);
  CU_ADD_TEST(suite, every_row_writes_the_report);
  CU_ADD_TEST(suite, a_new_form_is_one_function);
  CU_ADD_TEST(suite, text_is_as_compilers_write_it);
  CU_ADD_TEST(suite, a_run_is_a_table);
  CU_ADD_TEST(suite, places_are_parsed);
  CU_ADD_TEST(suite, files_that_are_no_sources_have_no_lines);
  CU_ADD_TEST(suite, a_source_line_has_a_caret);
  CU_ADD_TEST(suite, json_has_facts_and_findings);
  CU_ADD_TEST(suite, sarif_orders_the_threads);
  CU_ADD_TEST(suite, rules_are_found);
  CU_ADD_TEST(suite, statistics_are_a_line);
}
