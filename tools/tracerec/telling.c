#include "tools/tracerec/telling.h"

#include "base/clock.h"
#include "distil/naming.h"
#include "report/of_run.h"
#include "report/writers.h"
#include "tools/tracerec/feeding.h"
#include "tools/tracerec/watching_inside.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* What is named in the report: only what the finding mentions. */
typedef struct {
  Watching *w;
  Naming *naming;
  TraceNames *names;
  U32Vec objects, codes; /* by number in the report */
  MonitorFinding finding;
} Telling;

static uint32_t number_in(Heap *heap, U32Vec *list, uint32_t value, bool *is_new) {
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i] == value) return *is_new = false, i;
  vec_push(heap, list, value);
  *is_new = true;
  return list->n - 1;
}

static uint32_t tell_object(Telling *t, uint32_t object) {
  char text[2048];
  uint32_t size;
  bool is_new;
  if (object == TRACE_NONE) return TRACE_NONE;
  const uint32_t number = number_in(t->w->heap, &t->objects, object, &is_new);
  const uint64_t address = parts_address(t->w->parts, object, &size);
  if (is_new)
    naming_print(t->naming, address, size, text, sizeof text), trace_names_add(t->names, TRACE_OBJECT_NAME, text);
  return number;
}

static uint32_t tell_place(Telling *t, uint32_t location) {
  char text[8192];
  bool is_new;
  if (location == TRACE_NONE) return TRACE_NONE;
  const uint32_t code = location & NOT_ASIDE, number = number_in(t->w->heap, &t->codes, code, &is_new);
  if (!is_new) return number;
  places_line(t->w->symbols, t->w->code.at[code].code - 1, text, sizeof text);
  trace_names_add(t->names, TRACE_LOCATION_NAME, text);
  return number;
}

static void tell_labels(const Telling *t) {
  const Watching *w = t->w;
  char text[2048];
  for (uint32_t i = 0; i < w->names.n; i++) {
    const uint32_t what = w->names.at[i];
    uint32_t length = 0;
    uint64_t start;
    const char *name = what >= LABEL_CODE
                           ? places_symbol(w->symbols, w->code.at[what - LABEL_CODE].code - 1, &length, &start)
                       : what <= RAW_NAMES ? w->header->names + w->header->name_at[what - 1]
                                           : "?";
    snprintf(text, sizeof text, "%.*s", what >= LABEL_CODE ? (int)length : (int)strlen(name), name ? name : "?");
    trace_names_add(t->names, TRACE_LABEL_NAME, text);
  }
}

static void tell_threads(const Telling *t) {
  char text[512];
  for (uint32_t i = 0; i < t->w->courses.n; i++) {
    naming_print_thread(t->w->symbols, i, t->w->courses.at[i].function, text, sizeof text);
    trace_names_add(t->names, TRACE_THREAD_NAME, text);
  }
}

/* What was put aside comes before the event with its number. What was one access is several once its object was
 * divided.
 */
static uint64_t key_of(const MonitorAccess *a) {
  return a->event * 2 + !(a->location != TRACE_NONE && a->location & ASIDE);
}

static bool is_before(const MonitorAccess *a, uint32_t thread, const MonitorAccess *b, uint32_t other) {
  if (key_of(a) != key_of(b)) return key_of(a) < key_of(b);
  return thread != other ? thread < other : a->object + 1 < b->object + 1; /* TRACE_NONE first */
}

typedef struct {
  const MonitorAccess *access;
  uint32_t thread;
} End;

/* The events at the ends of the edges, and where transactions begin. */
static uint32_t list_ends(const MonitorFinding *f, MonitorAccess *firsts, End *ends) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    firsts[i] = (MonitorAccess){.event = f->transactions[i].first, .object = TRACE_NONE, .location = TRACE_NONE};
    if (!f->transactions[i].ordinal && f->transactions[i].location != TRACE_NONE)
      firsts[i].location = f->transactions[i].location;
    ends[n++] = (End){&firsts[i], f->transactions[i].thread};
    ends[n++] = (End){&f->edges[i].from, f->transactions[i].thread};
    ends[n++] = (End){&f->edges[i].to, f->transactions[(i + 1) % f->n].thread};
  }
  return n;
}

