#include "serial/monitor.h"

#include "base/bitset.h"
#include "serial/engine.h"

#include <assert.h>

/* A thread, as far as no engine needs to know. */
typedef struct {
  uint32_t depth;   /* of nested transactions */
  uint32_t ordinal; /* of the last transaction */
  bool started;     /* has done anything (since its last fork or join) */
} MonitorThread;

struct Monitor {
  Heap *heap;
  MonitorOptions options;
  const Engine *engine;
  bool nested; /* the engine gets all begins and ends */
  void *state;
  uint64_t n_events;
  VEC(MonitorThread) threads;
  uint32_t n_objects; /* that the engine has room for */
  VEC(bool) waited;   /* by hand-over: was there a wait for the current group? Then a signal begins another one */
  Findings findings;
  bool lets_forget;
  MonitorForgotten over;     /* threads that have ended, objects that were freed, since nothing of them was forgotten */
  uint64_t patience, enough; /* as said; of them, so that they are looked at */
  MonitorForgotten forgotten;
};

static const Engine *const ENGINES[][MONITOR_VC + 1] = {/* ORDER MonitorNotion, MonitorEngine */
                                                        {&engine_scg, &engine_cg, &engine_vc},
                                                        {&engine_scg_causal, &engine_scg_causal, &engine_vc_causal}};
_Static_assert(sizeof ENGINES / sizeof *ENGINES == MONITOR_CAUSAL + 1, "a row for each MonitorNotion");
_Static_assert(sizeof *ENGINES / sizeof **ENGINES == 3, "an engine for each MonitorEngine");

Monitor *monitor_new(Heap *heap, const MonitorOptions *options) {
  Monitor *monitor = heap_zeroed(heap, sizeof *monitor);
  monitor->heap = monitor->findings.heap = heap;
  monitor->options = *options;
  monitor->findings.all = options->all;
  monitor->engine = ENGINES[options->notion][options->engine];
  monitor->state = monitor->engine->new (heap, &monitor->options, &monitor->findings);
  return monitor;
}

Monitor *monitor_of_calls(Heap *heap, bool lock_conflicts, Calls *calls) {
  Monitor *monitor = heap_zeroed(heap, sizeof *monitor);
  monitor->heap = monitor->findings.heap = heap;
  monitor->options.lock_conflicts = lock_conflicts;
  monitor->engine = &engine_calls;
  monitor->nested = true;
  monitor->state = calls_new(heap, calls);
  return monitor;
}

void monitor_free(Monitor *monitor) {
  if (!monitor) return;
  monitor->engine->free(monitor->state);
  findings_fini(&monitor->findings);
  vec_fini(monitor->heap, &monitor->threads);
  vec_fini(monitor->heap, &monitor->waited);
  vec_fini(monitor->heap, &monitor->over.threads);
  vec_fini(monitor->heap, &monitor->over.objects);
  vec_fini(monitor->heap, &monitor->forgotten.threads);
  vec_fini(monitor->heap, &monitor->forgotten.objects);
  heap_release(monitor->heap, monitor);
}

static void make_room(Monitor *monitor, uint32_t n_threads, uint32_t n_objects) {
  if (n_threads > monitor->threads.n) vec_resize_zeroed(monitor->heap, &monitor->threads, n_threads);
  if (n_objects > monitor->n_objects) monitor->n_objects = n_objects;
  monitor->engine->room(monitor->state, n_threads, n_objects);
}

/* Room for all that the events name, and up to twice as many objects: their numbers' bits are joined, which is less
 * work than to find the greatest. Labels are counted as if they were objects, which costs nothing. */
static void make_room_for(Monitor *monitor, const TraceEvent *events, uint32_t n) {
  uint32_t threads = 0, objects = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (events[i].thread >= threads) threads = events[i].thread + 1;
    objects |= events[i].object + 1; /* TRACE_NONE + 1 is 0 */
  }
  if (threads > monitor->threads.n || objects > monitor->n_objects) make_room(monitor, threads, objects);
}

/* What the thread did is over: its number, or its name, stands for another one after that. */
static void end_life(Monitor *monitor, uint32_t thread) {
  monitor->threads.at[thread].ordinal = 0;
  if (monitor->lets_forget) vec_push(monitor->heap, &monitor->over.threads, thread);
}

/* Fork and join. A thread that forks or joins itself does nothing. */
static void relate(Monitor *monitor, const TraceEvent *event) {
  if (event->object == event->thread) return;
  if (event->object >= monitor->threads.n) make_room(monitor, event->object + 1, 0);
  if (event->op == TRACE_FORK) monitor->engine->fork(monitor->state, event, monitor->n_events);
  else monitor->engine->join(monitor->state, event, monitor->n_events);
  monitor->threads.at[event->object].started = false;
  if (event->op == TRACE_JOIN && !monitor->threads.at[event->object].depth) end_life(monitor, event->object);
}

