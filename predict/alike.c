#include "predict/alike.h"

#include "base/bitset.h"
#include "base/intern.h"

#include <assert.h>
#include <stdlib.h>

/* An event of a cycle, and the outermost block that it is in. */
typedef struct {
  uint64_t event, begin;    /* begin: the event itself, if it is in none */
  uint32_t label, location; /* of the begin */
  bool marked;
} Visited;

/* The block that a thread is in. */
typedef struct {
  uint64_t begin;
  uint32_t depth;
} Inside;

typedef VEC(Inside) Insides;

typedef struct {
  Heap *heap;
  const AlikeFound *found;
  VEC(Visited) visited; /* ascending */
  Intern splits, keys;  /* of the groups there would be, and are: words as bytes */
  U32Vec key;
} Alike;

/* ---- the transactions of the events ---- */

static int by_event(const void *a, const void *b) {
  const uint64_t x = ((const Visited *)a)->event, y = ((const Visited *)b)->event;
  return (x > y) - (x < y);
}

static void list_visited(Alike *a) {
  for (uint32_t i = 0; i < a->found->n_cycles; i++)
    for (uint32_t k = 0; k < a->found->cycles[i].n; k++) {
      vec_push(a->heap, &a->visited, (Visited){.event = a->found->cycles[i].visits[k].in});
      vec_push(a->heap, &a->visited, (Visited){.event = a->found->cycles[i].visits[k].out});
    }
  if (a->visited.n) qsort(a->visited.at, a->visited.n, sizeof *a->visited.at, by_event);
}

static void step(Inside *inside, const TraceEvent *event, uint64_t number) {
  if (event->op == TRACE_BEGIN && inside->depth++ == 0) inside->begin = number;
  if (event->op == TRACE_END && inside->depth) inside->depth--;
  if (event->op == TRACE_EXIT) inside->depth = 0;
}

static void note_block(Alike *a, Visited *visited, const Inside *inside) {
  const TraceEvent *events = a->found->events;
  visited->marked = inside->depth > 0;
  visited->begin = visited->marked ? inside->begin : visited->event;
  visited->label = visited->marked ? events[visited->begin].object : TRACE_NONE;
  visited->location = events[visited->begin].location;
}

/* An end is in the block that it ends, as a begin is in its own. */
static void find_blocks(Alike *a) {
  const AlikeFound *found = a->found;
  Insides insides = {0};
  uint32_t next = 0, run = 0;
  for (uint64_t i = 0; i < found->n && next < a->visited.n; i++) {
    for (; run + 1 < found->n_runs && i == found->runs[run]; run++) vec_clear(&insides);
    const TraceEvent *event = &found->events[i];
    if (event->thread >= insides.n) vec_resize_zeroed(a->heap, &insides, event->thread + 1);
    Inside *inside = &insides.at[event->thread];
    if (event->op == TRACE_BEGIN) step(inside, event, i);
    for (; next < a->visited.n && a->visited.at[next].event == i; next++) note_block(a, &a->visited.at[next], inside);
    if (event->op != TRACE_BEGIN) step(inside, event, i);
  }
  assert(next == a->visited.n);
  vec_fini(a->heap, &insides);
}

static const Visited *visited_of(const Alike *a, uint64_t event) {
  const Visited wanted = {.event = event};
  return bsearch(&wanted, a->visited.at, a->visited.n, sizeof wanted, by_event);
}

/* ---- what a cycle is like ---- */

static bool is_access(const TraceEvent *event) { return TRACE_SORT[event->op] == TRACE_ON_VARIABLE; }

static uint32_t rank_of(const Alike *a, const Cycle *cycle) {
  const TraceEvent *events = a->found->events;
  uint32_t rank = 0;
  const uint32_t object = events[cycle->visits[0].out].object;
  for (uint32_t i = 0; i < cycle->n; i++) {
    const CycleVisit *visit = &cycle->visits[i];
    const TraceEvent *in = &events[visit->in], *out = &events[visit->out];
    if (!visited_of(a, visit->in)->marked || !visited_of(a, visit->out)->marked) rank |= ALIKE_UNMARKED;
    if (!is_access(in) || !is_access(out) || in->object != object || out->object != object) rank |= ALIKE_OTHER_DATA;
  }
  return rank;
}

static void add_word(Alike *a, uint32_t word) { vec_push(a->heap, &a->key, word); }

static void add_transaction(Alike *a, const Visited *visited) {
  add_word(a, visited->marked);
  add_word(a, visited->label);
  add_word(a, visited->location);
}

/* The number of its key in the set. */
static uint32_t take_key(Alike *a, Intern *set) {
  const uint32_t number = intern_add(set, (const char *)a->key.at, a->key.n * sizeof *a->key.at, NULL);
  vec_clear(&a->key);
  return number;
}

static uint32_t split_of(Alike *a, const Cycle *cycle) {
  const CycleVisit *split = &cycle->visits[0];
  add_transaction(a, visited_of(a, split->out));
  add_word(a, a->found->events[split->out].location);
  add_word(a, a->found->events[split->in].location);
  for (uint32_t i = 1; i < cycle->n; i++) {
    const Visited *in = visited_of(a, cycle->visits[i].in), *out = visited_of(a, cycle->visits[i].out);
    add_transaction(a, in);
    add_word(a, in->begin == out->begin);
    if (in->begin != out->begin) add_transaction(a, out);
  }
  return take_key(a, &a->splits);
}

