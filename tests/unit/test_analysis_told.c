/* The analyses of Wang and Stoller: which blocks they look at, and what they tell of what they find. */
#include "tests/oracle/all_traces.h"
#include "tests/unit/set_run.h"
#include "tests/unit/skip.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the blocks are ---- */

static AnalysisSize size_of(const char *const *transactions) {
  SetRun run = {.n = 0};
  set_put_transactions(&run, transactions);
  Heap *heap = heap_new(0);
  const AnalysisSize size = analysis_size(set_analysed(heap, &run, ANALYSIS_BLOCKS, RACES_PAIRWISE));
  heap_free(heap);
  return size;
}

/* (12): two blocks. (14): one; and a hundred transactions like it make no more. A long one is thinned out. */
static void equal_blocks_are_one(void) {
  CU_ASSERT_EQUAL(size_of((const char *const[]){"+a rx +b wx rx -b -a", "wx", NULL}).spans, 2);
  CU_ASSERT_EQUAL(size_of((const char *const[]){"+a rx rx rx rx rx rx -a", "wx", NULL}).spans, 1);
  Heap *heap = heap_new(0);
  Analysis *analysis = analysis_new(heap, &(AnalysisOptions){ANALYSIS_BLOCKS, RACES_PAIRWISE, 0, SYNC_ALL});
  for (uint32_t i = 0; i < 400; i++) {
    const uint32_t t = i % 2;
    analysis_feed(analysis, &(TraceEvent){t, 0, t, TRACE_BEGIN}, 1);
    for (uint32_t k = 0; k <= i; k++)
      analysis_feed(analysis, (TraceEvent[]){{t, 5, 1, TRACE_READ}, {t, 5, 1, TRACE_WRITE}, {t, 5, 1, TRACE_READ}}, 3);
    analysis_feed(analysis, &(TraceEvent){t, TRACE_NONE, 0, TRACE_END}, 1);
  }
  analysis_finish(analysis);
  const AnalysisSize size = analysis_size(analysis);
  CU_ASSERT_TRUE(size.transactions == 400 && size.shapes <= 6 && size.spans <= 10);
  heap_free(heap);
}

/* One of each class under swapping the two and renaming the variables, as a text: who does what
 * in which order. */
static void normal_form(const ViewEvent *events, char *text) {
  char best[16] = "~";
  for (uint32_t change = 0; change < 4; change++) {
    char form[16];
    for (uint32_t i = 0; i < 4; i++) {
      form[3 * i] = (char)('0' + (events[i].transaction ^ (change & 1)));
      form[3 * i + 1] = (char)('x' + (events[i].variable ^ change >> 1));
      form[3 * i + 2] = events[i].write ? 'W' : 'R';
    }
    form[12] = '\0';
    if (strcmp(form, best) < 0) strcpy(best, form);
  }
  strcpy(text, best);
}

enum { FORMS = 200 };

static uint32_t add_form(char (*forms)[16], uint32_t n, const ViewEvent *events) {
  normal_form(events, forms[n]);
  for (uint32_t i = 0; i < n; i++)
    if (strcmp(forms[i], forms[n]) == 0) return n;
  return n + 1;
}

/* All interleavings of two 2-blocks that are unserializable. */
static uint32_t generate_forms(char (*forms)[16]) {
  static const uint8_t orders[6][4] = {{0, 1, 2, 3}, {2, 3, 0, 1}, {0, 2, 3, 1},
                                       {2, 0, 1, 3}, {0, 2, 1, 3}, {2, 0, 3, 1}};
  uint32_t n = 0;
  for (uint32_t choice = 0; choice < 6 * 16 * 4; choice++) {
    const uint32_t order = choice % 6, writes = choice / 6 % 16, turned = choice / 96;
    ViewEvent events[4];
    for (uint32_t i = 0; i < 4; i++) {
      const uint32_t e = orders[order][i];
      events[i] = (ViewEvent){e / 2, (e % 2) ^ (turned >> e / 2 & 1), writes >> e & 1};
    }
    if (blocks_view_unserializable(events, 4)) n = add_form(forms, n, events);
  }
  return n;
}

