#include "ask/call_stacks_read.h"

#include "base/keys.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  Heap *heap;
  CallStacks *stacks;
  const RunSource *source;
  uint32_t next; /* of those wanted, which ascend */
  TraceReader *reader;
  uint64_t n_events; /* before this batch */
  Keys places;       /* thread and location */
  VEC(TraceCalls) calls;
} Search;

static int compare(const void *a, const void *b) {
  const uint64_t x = ((const StackWanted *)a)->event, y = ((const StackWanted *)b)->event;
  return (x > y) - (x < y);
}

static void note(Search *s, const TraceCalls *calls) {
  bool is_new;
  const uint64_t place = ((uint64_t)calls->thread << 32 | calls->location) << 4;
  const uint32_t number = keys_add(s->heap, &s->places, place, &is_new);
  if (is_new) vec_push(s->heap, &s->calls, *calls);
  else s->calls.at[number] = *calls;
}

static void add_stack(Search *s, const TraceEvent *event, uint64_t number) {
  CallStacks *stacks = s->stacks;
  EventStack stack = {.event = number};
  const uint32_t at = keys_find(&s->places, ((uint64_t)event->thread << 32 | event->location) << 4);
  if (at == KEYS_NONE || (stacks->stacks.n && vec_last(&stacks->stacks).event == number)) return;
  const TraceCalls *calls = &s->calls.at[at];
  for (; stack.n < calls->n; stack.n++) {
    const uint32_t caller = calls->callers[stack.n];
    if (caller == TRACE_NONE) continue;
    const char *name = trace_name(trace_names(s->reader), TRACE_LOCATION_NAME, caller);
    stack.callers[stack.n] = arena_copy(&stacks->arena, name, strlen(name));
  }
  if (stack.n) vec_push(s->heap, &stacks->stacks, stack);
}

/* What the log says before an event is noted before it. */
static void take(Search *s, const TraceEvent *events, uint32_t n) {
  uint32_t n_calls, c = 0;
  const TraceCalls *calls = trace_calls(s->reader, &n_calls);
  for (; s->next < s->stacks->wanted.n && s->stacks->wanted.at[s->next].event < s->n_events + n; s->next++) {
    const StackWanted *wanted = &s->stacks->wanted.at[s->next];
    const uint32_t i = (uint32_t)(wanted->event - s->n_events);
    while (c < n_calls && calls[c].at <= i) note(s, &calls[c++]);
    const bool same = events[i].thread == wanted->thread && events[i].op == wanted->op;
    if (same && events[i].location == wanted->location) add_stack(s, &events[i], wanted->event);
  }
  while (c < n_calls) note(s, &calls[c++]);
  s->n_events += n;
}

static void read(void *argument) {
  Search *s = argument;
  TraceOptions options = s->source->trace;
  const TraceEvent *events;
  uint32_t n;
  Err err;
  options.calls = true;
  s->reader = trace_open(s->heap, s->source->inputs->path, &options, &err);
  while (s->reader && s->next < s->stacks->wanted.n && heap_asked(s->heap) == STOP_NOT &&
         trace_next(s->reader, &events, &n, &err) && n)
    take(s, events, n);
}

void call_stacks_read(Heap *heap, CallStacks *stacks, const RunSource *source) {
  Search s = {.heap = heap, .stacks = stacks, .source = source};
  if (source->n != 1 || !spool_is_lasting(source->inputs) || !stacks->wanted.n) return;
  qsort(stacks->wanted.at, stacks->wanted.n, sizeof *stacks->wanted.at, compare);
  arena_init(&stacks->arena, heap);
  heap_try(heap, read, &s); /* the findings are known all the same */
  trace_close(s.reader);
  vec_fini(heap, &s.calls);
  keys_fini(heap, &s.places);
}
