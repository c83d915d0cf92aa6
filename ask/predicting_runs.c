#include "ask/predicting_inside.h"

#include "base/clock.h"
#include "check/schedule_judge.h"
#include "predict/locks/lock_merge.h"
#include "predict/locks/lock_predict.h"
#include "predict/profiles/predict.h"
#include "ask/run_input.h"

#include <string.h>

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
  LockMerge *merge;       /* likewise, of several runs */
  VEC(TraceEvent) events; /* recorded ones, up to the last that is needed */
  uint64_t n_needed;
  AlikeGroups groups; /* of what was found */
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
  for (uint32_t i = 0; i < n && p->events.n < p->n_needed; i++) vec_push(p->heap, &p->events, events[i]);
  return p->events.n < p->n_needed;
}

static bool read_all(Predicting *p, RunTaker *take, Err *err) {
  vec_clear(&p->runs);
  p->run = 0;
  return run_input_read(&p->input, take, p, err);
}

/* ---- prediction ---- */

/* Why not all is known. `gap`: what is left open, if the budget was not used up; or NULL. */
static void tell_limit(Predicting *p, Verdict verdict, const char *gap) {
  char limit[100];
  const StopReason asked = heap_asked(p->heap);
  if (asked != STOP_NOT) heap_explain(p->heap, asked, limit, sizeof limit);
  else if (gap) snprintf(limit, sizeof limit, "%s", gap);
  else snprintf(limit, sizeof limit, "the budget was used up%s", remedy_words(p->input.limits.remedies, REMEDY_BUDGET));
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
  if (verdict == VERDICT_UNKNOWN || (verdict == VERDICT_VIOLATED && p->options->all && !count.complete))
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

/* Makes schedules short. */
static bool seek_nearer(Predicting *p, Err *err) {
  if (!p->free_of_locks || heap_asked(p->heap) != STOP_NOT) return true;
  if (!run_input_reread(&p->input, take_sought, p, err)) return false;
  predict_sought(p->free_of_locks);
  return true;
}

static bool load_events(Predicting *p, Err *err) {
  uint32_t n;
  cycles_of(p, &n);
  for (uint32_t i = 0; i < n; i++) {
    const Schedule *schedule = schedule_of(p, i);
    for (uint32_t k = 0; k < schedule->n; k++)
      if (schedule->at[k].until >= p->n_needed) p->n_needed = schedule->at[k].until + 1;
  }
  if (p->n_needed > UINT32_MAX) heap_give_up(p->heap);
  vec_reserve(p->heap, &p->events, (uint32_t)p->n_needed);
  const bool good = n == 0 || run_input_reread(&p->input, take_needed, p, err);
  return good && (p->events.n == p->n_needed ||
                  err_set(err, ERR_IO, "%s: changed while it was being read", p->source->inputs[0].name));
}

static void group_cycles(Predicting *p) {
  AlikeFound found = {.events = p->events.at, .n = p->events.n, .runs = p->runs.at, .n_runs = p->runs.n + 1};
  found.cycles = cycles_of(p, &found.n_cycles);
  const Schedule **schedules = heap_alloc(p->heap, heap_product(p->heap, found.n_cycles + 1, sizeof *schedules));
  for (uint32_t i = 0; i < found.n_cycles; i++) schedules[i] = schedule_of(p, i);
  found.schedules = schedules;
  alike_groups(p->heap, &found, p->options->by, &p->groups);
  heap_release(p->heap, schedules);
}

/* ---- judging one of each group ---- */

typedef struct {
  Predicting *p;
  ScheduleJudge *judge;
  const AlikeGroup *group;
  Err *err;
  bool good;
} Judging;

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
  j->good = schedule_judge(j->judge, play.origin.at, play.origin.n, j->err);
  if (!j->good) {
    play_fini(&play);
    return;
  }
  const Cycle cycle = cycle_in_play(p, &play, found);
  const MonitorFinding finding = play_finding(&play, &p->result->arena, &cycle);
  j->good = predicting_add(p->heap, p->result, &play, &finding, j->err);
  if (j->good) add_counts(p, j->group);
}

/* There may be no memory for it. */
static void tell_judged(Predicting *p, StopReason why, uint32_t judged, uint32_t n) {
  char limit[100];
  char *text = p->result->why;
  heap_explain(p->heap, why, limit, sizeof limit);
  snprintf(text, sizeof p->result->why, "only %u of %u violations that differ were judged: %s", judged, n, limit);
  p->result->report.why = text;
}

