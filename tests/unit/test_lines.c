/* Lines of --format=jsonl are read as they are written; what is none is told; many of them come to one answer. */
#include "base/file.h"
#include "report/summing.h"
#include "report/writers.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/runner.h"

static const char PLAIN[] =
    "{\"path\": \"a\", \"size\": 1, \"time\": 2, \"options\": \"\", \"schema\": \"t/1\", \"verdict\": \"atomic\", "
    "\"exit\": 0, \"events\": 7, \"findings\": [], \"why\": null}";

/* The line that a report becomes; malloc'd. */
static char *line_of(Heap *heap, const ReportFile *file, Verdict verdict, const char *name, const Finding *findings,
                     uint32_t n) {
  char *text = NULL;
  size_t length;
  Err err;
  Report report;
  FILE *out = open_memstream(&text, &length);
  report_init(&report, heap, "tool", true);
  report.file = file;
  report.schema = "t/1";
  report.verdict = verdict;
  report.verdict_name = name;
  report_add_statistic(&report, STATISTIC("events", 42));
  for (uint32_t i = 0; i < n; i++) report_add(&report, &findings[i]);
  CU_ASSERT(jsonl_write(&report, (TextStyle){0}, out, &err));
  report_fini(&report);
  fclose(out);
  CU_ASSERT(length > 0 && text[length - 1] == '\n' && strchr(text, '\n') == text + length - 1);
  text[length - 1] = '\0';
  return text;
}

static bool start(Heap **heap, LineReader *reader) {
  Err err;
  *heap = heap_new(0);
  const bool good = line_reader_init(reader, *heap, &err);
  CU_ASSERT(good);
  return good;
}

static void end(Heap *heap, LineReader *reader) {
  line_reader_fini(reader);
  CU_ASSERT(heap_used(heap) == 0);
  heap_free(heap);
}

static const Finding FINDING = {.rule = "not-atomic",
                                .level = LEVEL_ERROR,
                                .place = {.file = "a.c", .line = 3, .column = 5, .function = "f"},
                                .message = "it is \"not\" atomic",
                                .count = 2};

/* Every path comes back, whatever its bytes are. */
static void test_round_trip(void) {
  static const char *const PATHS[] = {"a",        "two\nlines", "not\xff\xfeutf8", "-f",
                                      "\x01\x7f", "\xc3\xa4",   "\xed\xa0\x80"};
  Heap *heap;
  LineReader reader;
  ResultLine line;
  if (!start(&heap, &reader)) return;
  for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++) {
    const ReportFile file = {PATHS[i], true, 12, UINT64_C(1795424819641182936), "--all", 0, 0};
    char *text = line_of(heap, &file, VERDICT_VIOLATED, "violated", &FINDING, 1);
    CU_ASSERT_FATAL(result_line_read(&reader, text, strlen(text), &line));
    CU_ASSERT_STRING_EQUAL(line.file.path, PATHS[i]);
    CU_ASSERT(line.file.is_file && line.file.size == 12 && line.file.time == file.time);
    CU_ASSERT_STRING_EQUAL(line.file.options, "--all");
    CU_ASSERT(line.exit == EXIT_VIOLATED && line.has_events && line.events == 42);
    CU_ASSERT(line.n_findings == 1 && line.n_wrong == 1);
    const LineFinding finding = result_line_finding(&reader, &line, 0);
    CU_ASSERT_STRING_EQUAL(finding.message, FINDING.message);
    CU_ASSERT(finding.line == 3 && finding.column == 5 && !finding.passed);
    free(text);
  }
  end(heap, &reader);
}

