#include "report/run_words.h"

#include "base/text.h"

#include <assert.h>

enum { LONGEST_NAME = 60, LONGEST_PLACE = 240 /* characters, in sentences */ };

/* The name, or NULL where there is none. */
static const char *name_of(Arena *arena, const TraceNames *names, TraceNameKind kind, uint32_t number) {
  assert(kind < TRACE_NAME_KINDS);
  if (number == TRACE_NONE || number >= trace_name_count(names, kind)) return NULL;
  const char *name = trace_name(names, kind, number);
  return name[0] ? text_clean(arena, name) : NULL;
}

const char *run_op(uint8_t op) {
  assert(op < TRACE_OPS);
  static const char *const OPS[] = {"read", "write", "acquire", "release", "fork", "join",
                                    "begin", "end", "start", "exit", "free"}; /* ORDER TraceOp */
  _Static_assert(sizeof OPS / sizeof *OPS == TRACE_OPS, "ORDER TraceOp");
  return OPS[op];
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

/* --- sentences, in which names are cut at their ends, and places in front: what matters there comes last --- */

static const char *short_thread(Arena *arena, const TraceNames *names, uint32_t thread) {
  return text_shorten(arena, run_thread(arena, names, thread), LONGEST_NAME);
}

static const char *short_object(Arena *arena, const TraceNames *names, uint32_t object) {
  return text_shorten(arena, run_object(arena, names, object), LONGEST_NAME);
}

static const char *short_location(Arena *arena, const TraceNames *names, uint32_t location) {
  const char *place = run_location(arena, names, location);
  return place ? text_shorten_front(arena, place, LONGEST_PLACE) : NULL;
}

const char *run_place(Arena *arena, const TraceNames *names, uint32_t location, uint64_t event) {
  const char *place = short_location(arena, names, location);
  return place ? place : arena_format(arena, "event %llu", (unsigned long long)event);
}

const char *run_transaction(Arena *arena, const TraceNames *names, const MonitorTransaction *transaction) {
  const char *thread = short_thread(arena, names, transaction->thread), *label = run_label(arena, names, transaction->label);
  if (transaction->ordinal == 0) return thread;
  if (label) return arena_format(arena, "transaction '%s' of %s", text_shorten(arena, label, LONGEST_NAME), thread);
  return arena_format(arena, "transaction %u of %s", transaction->ordinal, thread);
}

/* ORDER TraceOp: of what can be an end of an edge. */
static const char *const HAS_DONE[] = {"read", "written", "acquired", "released"};
static const char *const DOES[] = {"reads", "writes", "acquires", "releases"};
enum { N_ACCESSES = TRACE_RELEASE + 1 };
_Static_assert(TRACE_READ == 0 && TRACE_WRITE == 1 && TRACE_ACQUIRE == 2, "ORDER TraceOp");
_Static_assert(sizeof HAS_DONE / sizeof *HAS_DONE == N_ACCESSES && sizeof DOES / sizeof *DOES == N_ACCESSES, "ORDER TraceOp");

static const char *has_done(const MonitorAccess *access) {
  assert(access->op < N_ACCESSES);
  return HAS_DONE[access->op];
}

static const char *does(const MonitorAccess *access) {
  assert(access->op < N_ACCESSES);
  return DOES[access->op];
}

const char *run_edge(Arena *arena, const TraceNames *names, const MonitorTransaction *from, const MonitorEdge *edge) {
  const char *before = run_transaction(arena, names, from), *at = short_location(arena, names, edge->from.location);
  const char *where = at ? arena_format(arena, " at %s", at)
                         : arena_format(arena, " in event %llu", (unsigned long long)edge->from.event);
  switch (edge->kind) {
  case MONITOR_CONFLICT:
    return arena_format(arena, "%s %s here, after %s has %s it%s", does(&edge->to), short_object(arena, names, edge->to.object),
                        before, has_done(&edge->from), where);
  case MONITOR_ORDER:
    return arena_format(arena, "goes on here, after %s%s", from->ordinal ? before : "what it did", from->ordinal ? "" : where);
  case MONITOR_FORK: return arena_format(arena, "runs here, after %s has forked it%s", before, where);
  case MONITOR_JOIN:
    return arena_format(arena, "joins %s here, after %s", short_thread(arena, names, edge->to.object),
                        edge->from.op == TRACE_FORK ? arena_format(arena, "%s has forked it%s", before, where) : before);
  case MONITOR_GAP: return arena_format(arena, "comes, over transactions that were not kept, after %s", before);
  }
  return "";
}
