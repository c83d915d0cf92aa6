#include "unfold/limits.h"

#include "base/clock.h"

void limits_init(Limits *limits, const Heap *heap, const UnfoldOptions *options) {
  *limits = (Limits){.options = options, .heap = heap};
  limits->counts = options->counts ? options->counts : &limits->own;
  *limits->counts = (UnfoldCounts){0};
  limits->next_report = clock_seconds() + 0.1;
  limits_look(limits);
}

void limits_look(Limits *limits) {
  const UnfoldOptions *options = limits->options;
  if (heap_asked(limits->heap) != STOP_NOT) limits->stopped = true;
  if (!options->progress) return;
  const double time = clock_seconds();
  if (time < limits->next_report) return;
  limits->next_report = time + 0.1;
  options->progress(options->progress_argument, limits->counts);
}
