/* What suppressions leave out of a run: the monitor, and prediction with and without locks, find in the rest just the
 * violations that go through nothing that is suppressed, by their definition, in all runs of the threads. The reading
 * of the file is in tests/cli. */
#include "ask/left_out.h"
#include "base/glob.h"
#include "base/hash.h"
#include "predict/analysis/analysis.h"
#include "predict/locks/lock_predict.h"
#include "predict/profiles/predict.h"
#include "serial/monitor.h"
#include "tests/unit/random_run.h"
#include "tests/unit/temp.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

enum { RUNS = 6000, THREADS = 3, LENGTH = 6, EVENTS = 10, OBJECTS = 3, LABELS = 2, PLACES = 4 };

/* ---- what an entry says, by numbers ---- */

static const struct {
  const char *text;
  SuppressKind kind;
  uint32_t numbers; /* bits: of labels, places or objects */
} ENTRIES[] = {{"function: f0", SUPPRESS_FUNCTION, 1},       {"function: f?", SUPPRESS_FUNCTION, 3},
               {"place: a.c:1", SUPPRESS_PLACE, 2},          {"place: b.c", SUPPRESS_PLACE, 12},
               {"  place : src/?.c:?:3", SUPPRESS_PLACE, 7}, {"object: x1", SUPPRESS_OBJECT, 2},
               {"object:*2\r", SUPPRESS_OBJECT, 4},          {"commutes: x0", SUPPRESS_COMMUTES, 1},
               {"# object: *\n\n", SUPPRESS_OBJECT, 0}};
static const char *const LOCATIONS[PLACES] = {"src/a.c:0:3:main", "src/a.c:1:3:f", "src/b.c:2:3", "lib/b.c:3"};

enum { N_ENTRIES = sizeof ENTRIES / sizeof *ENTRIES };

typedef struct {
  uint64_t dice;
  TraceEvent events[EVENTS];
  uint32_t n, entries; /* entries: a set */
  uint32_t out;        /* a set of events: accesses and begins that are left out */
  uint32_t transactions[EVENTS];
} Play;

static uint32_t roll(Play *play, uint32_t below) { return (uint32_t)(hash_word(++play->dice) >> 33) % below; }

static bool is_access(const TraceEvent *event) {
  return event->op == TRACE_READ || event->op == TRACE_WRITE || event->op == TRACE_UPDATE;
}

static bool is_out(const Play *play, const TraceEvent *event) {
  bool out = false;
  if (!is_access(event) && event->op != TRACE_BEGIN) return false;
  for (uint32_t i = 0; i < N_ENTRIES; i++) {
    if (!(play->entries >> i & 1)) continue;
    const bool place = ENTRIES[i].kind == SUPPRESS_PLACE, of_label = ENTRIES[i].kind == SUPPRESS_FUNCTION;
    if (!place && of_label == is_access(event)) continue;
    out |= ENTRIES[i].numbers >> (place ? event->location : event->object) & 1;
  }
  return out;
}

/* ---- random runs ---- */

static void make_thread(Play *play, uint32_t thread, uint32_t length) {
  static const TraceOp ops[] = {TRACE_READ,  TRACE_READ, TRACE_WRITE, TRACE_WRITE,   TRACE_UPDATE,
                                TRACE_BEGIN, TRACE_END,  TRACE_BEGIN, TRACE_ACQUIRE, TRACE_RELEASE};
  uint32_t depth = 0, held = 0;
  for (uint32_t i = 0; i < length; i++) {
    TraceEvent event = {thread, TRACE_NONE, roll(play, PLACES), (uint8_t)ops[roll(play, 10)]};
    if ((i == 0 && roll(play, 4)) || (i == 1 && !roll(play, 3))) event.op = TRACE_BEGIN;
    if (depth == 2 && roll(play, 2)) event.op = TRACE_END;
    if (event.op == TRACE_END && !depth) event.op = TRACE_READ;
    if (event.op == TRACE_RELEASE && !held) event.op = TRACE_WRITE;
    depth += event.op == TRACE_BEGIN;
    depth -= event.op == TRACE_END;
    held += event.op == TRACE_ACQUIRE;
    held -= event.op == TRACE_RELEASE;
    if (is_access(&event)) event.object = roll(play, OBJECTS);
    if (event.op == TRACE_BEGIN) event.object = roll(play, LABELS);
    if (event.op == TRACE_ACQUIRE || event.op == TRACE_RELEASE) event.object = OBJECTS;
    play->events[play->n++] = event;
  }
}

