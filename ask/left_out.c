#include "ask/left_out.h"

#include <assert.h>
#include <string.h>

/* ---- names ---- */

/* What the entries of that kind say of the name; all of them are asked, lest one seems unused. */
static LeftOutWhy ask_entries(LeftOut *left_out, SuppressKind kind, const char *name) {
  LeftOutWhy why = LEFT_OUT_NOT;
  for (uint32_t i = 0; i < left_out->by->all.n; i++) {
    Suppression *entry = &left_out->by->all.at[i];
    if (entry->kind != kind || !suppressions_match(entry, name)) continue;
    entry->used = true;
    why = kind == SUPPRESS_COMMUTES ? LEFT_OUT_COMMUTING : LEFT_OUT_SUPPRESSED;
  }
  return why;
}

/* What commutes is not suppressed. */
static LeftOutWhy ask(LeftOut *left_out, TraceNameKind of, const char *name) {
  if (of == TRACE_LABEL_NAME) return ask_entries(left_out, SUPPRESS_FUNCTION, name);
  if (of == TRACE_LOCATION_NAME) return ask_entries(left_out, SUPPRESS_PLACE, name);
  const LeftOutWhy suppressed = ask_entries(left_out, SUPPRESS_OBJECT, name);
  return ask_entries(left_out, SUPPRESS_COMMUTES, name) ? LEFT_OUT_COMMUTING : suppressed;
}

static LeftOutWhy why_of(LeftOut *left_out, const TraceNames *names, TraceNameKind of, uint32_t number) {
  if (number == TRACE_NONE) return LEFT_OUT_NOT;
  LeftOutBytes *known = &left_out->known[of];
  if (number >= known->n) vec_resize_zeroed(left_out->heap, known, number + 1);
  if (!known->at[number]) known->at[number] = (uint8_t)(1 + ask(left_out, of, trace_name(names, of, number)));
  return (LeftOutWhy)(known->at[number] - 1);
}

/* ---- events ---- */

static bool is_access(const TraceEvent *event) {
  return event->op == TRACE_READ || event->op == TRACE_WRITE || event->op == TRACE_UPDATE;
}

LeftOutWhy left_out_why(LeftOut *left_out, const TraceNames *names, const TraceEvent *event) {
  const bool access = is_access(event);
  if (!access && event->op != TRACE_BEGIN) return LEFT_OUT_NOT;
  const LeftOutWhy place = why_of(left_out, names, TRACE_LOCATION_NAME, event->location);
  const LeftOutWhy name = why_of(left_out, names, access ? TRACE_OBJECT_NAME : TRACE_LABEL_NAME, event->object);
  return name == LEFT_OUT_COMMUTING || !place ? name : place;
}

void left_out_init(LeftOut *left_out, Heap *heap, Suppressions *by, LeftOutWhat what) {
  *left_out = (LeftOut){.heap = heap, .by = by, .what = what, .commuting = {.heap = heap, .by = by}};
}

void left_out_restart(LeftOut *left_out) {
  commuting_restart(&left_out->commuting);
  for (uint32_t of = 0; of < TRACE_NAME_KINDS; of++) vec_clear(&left_out->known[of]);
  for (uint32_t t = 0; t < left_out->open.n; t++) vec_clear(&left_out->open.at[t]);
}

/* Does that count among what is to be left out? */
static bool is_wanted(const LeftOut *left_out, LeftOutWhy why, bool access) {
  if (why == LEFT_OUT_NOT) return false;
  if (left_out->what == LEFT_OUT_COMMUTES) return why == LEFT_OUT_COMMUTING;
  return left_out->what != LEFT_OUT_TRANSACTIONS || !access;
}

/* Ends belong to the innermost begin; the exit of a thread ends all. */
static bool is_out(LeftOut *left_out, const TraceNames *names, const TraceEvent *event) {
  if (is_access(event)) return is_wanted(left_out, left_out_why(left_out, names, event), true);
  if (event->op != TRACE_BEGIN && event->op != TRACE_END && event->op != TRACE_EXIT) return false;
  if (event->thread >= left_out->open.n) vec_resize_zeroed(left_out->heap, &left_out->open, event->thread + 1);
  LeftOutBytes *open = &left_out->open.at[event->thread];
  if (event->op == TRACE_EXIT) vec_clear(open);
  if (event->op == TRACE_BEGIN)
    vec_push(left_out->heap, open, is_wanted(left_out, left_out_why(left_out, names, event), false));
  else if (open->n) return open->at[--open->n];
  return event->op == TRACE_BEGIN && vec_last(open);
}

static void count(LeftOut *left_out, const TraceNames *names, const TraceEvent *event) {
  LeftOutCount *sum = &left_out->count;
  sum->transactions += event->op == TRACE_BEGIN;
  if (!is_access(event)) return;
  if (left_out_why(left_out, names, event) == LEFT_OUT_COMMUTING) sum->commuting++;
  else sum->accesses++;
}

static void leave_out(LeftOut *left_out, const TraceNames *names, TraceEvent *event) {
  count(left_out, names, event);
  event->op = TRACE_START;
  event->object = TRACE_NONE;
}

/* What is left, while the run is looked at, or when it is read. */
static void tell_call(LeftOut *left_out, uint32_t call, TraceEvent *event) {
  Commuting *commuting = &left_out->commuting;
  const bool as_it_was = left_out->what == LEFT_OUT_TRANSACTIONS || left_out->what == LEFT_OUT_BUT_CALLS;
  if (commuting->phase != COMMUTING_KNOWN) commuting_look(commuting, call, event);
  else if (!as_it_was && commuting_tell(commuting, call, event)) left_out->count.commuting++;
}

bool left_out_is_late(const LeftOut *left_out) {
  const bool told = left_out->what == LEFT_OUT_TRANSACTIONS || left_out->what == LEFT_OUT_BUT_CALLS;
  return left_out->commuting.met && left_out->commuting.phase == COMMUTING_UNKNOWN && !told;
}

const TraceEvent *left_out_events(LeftOut *left_out, const TraceNames *names, const TraceEvent *events, uint32_t n) {
  assert(n <= TRACE_BATCH);
  if (!left_out->by || n == 0) return events;
  if (!left_out->batch) left_out->batch = heap_alloc(left_out->heap, TRACE_BATCH * sizeof *events);
  if (!left_out->calls) left_out->calls = heap_alloc(left_out->heap, TRACE_BATCH * sizeof *left_out->calls);
  memcpy(left_out->batch, events, n * sizeof *events);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t call = left_out->calls[i] = commuting_step(&left_out->commuting, names, &events[i]);
    if (is_out(left_out, names, &left_out->batch[i])) leave_out(left_out, names, &left_out->batch[i]);
    else tell_call(left_out, call, &left_out->batch[i]);
  }
  return left_out->batch;
}

void left_out_fini(LeftOut *left_out) {
  Heap *heap = left_out->heap;
  for (uint32_t of = 0; of < TRACE_NAME_KINDS; of++) vec_fini(heap, &left_out->known[of]);
  for (uint32_t t = 0; t < left_out->open.n; t++) vec_fini(heap, &left_out->open.at[t]);
  vec_fini(heap, &left_out->open);
  heap_release(heap, left_out->batch);
  heap_release(heap, left_out->calls);
  left_out->batch = NULL;
  left_out->calls = NULL;
  commuting_fini(&left_out->commuting);
}
