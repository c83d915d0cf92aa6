#include "unfold/limits.h"

#include "base/clock.h"


void limits_init(Limits *limits, const UnfoldOptions *options) {
  *limits = (Limits){.options = options};
  limits->counts = options->counts ? options->counts : &limits->own;
  *limits->counts = (UnfoldCounts){0};
  limits->start = clock_seconds();
  limits->next_report = limits->start + 0.1;
  limits_look(limits);
}

void limits_look(Limits *limits) {
  const UnfoldOptions *options = limits->options;
  const double time = clock_seconds();
  if (options->cancel && *options->cancel) limits->stopped = true;
  if (options->seconds > 0 && time - limits->start >= options->seconds) limits->stopped = true;
  if (!options->progress || time < limits->next_report) return;
  limits->next_report = time + 0.1;
  options->progress(options->progress_argument, limits->counts);
}
