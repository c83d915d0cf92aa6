/* steps.c: the legs of a predicted run are the ends of its cycle's edges, in the order of that run, and, where a thread
 * of the cycle has to go on after one of them before others can come, the last event of its part of the run: that has
 * given back what others need. */
#include "ask/steps.h"

#include "ask/seen.h"
#include "ask/step_text.h"
#include "base/bitset.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LEGS = 32, MOST_ROLES = 8 }; /* docs/confirming.md */

static const char *const CLASSES[] = {"read",    "write",   "acquire", "release", "fork",    "join",
                                      "begin",   "end",     NULL,      NULL,      "write",   "write",
                                      "acquire", "release", "acquire", "acquire", "release", "acquire"};
_Static_assert(sizeof CLASSES / sizeof *CLASSES == TRACE_OPS, "ORDER TraceOp");

/* An event that is to come, or to begin a transaction. */
typedef struct {
  uint64_t event;
  uint32_t part;  /* of the predicted run, in which it is */
  uint32_t role;  /* the index of a thread of the cycle */
  uint64_t begin; /* of its transaction; UINT64_MAX: none */
  bool is_begin;
  TraceEvent told;            /* as the log has it */
  const TraceObject *object;  /* NULL: any */
  uint32_t in_thread, inside; /* counts */
  uint64_t last;              /* event that was counted */
} Want;

typedef VEC(Want) WantVec;

typedef struct {
  Heap *heap;
  Arena *arena;
  const RunSource *source;
  WantVec *wants; /* by run */
  uint32_t n_runs;
  VEC(Want *) by_event; /* all, ascending */
  uint64_t *places;     /* a set: the locations of these, */
  uint32_t n_places;    /* of so many */
  TraceReader *reader;
} Making;

/* ---- which events ---- */

static uint32_t role_of(U32Vec *threads, Heap *heap, uint32_t thread) {
  for (uint32_t i = 0; i < threads->n; i++)
    if (threads->at[i] == thread) return i;
  vec_push(heap, threads, thread);
  return threads->n - 1;
}

static void add_want(Making *m, WantVec *wants, Want want) {
  for (uint32_t i = 0; i < wants->n; i++)
    if (wants->at[i].event == want.event && wants->at[i].is_begin == want.is_begin) return;
  vec_push(m->heap, wants, want);
}

static void add_access(Making *m, WantVec *wants, const PredictedRun *run, const MonitorTransaction *transaction,
                       uint64_t event, U32Vec *threads) {
  const bool has_begin = transaction->ordinal && transaction->first < event;
  const Want want = {.event = event,
                     .part = seen_part(run, transaction->thread, event),
                     .role = role_of(threads, m->heap, transaction->thread),
                     .begin = has_begin ? transaction->first : UINT64_MAX};
  add_want(m, wants, want);
}

static int compare_wants(const void *a, const void *b) {
  const Want *x = a, *y = b;
  if (x->is_begin != y->is_begin) return x->is_begin ? -1 : 1;
  if (x->part != y->part) return x->part < y->part ? -1 : 1;
  return (x->event > y->event) - (x->event < y->event);
}

/* The end of a part after which its thread has more to do. */
static void add_ends(Making *m, WantVec *wants, const PredictedRun *run) {
  const uint32_t n = wants->n;
  for (uint32_t i = 0; i < n; i++) {
    const Want want = wants->at[i];
    bool more = false;
    for (uint32_t k = 0; k < n; k++) more |= wants->at[k].role == want.role && wants->at[k].part > want.part;
    if (!more || want.part == run->n_legs) continue;
    Want end = want;
    end.event = run->legs[want.part].event;
    add_want(m, wants, end);
  }
}

static void add_begins(Making *m, WantVec *wants, uint32_t n_roles) {
  const uint32_t n = wants->n;
  for (uint32_t role = 0; role < n_roles; role++)
    for (uint32_t i = 0; i < n; i++) {
      const Want *want = &wants->at[i];
      if (want->role != role || want->begin == UINT64_MAX) continue;
      const Want begin = {.event = want->begin, .role = role, .begin = UINT64_MAX, .is_begin = true};
      add_want(m, wants, begin);
      break;
    }
}

