#include "ask/predicting_inside.h"

#include "base/bitset.h"
#include "base/clock.h"
#include "check/schedule_judge.h"
#include "predict/locks/lock_merge.h"
#include "predict/locks/lock_predict.h"
#include "predict/profiles/predict.h"
#include "ask/call_stacks_read.h"
#include "ask/run_input.h"

#include <string.h>

enum { MOST_CALLS = 64 /* violations of which it is asked where they split a call */ };

typedef struct {
  Heap *heap;
  const RunSource *source;
  const PredictingOptions *options;
  PredictOptions limits;
  PredictingResult *result;
  RunInput input;
  VEC(uint64_t) runs;        /* the first events of all runs but the first */
  uint32_t run;              /* the current one */
  Prediction *free_of_locks; /* one of the three */
  LockPrediction *with_locks;
  LockMerge *merge;     /* likewise, of several runs */
  uint64_t n_needed;    /* of the recorded events: those up to the last that a run has */
  uint64_t *left_out;   /* a set of these: those that suppressions leave out; NULL: there are none */
  U32Vec calls;         /* per event: the calls that commute, with one of which it is; empty: there are none */
  bool commute;         /* there are such calls */
  uint32_t n_cycles;    /* of what was found, those that are looked at */
  AlikeGroups groups;   /* of these */
  uint32_t unlikely;    /* of these, those that were left out */
  PredictedWhere where; /* of calls: that of the first group */
  uint32_t callee;
} Predicting;

/* ---- reading ---- */

/* Notes where runs begin. */
static void note_run(Predicting *p, uint32_t run) {
  for (; p->run < run; p->run++) vec_push(p->heap, &p->runs, p->input.n_events);
}

static bool take_survey(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  Predicting *p = argument;
  if (run != p->run) predict_next_run(p->free_of_locks);
  note_run(p, run);
  predict_survey(p->free_of_locks, events, n);
  return true;
}

static bool take_free(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  Predicting *p = argument;
  if (run != p->run) predict_next_run(p->free_of_locks);
  note_run(p, run);
  predict_feed(p->free_of_locks, events, n);
  return true;
}

static bool survey_locks(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  Predicting *p = argument;
  note_run(p, run);
  lock_predict_survey(p->with_locks, events, n);
  return true;
}

static bool take_locks(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  Predicting *p = argument;
  note_run(p, run);
  lock_predict_feed(p->with_locks, events, n);
  return true;
}

static bool take_merged(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  Predicting *p = argument;
  note_run(p, run);
  lock_merge_feed(p->merge, run, events, n);
  return true;
}

static bool take_sought(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  Predicting *p = argument;
  (void)run;
  return predict_seek(p->free_of_locks, events, n);
}

static bool take_needed(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  Predicting *p = argument;
  (void)run;
  const uint32_t *calls = p->commute ? p->input.left_out.calls : NULL;
  for (uint32_t i = 0; i < n && p->result->events.n < p->n_needed; i++) {
    vec_push(p->heap, &p->result->events, events[i]);
    if (calls) vec_push(p->heap, &p->calls, calls[i]);
  }
  return p->result->events.n < p->n_needed;
}

static bool read_all(Predicting *p, RunTaker *take, Err *err) {
  vec_clear(&p->runs);
  p->run = 0;
  return run_input_read(&p->input, take, p, err);
}

/* ---- prediction ---- */

static void explain_budget(const Predicting *p, char *text, size_t size) {
  snprintf(text, size, "the budget was used up%s", remedy_words(p->input.limits.remedies, REMEDY_BUDGET));
}

/* Why not all is known. `gap`: what is left open, if the budget was not used up; or NULL. */
static void tell_limit(Predicting *p, Verdict verdict, const char *gap) {
  char limit[100];
  const StopReason asked = heap_asked(p->heap);
  if (asked != STOP_NOT) heap_explain(p->heap, asked, limit, sizeof limit);
  else if (gap) snprintf(limit, sizeof limit, "%s", gap);
  else explain_budget(p, limit, sizeof limit);
  snprintf(p->input.why, sizeof p->input.why, "%s%s",
           verdict == VERDICT_VIOLATED ? "there may be more violations: " : "", limit);
}

