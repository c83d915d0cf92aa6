/* Calls that commute: the run that is told to the engines has a violation, now or in another run of its threads, just
 * where one is by the definition, which knows of each access the call that it is in. */
#include "ask/judging.h"
#include "ask/left_out.h"
#include "base/hash.h"
#include "predict/locks/lock_predict.h"
#include "predict/profiles/predict.h"
#include "serial/monitor.h"
#include "tests/unit/random_run.h"
#include "tests/unit/temp.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

void suite_commuting(void);

enum { RUNS = 12000, THREADS = 3, EVENTS = 12, OBJECTS = 2, LABELS = 3 };

/* Labels f0 to f2; f2 commutes with nothing, unless all do. */
static const char *const FILES[] = {"commutes: f0\n", "commutes: f1\ncommutes: f0\n", "commutes: f[\ncommutes: f?\n"};
static const uint32_t CALLS[][LABELS] = {{1, 0, 0}, {2, 1, 0}, {2, 2, 2}};

typedef struct {
  uint64_t dice;
  uint32_t file;
  TraceEvent events[EVENTS];
  uint32_t transactions[EVENTS], calls[EVENTS]; /* per event, numbered by the first event; 0: it is in none */
  uint32_t n;
} Play;

static uint32_t roll(Play *play, uint32_t below) { return (uint32_t)(hash_word(++play->dice) >> 33) % below; }

/* ---- random runs ---- */

typedef struct {
  bool alive, over;
  uint32_t depth, transaction, call, since;
} Thread;

static bool choose_op(Play *play, Thread *threads, uint32_t t, TraceEvent *event) {
  static const uint8_t ops[] = {TRACE_READ, TRACE_READ, TRACE_WRITE, TRACE_WRITE, TRACE_UPDATE, TRACE_BEGIN,
                                TRACE_END,  TRACE_FORK, TRACE_JOIN,  TRACE_BEGIN, TRACE_READ,   TRACE_WRITE};
  const uint32_t other = 1 + roll(play, THREADS - 1);
  *event = (TraceEvent){t, TRACE_NONE, TRACE_NONE, ops[roll(play, sizeof ops)]};
  if (event->op <= TRACE_WRITE || event->op == TRACE_UPDATE) event->object = roll(play, OBJECTS);
  if (event->op == TRACE_BEGIN) event->object = roll(play, LABELS);
  if (event->op == TRACE_END) return threads[t].depth;
  if (event->op == TRACE_FORK) event->object = other, threads[other].alive |= t == 0 && !threads[other].over;
  if (event->op == TRACE_FORK) return t == 0 && !threads[other].over && (threads[other].over = true);
  if (event->op != TRACE_JOIN) return true;
  event->object = other;
  return t == 0 && threads[other].alive && !threads[other].depth && (threads[other].alive = false, true);
}

static void add_event(Play *play, Thread *thread, const TraceEvent *event) {
  const uint32_t i = play->n++;
  play->events[i] = *event;
  if (event->op == TRACE_BEGIN && thread->depth++ == 0) thread->transaction = i;
  if (event->op == TRACE_BEGIN && !thread->call) {
    thread->call = CALLS[play->file][event->object];
    thread->since = thread->depth;
  }
  play->transactions[i] = thread->depth ? thread->transaction : i;
  play->calls[i] = thread->call;
  if (event->op != TRACE_END) return;
  if (thread->since == thread->depth) thread->call = 0;
  thread->depth--;
}

/* `over` of a thread other than 0: it has been forked. */
static void make_run(Play *play) {
  Thread threads[THREADS] = {{.alive = true}};
  const uint32_t n = 5 + roll(play, EVENTS - 4);
  play->file = roll(play, 3);
  for (uint32_t t = 1; t < THREADS && roll(play, 3) == 0; t++) threads[t].alive = threads[t].over = true;
  while (play->n < n) {
    const uint32_t t = roll(play, THREADS);
    TraceEvent event;
    if (threads[t].alive && choose_op(play, threads, t, &event)) add_event(play, &threads[t], &event);
  }
}

/* ---- the definition ---- */

static bool is_access(const TraceEvent *event) { return event->op <= TRACE_WRITE || event->op == TRACE_UPDATE; }