/* No part of a line is one, nor is a line with a member of another kind. */
static void test_half_lines(void) {
  Heap *heap;
  LineReader reader;
  ResultLine line;
  if (!start(&heap, &reader)) return;
  CU_ASSERT(result_line_read(&reader, PLAIN, strlen(PLAIN), &line));
  for (size_t n = 0; n < strlen(PLAIN); n++) CU_ASSERT(!result_line_read(&reader, PLAIN, n, &line));
  static const char *const WRONG[][2] = {{"\"a\"", "null"},
                                         {"\"exit\": 0", "\"exit\": 5"},
                                         {"\"exit\": 0", "\"exit\": -1"},
                                         {"[]", "[1]"},
                                         {"[]", "null"},
                                         {"\"atomic\"", "1"},
                                         {"\"path\"", "\"paths\""},
                                         {"[]", "[{}]"},
                                         {"\"options\": \"\"", "\"options\": null"},
                                         {"1,", "1, \"bytes\": \"6\","},
                                         {"1,", "1, \"bytes\": \"00\","},
                                         {"1,", "1, \"bytes\": \"6g\","}};
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    char text[400];
    const char *at = strstr(PLAIN, WRONG[i][0]);
    CU_ASSERT_FATAL(at != NULL);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - PLAIN), PLAIN, WRONG[i][1], at + strlen(WRONG[i][0]));
    CU_ASSERT(!result_line_read(&reader, text, strlen(text), &line));
  }
  end(heap, &reader);
}

static void add(Summing *sum, LineReader *reader, const char *path, Verdict verdict, const char *name,
                const Finding *findings, uint32_t n) {
  const ReportFile file = {.path = path, .options = ""};
  ResultLine line;
  char *text = line_of(sum->heap, &file, verdict, name, findings, n);
  CU_ASSERT_FATAL(result_line_read(reader, text, strlen(text), &line));
  summing_add(sum, reader, &line);
  free(text);
}

static void expect(const Summing *sum, uint64_t of, const char *want) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  summing_write(sum, of, false, false, out);
  fclose(out);
  CU_ASSERT_STRING_EQUAL(text, want);
  free(text);
}

/* A finding counts once per input; without a place the message tells which is which; what has passed is none. */
static void test_sum(void) {
  Finding two[] = {FINDING, FINDING, {.rule = "r", .level = LEVEL_WARNING, .message = "odd", .kind = FINDING_OPEN}};
  const Finding passed = {.rule = "not-atomic", .level = LEVEL_NOTE, .message = "fine", .kind = FINDING_PASS};
  Heap *heap;
  LineReader reader;
  Summing sum;
  if (!start(&heap, &reader)) return;
  summing_init(&sum, heap);
  CU_ASSERT(summing_exit_code(&sum, false) == EXIT_UNKNOWN);
  add(&sum, &reader, "x", VERDICT_HOLDS, "atomic", &passed, 1);
  CU_ASSERT(summing_exit_code(&sum, false) == EXIT_HOLDS && summing_exit_code(&sum, true) == EXIT_UNKNOWN);
  expect(&sum, 1, "1 input: 1 atomic\nverdict: atomic\n");
  add(&sum, &reader, "u", VERDICT_UNKNOWN, "unknown", two + 2, 1);
  CU_ASSERT(summing_exit_code(&sum, false) == EXIT_UNKNOWN);
  add(&sum, &reader, "y", VERDICT_VIOLATED, "violated", two, 3);
  two[0].message = "another message for the same place";
  add(&sum, &reader, "z", VERDICT_VIOLATED, "violated", two, 1);
  two[2].message = "odder";
  add(&sum, &reader, "z2", VERDICT_VIOLATED, "predicted", two, 3);
  CU_ASSERT(summing_exit_code(&sum, true) == EXIT_VIOLATED);
  expect(&sum, 7,
         "5 of 7 inputs: 1 predicted, 2 violated, 1 unknown, 1 atomic\n"
         "a.c:3:5: error: it is \"not\" atomic (in 3 inputs, for example y)\n"
         "warning: odd (in 2 inputs, for example u)\n"
         "warning: odder (in 1 input, for example z2)\n"
         "verdict: predicted\n");
  summing_fini(&sum);
  end(heap, &reader);
}

void suite_lines(void);
void suite_lines(void) {
  CU_pSuite suite = CU_add_suite("lines", NULL, NULL);
  CU_ADD_TEST(suite, test_round_trip);
  CU_ADD_TEST(suite, test_half_lines);
  CU_ADD_TEST(suite, test_sum);
}