static bool predict_free_of_locks(Predicting *p, Verdict *verdict, Err *err) {
  p->free_of_locks = predict_new(p->heap, &p->limits);
  if (!read_all(p, take_survey, err)) return false;
  const uint64_t surveyed = p->input.n_events;
  if (p->input.why[0]) return *verdict = VERDICT_UNKNOWN, true;
  if (!read_all(p, take_free, err)) return false;
  if (p->input.why[0]) return *verdict = VERDICT_UNKNOWN, true;
  if (p->input.n_events != surveyed)
    return err_set(err, ERR_IO, "%s: changed while it was being read", p->source->inputs[0].name);
  *verdict = predict_finish(p->free_of_locks);
  p->result->transactions = predict_transactions(p->free_of_locks);
  if (predict_is_partial(p->free_of_locks)) tell_limit(p, *verdict, NULL);
  else if (predict_has_refused(p->free_of_locks))
    tell_limit(p, *verdict, "a cycle was found that the forks and joins of these runs do not allow");
  return true;
}

static void tell_known(Predicting *p, Verdict verdict) {
  const LockPredictCount count = p->merge ? lock_merge_count(p->merge) : lock_predict_count(p->with_locks);
  if (verdict == VERDICT_UNKNOWN || (verdict == VERDICT_VIOLATED && p->limits.all && !count.complete))
    tell_limit(p, verdict, p->merge ? lock_merge_gap(p->merge) : NULL);
  if (verdict != VERDICT_UNKNOWN) return;
  if (count.clear > 1)
    p->result->report.known =
        arena_format(&p->result->arena, "there is no violation by %u or fewer threads", count.clear);
}

static bool predict_with_locks(Predicting *p, Verdict *verdict, Err *err) {
  p->with_locks = lock_predict_new(p->heap, &p->limits);
  if (!read_all(p, survey_locks, err)) return false;
  if (p->input.why[0]) return *verdict = VERDICT_UNKNOWN, true;
  if (!read_all(p, take_locks, err)) return false;
  if (p->input.why[0]) return *verdict = VERDICT_UNKNOWN, true;
  if (!lock_predict_is_same(p->with_locks))
    return err_set(err, ERR_IO, "%s: changed while it was being read", p->source->inputs[0].name);
  *verdict = lock_predict_finish(p->with_locks);
  tell_known(p, *verdict);
  return true;
}

static bool predict_merged(Predicting *p, Verdict *verdict, Err *err) {
  p->merge = lock_merge_new(p->heap, &p->limits);
  if (!read_all(p, take_merged, err)) return false;
  if (p->input.why[0]) return *verdict = VERDICT_UNKNOWN, true;
  *verdict = lock_merge_finish(p->merge);
  tell_known(p, *verdict);
  return true;
}

/* ---- the runs that were predicted ---- */

static const Cycle *cycles_of(const Predicting *p, uint32_t *n) {
  if (p->merge) return lock_merge_cycles(p->merge, n);
  return p->with_locks ? lock_predict_cycles(p->with_locks, n) : predict_cycles(p->free_of_locks, n);
}

static const Schedule *schedule_of(const Predicting *p, uint32_t i) {
  if (p->merge) return &lock_merge_schedules(p->merge)[i];
  return p->with_locks ? &lock_predict_schedules(p->with_locks)[i] : predict_schedule(p->free_of_locks, i);
}

/* What is shown has all accesses, those that are left out as well. */
static void mark_left_out(Predicting *p) {
  if (!p->source->suppressions) return;
  LeftOut left_out;
  left_out_init(&left_out, p->heap, p->source->suppressions, LEFT_OUT_ALL);
  p->left_out = heap_zeroed(p->heap, (bitset_words(p->result->events.n) + 1) * sizeof *p->left_out);
  for (uint32_t i = 0; i < p->result->events.n; i++)
    if (left_out_why(&left_out, run_input_names(&p->input), &p->result->events.at[i])) bitset_add(p->left_out, i);
  left_out_fini(&left_out);
}