static uint32_t key_of(Alike *a, uint32_t cycle, uint32_t split, AlikeBy by, uint32_t n_groups) {
  if (by == ALIKE_EACH) return n_groups;
  if (by == ALIKE_SPLITS) return split;
  add_transaction(a, visited_of(a, a->found->cycles[cycle].visits[0].out));
  return take_key(a, &a->keys);
}

/* ---- the groups ---- */

/* Is violation `x` to be shown rather than group y's? */
static int compare(const Cycle *cycles, const AlikeGroup *x, const AlikeGroup *y) {
  const uint32_t a = cycles[x->best].n, b = cycles[y->best].n;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  if (a != b) return a < b ? -1 : 1;
  return (x->best > y->best) - (x->best < y->best);
}

static void add_to_group(const Alike *a, AlikeGroup *group, const AlikeGroup *one) {
  const AlikeGroup old = *group;
  if (!old.count || compare(a->found->cycles, one, group) < 0) *group = *one;
  group->count = old.count + 1;
  group->splits = old.splits + one->splits;
}

/* A merge sort: the C library's has no argument. */
static void sort_groups(const Cycle *cycles, AlikeGroup *groups, AlikeGroup *room, uint32_t n) {
  if (n < 2) return;
  const uint32_t half = n / 2;
  sort_groups(cycles, groups, room, half);
  sort_groups(cycles, groups + half, room, n - half);
  for (uint32_t i = 0; i < n; i++) room[i] = groups[i];
  for (uint32_t k = 0, i = 0, j = half; k < n; k++)
    groups[k] = j == n || (i < half && compare(cycles, &room[i], &room[j]) <= 0) ? room[i++] : room[j++];
}

static void add_violation(Alike *a, uint32_t i, uint32_t rank, AlikeBy by, AlikeGroups *groups) {
  const uint32_t n_splits = a->splits.strings.n, split = split_of(a, &a->found->cycles[i]);
  const uint32_t key = key_of(a, i, split, by, groups->n);
  const AlikeGroup one = {i, 1, split == n_splits, rank};
  if (key >= groups->n) vec_resize_zeroed(a->heap, groups, key + 1);
  add_to_group(a, &groups->at[key], &one);
}

static uint32_t make_groups(Alike *a, AlikeBy by, bool likely, AlikeGroups *groups) {
  const AlikeFound *found = a->found;
  Unwritten *unwritten = unwritten_new(a->heap, found->events, found->n, found->runs, found->n_runs);
  uint32_t left_out = 0;
  for (uint32_t i = 0; i < found->n_cycles; i++) {
    uint32_t rank = rank_of(a, &found->cycles[i]);
    if (i && heap_asked(a->heap) != STOP_NOT) break;
    if (unwritten_is_read(unwritten, found->schedules[i])) rank |= ALIKE_UNWRITTEN;
    if (likely && (rank & ALIKE_UNWRITTEN)) left_out++;
    else add_violation(a, i, rank, by, groups);
  }
  unwritten_free(unwritten);
  return left_out;
}

uint32_t alike_groups(Heap *heap, const AlikeFound *found, AlikeBy by, bool likely, AlikeGroups *groups) {
  assert(groups->n == 0);
  Alike a = {.heap = heap, .found = found};
  intern_init(&a.splits, heap);
  intern_init(&a.keys, heap);
  list_visited(&a);
  find_blocks(&a);
  const uint32_t left_out = make_groups(&a, by, likely, groups);
  AlikeGroup *room = heap_alloc(heap, heap_product(heap, (uint64_t)groups->n + 1, sizeof *room));
  sort_groups(found->cycles, groups->at, room, groups->n);
  heap_release(heap, room);
  vec_fini(heap, &a.visited);
  vec_fini(heap, &a.key);
  intern_fini(&a.splits);
  intern_fini(&a.keys);
  return left_out;
}

/* ---- through what they go ---- */

/* The others are by fork and join. */
static bool is_conflict(const Alike *a, uint64_t out, uint64_t in) {
  const TraceEvent *x = &a->found->events[out], *y = &a->found->events[in];
  return is_access(x) && is_access(y) && x->object == y->object;
}

static bool goes_through(const Alike *a, const Cycle *cycle, const uint64_t *events) {
  for (uint32_t i = 0; i < cycle->n; i++) {
    const CycleVisit *visit = &cycle->visits[i];
    const uint64_t begin = visited_of(a, visit->out)->begin, next = cycle->visits[(i + 1) % cycle->n].in;
    const bool out = bitset_has(events, (uint32_t)visit->out), in = bitset_has(events, (uint32_t)next);
    if ((out || in) && is_conflict(a, visit->out, next)) return true;
    if (visit->out < visit->in && bitset_has(events, (uint32_t)begin)) return true;
  }
  return false;
}

uint32_t alike_through(Heap *heap, const AlikeFound *found, const uint64_t *events) {
  assert(found->n <= UINT32_MAX);
  Alike a = {.heap = heap, .found = found};
  uint32_t n = 0;
  list_visited(&a);
  find_blocks(&a);
  for (uint32_t i = 0; i < found->n_cycles; i++) n += goes_through(&a, &found->cycles[i], events);
  vec_fini(heap, &a.visited);
  return n;
}
