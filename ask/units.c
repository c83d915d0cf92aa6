#include "ask/units.h"

static bool run_here(Question *q, Unit *unit, void *argument, const uint32_t *units, uint32_t n) {
  for (uint32_t u = 0; u < n && !question_is_over(q); u++)
    if (!unit(q, argument, units[u])) return false;
  return true;
}

bool units_run(Question *q, Unit *unit, void *argument, const uint32_t *units, uint32_t n) {
  const AtomicityOptions *options = q->options;
  const bool alone = options->jobs < 2 || n < 2 || options->certificate || options->coloured || options->proof;
  return (alone || !options->in_processes ? run_here : options->in_processes)(q, unit, argument, units, n);
}
