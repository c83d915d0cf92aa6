#include "ask/call_stacks.h"

static void want(Heap *heap, CallStacks *stacks, const MonitorTransaction *transaction, const MonitorAccess *access) {
  const StackWanted wanted = {access->event, transaction->thread, access->location, access->op};
  if (access->object != TRACE_NONE) vec_push(heap, &stacks->wanted, wanted);
}

void call_stacks_want(Heap *heap, CallStacks *stacks, const MonitorFinding *finding) {
  for (uint32_t i = 0; finding->edges && i < finding->n; i++) {
    want(heap, stacks, &finding->transactions[i], &finding->edges[i].from);
    want(heap, stacks, &finding->transactions[(i + 1) % finding->n], &finding->edges[i].to);
  }
}

void call_stacks_fini(Heap *heap, CallStacks *stacks) {
  vec_fini(heap, &stacks->wanted);
  vec_fini(heap, &stacks->stacks);
  arena_fini(&stacks->arena);
}

const EventStack *call_stacks_find(const CallStacks *stacks, uint64_t event) {
  uint32_t low = 0, high = stacks ? stacks->stacks.n : 0;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (stacks->stacks.at[middle].event < event) low = middle + 1;
    else high = middle;
  }
  return stacks && low < stacks->stacks.n && stacks->stacks.at[low].event == event ? &stacks->stacks.at[low] : NULL;
}
