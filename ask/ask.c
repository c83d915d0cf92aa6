#include "ask/ask.h"

void ask_show(const AskLimits *limits, const Heap *heap, uint64_t events, const UnfoldCounts *unfolding) {
  const AskProgress progress = {events, heap_used(heap), unfolding};
  if (limits->progress) limits->progress(limits->progress_argument, &progress);
}
