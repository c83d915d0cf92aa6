#include "predict/locks/lock_runs_inside.h"

#include "base/hash.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>

/* ---- steps ---- */

/* New numbers, without gaps, for the objects, or locks, of the steps; their count. Each has `parts`, which stay in
 * their order. */
static uint32_t renumber(const LockReader *reader, StepOp first, StepOp second, uint32_t n, uint32_t parts) {
  uint32_t *numbers = heap_zeroed(reader->heap, heap_product(reader->heap, n, sizeof *numbers));
  uint32_t count = 0;
  for (uint32_t t = 0; t < reader->lives.n; t++)
    for (uint32_t i = 0; i < reader->lives.at[t].steps.n; i++) {
      LockStep *step = &reader->lives.at[t].steps.at[i];
      if (step->op != first && step->op != second) continue;
      uint32_t *number = &numbers[step->object / parts];
      if (!*number) *number = ++count;
      step->object = (*number - 1) * parts + step->object % parts;
    }
  heap_release(reader->heap, numbers);
  return count * parts;
}

/* ---- locks ---- */

static uint32_t set_with(LockRun *run, NearPairs *known, uint32_t set, uint32_t lock) {
  const uint32_t number = near_pairs_add(run->heap, known, lock, set) + 1;
  const LockSet fresh = {set, lock};
  if (number == run->sets.n) vec_push(run->heap, &run->sets, fresh);
  return number;
}

/* The locks above the one that is released are put back. */
static uint32_t set_without(LockRun *run, NearPairs *known, U32Vec *above, uint32_t set, uint32_t lock) {
  assert(lock_set_has(run, set, lock));
  vec_clear(above);
  for (; run->sets.at[set].lock != lock; set = run->sets.at[set].rest)
    vec_push(run->heap, above, run->sets.at[set].lock);
  set = run->sets.at[set].rest;
  for (uint32_t i = above->n; i-- > 0;) set = set_with(run, known, set, above->at[i]);
  return set;
}

/* Polynomials over the field of 2^61 - 1 elements: the hash of a part follows from those of two prefixes. */
static const uint64_t PRIME = ((uint64_t)1 << 61) - 1, BASE = 0x1d3a6c1f97b5e2a9u % (((uint64_t)1 << 61) - 1);
enum { LOW_30 = (1 << 30) - 1, LOW_31 = 0x7fffffff };

