#include "ask/counting.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct {
  Heap *heap;
  const AskLimits *asked;
  UnfoldOptions told; /* what `limits` looks at */
  Limits limits;
  States states;
  StatesStatus status;
} Search;

static void show(void *argument, const UnfoldCounts *unused) {
  const Search *s = argument;
  (void)unused;
  ask_show(s->asked, s->heap, s->states.steps.n, NULL);
}

static void explore(void *search) {
  Search *s = search;
  s->status = states_explore(&s->states, NULL, NULL, UINT64_MAX);
}

/* Memory that runs out is a limit like the others. */
static void explore_until(Search *s, Counting *counting) {
  StopReason why = STOP_NOT;
  if (!heap_try(s->heap, explore, s)) {
    if (heap_why(s->heap) != STOP_MEMORY) heap_pass_on(s->heap);
    s->status = STATES_STOPPED;
    why = STOP_MEMORY;
  } else if (s->status == STATES_STOPPED) {
    why = heap_asked(s->heap);
  }
  *counting = (Counting){.n = s->states.steps.n, .status = s->status};
  if (s->status == STATES_STOPPED)
    heap_explain_after(s->heap, why, counting->n, "markings", counting->why, sizeof counting->why);
  if (s->status == STATES_FULL) heap_explain_limit(counting->n, "markings", counting->why, sizeof counting->why);
}

void counting_markings(Heap *heap, const Net *net, const AskLimits *limits, uint32_t most, Counting *counting) {
  Search s = {.heap = heap, .asked = limits, .told = {.progress = show}};
  s.told.progress_argument = &s;
  limits_init(&s.limits, heap, &s.told);
  states_init(&s.states, heap, net, &s.limits, most);
  explore_until(&s, counting);
  states_fini(&s.states);
}
