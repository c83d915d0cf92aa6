/* seen.c: each event of the run that may be the first of the cycle begins a candidate. Where a candidate meets an event
 * that it may go on with, it becomes two, one with it and one without: of many instances of a place only one may be on
 * the right object. Candidates die with the transaction in which they lack something, so there are few. */
#include "ask/seen.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CANDIDATES = 4096 };

/* ---- what is to be seen ---- */

uint32_t seen_part(const PredictedRun *run, uint32_t thread, uint64_t event) {
  for (uint32_t i = 0; i < run->n_legs; i++)
    if (run->legs[i].thread == thread && run->legs[i].event >= event) return i;
  return run->n_legs;
}

/* An end of an edge, before they are sorted. */
typedef struct {
  uint64_t event;
  uint32_t part, thread;
  SeenEvent seen;
} End;

static int compare_ends(const void *a, const void *b) {
  const End *x = a, *y = b;
  if (x->part != y->part) return x->part < y->part ? -1 : 1;
  return (x->event > y->event) - (x->event < y->event);
}

static bool add_end(const PredictedRun *run, uint32_t transaction, const MonitorAccess *access, End *ends,
                    uint32_t *n) {
  const uint32_t thread = run->finding.transactions[transaction].thread;
  for (uint32_t i = 0; i < *n; i++)
    if (ends[i].event == access->event) return true;
  if (*n == SEEN_EVENTS || access->location == TRACE_NONE) return false;
  ends[(*n)++] =
      (End){access->event,
            seen_part(run, thread, access->event),
            thread,
            {0, transaction, access->op, trace_name(run->names, TRACE_LOCATION_NAME, access->location), NULL}};
  return true;
}

static uint32_t end_of(const End *ends, uint64_t event) {
  uint32_t i = 0;
  while (ends[i].event != event) i++;
  return i;
}

static bool set_roles(End *ends, uint32_t n) {
  uint32_t roles = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = 0;
    while (ends[k].thread != ends[i].thread) k++;
    ends[i].seen.role = k < i ? ends[k].seen.role : roles++;
  }
  return roles <= SEEN_ROLES;
}

bool seen_cycle(const PredictedRun *run, SeenCycle *cycle) {
  const MonitorFinding *finding = &run->finding;
  End ends[SEEN_EVENTS];
  uint32_t n = 0;
  *cycle = (SeenCycle){.n_edges = 0};
  for (uint32_t i = 0; finding->edges && i < finding->n; i++)
    if (finding->edges[i].kind == MONITOR_CONFLICT &&
        (!add_end(run, i, &finding->edges[i].from, ends, &n) ||
         !add_end(run, (i + 1) % finding->n, &finding->edges[i].to, ends, &n)))
      return false;
  qsort(ends, n, sizeof *ends, compare_ends);
  if (n < 2 || !set_roles(ends, n)) return false;
  for (uint32_t i = 0; i < n; i++) cycle->events[i] = ends[i].seen;
  cycle->n_events = n;
  for (uint32_t i = 0; i < finding->n; i++)
    if (finding->edges[i].kind == MONITOR_CONFLICT)
      cycle->edges[cycle->n_edges++] =
          (SeenEdge){end_of(ends, finding->edges[i].from.event), end_of(ends, finding->edges[i].to.event)};
  return true;
}

/* ---- the search ---- */

bool seen_is_at(const SeenEvent *event, const char *location) {
  if (!event->function) return strcmp(location, event->place) == 0;
  const char *slash = strrchr(location, '/'), *name = slash ? slash + 1 : location;
  const size_t line = strlen(event->place);
  if (strncmp(name, event->place, line)) return false;
  const char *column = name + line;
  return column[strspn(column, "0123456789")] == ':' && strcmp(strchr(column, ':') + 1, event->function) == 0;
}

/* Some of the cycle's events, as they were met. */
typedef struct {
  uint32_t met;                                            /* a bit for each */
  uint64_t events[SEEN_EVENTS], transactions[SEEN_EVENTS]; /* numbers in the run */
  uint32_t threads[SEEN_EVENTS], objects[SEEN_EVENTS];
} Candidate;

typedef struct {
  uint64_t transaction; /* the number of its begin */
  uint32_t depth;
} ThreadNow;

typedef struct {
  Heap *heap;
  const SeenCycle *cycle;
  TraceReader *reader;
  VEC(uint32_t) masks; /* by location: the cycle's events that are there */
  VEC(ThreadNow) threads;
  VEC(Candidate) candidates; /* the first one has no event */
  bool found;
  uint64_t events[SEEN_EVENTS]; /* then */
} Search;

static uint32_t mask_of(Search *s, uint32_t location) {
  while (s->masks.n <= location) {
    const char *name = trace_name(trace_names(s->reader), TRACE_LOCATION_NAME, s->masks.n);
    uint32_t mask = 0;
    for (uint32_t i = 0; i < s->cycle->n_events; i++)
      if (seen_is_at(&s->cycle->events[i], name)) mask |= UINT32_C(1) << i;
    vec_push(s->heap, &s->masks, mask);
  }
  return s->masks.at[location];
}

static bool has(const Candidate *c, uint32_t k) { return c->met >> k & 1; }

/* May the event be number k of the cycle, with those that the candidate has? Events of one transaction come in any
 * order, but after all that are of others before it. */
