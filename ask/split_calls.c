#include "ask/split_calls.h"

#include <stdbool.h>

#define SEVERAL UINT32_MAX

void split_calls_init(SplitCalls *s, Heap *heap) { *s = (SplitCalls){.heap = heap}; }

void split_calls_fini(SplitCalls *s) {
  for (uint32_t i = 0; i < s->threads.n; i++) {
    vec_fini(s->heap, &s->threads.at[i].labels);
    vec_fini(s->heap, &s->threads.at[i].before);
  }
  vec_fini(s->heap, &s->threads);
  vec_fini(s->heap, &s->roots);
  vec_fini(s->heap, &s->user);
  vec_fini(s->heap, &s->written);
  vec_fini(s->heap, &s->most);
}

/* ---- who is there ---- */

static SplitCallsThread *thread_at(SplitCalls *s, uint32_t number) {
  if (number >= s->threads.n) vec_resize_zeroed(s->heap, &s->threads, number + 1);
  return &s->threads.at[number];
}

/* A fork or a join: what it adds to the threads that run. */
static int relate(SplitCalls *s, const TraceEvent *event) {
  SplitCallsThread *other = thread_at(s, event->object);
  const uint32_t before = other->forked;
  if (event->op == TRACE_FORK) other->forked++;
  else if (event->op == TRACE_JOIN && other->forked) other->forked--;
  return (int)(other->forked - before);
}

/* A run has ended. */
static void forget_threads(SplitCalls *s) {
  for (uint32_t i = 0; i < s->threads.n; i++) s->threads.at[i].forked = s->threads.at[i].root = 0;
}

/* ---- objects ---- */

static bool is_on_object(const TraceEvent *event) {
  const TraceSort sort = TRACE_SORT[event->op];
  return sort == TRACE_ON_VARIABLE || sort == TRACE_ON_LOCK || sort == TRACE_ON_HANDOVER;
}

static void survey_object(SplitCalls *s, const TraceEvent *event) {
  const uint32_t object = event->object;
  if (object >= s->user.n) {
    vec_resize_zeroed(s->heap, &s->user, object + 1);
    vec_resize_zeroed(s->heap, &s->written, object + 1);
  }
  uint32_t *user = &s->user.at[object];
  if (*user != event->thread + 1) *user = *user ? SEVERAL : event->thread + 1;
  if (event->op != TRACE_READ) s->written.at[object] = 1;
}

static void survey(SplitCalls *s, const TraceEvent *event) {
  SplitCallsThread *thread = thread_at(s, event->thread);
  if (!thread->forked && !thread->root) thread->root = 1, s->n_roots++;
  if (TRACE_SORT[event->op] == TRACE_ON_THREAD) relate(s, event);
  if (is_on_object(event) && event->op != TRACE_FREE) survey_object(s, event);
}

void split_calls_survey(SplitCalls *s, const TraceEvent *events, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) survey(s, &events[i]);
  if (n) return;
  vec_push(s->heap, &s->roots, s->n_roots);
  s->n_roots = 0;
  forget_threads(s);
}

/* ---- calls ---- */

/* Could it conflict with an event of another thread, or be ordered with one? Where a thread runs alone, with all others
 * joined or still to be forked, nothing but forks and joins can. */
static bool could_conflict(const SplitCalls *s, const TraceEvent *event) {
  if (event->op == TRACE_FREE) return false;
  if (!is_on_object(event)) return TRACE_SORT[event->op] == TRACE_ON_THREAD;
  if (event->object >= s->user.n) return true; /* the run was changed since */
  return s->user.at[event->object] == SEVERAL && s->written.at[event->object];
}

static void begin(SplitCalls *s, SplitCallsThread *thread, uint32_t label) {
  vec_push(s->heap, &thread->labels, label == TRACE_NONE ? 0 : label + 1);
  vec_push(s->heap, &thread->before, thread->n_events);
}

/* Ends the innermost open call. */
static void end(SplitCalls *s, SplitCallsThread *thread) {
  const uint32_t label = thread->labels.at[--thread->labels.n];
  const uint64_t n = thread->n_events - thread->before.at[--thread->before.n];
  if (label >= s->most.n) vec_resize_zeroed(s->heap, &s->most, label + 1);
  if (s->most.at[label] < n) s->most.at[label] = n;
}

static void end_run(SplitCalls *s) {
  for (uint32_t i = 0; i < s->threads.n; i++) {
    while (s->threads.at[i].labels.n) end(s, &s->threads.at[i]);
    s->threads.at[i].n_events = 0;
  }
  forget_threads(s);
  s->n_forked = 0;
  s->run++;
}

/* May more than one thread run? */
static bool is_concurrent(const SplitCalls *s) { return s->run >= s->roots.n || s->roots.at[s->run] + s->n_forked > 1; }

static void count(SplitCalls *s, const TraceEvent *event) {
  SplitCallsThread *thread = thread_at(s, event->thread);
  if (event->op == TRACE_BEGIN) begin(s, thread, event->object);
  else if (event->op == TRACE_END && thread->labels.n) end(s, thread);
  else if (event->op == TRACE_EXIT)
    while (thread->labels.n) end(s, thread);
  else if (is_concurrent(s) || TRACE_SORT[event->op] == TRACE_ON_THREAD) thread->n_events += could_conflict(s, event);
  if (TRACE_SORT[event->op] == TRACE_ON_THREAD) s->n_forked += (uint32_t)relate(s, event);
}

void split_calls_count(SplitCalls *s, const TraceEvent *events, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) count(s, &events[i]);
  if (n == 0) end_run(s);
}

uint64_t split_calls_most(const SplitCalls *s, uint32_t label) {
  const uint32_t place = label == TRACE_NONE ? 0 : label + 1;
  return place < s->most.n ? s->most.at[place] : 0;
}