/* Of two events, in this order. */
static bool comes_before(const Play *play, uint32_t a, uint32_t b) {
  const TraceEvent *x = &play->events[a], *y = &play->events[b];
  if (x->thread == y->thread) return true;
  if (x->op == TRACE_FORK && x->object == y->thread) return true;
  if (y->op == TRACE_JOIN && y->object == x->thread) return true;
  if (!is_access(x) || !is_access(y) || x->object != y->object) return false;
  if (play->calls[a] && play->calls[a] == play->calls[b]) return false;
  return x->op != TRACE_READ || y->op != TRACE_READ;
}

static void close_order(uint32_t *after) {
  for (uint32_t k = 0; k < EVENTS; k++)
    for (uint32_t i = 0; i < EVENTS; i++)
      if (after[i] >> k & 1) after[i] |= after[k];
}

static bool has_cycle(const Play *play, const uint32_t *order) {
  uint32_t after[EVENTS] = {0};
  bool found = false;
  for (uint32_t i = 0; i < play->n; i++)
    for (uint32_t j = i + 1; j < play->n; j++)
      if (play->transactions[order[i]] != play->transactions[order[j]] && comes_before(play, order[i], order[j]))
        after[play->transactions[order[i]]] |= (uint32_t)1 << play->transactions[order[j]];
  close_order(after);
  for (uint32_t i = 0; i < EVENTS; i++) found |= after[i] >> i & 1;
  return found;
}

/* Does an event of another thread come between two of a transaction? */
static bool is_split(const Play *play) {
  uint32_t after[EVENTS] = {0};
  bool found = false;
  for (uint32_t i = 0; i < play->n; i++)
    for (uint32_t j = i + 1; j < play->n; j++)
      if (comes_before(play, i, j)) after[i] |= (uint32_t)1 << j;
  close_order(after);
  for (uint32_t i = 0; i < play->n; i++)
    for (uint32_t f = i + 1; f < play->n; f++)
      for (uint32_t j = f + 1; j < play->n; j++)
        found |= play->transactions[i] == play->transactions[j] && play->events[f].thread != play->events[i].thread &&
                 (after[i] >> f & 1) && (after[f] >> j & 1);
  return found;
}

/* All runs of the threads. */
typedef struct {
  const Play *play;
  uint32_t done, n, order[EVENTS]; /* done: a set */
} Search;

static bool may_go(const Search *s, uint32_t event) {
  const Play *play = s->play;
  for (uint32_t i = 0; i < play->n; i++) {
    const TraceEvent *other = &play->events[i];
    const bool first = (i < event && other->thread == play->events[event].thread) ||
                       (other->op == TRACE_FORK && other->object == play->events[event].thread) ||
                       (play->events[event].op == TRACE_JOIN && play->events[event].object == other->thread);
    if (first && !(s->done >> i & 1)) return false;
  }
  return true;
}

static bool search(Search *s) {
  if (s->n == s->play->n) return has_cycle(s->play, s->order);
  for (uint32_t i = 0; i < s->play->n; i++) {
    if ((s->done >> i & 1) || !may_go(s, i)) continue;
    s->done |= (uint32_t)1 << i;
    s->order[s->n++] = i;
    if (search(s)) return true;
    s->n--;
    s->done &= ~((uint32_t)1 << i);
  }
  return false;
}

/* ---- what is found ---- */

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

/* Of the cycle the judge sees the run as it is. */
static bool is_judged(Heap *heap, const Play *play, const MonitorFinding *finding) {
  const JudgeCycle cycle = judging_cycle(heap, finding, 0);
  RunJudge *judge = run_judge_new(heap, &cycle, 1, &(JudgeOptions){0});
  Err err;
  judging_show(judge, play->events, play->calls, play->n);
  const bool good = run_judge_decide(judge, &err);
  run_judge_free(judge);
  judging_release(heap, &cycle);
  return good;
}

static bool monitors(Heap *heap, const Play *play, const TraceEvent *events, const MonitorOptions *options) {
  Monitor *monitor = monitor_new(heap, options);
  uint32_t n;
  monitor_feed(monitor, events, play->n);
  const bool found = monitor_finish(monitor);
  const MonitorFinding *findings = monitor_findings(monitor, &n);
  if (found && findings->edges && options->notion == MONITOR_SERIALIZABLE)
    CU_ASSERT_TRUE(is_judged(heap, play, findings));
  monitor_free(monitor);
  return found;
}

typedef struct {
  uint32_t refused, told, now, split, predicted, saved, how[COMMUTING_SWAPPED + 1];
} Tally;

