/* The summarized conflict graph as a state, against what is true of random runs by definition; and its audit. */
#include "base/bitset.h"
#include "base/hash.h"
#include "serial/summary.h"
#include "tests/oracle/serial_runs.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WORDS = 200 };

typedef struct {
  SummaryShape shape;
  uint64_t graph[MOST_WORDS];
} State;

static void expect_sound(const State *state) {
  Err err;
  const bool good = summary_audit(&state->shape, state->graph, &err);
  if (!good) printf("\n%s\n", err.text);
  CU_ASSERT_TRUE(good);
}

/* A read or a write, of a transaction, or of one of its own. */
static bool closes_cycle(State *state, const TraceEvent *event) {
  const bool alone = !summary_is_open(&state->shape, state->graph, event->thread);
  const uint32_t access = summary_access(event->object, event->op == TRACE_WRITE);
  if (alone) summary_begin(&state->shape, state->graph, event->thread);
  if (summary_access_all(&state->shape, state->graph, event->thread, &access, 1)) return true;
  if (alone) summary_end(&state->shape, state->graph, event->thread);
  return false;
}

/* Of reads, writes, begins and ends: a begin in a transaction, and an end without one, are nothing. */
static bool step(State *state, const TraceEvent *event) {
  const bool open = summary_is_open(&state->shape, state->graph, event->thread);
  if (event->op <= TRACE_WRITE) return closes_cycle(state, event);
  if (event->op == TRACE_BEGIN && !open) summary_begin(&state->shape, state->graph, event->thread);
  if (event->op == TRACE_END && open) summary_end(&state->shape, state->graph, event->thread);
  return false;
}

/* The first event that closes a cycle, or n. */
static uint32_t first_cycle(State *state, const TraceEvent *events, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (step(state, &events[i])) return i;
    expect_sound(state);
  }
  return n;
}

static bool is_serial(const TraceEvent *events, uint32_t n) {
  static SerialRun run;
  serial_study(&run, events, n, false);
  return serial_acyclic(&run);
}

/* Nested begins are left out: where there are none, an end ends. */
static uint32_t without_nests(TraceEvent *events, uint32_t n) {
  bool open[SERIAL_THREADS] = {false};
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    bool *its = &open[events[i].thread];
    if (events[i].op == TRACE_BEGIN && *its) continue;
    if (events[i].op == TRACE_BEGIN || events[i].op == TRACE_END) *its = events[i].op == TRACE_BEGIN;
    events[kept++] = events[i];
  }
  return kept;
}

static uint32_t compare_runs(const SerialShape *shape, uint64_t first, uint32_t n) {
  TraceEvent events[SERIAL_MAX];
  uint32_t violated = 0;
  for (uint64_t seed = first; seed < first + n; seed++) {
    State state = {.shape = summary_shape(shape->threads, shape->objects)};
    CU_ASSERT_TRUE_FATAL(summary_words(&state.shape) <= MOST_WORDS);
    serial_random(seed, shape, events);
    const uint32_t length = without_nests(events, shape->events), at = first_cycle(&state, events, length);
    const bool right = is_serial(events, at) && (at == length || !is_serial(events, at + 1));
    if (!right) printf("\nseed %llu: event %u\n", (unsigned long long)seed, (unsigned)at);
    CU_ASSERT_TRUE(right);
    violated += at < length;
  }
  return violated;
}

/*                                              r   w  acq rel fork join begin end start exit free */
static const SerialShape TINY = {3, 3, 0, 20, {6, 6, 0, 0, 0, 0, 6, 3, 0, 0, 0}, false};
static const SerialShape WIDE = {9, 40, 0, 120, {8, 8, 0, 0, 0, 0, 8, 3, 0, 0, 0}, false};

static void runs_by_definition(void) {
  const uint32_t tiny = compare_runs(&TINY, 1, 6000), wide = compare_runs(&WIDE, 100000, 1500);
  printf("(%u and %u not serializable) ", tiny, wide);
  CU_ASSERT_TRUE(tiny > 600 && tiny < 5400 && wide > 150 && wide < 1350);
}

/* ---- the audit ---- */

static void expect_fault(const State *state, const char *what) {
  Err err = {.text = "accepted"};
  CU_ASSERT_FALSE(summary_audit(&state->shape, state->graph, &err));
  if (strncmp(err.text, what, strlen(what)) != 0) printf("\n%s, not %s\n", err.text, what);
  CU_ASSERT_EQUAL(strncmp(err.text, what, strlen(what)), 0);
}

/* Threads 2 -> 1 -> 0 are open; 0 comes before an ended transaction of 3, which wrote object 1. A row has the words:
 * open, S, C.Acc, C.Thr, E. */
static State sample(void) {
  State state = {.shape = summary_shape(4, 3)};
  const TraceEvent events[] = {{2, 0, 0, TRACE_BEGIN}, {2, 0, 0, TRACE_WRITE}, {1, 0, 0, TRACE_BEGIN},
                               {1, 0, 0, TRACE_READ},  {1, 2, 0, TRACE_WRITE}, {0, 0, 0, TRACE_BEGIN},
                               {0, 2, 0, TRACE_READ},  {0, 1, 0, TRACE_READ},  {3, 1, 0, TRACE_WRITE}};
  for (size_t i = 0; i < sizeof events / sizeof *events; i++) CU_ASSERT_FALSE(step(&state, &events[i]));
  CU_ASSERT_EQUAL(state.shape.row_words, 5);
  return state;
}

static void the_audit_names_faults(void) {
  const struct {
    uint32_t word, bit; /* that changes */
    const char *what;
  } faults[] = {
      {0, 1, "bad summary: it is neither open nor not (thread 0)"},
      {1, 6, "bad summary: no such access (thread 0)"},
      {2, 6, "bad summary: no such access (thread 0)"},
      {3, 4, "bad summary: no such thread (thread 0)"},
      {4, 4, "bad summary: no such thread (thread 0)"},
      {3, 0, "bad summary: it comes before itself (thread 0)"},
      {4, 0, "bad summary: it comes before itself (thread 0)"},
      {4, 3, "bad summary: it comes before a transaction that is not open (thread 0)"},
      {3, 2, "bad summary: the order of a thread is missing (thread 0)"},
      {7, 3, "bad summary: what follows from its edges is missing (thread 1)"},
      {8, 3, "bad summary: what follows from its edges is missing (thread 1)"},
      {14, 0, "bad summary: what follows from its edges is missing (thread 2)"},
      {17, 0, "bad summary: it is not open, and not zero (thread 3)"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    State state = sample();
    expect_sound(&state);
    state.graph[faults[i].word] ^= (uint64_t)1 << faults[i].bit;
    expect_fault(&state, faults[i].what);
  }
}

void suite_summary(void) {
  CU_pSuite suite = CU_add_suite("summary", NULL, NULL);
  CU_ADD_TEST(suite, runs_by_definition);
  CU_ADD_TEST(suite, the_audit_names_faults);
}
