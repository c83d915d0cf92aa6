#include "report/run_words.h"

#include "base/text.h"
#include "report/place.h"
#include "report/vocabulary.h"

#include <assert.h>

enum { LONGEST_NAME = 60 /* characters, in sentences */ };

/* The name, or NULL where there is none. */
static const char *name_of(Arena *arena, const TraceNames *names, TraceNameKind kind, uint32_t number) {
  assert(kind < TRACE_NAME_KINDS);
  if (number == TRACE_NONE || number >= trace_name_count(names, kind)) return NULL;
  const char *name = trace_name(names, kind, number);
  return name[0] ? text_clean(arena, name) : NULL;
}

const char *run_thread(Arena *arena, const TraceNames *names, uint32_t thread) {
  const char *name = name_of(arena, names, TRACE_THREAD_NAME, thread);
  return name ? name : arena_format(arena, "T%u", thread);
}

const char *run_object(Arena *arena, const TraceNames *names, uint32_t object) {
  const char *name = name_of(arena, names, TRACE_OBJECT_NAME, object);
  return name ? name : arena_format(arena, "#%u", object);
}

const char *run_label(Arena *arena, const TraceNames *names, uint32_t label) {
  return name_of(arena, names, TRACE_LABEL_NAME, label);
}

const char *run_location(Arena *arena, const TraceNames *names, uint32_t location) {
  return name_of(arena, names, TRACE_LOCATION_NAME, location);
}

const char *run_target(Arena *arena, const TraceNames *names, uint8_t op, uint32_t object) {
  if (object == TRACE_NONE) return NULL;
  const bool on_thread = op == TRACE_FORK || op == TRACE_JOIN;
  return on_thread ? run_thread(arena, names, object) : run_object(arena, names, object);
}

Place run_place(Arena *arena, const TraceNames *names, uint32_t location, uint64_t event) {
  const char *text = run_location(arena, names, location);
  if (text) return place_parse(arena, text);
  return (Place){.other = arena_format(arena, "event %llu", (unsigned long long)event)};
}

/* --- sentences, in which names are cut at their ends, and places in front: what matters there comes last --- */

const char *run_short_thread(Arena *arena, const TraceNames *names, uint32_t thread) {
  return text_shorten(arena, run_thread(arena, names, thread), LONGEST_NAME);
}

const char *run_transaction_alone(Arena *arena, const TraceNames *names, const MonitorTransaction *transaction) {
  const char *label = run_label(arena, names, transaction->label);
  if (transaction->ordinal == 0) return NULL;
  if (label) return arena_format(arena, "transaction '%s'", text_shorten(arena, label, LONGEST_NAME));
  return arena_format(arena, "transaction %u", transaction->ordinal);
}

const char *run_transaction(Arena *arena, const TraceNames *names, const MonitorTransaction *transaction) {
  const char *thread = run_short_thread(arena, names, transaction->thread),
             *alone = run_transaction_alone(arena, names, transaction);
  return alone ? arena_format(arena, "%s of %s", alone, thread) : thread;
}

static const char *with_target(Arena *arena, const TraceNames *names, const char *verb, uint8_t op, uint32_t object) {
  const bool plain = op == TRACE_BEGIN || op == TRACE_END || op == TRACE_START || op == TRACE_EXIT;
  const char *target = plain ? NULL : run_target(arena, names, op, object);
  return target ? arena_format(arena, "%s %s", verb, text_shorten(arena, target, LONGEST_NAME)) : verb;
}

const char *run_deed(Arena *arena, const TraceNames *names, uint8_t op, uint32_t object) {
  return with_target(arena, names, vocabulary_verb(op)->does, op, object);
}

const char *run_event(Arena *arena, const TraceNames *names, uint8_t op, uint32_t object) {
  return with_target(arena, names, vocabulary_verb(op)->name, op, object);
}

/* " at prog.c:12:5 in main", or " in event 12". */
static const char *where_is(Arena *arena, const TraceNames *names, const MonitorAccess *access) {
  const Place place = run_place(arena, names, access->location, access->event);
  const bool known = run_location(arena, names, access->location) != NULL;
  return arena_format(arena, " %s %s", known ? "at" : "in", place_words(arena, &place));
}

const char *run_edge(Arena *arena, const TraceNames *names, const MonitorTransaction *from, const MonitorEdge *edge) {
  const char *before = run_transaction(arena, names, from), *where = where_is(arena, names, &edge->from);
  const Place place = run_place(arena, names, edge->to.location, edge->to.event);
  const char *here = place_here(arena, &place);
  switch (edge->kind) {
  case MONITOR_CONFLICT:
  case MONITOR_HANDOVER:
    return arena_format(arena, "%s %s, after %s has %s it%s", run_deed(arena, names, edge->to.op, edge->to.object),
                        here, before, vocabulary_verb(edge->from.op)->done, where);
  case MONITOR_ORDER:
    return arena_format(arena, "continues %s, after %s%s", here, from->ordinal ? before : "what it did",
                        from->ordinal ? "" : where);
  case MONITOR_FORK: return arena_format(arena, "runs %s, after %s has forked it%s", here, before, where);
  case MONITOR_JOIN:
    return arena_format(arena, "joins %s %s, after %s", run_short_thread(arena, names, edge->to.object), here,
                        edge->from.op == TRACE_FORK ? arena_format(arena, "%s has forked it%s", before, where)
                                                    : before);
  case MONITOR_GAP:
    return arena_format(arena, "comes after %s, by way of transactions that are no longer known", before);
  }
  return "";
}