/* "  b : W(x)           W(y)" and "      b':      W(x) W(y)": the columns are the order. */
static uint32_t read_forms(FILE *file, char (*forms)[16]) {
  char lines[2][128] = {"", ""};
  uint32_t n = 0;
  for (uint32_t now = 1; n < FORMS - 1 && fgets(lines[now], sizeof lines[now], file); now ^= 1) {
    if (!strstr(lines[now], "b':") || !strstr(lines[now ^ 1], "b :")) continue;
    ViewEvent events[4];
    uint32_t k = 0;
    for (size_t column = 10; column + 3 < sizeof lines[0]; column++)
      for (uint32_t t = 0; t < 2; t++) {
        const char *line = lines[now ^ 1 ^ t];
        if (column + 2 < strlen(line) && strchr("RW", line[column]) && line[column + 1] == '(' && k < 4)
          events[k++] = (ViewEvent){t, (uint32_t)(line[column + 2] - 'x'), line[column] == 'W'};
      }
    if (k == 4) n = add_form(forms, n, events);
  }
  return n;
}

static int compare_forms(const void *a, const void *b) { return strcmp(a, b); }

static void two_block_patterns(void) {
  char ours[FORMS][16], theirs[FORMS][16];
  const uint32_t n = generate_forms(ours);
  qsort(ours, n, sizeof *ours, compare_forms);
  printf("(%u patterns) ", n);
  FILE *file = fopen("tests/unit/two_block_cases.txt", "r");
  if (!file) {
    skip("tests/unit/two_block_cases.txt is not there");
    return;
  }
  const uint32_t m = read_forms(file, theirs);
  fclose(file);
  qsort(theirs, m, sizeof *theirs, compare_forms);
  CU_ASSERT_EQUAL(m, 27);
  CU_ASSERT_EQUAL(n, m);
  for (uint32_t i = 0; i < n && i < m; i++) CU_ASSERT_STRING_EQUAL(ours[i], theirs[i]);
}

/* ---- what is told ---- */

static void rows_tell_why(void) {
  SetRun run = {.n = 0};
  set_put_transactions(&run, (const char *const[]){"+l rx -l +l wx -l", "+l rx wx -l", NULL});
  Heap *heap = heap_new(0);
  const Analysis *analysis = set_analysed(heap, &run, ANALYSIS_COMBINED, RACES_PAIRWISE);
  uint32_t n;
  const AnalysisRow *rows = analysis_rows(analysis, &n);
  CU_ASSERT_EQUAL_FATAL(n, 2);
  const AnalysisRow *row = &rows[0];
  CU_ASSERT_TRUE(row->label == 0 && row->location == 0 && row->transactions == 1 && row->verdict == VERDICT_VIOLATED);
  CU_ASSERT_TRUE(!row->reducible && row->stops[0].event.event == 3 && row->stops[0].event.op == TRACE_RELEASE);
  CU_ASSERT_TRUE(row->stops[1].event.event == 4 && row->stops[1].event.op == TRACE_ACQUIRE && !row->stops[1].has_rival);
  CU_ASSERT_TRUE(row->pattern == PATTERN_UP4 && row->certainty == CERTAIN_WHOLE && row->n_events == 3);
  const uint64_t events[] = {2, 11, 5};
  for (uint32_t i = 0; i < 3; i++) {
    const AnalysisPatternEvent *at = &row->events[i];
    CU_ASSERT_TRUE(at->event.event == events[i] && at->event.location == events[i] && at->event.object == 'x' - 'a');
    CU_ASSERT_TRUE(at->transaction == i % 2 && at->label == i % 2 && at->begin == (i % 2 ? 8 : 0) &&
                   at->event.thread == i % 2);
    CU_ASSERT_TRUE(at->event.n_locks == 1 && at->event.locks[0] == 2 * ('l' - 'a'));
  }
  CU_ASSERT_TRUE(rows[1].verdict == VERDICT_HOLDS && rows[1].reducible && rows[1].pattern == PATTERN_NONE);
  heap_free(heap);
}