/* What has been judged is told, whatever ends the work on the others. */
static bool judge_groups(Predicting *p, ScheduleJudge *judge, Err *err) {
  const uint32_t n = p->options->all ? p->groups.n : p->groups.n > 0;
  Judging j = {p, judge, p->groups.at, err, true};
  for (uint32_t i = 0; i < n && j.good; i++, j.group++) {
    StopReason why = i ? heap_asked(p->heap) : STOP_NOT;
    if (i == 0) judge_group(&j);
    else if (why == STOP_NOT && !heap_try(p->heap, judge_group, &j)) why = heap_why(p->heap);
    if (why == STOP_NOT) continue;
    tell_judged(p, why, i, n);
    return true;
  }
  return j.good;
}

static bool play_runs(Predicting *p, Err *err) {
  const Recorded recorded = {p->events.at,
                             p->events.n,
                             p->runs.at,
                             p->runs.n + 1,
                             run_input_names(&p->input),
                             sync_has_handovers(p->options->sync)};
  JudgeEvent *events = predicting_events(p->heap, p->events.at, p->events.n);
  const RecordedRun run = {events,
                           p->events.n,
                           p->runs.at,
                           p->runs.n + 1,
                           sync_has_locks(p->options->sync),
                           sync_has_handovers(p->options->sync)};
  ScheduleJudge *judge = schedule_judge_new(p->heap, &run);
  p->result->maker = play_maker_new(p->heap, &recorded);
  const bool good = judge_groups(p, judge, err);
  schedule_judge_free(judge);
  heap_release(p->heap, events);
  return good;
}

/* ---- all of it ---- */

static void fill_report(Predicting *p, Verdict verdict) {
  PredictingResult *result = p->result;
  PredictionReport *report = &result->report;
  const TraceNames *names = run_input_names(&p->input);
  report->verdict = verdict;
  report->sync = p->options->sync;
  report->by = p->options->by;
  report->why = p->input.why[0] ? arena_format(&result->arena, "%s", p->input.why) : NULL;
  if (verdict == VERDICT_HOLDS && p->options->max_threads)
    report->known = arena_format(&result->arena, "violations by more than %u threads were not searched for",
                                 p->options->max_threads);
  report->events = p->input.n_events;
  report->threads = trace_name_count(names, TRACE_THREAD_NAME);
  report->entities = trace_name_count(names, TRACE_OBJECT_NAME);
  result->remarks = p->input.remarks;
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
  if (!seek_nearer(p, err) || !load_events(p, err)) return false;
  group_cycles(p);
  return true;
}

static void begin(Predicting *p, Heap *heap, const RunSource *source, const PredictingOptions *options,
                  const AskLimits *limits, PredictingResult *result) {
  *p = (Predicting){.heap = heap, .source = source, .options = options, .result = result};
  p->limits = (PredictOptions){options->all, options->budget, options->max_threads, options->sync};
  predicting_begin(result, heap);
  run_input_init(&p->input, heap, source, limits);
}

static void end(Predicting *p) {
  run_input_fini(&p->input);
  predict_free(p->free_of_locks);
  lock_predict_free(p->with_locks);
  lock_merge_free(p->merge);
  vec_fini(p->heap, &p->runs);
  vec_fini(p->heap, &p->events);
  vec_fini(p->heap, &p->groups);
}

/* ---- a likelier one ---- */

typedef struct {
  const Predicting *first; /* that has found one violation */
  const AskLimits *limits;
  Predicting all;
  PredictingResult result;
  Err *err;
  bool good, found;
} Likelier;

/* Of all violations by two threads. */
static void seek_likelier(void *argument) {
  Likelier *likelier = argument;
  const Predicting *first = likelier->first;
  Predicting *all = &likelier->all;
  begin(all, first->heap, first->source, first->options, likelier->limits, &likelier->result);
  all->limits.all = true;
  all->limits.max_threads = 2;
  likelier->good = search(all, likelier->err);
  likelier->found = likelier->good && all->groups.n && all->groups.at[0].rank < first->groups.at[0].rank;
  if (likelier->found) likelier->good = play_runs(all, likelier->err);
  end(all);
}

/* Is it one by two threads, of one run, that is not likely: not of transactions alone, or what is read is not there?
 * Merged runs may take very long. */
static bool may_be_likelier(const Predicting *p) {
  uint32_t n;
  if (p->options->all || p->source->n > 1 || !p->groups.n || heap_asked(p->heap) != STOP_NOT) return false;
  return p->groups.at[0].rank > ALIKE_OTHER_DATA && cycles_of(p, &n)[p->groups.at[0].best].n == 2;
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
  bool good = search(&p, err) && (!p.groups.n || play_runs(&p, err));
  if (good && may_be_likelier(&p)) good = take_likelier(&p, limits, err);
  end(&p);
  if (good) find_stacks(heap, source, result);
  predicting_end(result, start);
  return good;
}