/* Threads one after another. */
static void make_run(Play *play) {
  make_thread(play, 0, 3 + roll(play, LENGTH - 2));
  make_thread(play, 1, 2 + roll(play, 3));
  if (play->n + 2 <= EVENTS && roll(play, 3)) make_thread(play, 2, 1 + roll(play, EVENTS - 1 - play->n));
  for (uint32_t i = 0; i < N_ENTRIES; i++)
    if (!roll(play, 9)) play->entries |= (uint32_t)1 << i;
}

/* The outermost begin that counts, or the event itself. */
static void find_transactions(Play *play) {
  uint32_t open[EVENTS], n = 0;
  for (uint32_t i = 0; i < play->n; i++) {
    const TraceEvent *event = &play->events[i];
    if (i == 0 || event->thread != event[-1].thread) n = 0;
    if (is_out(play, event)) play->out |= (uint32_t)1 << i;
    if (event->op == TRACE_BEGIN) open[n++] = i;
    play->transactions[i] = i;
    for (uint32_t k = n; k-- > 0;)
      if (!(play->out >> open[k] & 1)) play->transactions[i] = open[k];
    if (event->op == TRACE_END) n--;
  }
}

/* ---- all runs of the threads ---- */

static bool comes_before(const Play *play, uint32_t a, uint32_t b) {
  const TraceEvent *x = &play->events[a], *y = &play->events[b];
  if (x->thread == y->thread) return true;
  if ((play->out >> a & 1) || (play->out >> b & 1) || !is_access(x) || !is_access(y)) return false;
  return x->object == y->object && (x->op != TRACE_READ || y->op != TRACE_READ);
}

static bool has_cycle(const Play *play, const uint32_t *order, uint32_t n) {
  uint32_t after[EVENTS] = {0};
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = i + 1; j < n; j++)
      if (play->transactions[order[i]] != play->transactions[order[j]] && comes_before(play, order[i], order[j]))
        after[play->transactions[order[i]]] |= (uint32_t)1 << play->transactions[order[j]];
  for (uint32_t k = 0; k < EVENTS; k++)
    for (uint32_t i = 0; i < EVENTS; i++)
      if (after[i] >> k & 1) after[i] |= after[k];
  for (uint32_t i = 0; i < EVENTS; i++)
    if (after[i] >> i & 1) return true;
  return false;
}

typedef struct {
  const Play *play;
  bool locks;
  uint32_t next[THREADS], end[THREADS], held[THREADS], order[EVENTS], n;
} Search;

static bool may_go(const Search *s, uint32_t t) {
  if (s->next[t] == s->end[t]) return false;
  for (uint32_t u = 0; u < THREADS && s->locks && s->play->events[s->next[t]].op == TRACE_ACQUIRE; u++)
    if (u != t && s->held[u]) return false;
  return true;
}

/* Has a run that goes on from here a cycle? */
static bool search(Search *s) {
  bool more = false;
  for (uint32_t t = 0; t < THREADS; t++) {
    if (!may_go(s, t)) continue;
    more = true;
    const uint32_t event = s->next[t]++, op = s->play->events[event].op, held = s->held[t];
    s->held[t] += op == TRACE_ACQUIRE;
    s->held[t] -= op == TRACE_RELEASE;
    s->order[s->n++] = event;
    if (search(s)) return true;
    s->n--;
    s->next[t]--;
    s->held[t] = held;
  }
  return !more && has_cycle(s->play, s->order, s->n);
}

static Search search_begin(const Play *play, bool locks) {
  Search s = {.play = play, .locks = locks};
  for (uint32_t i = 0; i < play->n; i++) s.end[play->events[i].thread] = i + 1;
  for (uint32_t t = 1; t < THREADS; t++) s.next[t] = s.end[t] ? s.end[t - 1] : 0;
  return s;
}

static bool by_definition(const Play *play, bool locks) {
  Search s = search_begin(play, locks);
  return search(&s);
}

static bool is_now(const Play *play) {
  uint32_t order[EVENTS];
  for (uint32_t i = 0; i < play->n; i++) order[i] = i;
  return has_cycle(play, order, play->n);
}

/* ---- what is found ---- */

