#include "ask/ask.h"

void ask_show(const AskLimits *limits, const Heap *heap, uint64_t events, const UnfoldCounts *unfolding) {
  const AskProgress progress = {events, heap_used(heap), unfolding};
  if (limits->progress) limits->progress(limits->progress_argument, &progress);
}

bool ask_is_over(const AskLimits *limits, const Heap *heap, StopReason asked, uint64_t events, char *why, size_t room) {
  const uint64_t most = limits->max_events;
  if (asked != STOP_NOT) heap_explain_after(heap, asked, events, "events", why, room);
  else if (most && events >= most) heap_explain_limit(most, "events", why, room);
  else return false;
  return true;
}
