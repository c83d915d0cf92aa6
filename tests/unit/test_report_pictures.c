/* What is drawn of a verdict. */
#include "base/drawing.h"
#include "tests/unit/hand_net.h"
#include "tests/unit/report_case.h"
#include "tests/unit/skip.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_violated(&c, heap, figure5a(heap, "deposit"), "abcgd");
  char *text = report_case_picture(&c.report, picture_write_dot),
       *again = report_case_picture(&c.report, picture_write_dot);
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
  report_case_end(&c);
}

/* T2's read of X comes before T3's write of X through W and Z too: the edges are drawn that say something new. */
static void test_implied_edges_are_not_drawn(void) {
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_violated(&c, heap, report_case_long_chain(heap, true), "abcdfghije");
  char *text = report_case_picture(&c.report, picture_write_dot);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"block 1, step 4\" -> \"block 1, step 5\""));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"block 1, step 7\" -> \"block 1, step 8\""));
  CU_ASSERT_PTR_NULL(strstr(text, "\"block 1, step 5\" -> \"block 1, step 9\""));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"block 1, step 4\" -> \"block 1, step 9\"")); /* implied, but on the chain */
  free(text);
  report_case_end(&c);
}

static void test_svg(void) {
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_violated(&c, heap, report_case_long_chain(heap, false), "abcdfghie");
  char *text = report_case_picture(&c.report, picture_write_svg),
       *again = report_case_picture(&c.report, picture_write_svg);
  CU_ASSERT_STRING_EQUAL(text, again);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "<svg "));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "</svg>"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, ">13: W := y</text>"));
  CU_ASSERT_PTR_NULL(strstr(text, "<image"));
  CU_ASSERT_PTR_NULL(strstr(text, "href="));
  free(text);
  free(again);
  report_case_end(&c);
}

static void test_strange_names_are_drawn(void) {
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_violated(&c, heap, report_case_foreign_net(heap), "abc");
  char *text = report_case_picture(&c.report, picture_write_dot);
  check_dot(text);
  free(text);
  text = report_case_picture(&c.report, picture_write_svg);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "&lt;&quot;\\y&quot;&gt;</text>"));
  CU_ASSERT_PTR_NULL(strchr(text, '\33'));
  free(text);
  report_case_end(&c);
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
  ReportCase c;
  Heap *heap = heap_new(0);
  report_case_start(&c, heap, figure5b(heap), VERDICT_HOLDS);
  char *text = report_case_picture(&c.report, picture_write_dot);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "Every marked block is causally atomic"));
  check_dot(text);
  free(text);
  c.report.verdict = c.block.verdict = VERDICT_UNKNOWN;
  text = report_case_picture(&c.report, picture_write_svg);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "No marked block was found violated"));
  free(text);
  report_case_end(&c);
}

void suite_report_pictures(void);
void suite_report_pictures(void) {
  CU_pSuite suite = CU_add_suite("report_pictures", NULL, NULL);
  CU_ADD_TEST(suite, test_figure5a_dot);
  CU_ADD_TEST(suite, test_implied_edges_are_not_drawn);
  CU_ADD_TEST(suite, test_svg);
  CU_ADD_TEST(suite, test_strange_names_are_drawn);
  CU_ADD_TEST(suite, test_labels_mean_nothing);
  CU_ADD_TEST(suite, test_unknown_layout_is_not_drawn);
  CU_ADD_TEST(suite, test_nothing_to_draw);
}
