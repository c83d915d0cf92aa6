/* Is what was predicted in another run? What is found is a violation, always. */
#include "ask/seen.h"

#include "serial/monitor.h"

#include <CUnit/CUnit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A transaction reads and writes, and another thread writes in between. */
static const SeenCycle LOST = {
    {{0, 0, TRACE_READ, "1", NULL}, {1, 1, TRACE_WRITE, "2", NULL}, {0, 0, TRACE_WRITE, "3", NULL}},
    {{0, 1}, {1, 2}},
    3,
    2};

/* Between the writes of two objects another transaction reads both. */
static const SeenCycle AUDIT = {{{0, 0, TRACE_WRITE, "1", NULL},
                                 {1, 1, TRACE_READ, "2", NULL},
                                 {1, 1, TRACE_READ, "2", NULL},
                                 {0, 0, TRACE_WRITE, "3", NULL}},
                                {{0, 1}, {2, 3}},
                                4,
                                2};

static bool is_seen(const SeenCycle *cycle, const char *text, bool *violated) {
  char path[] = "/tmp/causal-seen-XXXXXX";
  const int handle = mkstemp(path);
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  bool found = false;
  uint64_t events[SEEN_EVENTS];
  CU_ASSERT_EQUAL(write(handle, text, strlen(text)), (ssize_t)strlen(text));
  close(handle);
  CU_ASSERT_TRUE(seen_in(heap, path, cycle, &found, events, &err));
  for (uint32_t i = 1; found && i < cycle->n_events; i++)
    CU_ASSERT_TRUE(events[i - 1] < events[i] || cycle->events[i - 1].transaction == cycle->events[i].transaction);
  Monitor *monitor = monitor_new(heap, &(MonitorOptions){.engine = MONITOR_CG});
  TraceReader *reader = trace_open(heap, path, &(TraceOptions){.format = -1}, &err);
  const TraceEvent *batch;
  uint32_t n = 1;
  while (n && trace_next(reader, &batch, &n, &err)) monitor_feed(monitor, batch, n);
  monitor_finish(monitor);
  monitor_findings(monitor, &n);
  *violated = n > 0;
  unlink(path);
  heap_free(heap);
  return found;
}

static void examples(void) {
  static const struct {
    bool seen;
    const char *text;
  } EXAMPLES[] = {
      {true, "a|begin|0\na|r(x)|1\nb|w(x)|2\na|w(x)|3\na|end|4\n"},
      {true, "b|w(x)|2\na|begin|0\na|r(y)|1\na|r(x)|1\nb|w(x)|2\na|w(y)|3\na|w(x)|3\na|end|4\n"},
      {true, "a|begin|0\na|r(x)|1\nb|w(y)|2\nb|w(x)|2\na|w(y)|3\na|w(x)|3\na|end|4\n"}, /* the first is none */
      {true, "a|begin|0\na|r(x)|1\na|r(y)|1\nb|w(y)|2\na|w(x)|3\na|w(y)|3\na|end|4\n"},
      {false, "a|begin|0\na|r(x)|1\na|end|4\nb|w(x)|2\na|begin|0\na|w(x)|3\na|end|4\n"}, /* two transactions */
      {false, "a|r(x)|1\nb|w(x)|2\na|w(x)|3\n"},
      {false, "a|begin|0\na|r(x)|1\na|w(x)|3\nb|w(x)|2\na|end|4\n"}, /* in another order */
      {false, "a|begin|0\nb|w(x)|2\na|r(x)|1\na|w(x)|3\na|end|4\n"},
      {false, "a|begin|0\na|r(x)|1\na|w(x)|2\na|w(x)|3\na|end|4\n"}, /* by one thread */
      {false, "a|begin|0\na|r(x)|1\nb|w(y)|2\na|w(x)|3\na|end|4\n"}, /* another object */
      {false, "a|begin|0\na|r(x)|1\nb|w(x)|2\na|w(y)|3\na|end|4\n"},
      {false, "a|begin|0\na|r(x)|1\nb|r(x)|2\na|w(x)|3\na|end|4\n"},              /* another operation */
      {false, "a|begin|0\na|r(x)|1\nb|free(x)|9\nb|w(x)|2\na|w(x)|3\na|end|4\n"}, /* another life */
      {false, "a|begin|0\na|r(x)|7\nb|w(x)|2\na|w(x)|3\na|end|4\n"},              /* another place */
  };
  for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++) {
    bool violated;
    CU_ASSERT_EQUAL(is_seen(&LOST, EXAMPLES[i].text, &violated), EXAMPLES[i].seen);
  }
}