/* NULL, or why it cannot be followed. */
static const char *want_run(Making *m, WantVec *wants, const PredictedRun *run) {
  const MonitorFinding *finding = &run->finding;
  U32Vec threads = {0};
  if (!finding->edges) return "its cycle is not known";
  for (uint32_t i = 0; i < finding->n; i++) {
    const MonitorEdge *edge = &finding->edges[i];
    if (edge->kind != MONITOR_CONFLICT) continue;
    add_access(m, wants, run, &finding->transactions[i], edge->from.event, &threads);
    add_access(m, wants, run, &finding->transactions[(i + 1) % finding->n], edge->to.event, &threads);
  }
  qsort(wants->at, wants->n, sizeof *wants->at, compare_wants);
  add_ends(m, wants, run);
  const uint32_t n_roles = threads.n, n_legs = wants->n;
  add_begins(m, wants, n_roles);
  qsort(wants->at, wants->n, sizeof *wants->at, compare_wants);
  vec_fini(m->heap, &threads);
  return !n_legs                                      ? "no events of its cycle conflict"
         : n_legs > MOST_LEGS || n_roles > MOST_ROLES ? "its cycle is too long"
                                                      : NULL;
}

/* ---- what the log says of them ---- */

static int compare_events(const void *a, const void *b) {
  const Want *x = *(Want *const *)a, *y = *(Want *const *)b;
  return (x->event > y->event) - (x->event < y->event);
}

static void sort_wants(Making *m) {
  for (uint32_t r = 0; r < m->n_runs; r++)
    for (uint32_t i = 0; i < m->wants[r].n; i++) vec_push(m->heap, &m->by_event, &m->wants[r].at[i]);
  if (m->by_event.n) qsort(m->by_event.at, m->by_event.n, sizeof *m->by_event.at, compare_events);
}

typedef void Taker(Making *m, const TraceEvent *event, uint64_t number, uint32_t *next);

static bool read_log(Making *m, Taker *take, Err *err) {
  TraceOptions options = m->source->trace;
  const TraceEvent *events;
  uint64_t number = 0;
  uint32_t n, next = 0;
  options.where = true;
  trace_close(m->reader);
  m->reader = trace_open(m->heap, m->source->inputs->path, &options, err);
  if (!m->reader) return false;
  do {
    if (!trace_next(m->reader, &events, &n, err)) return false;
    for (uint32_t i = 0; i < n; i++, number++) take(m, &events[i], number, &next);
  } while (n && next < m->by_event.n && heap_asked(m->heap) == STOP_NOT);
  return heap_asked(m->heap) == STOP_NOT || err_set(err, ERR_LIMIT, "interrupted");
}

static void tell(Making *m, const TraceEvent *event, uint64_t number, uint32_t *next) {
  for (; *next < m->by_event.n && m->by_event.at[*next]->event == number; ++*next) m->by_event.at[*next]->told = *event;
}

static const TraceObject *copy_object(Arena *arena, const TraceObject *object) {
  TraceObject *copy = arena_alloc(arena, sizeof *copy);
  *copy = *object;
  return copy;
}

static void find_objects(Making *m) {
  const TraceWhere *where = trace_where(m->reader);
  for (uint32_t i = 0; i < m->by_event.n; i++) {
    Want *want = m->by_event.at[i];
    const TraceSort sort = (TraceSort)TRACE_SORT[want->told.op];
    if (sort != TRACE_ON_VARIABLE && sort != TRACE_ON_LOCK) continue;
    for (uint32_t k = 0; k < where->objects.n && !want->object; k++)
      if (where->objects.at[k].object == want->told.object) want->object = copy_object(m->arena, &where->objects.at[k]);
  }
}

/* One event of the program may be one of several objects, one after another: it counts once. */
static void count_for(Want *want, const TraceEvent *event, uint64_t number) {
  if (event->thread != want->told.thread || event->location != want->told.location || event->op != want->told.op ||
      (want->object && event->object != want->told.object) || number > want->event)
    return;
  const bool same = !want->object && want->in_thread && want->last + 1 == number &&
                    (event->op == TRACE_READ || event->op == TRACE_WRITE);
  if (!same) want->in_thread++, want->inside++;
  want->last = number;
}