/* Makes schedules short. */
static bool seek_nearer(Predicting *p, Err *err) {
  if (!p->free_of_locks || heap_asked(p->heap) != STOP_NOT) return true;
  if (!run_input_reread(&p->input, take_sought, p, err)) return false;
  predict_sought(p->free_of_locks);
  return true;
}

static bool load_events(Predicting *p, Err *err) {
  for (uint32_t i = 0; i < p->n_cycles; i++) {
    const Schedule *schedule = schedule_of(p, i);
    for (uint32_t k = 0; k < schedule->n; k++)
      if (schedule->at[k].until >= p->n_needed) p->n_needed = schedule->at[k].until + 1;
  }
  if (p->n_needed >= UINT32_MAX) heap_give_up(p->heap);
  vec_reserve(p->heap, &p->result->events, (uint32_t)p->n_needed);
  p->commute = p->input.left_out.commuting.met;
  if (p->source->left_out == LEFT_OUT_ALL) p->input.left_out.what = LEFT_OUT_TRANSACTIONS;
  const bool good = p->n_cycles == 0 || run_input_reread(&p->input, take_needed, p, err);
  return good && (p->result->events.n == p->n_needed ||
                  err_set(err, ERR_IO, "%s: changed while it was being read", p->source->inputs[0].name));
}

static AlikeFound what_was_found(const Predicting *p) {
  AlikeFound found = {
      .events = p->result->events.at, .n = p->result->events.n, .runs = p->runs.at, .n_runs = p->runs.n + 1};
  uint32_t n;
  found.cycles = cycles_of(p, &n);
  found.n_cycles = p->n_cycles;
  return found;
}

static void group_cycles(Predicting *p) {
  AlikeFound found = what_was_found(p);
  const Schedule **schedules = heap_alloc(p->heap, heap_product(p->heap, found.n_cycles + 1, sizeof *schedules));
  for (uint32_t i = 0; i < found.n_cycles; i++) schedules[i] = schedule_of(p, i);
  found.schedules = schedules;
  p->unlikely = alike_groups(p->heap, &found, p->options->by, p->options->likely, &p->groups);
  heap_release(p->heap, schedules);
}

/* ---- where a call is split ---- */

typedef struct {
  uint32_t label;
  bool related; /* it has forked or joined */
} Call;

typedef VEC(Call) CallStack;

static void step_call(Heap *heap, CallStack *stack, const TraceEvent *event) {
  if (event->op == TRACE_BEGIN) vec_push(heap, stack, ((Call){event->object, false}));
  if (event->op == TRACE_END && stack->n) stack->n--;
  if (event->op == TRACE_EXIT) stack->n = 0;
  for (uint32_t i = 0; i < stack->n && TRACE_SORT[event->op] == TRACE_ON_THREAD; i++) stack->at[i].related = true;
}

/* The first event of the run that the event is of. */
static uint64_t run_begin(const Predicting *p, uint64_t event) {
  uint64_t begin = 0;
  for (uint32_t i = 0; i < p->runs.n && p->runs.at[i] <= event; i++) begin = p->runs.at[i];
  return begin;
}

/* The innermost call that is open from the event by which it is left to that by which it is entered again. One of the
 * same function is no other. */
static PredictedWhere where_is(const Predicting *p, const CycleVisit *split, uint32_t *callee) {
  CallStack stack = {0};
  uint32_t common = UINT32_MAX;
  for (uint64_t i = run_begin(p, split->out); i <= split->in; i++) {
    const TraceEvent *event = &p->result->events.at[i];
    if (event->thread != split->thread) continue;
    step_call(p->heap, &stack, event);
    if (i >= split->out && stack.n < common) common = stack.n;
  }
  PredictedWhere where = PREDICTED_HERE;
  *callee = TRACE_NONE;
  if (common && stack.at[common - 1].related) where = PREDICTED_THREADS;
  else if (common > 1 && stack.at[common - 1].label != stack.at[0].label)
    where = PREDICTED_INSIDE, *callee = stack.at[common - 1].label;
  vec_fini(p->heap, &stack);
  return where;
}