/* An end, or the exit of a thread. */
static void end(Monitor *monitor, const TraceEvent *event) {
  uint32_t *depth = &monitor->threads.at[event->thread].depth;
  const bool open = *depth > 0;
  *depth = event->op == TRACE_EXIT || !open ? 0 : *depth - 1;
  if (monitor->nested || (open && *depth == 0)) monitor->engine->end(monitor->state, event, monitor->n_events);
  if (event->op == TRACE_EXIT) end_life(monitor, event->thread);
}

static void free_object(Monitor *monitor, uint32_t object) {
  monitor->engine->free_object(monitor->state, object);
  if (monitor->lets_forget) vec_push(monitor->heap, &monitor->over.objects, object);
}

/* Signals are reads of their group, and a wait for it looks at them; another group is another object. */
static void hand_over(Monitor *monitor, const TraceEvent *event) {
  if (!monitor->options.lock_conflicts) return;
  const bool waits = event->op == TRACE_WAIT;
  if (event->object >= monitor->waited.n) vec_resize_zeroed(monitor->heap, &monitor->waited, event->object + 1);
  bool *waited = &monitor->waited.at[event->object];
  if (!waits && *waited) monitor->engine->free_object(monitor->state, event->object);
  *waited = waits;
  monitor->engine->access(monitor->state, event, monitor->n_events, waits ? ENGINE_WAITS : ENGINE_READS);
}

static void on_lock(Monitor *monitor, const TraceEvent *event, EngineAccess how) {
  if (monitor->options.lock_conflicts) monitor->engine->access(monitor->state, event, monitor->n_events, how);
}

static void look(Monitor *monitor, const TraceEvent *event) {
  const Engine *engine = monitor->engine;
  MonitorThread *thread = &monitor->threads.at[event->thread];
  const uint64_t index = monitor->n_events;
  if (event->op == TRACE_BEGIN && (thread->depth++ == 0 || monitor->nested))
    engine->begin(monitor->state, event, index, ++thread->ordinal);
  if (!thread->started) thread->started = true, engine->start(monitor->state, event, index);
  switch ((TraceOp)event->op) {
  case TRACE_READ: engine->access(monitor->state, event, index, ENGINE_READS); break;
  case TRACE_WRITE:
  case TRACE_UPDATE: engine->access(monitor->state, event, index, ENGINE_WRITES); break;
  case TRACE_ACQUIRE:
  case TRACE_RELEASE:
  case TRACE_TRY: on_lock(monitor, event, ENGINE_WRITES); break;
  case TRACE_SHARED_ACQUIRE:
  case TRACE_SHARED_RELEASE:
  case TRACE_SHARED_TRY: on_lock(monitor, event, ENGINE_READS); break;
  case TRACE_SIGNAL:
  case TRACE_WAIT: hand_over(monitor, event); break;
  case TRACE_FORK:
  case TRACE_JOIN: relate(monitor, event); break;
  case TRACE_END:
  case TRACE_EXIT: end(monitor, event); break;
  case TRACE_FREE: free_object(monitor, event->object); break;
  case TRACE_BEGIN:
  case TRACE_START: break;
  }
  monitor->n_events++;
}

static bool is_done(const Monitor *monitor) { return monitor->findings.list.n > 0 && !monitor->options.all; }

bool monitor_feed(Monitor *monitor, const TraceEvent *events, uint32_t n) {
  make_room_for(monitor, events, n);
  for (uint32_t i = 0; i < n && !is_done(monitor);) {
    if (monitor->engine->run) {
      const uint32_t taken = monitor->engine->run(monitor->state, events + i, n - i, monitor->n_events);
      assert(taken <= n - i);
      i += taken;
      monitor->n_events += taken;
    }
    if (i < n) look(monitor, &events[i++]);
  }
  return monitor->findings.list.n > 0;
}

/* Moves those of `over` that are not mentioned to `gone`, each once; the others wait. */
static void part(Heap *heap, U32Vec *over, const uint64_t *mentioned, uint64_t *seen, U32Vec *gone) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < over->n; i++) {
    const uint32_t number = over->at[i];
    if (bitset_has(seen, number)) continue;
    bitset_add(seen, number);
    if (bitset_has(mentioned, number)) over->at[n++] = number;
    else vec_push(heap, gone, number);
  }
  over->n = n;
}