/* Of the transactions of thread 0. */
static Certainty certainty_of_row(const char *const *steps, AnalysisKind kind) {
  SetRun run = {.n = 0};
  for (uint32_t i = 0; steps[i]; i += 2) {
    const uint32_t t = (uint32_t)(steps[i][0] - '0');
    const bool marked = steps[i][1] == 'b';
    if (marked) set_put(&run, t, TRACE_BEGIN, t);
    set_put_text(&run, t, steps[i + 1]);
    if (marked) set_put(&run, t, TRACE_END, TRACE_NONE);
  }
  Heap *heap = heap_new(0);
  const Analysis *analysis = set_analysed(heap, &run, kind, RACES_PAIRWISE);
  uint32_t n;
  const AnalysisRow *row = analysis_rows(analysis, &n);
  for (; n > 1 && row->label != 0; row++) n--;
  CU_ASSERT_TRUE_FATAL(row->label == 0 && row->verdict == VERDICT_VIOLATED && row->pattern != PATTERN_NONE);
  const Certainty certainty = row->certainty;
  CU_ASSERT_TRUE(certainty != CERTAIN_WHOLE || !all_traces_study(run.events, run.n).atomic);
  heap_free(heap);
  return certainty;
}

/* What is certain of a pair need not be of the whole: the first one is atomic. "0b": a transaction of thread 0. */
static void certain_of_what(void) {
  static const struct {
    const char *steps[9];
    Certainty certainty;
  } cases[] = {
      {{"0", "wx", "1", "wx", "0b", "rx wx"}, CERTAIN_ALONE},
      {{"0", "ry", "1", "wx", "0b", "rx wx"}, CERTAIN_WHOLE},     /* nobody else writes x */
      {{"0", "wx", "1b", "rx wx", "0b", "rx wx"}, CERTAIN_WHOLE}, /* the other one reads it, too */
      {{"0", "wx", "1b", "wx wx", "0b", "rx wx"}, CERTAIN_ALONE},
      {{"0", "wx", "1", "wx", "0b", "rx rx"}, CERTAIN_WHOLE}, /* UP2 */
      {{"0", "wx", "1", "wx", "0b", "wx rx"}, CERTAIN_WHOLE}, /* UP3 */
      {{"0", "wx", "1", "rx", "0b", "wx wx"}, CERTAIN_WHOLE}, /* UP1 */
      {{"0b", "rx ry", "1b", "wx wy"}, CERTAIN_WHOLE},
      {{"0b", "rx ry", "1b", "wx wy", "1", "wx"}, CERTAIN_ALONE},
      {{"0b", "rx ry", "1b", "wx wy", "2", "wy"}, CERTAIN_ALONE},
      /* With a potential deadlock: */
      {{"0b", "+a +b rx wx -b -a", "1b", "+b +a -a -b wx", "2", "rx"}, CERTAIN_ALONE},
      {{"0b", "+a +b -b rx wx -a", "1b", "+b +a -a wx -b"}, CERTAIN_NOT}, /* example (10) of the paper */
      {{"0b", "+a +b -b rx -a wx", "1b", "+b +a -a wx -b"}, CERTAIN_ALONE},
      {{"0b", "+a rx +b wx -b -a", "1b", "+b +a -a wx -b"}, CERTAIN_ALONE},
      {{"0b", "+a +b rx -b -a +b +a wx -a -b", "1b", "+b +a -a wx -b"}, CERTAIN_ALONE},
      {{"0b", "rx +a +b -b -a ry", "1b", "wx +b +a -a -b wy"}, CERTAIN_ALONE}, /* two blocks */
      /* Locks that are not nested: */
      {{"0b", "+a rx +b -a wx -b", "1b", "+a +b -a wx -b"}, CERTAIN_ALONE},
      {{"0b", "+a +b -b +c rx wx -a -c", "1b", "+b +a -a wx -b"}, CERTAIN_NOT},
      {{"0b", "+a rx +b -a +c -b wx -c", "1b", "+a wx -a"}, CERTAIN_ALONE},
      {{"0b", "rx wx", "1b", "rx wx", "2", "+a ry +b ry -b -a", "3", "+b ry +a ry -a -b"},
       CERTAIN_ALONE}, /* of others */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (AnalysisKind kind = ANALYSIS_BLOCKS; kind <= ANALYSIS_COMBINED; kind++) {
      const Certainty certainty = certainty_of_row(cases[i].steps, kind);
      if (certainty != cases[i].certainty) printf("case %zu: %d, not %d\n", i, certainty, cases[i].certainty);
      CU_ASSERT_EQUAL(certainty, cases[i].certainty);
    }
}

/* Who is split: "around" takes the locks that are acquired in between (blocks.h); the final write is the last one. */
static void the_split_one_is_told(void) {
  SetRun run = {.n = 0};
  uint32_t n;
  set_put_transactions(&run, (const char *const[]){"+l wx wy -l", "rx +l -l ry", NULL});
  Heap *heap = heap_new(0);
  const AnalysisRow *rows = analysis_rows(set_analysed(heap, &run, ANALYSIS_BLOCKS, RACES_PAIRWISE), &n);
  CU_ASSERT_TRUE(rows[0].verdict == VERDICT_HOLDS && rows[1].verdict == VERDICT_VIOLATED);
  CU_ASSERT_TRUE(rows[1].pattern == PATTERN_TWO_BLOCKS && rows[1].n_events == 4 && rows[1].events[0].event.event == 7);
  run.n = 0;
  set_put_transactions(&run, (const char *const[]){"rx wx wx wx", "wx wx wx", NULL});
  rows = analysis_rows(set_analysed(heap, &run, ANALYSIS_BLOCKS, RACES_PAIRWISE), &n);
  CU_ASSERT_TRUE(rows[0].pattern == PATTERN_UP4 && rows[0].events[2].event.event == 4 &&
                 rows[0].events[1].event.event == 9);
  heap_free(heap);
}

static void races_are_told(void) {
  SetRun run = {.n = 0};
  set_put_transactions(&run, (const char *const[]){"rx +l wy -l wx", "+m wx -m", NULL});
  Heap *heap = heap_new(0);
  uint32_t n;
  const AnalysisRow *row = analysis_rows(set_analysed(heap, &run, ANALYSIS_REDUCTION, RACES_PAIRWISE), &n);
  CU_ASSERT_TRUE(row->has_stops && row->stops[0].event.event == 1 && row->stops[0].has_rival);
  CU_ASSERT_TRUE(row->stops[0].rival.event == 9 && row->stops[0].rival.thread == 1 && row->stops[0].rival.n_locks == 1);
  CU_ASSERT_TRUE(row->stops[1].event.event == 5); /* the lock is of one thread alone: no reason to stop */
  heap_free(heap);
}

static void deadlocks_are_told(void) {
  static const struct {
    const char *transactions[4];
    uint32_t circles, of;
  } cases[] = {
      {{"+a +b -b -a", "+b +a -a -b"}, 1, 2},
      {{"+g +a +b -b -a -g", "+g +b +a -a -b -g"}, 0, 0},
      {{"+a +b -b -a", "+b +c -c -b", "+c +a -a -c"}, 1, 3},
      {{"+a +b -b -a", "+b +c -c -b", "+g +c +a -a -c -g"}, 1, 3},
      {{"+a +b -b -a +b +a -a -b"}, 0, 0},
      {{"+a +b -a -b", "+b +a -a -b"}, 1, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SetRun run = {.n = 0};
    uint32_t n;
    set_put_transactions(&run, cases[i].transactions);
    Heap *heap = heap_new(0);
    const AnalysisDeadlock *deadlocks =
        analysis_deadlocks(set_analysed(heap, &run, ANALYSIS_REDUCTION, RACES_PAIRWISE), &n);
    CU_ASSERT_EQUAL(n, cases[i].circles);
    for (uint32_t k = 0; n == 1 && k < cases[i].of; k++) {
      const AnalysisLocking *locking = &deadlocks->lockings[k];
      CU_ASSERT_TRUE(deadlocks->n == cases[i].of &&
                     locking->inner == deadlocks->lockings[(k + 1) % deadlocks->n].outer);
      CU_ASSERT_TRUE(run.events[locking->at_inner.event].object == locking->inner && locking->at_inner.n_locks >= 1);
      CU_ASSERT_TRUE(run.events[locking->at_outer.event].object == locking->outer &&
                     locking->at_outer.op == TRACE_ACQUIRE);
    }
    heap_free(heap);
  }
}

void suite_analysis_told(void) {
  CU_pSuite suite = CU_add_suite("analysis_told", NULL, NULL);
  CU_ADD_TEST(suite, equal_blocks_are_one);
  CU_ADD_TEST(suite, two_block_patterns);
  CU_ADD_TEST(suite, rows_tell_why);
  CU_ADD_TEST(suite, certain_of_what);
  CU_ADD_TEST(suite, the_split_one_is_told);
  CU_ADD_TEST(suite, races_are_told);
  CU_ADD_TEST(suite, deadlocks_are_told);
}