static bool fits(const SeenCycle *cycle, const Candidate *c, uint32_t k, const TraceEvent *event,
                 uint64_t transaction) {
  for (uint32_t i = 0; i < cycle->n_events; i++) {
    const bool same = cycle->events[i].transaction == cycle->events[k].transaction;
    if (!has(c, i)) {
      if (i < k && !same) return false;
      continue;
    }
    if ((c->threads[i] == event->thread) != (cycle->events[i].role == cycle->events[k].role)) return false;
    if ((i > k && !same) || (same && c->transactions[i] != transaction)) return false;
  }
  for (uint32_t i = 0; i < cycle->n_edges; i++) {
    const SeenEdge edge = cycle->edges[i];
    const uint32_t other = edge.from == k ? edge.to : edge.to == k ? edge.from : k;
    if (other != k && has(c, other) && c->objects[other] != event->object) return false;
  }
  return true;
}

/* The candidate with that event as well; it may be another one that the cycle goes on with, so it is kept without it,
 * too, as long as there is room. */
static void take(Search *s, uint32_t candidate, uint32_t k, const TraceEvent *event, uint64_t number,
                 uint64_t transaction) {
  Candidate with = s->candidates.at[candidate];
  if (!fits(s->cycle, &with, k, event, transaction)) return;
  with.met |= UINT32_C(1) << k;
  with.events[k] = number;
  with.transactions[k] = transaction;
  with.threads[k] = event->thread;
  with.objects[k] = event->object;
  if (s->candidates.n < MOST_CANDIDATES) vec_push(s->heap, &s->candidates, with);
  else if (candidate) s->candidates.at[candidate] = with;
  s->found = with.met == UINT32_MAX >> (32 - s->cycle->n_events);
  if (s->found) memcpy(s->events, with.events, sizeof s->events);
}

static bool is_on(const Candidate *c, uint32_t object) {
  for (uint32_t k = 0; k < SEEN_EVENTS; k++)
    if (has(c, k) && c->objects[k] == object) return true;
  return false;
}

static void free_object(Search *s, uint32_t object) {
  for (uint32_t i = 0; i < s->candidates.n; i++)
    if (is_on(&s->candidates.at[i], object)) s->candidates.at[i--] = s->candidates.at[--s->candidates.n];
}

/* Of the transaction some events of the cycle were met, and others were not. */
static bool lacks(const SeenCycle *cycle, const Candidate *c, uint64_t transaction) {
  uint32_t wanted = UINT32_MAX;
  for (uint32_t k = 0; k < cycle->n_events; k++)
    if (has(c, k) && c->transactions[k] == transaction) wanted = cycle->events[k].transaction;
  for (uint32_t k = 0; k < cycle->n_events; k++)
    if (!has(c, k) && cycle->events[k].transaction == wanted) return true;
  return false;
}

static void end_transaction(Search *s, uint64_t transaction) {
  for (uint32_t i = 0; i < s->candidates.n; i++)
    if (lacks(s->cycle, &s->candidates.at[i], transaction)) s->candidates.at[i--] = s->candidates.at[--s->candidates.n];
}

static uint64_t transaction_of(Search *s, const TraceEvent *event, uint64_t number) {
  if (event->thread >= s->threads.n) vec_resize_zeroed(s->heap, &s->threads, event->thread + 1);
  ThreadNow *now = &s->threads.at[event->thread];
  if (event->op == TRACE_BEGIN && !now->depth++) now->transaction = number;
  if (event->op == TRACE_END && now->depth && !--now->depth) end_transaction(s, now->transaction);
  return now->depth ? now->transaction : number;
}

static void look_at(Search *s, const TraceEvent *event, uint64_t number) {
  const uint64_t transaction = transaction_of(s, event, number);
  if (event->op == TRACE_FREE) free_object(s, event->object);
  const uint32_t mask = event->location == TRACE_NONE ? 0 : mask_of(s, event->location);
  if (!mask) return;
  const uint32_t n = s->candidates.n;
  for (uint32_t k = 0; k < s->cycle->n_events; k++)
    for (uint32_t i = 0; i < n && mask >> k & 1 && s->cycle->events[k].op == event->op && !s->found; i++)
      if (!has(&s->candidates.at[i], k)) take(s, i, k, event, number, transaction);
}

static bool search(Search *s, Err *err) {
  const TraceEvent *events;
  uint64_t number = 0;
  uint32_t n;
  vec_push(s->heap, &s->candidates, (Candidate){.met = 0});
  do {
    if (!trace_next(s->reader, &events, &n, err)) return false;
    for (uint32_t i = 0; i < n && !s->found; i++, number++) look_at(s, &events[i], number);
  } while (n && !s->found && heap_asked(s->heap) == STOP_NOT);
  return true;
}

bool seen_in(Heap *heap, const char *path, const SeenCycle *cycle, bool *found, uint64_t events[SEEN_EVENTS],
             Err *err) {
  const TraceOptions options = {.format = -1};
  Search s = {.heap = heap, .cycle = cycle, .reader = trace_open(heap, path, &options, err)};
  const bool good = s.reader && search(&s, err);
  *found = good && s.found;
  if (*found) memcpy(events, s.events, sizeof s.events);
  trace_close(s.reader);
  vec_fini(heap, &s.masks);
  vec_fini(heap, &s.threads);
  vec_fini(heap, &s.candidates);
  return good;
}