static void mention_all(const Monitor *monitor, Mentioned *mentioned) {
  monitor->engine->mention(monitor->state, mentioned);
  for (uint32_t i = 0; i < monitor->findings.list.n; i++)
    mentioned_add_finding(mentioned, &monitor->findings.list.at[i]);
  for (uint32_t i = 0; i < monitor->over.threads.n; i++) {
    const MonitorThread *thread = &monitor->threads.at[monitor->over.threads.at[i]];
    if (thread->depth || thread->ordinal) mentioned_add_thread(mentioned, monitor->over.threads.at[i]);
  }
}

static void part_all(Monitor *monitor) {
  Heap *heap = monitor->heap;
  const uint32_t n_threads = monitor->threads.n, n_objects = monitor->n_objects;
  Mentioned mentioned, seen;
  mentioned_init(&mentioned, heap, n_threads, n_objects);
  mentioned_init(&seen, heap, n_threads, n_objects);
  mention_all(monitor, &mentioned);
  part(heap, &monitor->over.threads, mentioned.threads, seen.threads, &monitor->forgotten.threads);
  part(heap, &monitor->over.objects, mentioned.objects, seen.objects, &monitor->forgotten.objects);
  monitor->enough = monitor->patience + 2 * ((uint64_t)monitor->over.threads.n + monitor->over.objects.n) + mentioned.n;
  mentioned_fini(&mentioned);
  mentioned_fini(&seen);
}

void monitor_let_forget(Monitor *monitor, uint32_t patience) {
  if (!monitor->lets_forget) monitor->enough = patience;
  monitor->lets_forget = monitor->engine->mention != NULL;
  monitor->patience = patience;
}

const MonitorForgotten *monitor_forget(Monitor *monitor) {
  vec_clear(&monitor->forgotten.threads);
  vec_clear(&monitor->forgotten.objects);
  if ((uint64_t)monitor->over.threads.n + monitor->over.objects.n >= monitor->enough) part_all(monitor);
  for (uint32_t i = 0; i < monitor->forgotten.threads.n; i++) {
    const uint32_t thread = monitor->forgotten.threads.at[i];
    monitor->engine->renew_thread(monitor->state, thread);
    monitor->threads.at[thread] = (MonitorThread){0};
  }
  return &monitor->forgotten;
}

void monitor_carry(Monitor *monitor, Carry *carry) {
  uint32_t n_objects = monitor->n_objects;
  assert(monitor->engine->carry);
  carry_value(carry, monitor->n_events);
  carry_vec(carry, &monitor->threads);
  carry_vec(carry, &monitor->waited);
  carry_value(carry, n_objects);
  carry_value(carry, monitor->lets_forget);
  carry_vec(carry, &monitor->over.threads);
  carry_vec(carry, &monitor->over.objects);
  carry_value(carry, monitor->patience);
  carry_value(carry, monitor->enough);
  findings_carry(&monitor->findings, carry);
  if (carry->in && !carry->bad) make_room(monitor, monitor->threads.n, n_objects);
  monitor->engine->carry(monitor->state, carry);
}

bool monitor_follows(const Monitor *monitor, uint32_t thread) {
  return thread < monitor->threads.n && monitor->engine->follows(monitor->state, thread);
}

void monitor_note(Monitor *monitor, const TraceEvent *event, uint64_t index) {
  if (is_done(monitor)) return;
  make_room(monitor, event->thread + 1, event->object + 1);
  monitor->engine->note(monitor->state, event, index);
}

void monitor_divide(Monitor *monitor, uint32_t from, uint32_t to) {
  if (is_done(monitor)) return;
  make_room(monitor, 0, (from > to ? from : to) + 1);
  monitor->engine->divide(monitor->state, from, to);
}

bool monitor_finish(Monitor *monitor) {
  if (monitor->engine->finish && !is_done(monitor)) monitor->engine->finish(monitor->state, monitor->n_events);
  return monitor->findings.list.n > 0;
}

bool monitor_splits(const MonitorFinding *finding, uint32_t i) {
  assert(finding->edges && i < finding->n);
  return finding->edges[i].from.event < finding->edges[(i + finding->n - 1) % finding->n].to.event;
}

uint64_t monitor_events(const Monitor *monitor) { return monitor->n_events; }

const MonitorFinding *monitor_findings(const Monitor *monitor, uint32_t *n) {
  *n = monitor->findings.list.n;
  return monitor->findings.list.at;
}

MonitorSize monitor_size(const Monitor *monitor) {
  return monitor->engine->size ? monitor->engine->size(monitor->state) : (MonitorSize){0};
}

bool monitor_audit(const Monitor *monitor, Err *err) {
  return !monitor->engine->audit || monitor->engine->audit(monitor->state, err);
}
