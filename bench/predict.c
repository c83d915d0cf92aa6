/* predict.c: times prediction on runs.
 *
 *     predict [-a] [-s] [-b BUDGET] FILE...     per file: events, seconds with reading, seconds of the combination
 * alone, memory, distinct transactions, cycles. -a: all; -s: the file is read twice, first to see which objects are
 * shared */
#include "base/clock.h"
#include "predict/profiles/predict.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct {
  Heap *heap;
  const char *path;
  PredictOptions options;
  bool survey;
  double combining;
  Err err;
  bool good;
} Job;

static bool feed(Job *job, Prediction *p, void (*take)(Prediction *, const TraceEvent *, uint32_t)) {
  const TraceEvent *events;
  uint32_t n = 0;
  TraceReader *reader = trace_open(job->heap, job->path, &(TraceOptions){.format = -1}, &job->err);
  if (!reader) return false;
  bool good;
  while ((good = trace_next(reader, &events, &n, &job->err)) && n) take(p, events, n);
  trace_close(reader);
  return good;
}

static void job_body(void *argument) {
  static const char *const VERDICTS[] = {"unknown", "none", "found"}; /* ORDER Verdict */
  Job *job = argument;
  const double start = clock_cpu_seconds();
  Prediction *p = predict_new(job->heap, &job->options);
  if (job->survey && !feed(job, p, predict_survey)) return;
  if (!feed(job, p, predict_feed)) return;
  const double fed = clock_cpu_seconds();
  const Verdict verdict = predict_finish(p);
  const double end = clock_cpu_seconds();
  uint32_t n;
  predict_cycles(p, &n);
  printf("%-28s %10llu events %7.3f s %7.3f s %7.1f MB %8llu transactions %5u cycles %s\n", job->path,
         (unsigned long long)predict_events(p), end - start, end - fed, (double)heap_peak(job->heap) / 1e6,
         (unsigned long long)predict_transactions(p), n, VERDICTS[verdict]);
  predict_free(p);
  job->good = true;
}

static bool run_job(Job *job) {
  job->heap = heap_new(0);
  job->good = false;
  if (!job->heap) return perror("predict"), false;
  if (!heap_try(job->heap, job_body, job)) err_set(&job->err, ERR_LIMIT, "%s: out of memory", job->path);
  heap_free(job->heap);
  if (!job->good) fprintf(stderr, "predict: %s\n", job->err.text);
  return job->good;
}

int main(int argc, char **argv) {
  Job job = {.options = {.budget = 1000000000}};
  bool good = true, usage = false;
  for (int option; (option = getopt(argc, argv, "asb:")) != -1;) {
    if (option == 'a') job.options.all = true;
    if (option == 's') job.survey = true;
    if (option == 'b') job.options.budget = strtoull(optarg, NULL, 10);
    usage |= option == '?';
  }
  if (usage || optind == argc) return fprintf(stderr, "usage: predict [-a] [-s] [-b BUDGET] FILE...\n"), 3;
  for (int i = optind; i < argc; i++) {
    job.path = argv[i];
    good &= run_job(&job);
  }
  return good ? 0 : 3;
}