/* How many different events come before it. */
static uint64_t rank(const End *ends, uint32_t n, const End *end) {
  uint64_t before = 0;
  for (uint32_t i = 0; i < n; i++) {
    bool first = is_before(ends[i].access, ends[i].thread, end->access, end->thread);
    for (uint32_t k = 0; k < i && first; k++)
      first = is_before(ends[k].access, ends[k].thread, ends[i].access, ends[i].thread) ||
              is_before(ends[i].access, ends[i].thread, ends[k].access, ends[k].thread);
    before += first;
  }
  return before;
}

/* The finding, with its events numbered anew, and what it mentions by the numbers of the report. */
static void tell_finding(Telling *t, const MonitorFinding *f) {
  Heap *heap = t->w->heap;
  MonitorAccess *firsts = heap_zeroed(heap, f->n * sizeof *firsts);
  End *ends = heap_zeroed(heap, 3 * (size_t)f->n * sizeof *ends);
  const uint32_t n = list_ends(f, firsts, ends);
  t->finding = (MonitorFinding){f->event, f->n, heap_zeroed(heap, f->n * sizeof *f->transactions),
                                heap_zeroed(heap, f->n * sizeof *f->edges)};
  for (uint32_t i = 0; i < f->n; i++) {
    MonitorTransaction *it = &t->finding.transactions[i];
    MonitorEdge *edge = &t->finding.edges[i];
    *it = f->transactions[i];
    *edge = f->edges[i];
    it->first = rank(ends, n, &ends[3 * i]);
    edge->from.event = rank(ends, n, &ends[3 * i + 1]);
    edge->to.event = rank(ends, n, &ends[3 * i + 2]);
    it->location = tell_place(t, it->location);
    edge->from.location = tell_place(t, edge->from.location);
    edge->to.location = tell_place(t, edge->to.location);
    if (edge->kind != MONITOR_CONFLICT) continue;
    edge->from.object = tell_object(t, edge->from.object);
    edge->to.object = tell_object(t, edge->to.object);
  }
  heap_release(heap, firsts);
  heap_release(heap, ends);
}

void telling_report(Heap *heap, const Watching *w, const RunReport *result) {
  Report report;
  Err err;
  report_init(&report, heap, "tracerec", true);
  of_run(&report, result, (MonitorSize){0}, clock_seconds() - w->start, heap_peak(w->heap));
  if (!writers_find("text")->write(&report, (TextStyle){.quiet = false}, stderr, &err))
    fprintf(stderr, "tracerec: %s\n", err.text);
  report_fini(&report);
}

/* Does the cycle not depend on what may have been done to a lock? */
bool telling_is_sound(const Watching *w, const MonitorFinding *f) {
  bool sound = atoms_are_sound(w->atoms, w->quiet);
  uint32_t size;
  for (uint32_t i = 0; i < f->n && sound; i++)
    if (f->edges[i].kind == MONITOR_CONFLICT)
      sound = atoms_is_no_lock(w->atoms, parts_address(w->parts, f->edges[i].from.object, &size));
  return sound;
}

/* The first violation, and its judgement. */
void telling_violation(Watching *w) {
  uint32_t n;
  const MonitorFinding *findings = monitor_findings(w->monitor, &n);
  Err err;
  assert(n > 0);
  feeding_open_symbols(w);
  Telling t = {.w = w, .naming = naming_new(w->heap, w->places, w->blocks, NULL), .names = trace_names_new(w->heap)};
  tell_threads(&t);
  tell_labels(&t);
  tell_finding(&t, findings);
  const RunReport report = {
      .names = t.names, .verdict = VERDICT_VIOLATED, .findings = &t.finding, .n_findings = 1, .events = w->fed};
  if (!monitoring_agrees(w->heap, &report, &(MonitorOptions){.all = false}, &err)) {
    fprintf(stderr, "tracerec: %s\n", err.text);
    w->wrong = true;
  } else {
    telling_report(w->heap, w, &report);
  }
}
