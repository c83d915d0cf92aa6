#include "tests/unit/replay.h"

int64_t replay_schedule(const ThreadRuns *runs, const Schedule *schedule, uint32_t *order) {
  uint32_t n = 0;
  bool done[REPLAY_MOST] = {false};
  for (uint32_t s = 0; s < schedule->n; s++) {
    const ScheduleStep *step = &schedule->at[s];
    if (step->until >= runs->n || runs->events[step->until].thread != step->thread || done[step->until]) return -1;
    uint32_t first = 0;
    for (uint32_t run = 0; runs->ends[run] <= step->until; run++) first = runs->ends[run];
    for (uint32_t i = first; i <= step->until; i++)
      if (runs->events[i].thread == step->thread && !done[i]) done[i] = true, order[n++] = i;
  }
  return n;
}

bool replay_is_violated(const ThreadRuns *runs, const uint32_t *order, uint32_t n, MonitorEngine engine) {
  Heap *heap = heap_new(0);
  Monitor *monitor = monitor_new(heap, &(MonitorOptions){engine, MONITOR_SERIALIZABLE, false, false});
  for (uint32_t i = 0; i < n; i++) {
    TraceEvent event = runs->events[order[i]];
    if (TRACE_SORT[event.op] == TRACE_ON_VARIABLE || TRACE_SORT[event.op] == TRACE_ON_HANDOVER)
      event.object = threads_object(runs, order[i]);
    if (event.op == TRACE_FREE) event = (TraceEvent){event.thread, TRACE_NONE, event.location, TRACE_START};
    monitor_feed(monitor, &event, 1);
  }
  const bool sees = monitor_finish(monitor);
  heap_free(heap);
  return sees;
}

int64_t replay_place(const uint32_t *order, uint32_t n, uint64_t event) {
  for (uint32_t i = 0; i < n; i++)
    if (order[i] == event) return i;
  return -1;
}