static void neighbours_come_in_any_order(void) {
  bool violated;
  static const char *const HEAD = "a|begin|0\na|w(x)|1\nb|begin|0\n", *const TAIL = "b|end|9\na|w(y)|3\na|end|4\n";
  static const struct {
    bool seen;
    const char *audit;
  } EXAMPLES[] = {{true, "b|r(x)|2\nb|r(y)|2\n"},
                  {true, "b|r(z)|2\nb|r(y)|2\nb|r(x)|2\nb|r(z)|2\n"},
                  {false, "b|r(x)|2\nb|r(z)|2\n"},
                  {false, "b|r(x)|2\nb|end|9\nb|begin|0\nb|r(y)|2\n"}, /* two transactions */
                  {false, "c|r(x)|2\nb|r(y)|2\n"}};
  for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++) {
    char text[200];
    snprintf(text, sizeof text, "%s%s%s", HEAD, EXAMPLES[i].audit, TAIL);
    CU_ASSERT_EQUAL(is_seen(&AUDIT, text, &violated), EXAMPLES[i].seen);
    CU_ASSERT_TRUE(violated || !EXAMPLES[i].seen);
  }
}

enum { EVENTS = 40, RUNS = 3000 };

/* Threads, two objects, few places, by the operation of the first thread: many runs have it. */
static void make_run(uint32_t *seed, const char *places, char *text, size_t size) {
  static const char *const OPS[] = {"begin", "end", "r(x)", "w(x)", "r(y)", "w(y)"};
  size_t used = 0;
  for (uint32_t i = 0; i < EVENTS; i++) {
    *seed = *seed * 1103515245u + 12345u;
    const uint32_t random = *seed >> 8, op = random % 6, thread = random / 6 % 3;
    const char place = thread && op > 1 ? '2' : places[op];
    used += (size_t)snprintf(text + used, size - used, "T%u|%s|%c\n", thread, OPS[op], place);
  }
}

static void is_sound(const SeenCycle *cycle, const char *places) {
  uint32_t seed = 1, seen = 0;
  for (uint32_t i = 0; i < RUNS; i++) {
    char text[EVENTS * 16];
    bool violated;
    make_run(&seed, places, text, sizeof text);
    const bool found = is_seen(cycle, text, &violated);
    CU_ASSERT_TRUE(violated || !found);
    seen += found;
  }
  CU_ASSERT_TRUE(seen > RUNS / 100 && seen < RUNS);
}

/* Of a line any column is, in its function; of the file only the name counts. */
static void lines_have_columns(void) {
  const SeenEvent line = {0, 0, TRACE_READ, "a.c:12:", "f"}, whole = {0, 0, TRACE_READ, "a.c:12:3:f", NULL};
  CU_ASSERT_TRUE(seen_is_at(&line, "a.c:12:3:f"));
  CU_ASSERT_TRUE(seen_is_at(&line, "src/b/a.c:12:34:f"));
  CU_ASSERT_FALSE(seen_is_at(&line, "a.c:12:3:g"));
  CU_ASSERT_FALSE(seen_is_at(&line, "a.c:12:3:ff"));
  CU_ASSERT_FALSE(seen_is_at(&line, "a.c:123:3:f"));
  CU_ASSERT_FALSE(seen_is_at(&line, "aa.c:12:3:f"));
  CU_ASSERT_FALSE(seen_is_at(&line, "a.c:12:f"));
  CU_ASSERT_FALSE(seen_is_at(&line, "a.c:12:3"));
  CU_ASSERT_TRUE(seen_is_at(&whole, "a.c:12:3:f"));
  CU_ASSERT_FALSE(seen_is_at(&whole, "src/a.c:12:3:f"));
}

static void what_is_seen_is_a_violation(void) {
  is_sound(&LOST, "001313");
  is_sound(&AUDIT, "009193");
}

void suite_seen(void) {
  CU_pSuite suite = CU_add_suite("seen", NULL, NULL);
  CU_ADD_TEST(suite, examples);
  CU_ADD_TEST(suite, neighbours_come_in_any_order);
  CU_ADD_TEST(suite, lines_have_columns);
  CU_ADD_TEST(suite, what_is_seen_is_a_violation);
}