/* Of the likeliest groups, one that tells most comes first. */
static void choose_call(Predicting *p) {
  uint32_t n;
  const Cycle *cycles = cycles_of(p, &n);
  p->where = PREDICTED_THREADS;
  for (uint32_t i = 0; i < p->groups.n && i < MOST_CALLS && p->where != PREDICTED_HERE; i++) {
    uint32_t callee;
    const AlikeGroup group = p->groups.at[i];
    const PredictedWhere where = where_is(p, &cycles[group.best].visits[0], &callee);
    if (i && where <= p->where) continue;
    p->groups.at[i] = p->groups.at[0];
    p->groups.at[0] = group;
    p->where = where;
    p->callee = callee;
  }
}

/* ---- judging one of each group ---- */

typedef struct {
  Predicting *p;
  ScheduleJudge *judge;
  const AlikeGroup *group;
  uint64_t events; /* of the runs that were replayed */
  Err *err;
  bool good;
} Judging;

enum { EVENTS_A_STEP = 10 }; /* that are replayed for one step of the budget */

static Cycle cycle_in_play(const Predicting *p, const Play *play, const Cycle *cycle) {
  Cycle own = {cycle->n, arena_zeroed(&p->result->arena, cycle->n, sizeof *own.visits)};
  for (uint32_t k = 0; k < own.n; k++)
    own.visits[k] = (CycleVisit){cycle->visits[k].thread, play_find(play, cycle->visits[k].in),
                                 play_find(play, cycle->visits[k].out)};
  return own;
}

static void add_counts(Predicting *p, const AlikeGroup *group) {
  PredictedRun *run = &vec_last(&p->result->runs);
  run->unwritten = group->rank & ALIKE_UNWRITTEN;
  run->where = p->options->calls ? p->where : PREDICTED_HERE;
  run->callee = p->callee;
  if (!p->options->all) return;
  run->count = group->count;
  run->splits = group->splits;
}

static void judge_group(void *argument) {
  Judging *j = argument;
  Predicting *p = j->p;
  uint32_t n;
  const Cycle *found = &cycles_of(p, &n)[j->group->best];
  Play play;
  play_init(&play, p->result->maker, schedule_of(p, j->group->best), found);
  j->events += play.origin.n;
  j->good = schedule_judge(j->judge, play.origin.at, play.origin.n, j->err);
  if (!j->good) {
    play_fini(&play);
    return;
  }
  const Cycle cycle = cycle_in_play(p, &play, found);
  const MonitorFinding finding = play_finding(&play, &p->result->arena, &cycle);
  j->good = predicting_add(p->heap, p->result, &play, &(PredictingTold){p->left_out, p->calls.at}, &finding, j->err);
  if (j->good) add_counts(p, j->group);
}

/* There may be no memory for it. STOP_NOT: the budget was used up. */
static void tell_judged(Predicting *p, StopReason why, uint32_t judged, uint32_t n) {
  char limit[100];
  char *text = p->result->why;
  if (why != STOP_NOT) heap_explain(p->heap, why, limit, sizeof limit);
  else explain_budget(p, limit, sizeof limit);
  snprintf(text, sizeof p->result->why, "only %u of %u violations that differ were judged: %s", judged, n, limit);
  p->result->report.why = text;
}

static bool is_budget_left(const Judging *j) {
  return j->p->limits.budget == 0 || j->events / EVENTS_A_STEP <= j->p->limits.budget;
}