static uint64_t times(uint64_t a, uint64_t b) {
  assert(a < PRIME && b < PRIME);
  const uint64_t a1 = a >> 31, a0 = a & LOW_31, b1 = b >> 31, b0 = b & LOW_31;
  const uint64_t middle = a1 * b0 + a0 * b1;
  /* a * b = a1 * b1 * 2^62 + middle * 2^31 + a0 * b0, and 2^61 is 1 */
  const uint64_t product = 2 * a1 * b1 + (middle >> 30) + ((middle & LOW_30) << 31) + a0 * b0;
  const uint64_t sum = (product & PRIME) + (product >> 61);
  return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t plus(uint64_t a, uint64_t b) { return a + b >= PRIME ? a + b - PRIME : a + b; }

uint64_t lock_run_hash(const LockThread *thread, uint32_t from, uint32_t to) {
  assert(from <= to && to <= thread->n);
  uint64_t power = 1, square = BASE;
  for (uint32_t n = to - from; n; n /= 2, square = times(square, square))
    if (n & 1) power = times(power, square);
  return plus(thread->hash[to], PRIME - times(thread->hash[from], power));
}

static void follow_locks(LockRun *run, LockThread *thread, NearPairs *known, U32Vec *above) {
  const size_t size = (size_t)thread->n + 1;
  uint32_t *held = arena_alloc(&run->arena, size * sizeof *held), *idle = arena_alloc(&run->arena, size * sizeof *idle);
  uint64_t *hash = arena_alloc(&run->arena, size * sizeof *hash);
  held[0] = idle[0] = 0;
  hash[0] = 0;
  for (uint32_t p = 0; p < thread->n; p++) {
    const LockStep *step = &thread->steps[p];
    const bool acquires = step->op == STEP_ACQUIRE, releases = step->op == STEP_RELEASE;
    held[p + 1] = acquires   ? set_with(run, known, held[p], step->object)
                  : releases ? set_without(run, known, above, held[p], step->object)
                             : held[p];
    idle[p + 1] = held[p + 1] ? idle[p] : p + 1;
    hash[p + 1] = times(hash[p], BASE);
    if (acquires || releases) hash[p + 1] = plus(hash[p + 1], hash_word(2 * (uint64_t)step->object + releases) % PRIME);
  }
  uint32_t *next_idle = arena_alloc(&run->arena, size * sizeof *next_idle);
  for (uint32_t p = thread->n + 1; p-- > 0;)
    next_idle[p] = !held[p] ? p : p < thread->n ? next_idle[p + 1] : TRACE_NONE;
  thread->next_idle = next_idle;
  thread->held = held;
  thread->idle = idle;
  thread->hash = hash;
}

static void follow_all_locks(LockRun *run) {
  NearPairs known = {0};
  U32Vec above = {0};
  vec_push(run->heap, &run->sets, ((LockSet){0, TRACE_NONE}));
  for (uint32_t t = 0; t < run->n_lines; t++) follow_locks(run, &run->threads[t], &known, &above);
  near_pairs_fini(run->heap, &known);
  vec_fini(run->heap, &above);
}

bool lock_set_has(const LockRun *run, uint32_t set, uint32_t lock) {
  for (; set; set = run->sets.at[set].rest)
    if (run->sets.at[set].lock == lock) return true;
  return false;
}

bool lock_set_excludes(const LockRun *run, uint32_t set, uint32_t lock) {
  for (; set; set = run->sets.at[set].rest)
    if (lock_excludes(run->sets.at[set].lock, lock)) return true;
  return false;
}

/* ---- edges ---- */

static void find_stops(LockRun *run, LockThread *thread) {
  uint32_t n = 0;
  for (uint32_t p = 0; p < thread->n; p++) n += thread->steps[p].stop;
  uint32_t *stops = arena_alloc(&run->arena, heap_product(run->heap, n, sizeof *stops));
  for (uint32_t p = 0; p < thread->n; p++) {
    if (!thread->steps[p].stop) continue;
    stops[thread->n_stops++] = p;
    if (thread->held[p] || thread->held[p + 1]) run->plain = false;
  }
  thread->stops = stops;
}

static LockPlace place_of(const LockRun *run, LifeEvent event) {
  if (event.life >= LIFE_RELAY) return (LockPlace){run->n_threads + event.life - LIFE_RELAY, (uint32_t)event.event};
  const LockThread *thread = &run->threads[event.life];
  assert(thread->n_stops > 0); /* the event is one */
  uint32_t low = 0, high = thread->n_stops;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (thread->steps[thread->stops[middle]].event <= event.event) low = middle;
    else high = middle;
  }
  return (LockPlace){event.life, thread->stops[low]};
}

static int by_step(const void *a, const void *b) {
  const LockEnd *x = a, *y = b;
  if (x->step != y->step) return x->step < y->step ? -1 : 1;
  return (x->class > y->class) - (x->class < y->class);
}

static void put_end(const LockRun *run, LockEnd *ends, LockPlace place, uint32_t class) {
  assert(run->threads[place.thread].steps[place.step].stop);
  LockThread *thread = &run->threads[place.thread];
  LockEnd *own = ends + (thread->ends - ends);
  own[thread->n_ends++] = (LockEnd){place.step, class};
}

static void list_ends(LockRun *run) {
  LockEnd *ends = arena_alloc(&run->arena, heap_product(run->heap, run->n_edges, 2 * sizeof *ends)), *next = ends;
  uint32_t *n = arena_zeroed(&run->arena, run->n_threads, sizeof *n);
  for (uint32_t e = 0; e < run->n_edges; e++)
    if (run->edges[e].conflict) n[run->edges[e].from.thread]++, n[run->edges[e].to.thread]++;
  for (uint32_t t = 0; t < run->n_threads; next += n[t++]) run->threads[t].ends = next;
  for (uint32_t e = 0; e < run->n_edges; e++) {
    const uint32_t class = 2 * (run->n_objects + e) + 1;
    if (!run->edges[e].conflict) continue;
    put_end(run, ends, run->edges[e].from, class);
    put_end(run, ends, run->edges[e].to, class);
  }
  for (uint32_t t = 0; t < run->n_threads; t++)
    qsort(ends + (run->threads[t].ends - ends), run->threads[t].n_ends, sizeof *ends, by_step);
}

bool lock_run_class(const LockThread *thread, uint32_t step, uint32_t i, uint32_t *class) {
  const LockStep *it = &thread->steps[step];
  if (it->op <= STEP_WRITE && i-- == 0) return *class = 2 * it->object + (it->op == STEP_WRITE), true;
  if (!it->stop) return false;
  uint32_t low = 0, high = thread->n_ends;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (thread->ends[middle].step < step) low = middle + 1;
    else high = middle;
  }
  if (i >= thread->n_ends - low || thread->ends[low + i].step != step) return false;
  return *class = thread->ends[low + i].class, true;
}