static void note_places(Making *m) {
  for (uint32_t i = 0; i < m->by_event.n; i++) {
    const uint32_t place = m->by_event.at[i]->told.location;
    if (place != TRACE_NONE && place >= m->n_places) m->n_places = place + 1;
  }
  m->places = heap_zeroed(m->heap, (bitset_words(m->n_places) + 1) * sizeof *m->places);
  for (uint32_t i = 0; i < m->by_event.n; i++)
    if (m->by_event.at[i]->told.location != TRACE_NONE) bitset_add(m->places, m->by_event.at[i]->told.location);
}

static void count(Making *m, const TraceEvent *event, uint64_t number, uint32_t *next) {
  while (*next < m->by_event.n && m->by_event.at[*next]->event < number) ++*next;
  if (event->location >= m->n_places || !bitset_has(m->places, event->location)) return;
  for (uint32_t i = *next; i < m->by_event.n; i++) {
    Want *want = m->by_event.at[i];
    if (event->op == TRACE_BEGIN && event->thread == want->told.thread && number <= want->begin) want->inside = 0;
    count_for(want, event, number);
  }
}

/* ---- as text ---- */

static bool is_code(const void *event, const TraceCode *code) {
  const Want *want = event;
  return code->location == want->told.location && code->op == want->told.op;
}

static const char *print_want(Making *m, const Want *want) {
  const char *codes = step_codes(m->arena, trace_where(m->reader), is_code, want), *class = CLASSES[want->told.op];
  const TraceNames *names = trace_names(m->reader);
  if (!codes || !class) return NULL;
  const bool inside = !want->is_begin && want->begin != UINT64_MAX;
  return arena_format(m->arena, "%s %c %s %s %s %u %s # %s: %s %s\n", want->is_begin ? "begin" : "leg",
                      (char)('A' + want->role), class, codes, want->object ? step_object(m->arena, want->object) : "*",
                      want->in_thread, inside ? arena_format(m->arena, "%u", want->inside) : "*",
                      trace_name(names, TRACE_THREAD_NAME, want->told.thread),
                      want->told.location == TRACE_NONE ? ""
                                                        : trace_name(names, TRACE_LOCATION_NAME, want->told.location),
                      want->object ? trace_name(names, TRACE_OBJECT_NAME, want->told.object) : "");
}

static Steps print_steps(Making *m, const WantVec *wants, const char *why) {
  const char *text = "";
  for (uint32_t i = 0; !why && i < wants->n; i++) {
    const char *line = print_want(m, &wants->at[i]);
    if (!line && wants->at[i].is_begin) continue;
    if (line) text = arena_format(m->arena, "%s%s", text, line);
    else
      why =
          "the log does not say where the code of its events is: it is not a log of this version of tracerec, or the program has no build-id or no symbols";
  }
  return (Steps){why ? NULL : text, why};
}

/* ---- all of it ---- */

static bool make(Making *m, PredictionReport *report, Err *err) {
  const char **why = arena_zeroed(m->arena, m->n_runs + (size_t)1, sizeof *why);
  Steps *of = arena_zeroed(m->arena, m->n_runs + (size_t)1, sizeof *of);
  for (uint32_t i = 0; i < m->n_runs; i++) why[i] = want_run(m, &m->wants[i], &report->runs[i]);
  sort_wants(m);
  if (!read_log(m, tell, err)) return false;
  find_objects(m);
  note_places(m);
  if (!read_log(m, count, err)) return false;
  for (uint32_t i = 0; i < m->n_runs; i++) of[i] = print_steps(m, &m->wants[i], why[i]);
  report->steps = (StepsReport){step_head(m->arena, trace_where(m->reader)), of};
  return true;
}

bool steps_make(Heap *heap, const RunSource *source, PredictingResult *result, Err *err) {
  if (source->n != 1) return err_set(err, ERR_INPUT, "steps are of one run, not of several");
  Making m = {.heap = heap, .arena = &result->arena, .source = source, .n_runs = result->report.n_runs};
  m.wants = heap_zeroed(heap, heap_product(heap, m.n_runs + (size_t)1, sizeof *m.wants));
  const bool good = make(&m, &result->report, err);
  trace_close(m.reader);
  for (uint32_t i = 0; i < m.n_runs; i++) vec_fini(heap, &m.wants[i]);
  heap_release(heap, m.wants);
  heap_release(heap, m.places);
  vec_fini(heap, &m.by_event);
  return good;
}
