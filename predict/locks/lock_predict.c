#include "predict/locks/lock_predict.h"

#include "predict/locks/lock_cycles.h"
#include "predict/locks/lock_runs.h"

struct LockPrediction {
  Heap *heap;
  PredictOptions options;
  LockReader *reader;
  CycleList cycles;
  ScheduleList schedules;
  LockPredictCount count;
};

LockPrediction *lock_predict_new(Heap *heap, const PredictOptions *options) {
  LockPrediction *prediction = heap_zeroed(heap, sizeof *prediction);
  prediction->heap = heap;
  prediction->options = *options;
  prediction->reader = lock_reader_new(heap);
  return prediction;
}

void lock_predict_free(LockPrediction *prediction) {
  if (!prediction) return;
  Heap *heap = prediction->heap;
  for (uint32_t i = 0; i < prediction->cycles.n; i++) {
    heap_release(heap, prediction->cycles.at[i].visits);
    vec_fini(heap, &prediction->schedules.at[i]);
  }
  vec_fini(heap, &prediction->cycles);
  vec_fini(heap, &prediction->schedules);
  lock_reader_free(prediction->reader);
  heap_release(heap, prediction);
}

void lock_predict_feed(LockPrediction *prediction, const TraceEvent *events, uint32_t n) {
  lock_reader_feed(prediction->reader, events, n);
}

Verdict lock_predict_finish(LockPrediction *prediction) {
  LockRun *run = lock_run_new(prediction->reader);
  const LockCycleCount found = lock_cycles_find(run, &prediction->options, &prediction->cycles, &prediction->schedules);
  prediction->count = (LockPredictCount){.events = run->events,
                                         .decided = found.decided,
                                         .undecided = found.undecided,
                                         .length = found.length,
                                         .clear = found.clear,
                                         .complete = found.complete};
  for (uint32_t t = 0; t < run->n_threads; t++) prediction->count.steps += run->threads[t].n;
  lock_run_free(run);
  if (prediction->cycles.n > 0) return VERDICT_VIOLATED;
  return found.complete ? VERDICT_HOLDS : VERDICT_UNKNOWN;
}

const Cycle *lock_predict_cycles(const LockPrediction *prediction, uint32_t *n) {
  *n = prediction->cycles.n;
  return prediction->cycles.at;
}

const Schedule *lock_predict_schedules(const LockPrediction *prediction) { return prediction->schedules.at; }

LockPredictCount lock_predict_count(const LockPrediction *prediction) { return prediction->count; }