/* Those into a thread are in the order of their steps already. */
static void index_edges(LockRun *run) {
  run->incoming = arena_alloc(&run->arena, heap_product(run->heap, run->n_edges, sizeof *run->incoming));
  run->first_incoming = arena_zeroed(&run->arena, (size_t)run->n_lines + 1, sizeof *run->first_incoming);
  uint32_t *n = run->first_incoming;
  for (uint32_t e = 0; e < run->n_edges; e++) n[run->edges[e].to.thread]++;
  for (uint32_t t = 0; t < run->n_lines; t++) n[t + 1] += n[t];
  for (uint32_t e = run->n_edges; e-- > 0;) run->incoming[--n[run->edges[e].to.thread]] = e;
}

LockSources lock_run_sources(const LockRun *run, uint32_t thread, uint32_t step) {
  assert(thread < run->n_threads);
  return (LockSources){run, lock_run_incoming(run, thread, step), run->first_incoming[thread + 1], TRACE_NONE};
}

bool lock_sources_next(LockSources *sources, LockEdge *edge) {
  const LockRun *run = sources->run;
  if (sources->edge == sources->end) return false;
  *edge = run->edges[run->incoming[sources->edge]];
  if (edge->from.thread < run->n_threads) return sources->edge++, true;
  const LockPlace relay = edge->from;
  if (sources->relayed == TRACE_NONE) sources->relayed = lock_run_incoming(run, relay.thread, relay.step);
  edge->from = run->edges[run->incoming[sources->relayed++]].from;
  if (sources->relayed == run->first_incoming[relay.thread + 1] ||
      run->edges[run->incoming[sources->relayed]].to.step != relay.step)
    sources->edge++, sources->relayed = TRACE_NONE;
  return true;
}