static TraceNames *make_names(Heap *heap) {
  TraceNames *names = trace_names_new(heap);
  static const char *const OBJECT_NAMES[] = {"x0", "x1", "x2", "x1"}, *const LABEL_NAMES[] = {"f0", "f1"};
  for (uint32_t i = 0; i < OBJECTS + 1; i++) trace_names_add(names, TRACE_OBJECT_NAME, OBJECT_NAMES[i]);
  for (uint32_t i = 0; i < LABELS; i++) trace_names_add(names, TRACE_LABEL_NAME, LABEL_NAMES[i]);
  for (uint32_t i = 0; i < PLACES; i++) trace_names_add(names, TRACE_LOCATION_NAME, LOCATIONS[i]);
  return names;
}

static void read_entries(Heap *heap, const Play *play, Suppressions *suppressions) {
  char text[400] = "";
  Err err;
  for (uint32_t i = 0; i < N_ENTRIES; i++)
    if (play->entries >> i & 1) strcat(strcat(text, ENTRIES[i].text), "\n");
  temp_put(temp_path[0], text, strlen(text));
  CU_ASSERT_TRUE_FATAL(suppressions_read(heap, temp_path[0], suppressions, &err));
}

static bool predicts(Heap *heap, const TraceEvent *events, uint32_t n) {
  Prediction *p = predict_new(heap, &(PredictOptions){.sync = SYNC_NONE});
  predict_survey(p, events, n);
  predict_next_run(p);
  predict_feed(p, events, n);
  const bool found = predict_finish(p) == VERDICT_VIOLATED;
  predict_free(p);
  return found;
}

static bool predicts_with_locks(Heap *heap, const TraceEvent *events, uint32_t n) {
  LockPrediction *p = lock_predict_new(heap, &(PredictOptions){.sync = SYNC_ALL});
  lock_predict_survey(p, events, n);
  lock_predict_feed(p, events, n);
  const bool found = lock_predict_finish(p) == VERDICT_VIOLATED;
  lock_predict_free(p);
  return found;
}

static bool is_violated(Heap *heap, const TraceEvent *events, uint32_t n) {
  bool found[3];
  for (uint32_t engine = 0; engine < 3; engine++) {
    Monitor *monitor = monitor_new(heap, &(MonitorOptions){.engine = (MonitorEngine)engine});
    monitor_feed(monitor, events, n);
    found[engine] = monitor_finish(monitor);
    monitor_free(monitor);
  }
  CU_ASSERT_TRUE(found[0] == found[1] && found[1] == found[2]);
  return found[0];
}

static bool is_reduced(Heap *heap, const TraceEvent *events, uint32_t n) {
  Analysis *analysis = analysis_new(heap, &(AnalysisOptions){.kind = ANALYSIS_REDUCTION});
  analysis_feed(analysis, events, n);
  analysis_finish(analysis);
  const bool proved = analysis_verdict(analysis) == VERDICT_HOLDS;
  analysis_free(analysis);
  return proved;
}

typedef struct {
  uint32_t predicted, with_locks, monitored, reduced, left;
} Tally;

/* Threads one after another are a run in which nothing is violated: so they are turned into another one. */
static void interleave(Play *play, Search *s) {
  *s = search_begin(play, false);
  while (s->n < play->n) {
    const uint32_t t = roll(play, THREADS);
    if (s->next[t] < s->end[t]) s->order[s->n++] = s->next[t]++;
  }
}

static bool check(Play *play, Tally *tally) {
  Heap *heap = heap_new(0);
  Suppressions suppressions;
  Search shuffled;
  TraceEvent mixed[EVENTS];
  read_entries(heap, play, &suppressions);
  TraceNames *names = make_names(heap);
  LeftOut left_out;
  left_out_init(&left_out, heap, &suppressions, LEFT_OUT_ALL);
  const TraceEvent *events = left_out_events(&left_out, names, play->events, play->n);
  const bool free = by_definition(play, false), locked = by_definition(play, true);
  bool good = predicts(heap, events, play->n) == free && predicts_with_locks(heap, events, play->n) == locked;
  const bool reduced = is_reduced(heap, events, play->n);
  good &= !(reduced && locked) && is_violated(heap, events, play->n) == is_now(play);
  interleave(play, &shuffled);
  for (uint32_t i = 0; i < play->n; i++) mixed[i] = play->events[shuffled.order[i]];
  left_out_restart(&left_out);
  const bool now = has_cycle(play, shuffled.order, play->n);
  good &= is_violated(heap, left_out_events(&left_out, names, mixed, play->n), play->n) == now;
  *tally = (Tally){tally->predicted + free, tally->with_locks + locked, tally->monitored + now,
                   tally->reduced + reduced, tally->left + (uint32_t)__builtin_popcount(play->out)};
  left_out_fini(&left_out);
  trace_names_free(names);
  suppressions_fini(heap, &suppressions);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
  return good;
}

