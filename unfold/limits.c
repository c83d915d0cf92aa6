#include "unfold/limits.h"

#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void limits_init(Limits *limits, const UnfoldOptions *options) {
  *limits = (Limits){.options = options};
  limits->counts = options->counts ? options->counts : &limits->own;
  *limits->counts = (UnfoldCounts){0};
  limits->start = now();
  limits->next_report = limits->start + 0.1;
  limits_look(limits);
}

void limits_look(Limits *limits) {
  const UnfoldOptions *options = limits->options;
  const double time = now();
  if (options->cancel && *options->cancel) limits->stopped = true;
  if (options->seconds > 0 && time - limits->start >= options->seconds) limits->stopped = true;
  if (!options->progress || time < limits->next_report) return;
  limits->next_report = time + 0.1;
  options->progress(options->progress_argument, limits->counts);
}
