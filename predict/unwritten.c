#include "predict/unwritten.h"

#include "predict/pairs.h"

/* A first read, or a first write, of an object by a thread, in one run. */
typedef struct {
  uint64_t event;
  uint32_t thread, object; /* object: what its number stands for between frees */
  bool writes;
} Access;

typedef VEC(Access) Accesses;

struct Unwritten {
  Heap *heap;
  Accesses accesses;    /* by threads, each one's in the order of events */
  U32Vec first;         /* accesses of thread t: first[t] .. first[t + 1] - 1 */
  U32Vec at;            /* per thread, its next access in the present schedule */
  U32Vec at_of, stamps; /* per thread and per object: the schedule in which it has begun, or was written */
  VEC(uint64_t) runs;
  uint32_t schedule; /* number of the present one, from 1 */
};

/* ---- what can matter ---- */

#define GIVEN UINT32_MAX /* it had a value from the start: it was read before it was written */

typedef struct {
  Heap *heap;
  Accesses accesses; /* in the order of events */
  U32Vec objects;    /* by number: what it stands for, + 1; 0: nothing yet */
  U32Vec unfreed;    /* likewise, before it is freed in a run: the same in all runs */
  U32Vec freed;      /* by number: the run, + 1, in which it was freed last */
  U32Vec written;    /* per object: the number of the run, + 1, in which it was written last; GIVEN */
  Pairs reads, writes;
  uint32_t n_objects, n_threads, run;
} Survey;

static void reserve(Survey *s, uint32_t number) {
  if (number < s->objects.n) return;
  vec_resize_zeroed(s->heap, &s->objects, number + 1);
  vec_resize_zeroed(s->heap, &s->unfreed, number + 1);
  vec_resize_zeroed(s->heap, &s->freed, number + 1);
}

static void free_object(Survey *s, uint32_t number) {
  reserve(s, number);
  s->objects.at[number] = 0;
  s->freed.at[number] = s->run + 1;
}

static uint32_t object_of(Survey *s, uint32_t number) {
  reserve(s, number);
  uint32_t *object = &s->objects.at[number], *unfreed = &s->unfreed.at[number];
  const bool is_unfreed = s->freed.at[number] != s->run + 1;
  if (!*object && is_unfreed) *object = *unfreed;
  if (*object) return *object - 1;
  *object = ++s->n_objects;
  if (is_unfreed) *unfreed = *object;
  vec_push(s->heap, &s->written, 0);
  return *object - 1;
}

static bool is_new(Heap *heap, Pairs *pairs, uint32_t thread, uint32_t object) {
  const uint32_t n = pairs->all.n;
  return pairs_add(heap, pairs, thread, object) == n;
}

static void note_read(Survey *s, uint64_t event, uint32_t thread, uint32_t object) {
  if (s->written.at[object] != s->run + 1) s->written.at[object] = GIVEN;
  else if (is_new(s->heap, &s->reads, thread, object))
    vec_push(s->heap, &s->accesses, ((Access){event, thread, object, false}));
}

static void note_write(Survey *s, uint64_t event, uint32_t thread, uint32_t object) {
  if (s->written.at[object] == GIVEN) return;
  s->written.at[object] = s->run + 1;
  if (is_new(s->heap, &s->writes, thread, object))
    vec_push(s->heap, &s->accesses, ((Access){event, thread, object, true}));
}

static void note_event(Survey *s, uint64_t number, const TraceEvent *event) {
  if (event->thread >= s->n_threads) s->n_threads = event->thread + 1;
  if (event->op == TRACE_FREE) free_object(s, event->object);
  if (event->op != TRACE_READ && event->op != TRACE_WRITE && event->op != TRACE_UPDATE) return;
  const uint32_t object = object_of(s, event->object);
  if (event->op != TRACE_WRITE) note_read(s, number, event->thread, object);
  if (event->op != TRACE_READ) note_write(s, number, event->thread, object);
}

static void begin_run(Survey *s) {
  const uint32_t n = s->objects.n;
  s->run++;
  vec_clear(&s->objects);
  vec_resize_zeroed(s->heap, &s->objects, n);
  pairs_fini(s->heap, &s->reads);
  pairs_fini(s->heap, &s->writes);
}