/* What has been judged is told, whatever ends the work on the others. */
static bool judge_groups(Predicting *p, ScheduleJudge *judge, Err *err) {
  const uint32_t n = p->options->all ? p->groups.n : p->groups.n > 0;
  Judging j = {p, judge, p->groups.at, 0, err, true};
  for (uint32_t i = 0; i < n && j.good; i++, j.group++) {
    StopReason why = i ? heap_asked(p->heap) : STOP_NOT;
    if (i == 0) judge_group(&j);
    else if (why == STOP_NOT && !heap_try(p->heap, judge_group, &j)) why = heap_why(p->heap);
    if (why == STOP_NOT && (i + 1 == n || is_budget_left(&j))) continue;
    tell_judged(p, why, why == STOP_NOT ? i + 1 : i, n);
    return j.good;
  }
  return j.good;
}

static bool play_runs(Predicting *p, Err *err) {
  const Recorded recorded = {p->result->events.at, p->result->events.n,        p->runs.at,
                             p->runs.n + 1,        run_input_names(&p->input), sync_has_handovers(p->options->sync)};
  const RecordedRun run = {predicting_event,
                           p->result->events.at,
                           p->result->events.n,
                           p->runs.at,
                           p->runs.n + 1,
                           sync_has_locks(p->options->sync),
                           sync_has_handovers(p->options->sync)};
  ScheduleJudge *judge = schedule_judge_new(p->heap, &run);
  p->result->maker = play_maker_new(p->heap, &recorded);
  const bool good = judge_groups(p, judge, err);
  schedule_judge_free(judge);
  return good;
}

/* ---- the search ---- */

static void tell_why(Predicting *p) {
  p->result->report.why = p->input.why[0] ? arena_format(&p->result->arena, "%s", p->input.why) : NULL;
}

/* What holds of a part of the run need not hold of all of it. */
static void doubt(Predicting *p) {
  PredictionReport *report = &p->result->report;
  if (report->verdict != VERDICT_HOLDS || !run_input_gap(&p->input)) return;
  report->verdict = VERDICT_UNKNOWN;
  report->why = arena_format(&p->result->arena, "%s", run_input_gap(&p->input));
}

static void tell_unsearched(Predicting *p) {
  PredictionReport *report = &p->result->report;
  if (report->verdict == VERDICT_HOLDS && p->options->max_threads)
    report->known = arena_format(&p->result->arena, "violations by more than %u threads were not searched for",
                                 p->options->max_threads);
}

static void fill_report(Predicting *p, Verdict verdict) {
  PredictingResult *result = p->result;
  PredictionReport *report = &result->report;
  const TraceNames *names = run_input_names(&p->input);
  report->verdict = verdict;
  report->sync = p->options->sync;
  report->by = p->options->by;
  tell_why(p);
  doubt(p);
  tell_unsearched(p);
  report->events = p->input.n_events;
  report->threads = trace_name_count(names, TRACE_THREAD_NAME);
  report->entities = trace_name_count(names, TRACE_OBJECT_NAME);
  report->suppressed = run_input_left_out(&p->input);
  result->remarks = p->input.remarks;
}

/* Where there is no time left, one of what was found can still be judged. */
static void count_cycles(Predicting *p) {
  cycles_of(p, &p->n_cycles);
  if (p->n_cycles && heap_asked(p->heap) != STOP_NOT) p->n_cycles = 1;
}

/* All that was found is left out. */
static void find_nothing(Predicting *p) {
  PredictionReport *report = &p->result->report;
  if (!report->why && heap_asked(p->heap) != STOP_NOT) tell_limit(p, VERDICT_UNKNOWN, NULL), tell_why(p);
  report->verdict = report->why ? VERDICT_UNKNOWN : VERDICT_HOLDS;
  doubt(p);
  tell_unsearched(p);
}

/* All were looked for; were all looked at? */
static void tell_asked(Predicting *p) {
  if (!p->result->report.why && heap_asked(p->heap) != STOP_NOT) tell_limit(p, VERDICT_VIOLATED, NULL), tell_why(p);
}