static bool agrees(Heap *heap, const Play *play, const TraceEvent *events, Tally *tally) {
  uint32_t order[EVENTS];
  for (uint32_t i = 0; i < play->n; i++) order[i] = i;
  const bool now = has_cycle(play, order), split = is_split(play), later = search(&(Search){.play = play});
  bool good = predicts(heap, events, play->n) == later && predicts_with_locks(heap, events, play->n) == later;
  for (MonitorEngine engine = MONITOR_SCG; engine <= MONITOR_VC; engine++)
    good &= monitors(heap, play, events, &(MonitorOptions){.engine = engine}) == now;
  for (MonitorEngine engine = MONITOR_SCG; engine <= MONITOR_VC; engine += 2)
    good &= monitors(heap, play, events, &(MonitorOptions){.engine = engine, .notion = MONITOR_CAUSAL}) == split;
  tally->told++;
  tally->now += now;
  tally->split += split;
  tally->predicted += later;
  tally->saved += !later && predicts(heap, play->events, play->n);
  return good;
}

static const TraceEvent *look(LeftOut *left_out, const TraceNames *names, const Play *play) {
  left_out->commuting.phase = COMMUTING_MEETING;
  do left_out_events(left_out, names, play->events, play->n);
  while (commuting_looked(&left_out->commuting, names));
  left_out_restart(left_out);
  return left_out_events(left_out, names, play->events, play->n);
}

static TraceNames *make_names(Heap *heap) {
  TraceNames *names = trace_names_new(heap);
  static const char *const LABEL_NAMES[] = {"f0", "f1", "f2"};
  for (uint32_t i = 0; i < OBJECTS; i++) trace_names_add(names, TRACE_OBJECT_NAME, "x");
  for (uint32_t i = 0; i < LABELS; i++) trace_names_add(names, TRACE_LABEL_NAME, LABEL_NAMES[i]);
  return names;
}

static bool check(const Play *play, Tally *tally) {
  Heap *heap = heap_new(0);
  Suppressions suppressions;
  LeftOut left_out;
  Err err;
  temp_put(temp_path[0], FILES[play->file], strlen(FILES[play->file]));
  CU_ASSERT_TRUE_FATAL(suppressions_read(heap, temp_path[0], &suppressions, &err));
  TraceNames *names = make_names(heap);
  left_out_init(&left_out, heap, &suppressions, LEFT_OUT_ALL);
  const TraceEvent *events = look(&left_out, names, play);
  const Commuting *commuting = &left_out.commuting;
  for (uint32_t i = 0; i < play->n; i++) CU_ASSERT_EQUAL(left_out.calls[i], play->calls[i]);
  for (uint32_t i = 0; i < commuting->objects.n; i++) tally->how[commuting->objects.at[i].how]++;
  tally->refused += commuting->why[0] != '\0';
  const bool good = commuting->why[0] || agrees(heap, play, events, tally);
  left_out_fini(&left_out);
  trace_names_free(names);
  suppressions_fini(heap, &suppressions);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
  return good;
}

static void show(const Play *play) {
  for (uint32_t i = 0; i < play->n; i++)
    printf("%2u T%u|%s(%d) call %u\n", i, play->events[i].thread, RUN_OPS[play->events[i].op],
           (int)play->events[i].object, play->calls[i]);
  printf("%s", FILES[play->file]);
}

static void told_as_it_is(void) {
  Tally tally = {0};
  bool good = true;
  for (uint64_t seed = 1; seed <= RUNS && good; seed++) {
    Play play = {.dice = seed << 20};
    make_run(&play);
    good = check(&play, &tally);
    if (!good) printf("\nseed %llu\n", (unsigned long long)seed), show(&play);
  }
  CU_ASSERT_TRUE(good);
  CU_ASSERT_TRUE(tally.refused > 100 && tally.told > RUNS / 2 && tally.now > 100 && tally.split > 100);
  CU_ASSERT_TRUE(tally.predicted > 200 && tally.saved > 50);
  for (uint32_t how = COMMUTING_ALONE; how <= COMMUTING_SWAPPED; how++) CU_ASSERT_TRUE(tally.how[how] > 100);
}

void suite_commuting(void) {
  CU_pSuite suite = CU_add_suite("commuting", temp_begin, temp_end);
  CU_ADD_TEST(suite, told_as_it_is);
}