static void show(const Play *play) {
  for (uint32_t i = 0; i < play->n; i++)
    printf("%2u T%u|%s(%d)|%u%s\n", i, play->events[i].thread, RUN_OPS[play->events[i].op], (int)play->events[i].object,
           play->events[i].location, play->out >> i & 1 ? " *" : "");
  for (uint32_t i = 0; i < N_ENTRIES; i++)
    if (play->entries >> i & 1) puts(ENTRIES[i].text);
}

static void the_rest_is_found(void) {
  Tally tally = {0};
  bool good = true;
  for (uint64_t seed = 1; seed <= RUNS && good; seed++) {
    Play play = {.dice = seed << 20};
    make_run(&play);
    find_transactions(&play);
    good = check(&play, &tally);
    if (!good) printf("\nseed %llu\n", (unsigned long long)seed), show(&play);
  }
  CU_ASSERT_TRUE(good);
  CU_ASSERT_TRUE(tally.predicted > 100 && tally.with_locks > 100 && tally.with_locks < tally.predicted);
  CU_ASSERT_TRUE(tally.monitored > 50 && tally.reduced > 100 && tally.left > RUNS);
}

/* f0 is left out, inside f1 and by itself. */
static void ends_belong_to_begins(void) {
  static const uint8_t ops[] = {TRACE_BEGIN, TRACE_BEGIN, TRACE_END,  TRACE_END, TRACE_BEGIN,
                                TRACE_END,   TRACE_BEGIN, TRACE_EXIT, TRACE_END},
                       rest[] = {TRACE_BEGIN, TRACE_START, TRACE_START, TRACE_END, TRACE_START,
                                 TRACE_START, TRACE_START, TRACE_EXIT,  TRACE_END};
  static const uint32_t labels[] = {1, 0, TRACE_NONE, TRACE_NONE, 0, TRACE_NONE, 0, TRACE_NONE, TRACE_NONE};
  enum { N = sizeof ops };
  TraceEvent events[N];
  Heap *heap = heap_new(0);
  Suppressions suppressions;
  read_entries(heap, &(Play){.entries = 1}, &suppressions);
  TraceNames *names = make_names(heap);
  LeftOut left_out;
  left_out_init(&left_out, heap, &suppressions, LEFT_OUT_ALL);
  for (uint32_t i = 0; i < N; i++) events[i] = (TraceEvent){0, labels[i], TRACE_NONE, ops[i]};
  const TraceEvent *left = left_out_events(&left_out, names, events, N);
  for (uint32_t i = 0; i < N; i++) CU_ASSERT_EQUAL(left[i].op, rest[i]);
  CU_ASSERT_TRUE(left_out.count.transactions == 3 && left_out.count.accesses == 0 && suppressions.all.at[0].used);
  left_out_fini(&left_out);
  trace_names_free(names);
  suppressions_fini(heap, &suppressions);
  heap_free(heap);
}

/* ---- patterns ---- */

static bool matches_slowly(const char *pattern, const char *text) {
  if (!*pattern) return !*text;
  if (*pattern == '*') return matches_slowly(pattern + 1, text) || (*text && matches_slowly(pattern, text + 1));
  return *text && (*pattern == '?' || *pattern == *text) && matches_slowly(pattern + 1, text + 1);
}

static void patterns_match(void) {
  uint32_t matched = 0;
  Play play = {0};
  for (uint32_t i = 0; i < 20000; i++) {
    char pattern[8] = "", text[10] = "";
    for (uint32_t k = 0, n = roll(&play, 7); k < n; k++) pattern[k] = "aab*?*"[roll(&play, 6)];
    for (uint32_t k = 0, n = roll(&play, 9); k < n; k++) text[k] = "aab"[roll(&play, 3)];
    const bool found = glob_matches(pattern, text, strlen(text));
    CU_ASSERT_EQUAL(found, matches_slowly(pattern, text));
    matched += found;
  }
  CU_ASSERT_TRUE(matched > 1000 && matched < 19000);
}

void suite_left_out(void) {
  CU_pSuite suite = CU_add_suite("left_out", temp_begin, temp_end);
  CU_ADD_TEST(suite, patterns_match);
  CU_ADD_TEST(suite, ends_belong_to_begins);
  CU_ADD_TEST(suite, the_rest_is_found);
}