/* All but judging what was found. */
static bool search(Predicting *p, Err *err) {
  Verdict verdict = VERDICT_UNKNOWN;
  const bool locks = sync_has_locks(p->options->sync);
  const bool read = !locks             ? predict_free_of_locks(p, &verdict, err)
                    : p->source->n > 1 ? predict_merged(p, &verdict, err)
                                       : predict_with_locks(p, &verdict, err);
  if (!read) return false;
  fill_report(p, verdict);
  if (verdict != VERDICT_VIOLATED) return true;
  count_cycles(p);
  if (!seek_nearer(p, err) || !load_events(p, err)) return false;
  mark_left_out(p);
  group_cycles(p);
  p->result->report.left_out = p->unlikely;
  if (p->options->calls) choose_call(p);
  if (!p->groups.n) find_nothing(p);
  else if (p->options->all) tell_asked(p);
  return true;
}

static void begin(Predicting *p, Heap *heap, const RunSource *source, const PredictingOptions *options,
                  const AskLimits *limits, PredictingResult *result) {
  *p = (Predicting){.heap = heap, .source = source, .options = options, .result = result};
  p->limits = (PredictOptions){options->all, options->budget, options->max_threads, options->sync};
  predicting_begin(result, heap);
  RunSource asked = *source;
  asked.runs = true;
  run_input_init(&p->input, heap, &asked, limits);
}

static void end(Predicting *p) {
  run_input_fini(&p->input);
  predict_free(p->free_of_locks);
  lock_predict_free(p->with_locks);
  lock_merge_free(p->merge);
  vec_fini(p->heap, &p->runs);
  vec_fini(p->heap, &p->groups);
  heap_release(p->heap, p->left_out);
  vec_fini(p->heap, &p->calls);
}

/* ---- a likelier one ---- */

enum {
  FEW_CHOICES = 64,   /* of runs that are put together from several */
  PART_OF_BUDGET = 10 /* that the search by more than two threads has */
};

typedef struct {
  const Predicting *first; /* that has found one violation */
  const AskLimits *limits;
  Predicting all;
  PredictingResult result;
  Err *err;
  bool good, found;
} Likelier;

/* Where two threads have no violation, there may be many by more of them: a part of the budget has to suffice. */
static uint64_t budget_of(const Predicting *first) {
  const uint64_t budget = first->options->budget ? first->options->budget : PREDICTING_BUDGET;
  return budget > PART_OF_BUDGET ? budget / PART_OF_BUDGET : 1;
}

/* Of all violations by two threads; or by any number, if two have none. */
static void seek_likelier(void *argument) {
  Likelier *likelier = argument;
  const Predicting *first = likelier->first;
  Predicting *all = &likelier->all;
  uint32_t n;
  begin(all, first->heap, first->source, first->options, likelier->limits, &likelier->result);
  all->limits.all = true;
  if (cycles_of(first, &n)[first->groups.at[0].best].n == 2) all->limits.max_threads = 2;
  else all->limits.budget = budget_of(first);
  likelier->good = search(all, likelier->err);
  likelier->found = likelier->good && all->groups.n && all->groups.at[0].rank < first->groups.at[0].rank;
  if (likelier->found) likelier->good = play_runs(all, likelier->err);
  end(all);
}

/* Is it one that is not likely: not of transactions alone, or what is read is not there? All of some merged runs would
 * take too long. */
static bool may_be_likelier(const Predicting *p) {
  if (p->limits.all || p->options->calls || !p->groups.n || heap_asked(p->heap) != STOP_NOT) return false;
  if (p->merge && lock_merge_choices(p->merge) > FEW_CHOICES) return false;
  return p->groups.at[0].rank > ALIKE_OTHER_DATA;
}

/* What has been found and judged stays, if a likelier one is not found in time. */
static bool take_likelier(const Predicting *p, const AskLimits *limits, Err *err) {
  Likelier likelier = {.first = p, .limits = limits, .err = err};
  if (!heap_try(p->heap, seek_likelier, &likelier)) return true;
  if (likelier.good && likelier.found) {
    likelier.result.report.why = likelier.result.report.known = NULL;
    predicting_fini(p->result);
    *p->result = likelier.result;
  } else {
    predicting_fini(&likelier.result);
  }
  return likelier.good;
}

/* ---- those that are suppressed ---- */

