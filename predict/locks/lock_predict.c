#include "predict/locks/lock_predict.h"

#include "predict/locks/lock_cycles.h"
#include "predict/locks/lock_pairs.h"
#include "predict/locks/lock_starts.h"

#include <assert.h>

struct LockPrediction {
  Heap *heap;
  PredictOptions options;
  LockSurvey *survey;
  LockReader *reader; /* NULL: the survey goes on */
  LockFound found;
  LockPredictCount count;
};

LockPrediction *lock_predict_new(Heap *heap, const PredictOptions *options) {
  LockPrediction *prediction = heap_zeroed(heap, sizeof *prediction);
  prediction->heap = heap;
  prediction->options = *options;
  prediction->survey = lock_survey_new(heap, sync_has_handovers(options->sync));
  return prediction;
}

void lock_predict_free(LockPrediction *prediction) {
  if (!prediction) return;
  Heap *heap = prediction->heap;
  for (uint32_t i = 0; i < prediction->found.cycles.n; i++) {
    heap_release(heap, prediction->found.cycles.at[i].visits);
    vec_fini(heap, &prediction->found.schedules.at[i]);
  }
  vec_fini(heap, &prediction->found.cycles);
  vec_fini(heap, &prediction->found.schedules);
  lock_reader_free(prediction->reader);
  lock_survey_free(prediction->survey);
  heap_release(heap, prediction);
}

void lock_predict_survey(LockPrediction *prediction, const TraceEvent *events, uint32_t n) {
  assert(!prediction->reader);
  lock_survey_feed(prediction->survey, events, n);
}

/* From now on the run is read. */
static LockReader *reader_of(LockPrediction *prediction) {
  if (prediction->reader) return prediction->reader;
  lock_survey_close(prediction->survey);
  return prediction->reader = lock_reader_new(prediction->heap, prediction->survey);
}

void lock_predict_feed(LockPrediction *prediction, const TraceEvent *events, uint32_t n) {
  lock_reader_feed(reader_of(prediction), events, n);
}

bool lock_predict_is_same(LockPrediction *prediction) {
  return lock_survey_is_of(prediction->survey, reader_of(prediction));
}

enum { PART_OF_STARTS = 8 }; /* of the budget */

/* Two threads, then more, if these are not proved to have no cycle. */
static void search(LockPrediction *prediction, const LockCycleQuestion *question) {
  LockPredictCount *count = &prediction->count;
  LockFound *found = &prediction->found;
  const uint32_t most = question->max_threads, n_threads = question->run->n_threads;
  const LockPairCount pairs =
      lock_pairs_find(question->run, question->order, question->decider, question->visits, question->budget, found);
  count->decided = pairs.decided;
  count->undecided = pairs.undecided;
  if (!pairs.complete) return;
  count->length = 2;
  if (found->cycles.n == 0 && !pairs.undecided) count->clear = 2;
  count->complete = !pairs.undecided;
  if (n_threads < 3 || most == 2) return;
  if (count->clear == 2 &&
      lock_starts_prove(lock_decider_closure(question->decider), *question->budget / PART_OF_STARTS)) {
    count->length = count->clear = n_threads;
    return;
  }
  const LockCycleCount more = lock_cycles_find(question, found);
  count->decided += more.decided;
  count->undecided += more.undecided;
  count->length = more.length;
  if (count->clear == 2) count->clear = more.clear;
  count->complete &= more.complete;
  if (more.complete && !more.longer) count->length = n_threads;
  if (count->complete && !more.longer && found->cycles.n == 0) count->clear = n_threads;
}

/* Where pivots prove all transactions serializable, nothing is looked for. */
static void find_all(LockPrediction *prediction, const LockRun *run) {
  uint64_t budget = prediction->options.budget ? prediction->options.budget : UINT64_MAX;
  Strands order = lock_run_order(run);
  LockPivots *pivots = lock_pivots_new(run, &order);
  LockPredictCount *count = &prediction->count;
  count->length = count->clear = 1;
  if (!lock_pivots_any_loose(pivots)) {
    count->complete = true;
    count->length = count->clear = run->n_threads;
  } else {
    LockDecider *decider = lock_decider_new(run, &order);
    LockVisits *visits = lock_visits_new(run, prediction->options.all);
    search(prediction,
           &(LockCycleQuestion){run, &order, decider, visits, pivots, prediction->options.max_threads, &budget});
    lock_visits_free(visits);
    lock_decider_free(decider);
  }
  lock_pivots_free(pivots);
  strands_fini(&order);
}

Verdict lock_predict_finish(LockPrediction *prediction) {
  LockRun *run = lock_run_new(reader_of(prediction));
  lock_survey_free(prediction->survey);
  prediction->survey = NULL;
  prediction->count.events = run->events;
  for (uint32_t t = 0; t < run->n_threads; t++) prediction->count.steps += run->threads[t].n;
  prediction->found.run = run;
  prediction->found.all = prediction->options.all;
  find_all(prediction, run);
  lock_found_fini(&prediction->found);
  lock_run_free(run);
  if (prediction->found.cycles.n > 0) return VERDICT_VIOLATED;
  return prediction->count.complete ? VERDICT_HOLDS : VERDICT_UNKNOWN;
}

const Cycle *lock_predict_cycles(const LockPrediction *prediction, uint32_t *n) {
  *n = prediction->found.cycles.n;
  return prediction->found.cycles.at;
}

const Schedule *lock_predict_schedules(const LockPrediction *prediction) { return prediction->found.schedules.at; }

LockPredictCount lock_predict_count(const LockPrediction *prediction) { return prediction->count; }