uint32_t lock_run_incoming(const LockRun *run, uint32_t thread, uint32_t step) {
  uint32_t low = run->first_incoming[thread], high = run->first_incoming[thread + 1];
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (run->edges[run->incoming[middle]].to.step < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

static void place_edges(LockRun *run, const LockReader *reader) {
  run->n_edges = reader->edges.n;
  run->edges = arena_alloc(&run->arena, heap_product(run->heap, run->n_edges, sizeof *run->edges));
  for (uint32_t e = 0; e < run->n_edges; e++)
    run->edges[e] = (LockEdge){place_of(run, reader->edges.at[e].from), place_of(run, reader->edges.at[e].to),
                               reader->edges.at[e].conflict};
  list_ends(run);
  index_edges(run);
}

uint32_t lock_run_stage(const LockThread *thread, uint32_t step) {
  assert(step <= thread->n);
  const uint32_t n = sort_count_below(thread->stops, thread->n_stops, step);
  return 2 * n + (n < thread->n_stops && thread->stops[n] == step);
}

/* ---- groups ---- */

typedef struct {
  uint32_t class;
  LockPlace place;
} Access;

/* Calls are made twice: for counting, and for filling. */
static void each_access(const LockRun *run, void (*see)(void *state, const Access *access), void *state) {
  for (uint32_t t = 0; t < run->n_threads; t++)
    for (uint32_t p = 0; p < run->threads[t].n; p++) {
      const LockStep *step = &run->threads[t].steps[p];
      if (step->op <= STEP_WRITE) see(state, &(Access){2 * step->object + (step->op == STEP_WRITE), {t, p}});
    }
  for (uint32_t e = 0; e < run->n_edges; e++) {
    const uint32_t class = 2 * (run->n_objects + e) + 1;
    const LockPlace from = run->edges[e].from, to = run->edges[e].to;
    if (!run->edges[e].conflict) continue;
    see(state, &(Access){class, from.thread < to.thread ? from : to});
    see(state, &(Access){class, from.thread < to.thread ? to : from});
  }
}

typedef struct {
  uint32_t *next; /* by class + 1: how many accesses; then where the next one goes */
  LockPlace *places;
} Sorting;

static void count_access(void *state, const Access *access) { ((Sorting *)state)->next[access->class + 1]++; }

static void put_access(void *state, const Access *access) {
  Sorting *sorting = state;
  sorting->places[sorting->next[access->class]++] = access->place;
}

/* The places of a class, `from` to `to` - 1, stand thread by thread. */
static uint32_t cut_groups(uint32_t class, const Sorting *sorting, uint32_t *steps, uint32_t from, uint32_t to,
                           LockGroup *groups) {
  uint32_t n = 0;
  for (uint32_t i = from; i < to; i++) {
    const LockPlace place = sorting->places[i];
    steps[i] = place.step;
    if (i == from || sorting->places[i - 1].thread != place.thread) {
      if (groups) groups[n] = (LockGroup){.class = class, .thread = place.thread, .steps = steps + i};
      n++;
    }
    if (groups) groups[n - 1].n++;
  }
  return n;
}

static void list_sets(LockRun *run) {
  NearPairs known = {0};
  for (uint32_t g = 0; g < run->n_groups; g++) {
    LockGroup *group = &run->groups[g];
    const uint32_t before = known.all.n;
    for (uint32_t i = 0; i < group->n; i++)
      near_pairs_add(run->heap, &known, g, run->threads[group->thread].held[group->steps[i]]);
    group->n_sets = known.all.n - before;
    uint32_t *sets = arena_alloc(&run->arena, group->n_sets * sizeof *sets);
    for (uint32_t i = 0; i < group->n_sets; i++) sets[i] = known.all.at[before + i].user;
    group->sets = sets;
  }
  near_pairs_fini(run->heap, &known);
}

static void list_by_thread(LockRun *run) {
  run->thread_groups = arena_zeroed(&run->arena, run->n_threads, sizeof *run->thread_groups);
  run->n_thread_groups = arena_zeroed(&run->arena, run->n_threads, sizeof *run->n_thread_groups);
  for (uint32_t g = 0; g < run->n_groups; g++) run->n_thread_groups[run->groups[g].thread]++;
  for (uint32_t t = 0; t < run->n_threads; t++) {
    run->thread_groups[t] = arena_alloc(&run->arena, run->n_thread_groups[t] * sizeof **run->thread_groups);
    run->n_thread_groups[t] = 0;
  }
  for (uint32_t g = 0; g < run->n_groups; g++) {
    const uint32_t t = run->groups[g].thread;
    run->thread_groups[t][run->n_thread_groups[t]++] = g;
  }
}

static void make_groups(LockRun *run) {
  Heap *heap = run->heap;
  if (run->n_edges > UINT32_MAX / 2 - 1 - run->n_objects) heap_give_up(heap);
  run->n_classes = 2 * (run->n_objects + run->n_edges);
  Sorting sorting = {heap_zeroed(heap, heap_product(heap, (size_t)run->n_classes + 1, sizeof *sorting.next)), NULL};
  each_access(run, count_access, &sorting);
  for (uint32_t c = 0; c < run->n_classes; c++) sorting.next[c + 1] += sorting.next[c];
  const uint32_t n = sorting.next[run->n_classes];
  sorting.places = heap_alloc(heap, heap_product(heap, n, sizeof *sorting.places));
  uint32_t *steps = arena_alloc(&run->arena, heap_product(heap, n, sizeof *steps));
  each_access(run, put_access, &sorting); /* next[c] is now where class c ends */
  run->class_groups =
      arena_alloc(&run->arena, heap_product(heap, (size_t)run->n_classes + 1, sizeof *run->class_groups));
  for (uint32_t fill = 0; fill < 2; fill++) {
    run->n_groups = 0;
    for (uint32_t c = 0; c < run->n_classes; c++) {
      run->class_groups[c] = run->n_groups;
      run->n_groups += cut_groups(c, &sorting, steps, c ? sorting.next[c - 1] : 0, sorting.next[c],
                                  fill ? run->groups + run->n_groups : NULL);
    }
    run->class_groups[run->n_classes] = run->n_groups;
    if (!fill) run->groups = arena_alloc(&run->arena, heap_product(heap, run->n_groups, sizeof *run->groups));
  }
  heap_release(heap, sorting.next);
  heap_release(heap, sorting.places);
  list_sets(run);
  list_by_thread(run);
}

const LockGroup *lock_run_group(const LockRun *run, uint32_t class, uint32_t thread) {
  assert(class < run->n_classes && thread < run->n_threads);
  uint32_t low = run->class_groups[class], high = run->class_groups[class + 1];
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (run->groups[middle].thread == thread) return &run->groups[middle];
    if (run->groups[middle].thread < thread) low = middle + 1;
    else high = middle;
  }
  return NULL;
}

uint32_t lock_group_find(const LockGroup *group, uint32_t step) {
  return sort_count_below(group->steps, group->n, step);
}

/* ---- transactions ---- */

uint32_t lock_run_first(const LockThread *thread, uint32_t step) {
  assert(step < thread->n);
  uint32_t low = 0, high = step;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (thread->steps[middle].transaction < thread->steps[step].transaction) low = middle + 1;
    else high = middle;
  }
  return low;
}