/* Drops those to what is given: a later run may have told. */
static void drop_given(Survey *s) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->accesses.n; i++)
    if (s->written.at[s->accesses.at[i].object] != GIVEN) s->accesses.at[n++] = s->accesses.at[i];
  s->accesses.n = n;
}

static void sort_accesses(Unwritten *u, const Accesses *accesses, uint32_t n_threads) {
  vec_resize_zeroed(u->heap, &u->first, n_threads + 2);
  for (uint32_t i = 0; i < accesses->n; i++) u->first.at[accesses->at[i].thread + 2]++;
  for (uint32_t t = 2; t < n_threads + 2; t++) u->first.at[t] += u->first.at[t - 1];
  vec_resize_zeroed(u->heap, &u->accesses, accesses->n);
  for (uint32_t i = 0; i < accesses->n; i++)
    u->accesses.at[u->first.at[accesses->at[i].thread + 1]++] = accesses->at[i];
}

Unwritten *unwritten_new(Heap *heap, const TraceEvent *events, uint64_t n, const uint64_t *runs, uint32_t n_runs) {
  Unwritten *u = heap_zeroed(heap, sizeof *u);
  Survey s = {.heap = heap};
  u->heap = heap;
  for (uint32_t run = 0; run + 1 < n_runs; run++) vec_push(heap, &u->runs, runs[run]);
  for (uint64_t i = 0; i < n; i++) {
    while (s.run < u->runs.n && i == u->runs.at[s.run]) begin_run(&s);
    note_event(&s, i, &events[i]);
  }
  drop_given(&s);
  sort_accesses(u, &s.accesses, s.n_threads);
  vec_resize_zeroed(heap, &u->at, s.n_threads);
  vec_resize_zeroed(heap, &u->at_of, s.n_threads);
  vec_resize_zeroed(heap, &u->stamps, s.n_objects);
  vec_fini(heap, &s.accesses);
  vec_fini(heap, &s.objects);
  vec_fini(heap, &s.unfreed);
  vec_fini(heap, &s.freed);
  vec_fini(heap, &s.written);
  pairs_fini(heap, &s.reads);
  pairs_fini(heap, &s.writes);
  return u;
}

void unwritten_free(Unwritten *u) {
  if (!u) return;
  Heap *heap = u->heap;
  vec_fini(heap, &u->accesses);
  vec_fini(heap, &u->first);
  vec_fini(heap, &u->at);
  vec_fini(heap, &u->at_of);
  vec_fini(heap, &u->stamps);
  vec_fini(heap, &u->runs);
  heap_release(heap, u);
}

/* ---- a schedule ---- */

/* A thread's accesses in the run of the event. */
static void begin_thread(Unwritten *u, uint32_t thread, uint64_t event) {
  uint64_t begin = 0;
  for (uint32_t run = 0; run < u->runs.n && u->runs.at[run] <= event; run++) begin = u->runs.at[run];
  uint32_t at = u->first.at[thread];
  while (at < u->first.at[thread + 1] && u->accesses.at[at].event < begin) at++;
  u->at.at[thread] = at;
  u->at_of.at[thread] = u->schedule;
}

/* Does it read what is not there, going up to the event? */
static bool go_on(Unwritten *u, uint32_t thread, uint64_t until) {
  if (u->at_of.at[thread] != u->schedule) begin_thread(u, thread, until);
  uint32_t *at = &u->at.at[thread];
  for (; *at < u->first.at[thread + 1] && u->accesses.at[*at].event <= until; ++*at) {
    const Access *access = &u->accesses.at[*at];
    if (access->writes) u->stamps.at[access->object] = u->schedule;
    else if (u->stamps.at[access->object] != u->schedule) return true;
  }
  return false;
}

bool unwritten_is_read(Unwritten *u, const Schedule *schedule) {
  u->schedule++;
  for (uint32_t i = 0; i < schedule->n; i++)
    if (go_on(u, schedule->at[i].thread, schedule->at[i].until)) return true;
  return false;
}