typedef struct {
  const Predicting *of; /* that has come to its end */
  const AskLimits *limits;
  uint32_t n;
  Err *err;
  bool good, whole; /* whole: all were found */
} Suppressed;

/* Of all violations there are if nothing is suppressed. */
static void count_suppressed(void *argument) {
  Suppressed *suppressed = argument;
  const Predicting *of = suppressed->of;
  RunSource source = *of->source;
  PredictingOptions options = *of->options;
  PredictingResult result;
  Predicting all;
  source.left_out = LEFT_OUT_COMMUTES;
  options.all = true;
  options.likely = false;
  begin(&all, of->heap, &source, &options, suppressed->limits, &result);
  suppressed->good = search(&all, suppressed->err);
  const AlikeFound found = what_was_found(&all);
  if (suppressed->good && found.n_cycles) suppressed->n = alike_through(of->heap, &found, all.left_out);
  suppressed->whole = !result.report.why;
  end(&all);
  predicting_fini(&result);
}

/* Is it to be told how many there are? Where all were looked for. */
static bool counts_suppressed(const Predicting *p) {
  const PredictionReport *report = &p->result->report;
  const LeftOutCount *count = &report->suppressed.count;
  const bool all = report->verdict == VERDICT_HOLDS || (report->verdict == VERDICT_VIOLATED && p->options->all);
  return all && !report->why && (count->transactions || count->accesses);
}

/* Where there is no time or memory for it, they are not counted. */
static bool tell_suppressed(const Predicting *p, const AskLimits *limits, Err *err) {
  LeftOutReport *report = &p->result->report.suppressed;
  Suppressed suppressed = {.of = p, .limits = limits, .err = err};
  if (!heap_try(p->heap, count_suppressed, &suppressed)) {
    heap_explain(p->heap, heap_why(p->heap), report->why, sizeof report->why);
    return true;
  }
  if (!suppressed.good) return false;
  report->counted = suppressed.whole;
  report->violations = suppressed.n;
  if (!suppressed.whole) snprintf(report->why, sizeof report->why, "the search was not finished");
  return true;
}

/* ---- all of it ---- */

/* The one that was found is not likely: of all there are, another one may be. */
static bool search_all(Predicting *p, const AskLimits *limits, Err *err) {
  const Predicting one = *p;
  end(p);
  predicting_fini(one.result);
  begin(p, one.heap, one.source, one.options, limits, one.result);
  p->limits.all = true;
  if (p->options->calls && !p->options->likely) p->limits.max_threads = 2;
  if (!search(p, err)) return false;
  if (p->groups.n) p->result->report.why = NULL;
  return true;
}

/* Of a call that two threads can split another way may be to tell more. */
static bool may_tell_more(const Predicting *p) {
  uint32_t n;
  return p->options->calls && p->groups.n && p->where != PREDICTED_HERE &&
         cycles_of(p, &n)[p->groups.at[0].best].n == 2;
}

static void find_stacks(Heap *heap, const RunSource *source, PredictingResult *result) {
  for (uint32_t i = 0; i < result->runs.n; i++) call_stacks_want(heap, &result->stacks, &result->runs.at[i].finding);
  call_stacks_read(heap, &result->stacks, source);
  result->report.stacks = &result->stacks;
}

bool predicting_runs(Heap *heap, const RunSource *source, const PredictingOptions *options, const AskLimits *limits,
                     PredictingResult *result, Err *err) {
  const double start = clock_seconds();
  Predicting p;
  begin(&p, heap, source, options, limits, result);
  bool good = search(&p, err);
  const bool more = (p.unlikely && !options->all) || may_tell_more(&p);
  if (good && more && heap_asked(heap) == STOP_NOT) good = search_all(&p, limits, err);
  if (good && p.groups.n) good = play_runs(&p, err);
  if (good && may_be_likelier(&p)) good = take_likelier(&p, limits, err);
  if (good && counts_suppressed(&p)) good = tell_suppressed(&p, limits, err);
  end(&p);
  if (good) find_stacks(heap, source, result);
  predicting_end(result, start);
  return good;
}