uint32_t lock_run_label(const LockThread *thread, uint32_t transaction) {
  uint32_t low = 0, high = thread->labels.n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (thread->labels.at[middle].transaction == transaction) return thread->labels.at[middle].label;
    if (thread->labels.at[middle].transaction < transaction) low = middle + 1;
    else high = middle;
  }
  return TRACE_NONE;
}

/* ---- runs ---- */

/* The steps and labels of the lives become those of the threads. */
static void take_threads(LockRun *run, LockReader *reader) {
  Heap *heap = run->heap;
  run->n_objects = renumber(reader, STEP_READ, STEP_WRITE, reader->n_objects, 1);
  run->n_locks = renumber(reader, STEP_ACQUIRE, STEP_RELEASE, reader->locks.n, 2);
  run->n_threads = reader->lives.n;
  run->n_lines = run->n_threads + reader->relays.n;
  run->threads = arena_zeroed(&run->arena, run->n_lines, sizeof *run->threads);
  for (uint32_t t = 0; t < run->n_threads; t++) {
    Life *life = &reader->lives.at[t];
    run->threads[t] =
        (LockThread){.number = life->number, .n = life->steps.n, .steps = life->steps.at, .labels = life->labels};
    vec_fini(heap, &life->forks);
  }
  vec_fini(heap, &reader->lives);
}

static void take_relays(LockRun *run, const LockReader *reader) {
  for (uint32_t r = 0; r < reader->relays.n; r++) {
    const Relay *relay = &reader->relays.at[r];
    LockThread *thread = &run->threads[run->n_threads + r];
    LockStep *steps = heap_alloc(run->heap, heap_product(run->heap, relay->events.n, sizeof *steps));
    for (uint32_t i = 0; i < relay->events.n; i++)
      steps[i] = (LockStep){relay->events.at[i], TRACE_NONE, TRACE_NONE, i, STEP_POINT, true};
    *thread = (LockThread){.number = TRACE_NONE, .n = relay->events.n, .steps = steps};
  }
}

LockRun *lock_run_new(LockReader *reader) {
  Heap *heap = reader->heap;
  LockRun *run = heap_zeroed(heap, sizeof *run);
  run->heap = heap;
  run->events = reader->n_events;
  run->valid = !reader->invalid;
  run->plain = true;
  arena_init(&run->arena, heap);
  take_threads(run, reader);
  take_relays(run, reader);
  follow_all_locks(run);
  for (uint32_t t = 0; t < run->n_lines; t++) find_stops(run, &run->threads[t]);
  place_edges(run, reader);
  make_groups(run);
  return run;
}

/* The hubs of the relays, for each relay where they begin. To be released. */
static uint32_t *add_hubs(const LockRun *run, Strands *order) {
  uint32_t *hubs = heap_alloc(run->heap, heap_product(run->heap, run->n_lines, sizeof *hubs));
  for (uint32_t t = run->n_threads; t < run->n_lines; t++) {
    hubs[t] = order->hubs.n;
    for (uint32_t i = 0; i < run->threads[t].n; i++) strands_add_hub(order);
  }
  return hubs;
}

static void add_edges(const LockRun *run, Strands *order) {
  uint32_t *hubs = add_hubs(run, order);
  for (uint32_t e = 0; e < run->n_edges; e++) {
    const LockPlace from = run->edges[e].from, to = run->edges[e].to;
    const bool relayed = from.thread >= run->n_threads;
    const StrandPoint point = {relayed ? STRANDS_HUB : from.thread, relayed ? hubs[from.thread] + from.step : from.step,
                               0};
    if (to.thread >= run->n_threads) strands_join_hub(order, hubs[to.thread] + to.step, point);
    else strands_add_edge(order, to.thread, &(StrandEdge){to.step, 0, point});
  }
  heap_release(run->heap, hubs);
}

/* Rows are made at once, each from those before it. */
Strands lock_run_order(const LockRun *run) {
  Strands order = {.heap = run->heap};
  for (uint32_t t = 0; t < run->n_threads; t++) strands_add(&order);
  add_edges(run, &order);
  strands_limit(&order, LOCK_ORDER_ROOM);
  for (uint32_t e = 0; e < run->n_edges && order.added.n; e++)
    if (run->edges[e].to.thread < run->n_threads) strands_past(&order, run->edges[e].to.thread, run->edges[e].to.step);
  return order;
}

void lock_run_free(LockRun *run) {
  if (!run) return;
  for (uint32_t t = 0; t < run->n_lines; t++) {
    heap_release(run->heap, run->threads[t].steps);
    vec_fini(run->heap, &run->threads[t].labels);
  }
  vec_fini(run->heap, &run->sets);
  arena_fini(&run->arena);
  heap_release(run->heap, run);
}
