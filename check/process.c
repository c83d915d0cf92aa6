/* The intersection begins with the smallest co(b), and keeps of it what is concurrent to each other condition of the
 * preset. Each co(b) is walked in ascending order, so what is left is ascending. Outputs of one event have the same
 * `early`, and are looked at together: so a preset of a hundred thousand of them is no more work than its length. */
#include "check/process.h"

#include "base/hash.h"

#include <assert.h>
#include <string.h>

enum { LATER_ROOM = sizeof(((LaterEvents *)NULL)->at) / sizeof(uint32_t), FIRST_SLOTS = 64 };

static const char *event_name(const Process *process, TransId trans) { return process->net->trans_name[trans.v]; }

/* ---- events by transition and preset ---- */

static uint32_t *find_slot(const Process *process, TransId trans, const uint32_t *pre) {
  const size_t bytes = net_pre(process->net, trans).n * sizeof *pre;
  const uint32_t mask = process->n_slots - 1;
  uint32_t i = (uint32_t)hash_join(hash_bytes(pre, bytes), trans.v) & mask;
  for (; process->slots[i]; i = (i + 1) & mask) {
    const ProcessEvent *event = &process->events.at[process->slots[i]];
    if (event->trans.v == trans.v && memcmp(process->pool.at + event->pre, pre, bytes) == 0) break;
  }
  return &process->slots[i];
}

static void grow_slots(Process *process) {
  if (process->n_slots > UINT32_MAX / 2) heap_give_up(process->heap);
  process->n_slots = process->n_slots ? 2 * process->n_slots : FIRST_SLOTS;
  heap_release(process->heap, process->slots);
  process->slots = NULL;
  process->slots = heap_zeroed(process->heap, heap_product(process->heap, process->n_slots, sizeof *process->slots));
  for (uint32_t e = 1; e < process->events.n; e++) {
    const ProcessEvent *event = &process->events.at[e];
    *find_slot(process, event->trans, process->pool.at + event->pre) = e;
  }
}

uint32_t process_find(const Process *process, TransId trans, const uint32_t *pre) {
  const uint32_t e = *find_slot(process, trans, pre);
  return e ? e : PROCESS_NONE;
}

/* ---- the concurrency relation ---- */

/* Does the ascending list of n conditions have c? */
static bool has(const uint32_t *from, uint32_t n, uint32_t c) {
  const uint32_t *end = from + n;
  while (from < end) {
    const uint32_t *middle = from + (end - from) / 2;
    if (*middle == c) return true;
    if (*middle < c) from = middle + 1;
    else end = middle;
  }
  return false;
}

static bool is_early(const Process *process, uint32_t e, uint32_t c) {
  return has(process->events.at[e].early, process->events.at[e].n_early, c);
}

bool process_concurrent(const Process *process, uint32_t a, uint32_t b) {
  const uint32_t e = process->conditions.at[a].producer, f = process->conditions.at[b].producer;
  return e == f || (e < f ? is_early(process, f, a) : is_early(process, e, b));
}

/* Fills `found` with co(b), ascending. */
static void list_concurrent(Process *process, uint32_t b) {
  const ProcessCondition *condition = &process->conditions.at[b];
  const ProcessEvent *producer = &process->events.at[condition->producer];
  const uint32_t siblings_end = process_post_end(process, condition->producer);
  uint32_t n = 0;
  vec_clear(&process->found);
  vec_reserve(process->heap, &process->found, condition->n_concurrent);
  uint32_t *found = process->found.at;
  for (uint32_t i = 0; i < producer->n_early; i++) found[n++] = producer->early[i];
  for (uint32_t c = producer->post; c < siblings_end; c++)
    if (c != b) found[n++] = c;
  for (const LaterEvents *later = condition->first; later; later = later->next)
    for (uint32_t i = 0; i < later->n; i++) {
      const uint32_t end = process_post_end(process, later->at[i]);
      for (uint32_t c = process->events.at[later->at[i]].post; c < end; c++) found[n++] = c;
    }
  assert(n == condition->n_concurrent);
  process->found.n = n;
}

static uint32_t producer_of(const Process *process, uint32_t c) { return process->conditions.at[c].producer; }

/* The end of those conditions of a preset, from i on, that have one producer: both ascend. */
static uint32_t siblings_end(const Process *process, const uint32_t *pre, uint32_t n, uint32_t i) {
  const uint32_t producer = producer_of(process, pre[i]);
  while (i < n && producer_of(process, pre[i]) == producer) i++;
  return i;
}

/* Are all n conditions, which are earlier, concurrent to the outputs of e? */
static bool are_early(const Process *process, uint32_t e, const uint32_t *conditions, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!is_early(process, e, conditions[i])) return false;
  return true;
}

/* Keeps of `found` what is concurrent to each of n siblings; the siblings themselves are not. */
static void keep_concurrent(Process *process, const uint32_t *siblings, uint32_t n) {
  const uint32_t producer = producer_of(process, siblings[0]);
  uint32_t n_kept = 0, later = producer, *found = process->found.at;
  bool good = false; /* of the conditions of `later` */
  for (uint32_t i = 0; i < process->found.n; i++) {
    const uint32_t c = found[i], e = producer_of(process, c);
    if (e > producer && e != later) later = e, good = are_early(process, e, siblings, n);
    if (e < producer ? is_early(process, producer, c) : e == producer ? !has(siblings, n, c) : good)
      found[n_kept++] = c;
  }
  process->found.n = n_kept;
}

/* The condition of the preset that has the smallest co. */
static uint32_t loneliest(const Process *process, const uint32_t *pre, uint32_t n) {
  uint32_t smallest = pre[0];
  for (uint32_t i = 1; i < n; i++)
    if (process->conditions.at[pre[i]].n_concurrent < process->conditions.at[smallest].n_concurrent) smallest = pre[i];
  return smallest;
}

/* Fills `found` with co of an event with that preset. */
static void find_concurrent(Process *process, const uint32_t *pre, uint32_t n) {
  const uint32_t listed = loneliest(process, pre, n);
  list_concurrent(process, listed);
  for (uint32_t i = 0, end; i < n; i = end) {
    end = siblings_end(process, pre, n, i);
    if (end > i + 1 || pre[i] != listed) keep_concurrent(process, pre + i, end - i);
  }
}

static bool concurrent_to_all(const Process *process, uint32_t c, const uint32_t *pre, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (c == pre[i] || !process_concurrent(process, c, pre[i])) return false;
  return true;
}

/* Fills `found` with those of co that are on the event's output places. */
static void find_on_outputs(Process *process, TransId trans, const uint32_t *pre, uint32_t n) {
  const PlaceList post = net_post(process->net, trans);
  vec_clear(&process->found);
  for (uint32_t i = 0; i < post.n; i++)
    for (uint32_t c = process->newest[post.at[i].v]; c != PROCESS_NONE; c = process->conditions.at[c].previous)
      if (concurrent_to_all(process, c, pre, n)) vec_push(process->heap, &process->found, c);
}

/* Of a cut-off no more is needed, which may be less work. */
static bool is_shorter(const Process *process, TransId trans, const uint32_t *pre, uint32_t n) {
  const PlaceList post = net_post(process->net, trans);
  uint64_t n_on_outputs = 0;
  for (uint32_t i = 0; i < post.n; i++) n_on_outputs += process->n_live[post.at[i].v];
  return n_on_outputs * n < process->conditions.at[loneliest(process, pre, n)].n_concurrent;
}

static void append_later(Process *process, uint32_t c, uint32_t e) {
  ProcessCondition *condition = &process->conditions.at[c];
  if (!condition->last || condition->last->n == LATER_ROOM) {
    LaterEvents *more = arena_alloc(&process->arena, sizeof *more);
    more->next = NULL;
    more->n = 0;
    if (condition->last) condition->last->next = more;
    else condition->first = more;
    condition->last = more;
  }
  condition->last->at[condition->last->n++] = e;
  condition->n_concurrent += net_post(process->net, process->events.at[e].trans).n;
}

static void keep_found(Process *process, uint32_t e) {
  const size_t bytes = process->found.n * sizeof *process->found.at;
  uint32_t *early = arena_alloc(&process->arena, bytes);
  if (bytes) memcpy(early, process->found.at, bytes);
  process->events.at[e].early = early;
  process->events.at[e].n_early = process->found.n;
  process->n_pairs += process->found.n;
  for (uint32_t i = 0; i < process->found.n; i++) append_later(process, process->found.at[i], e);
}

/* ---- checks ---- */

/* The conditions may be taken, and there is one for each input place. */
static bool check_places(Process *process, TransId trans, const uint32_t *pre, Err *err) {
  const PlaceList places = net_pre(process->net, trans);
  const uint32_t e = process->events.n;
  process->round++;
  for (uint32_t i = 0; i < places.n; i++) {
    const ProcessCondition *condition = &process->conditions.at[pre[i]];
    const char *place = process->net->place_name[condition->place];
    if (process->events.at[condition->producer].is_cutoff)
      return err_set(err, ERR_CHECK, "event %u ('%.200s'): condition %u is produced by the cut-off %u", e,
                     event_name(process, trans), pre[i] + 1, condition->producer);
    if (!net_place_list_has(places, (PlaceId){condition->place}))
      return err_set(err, ERR_CHECK, "event %u ('%.200s'): condition %u is of '%.200s', which is not an input place", e,
                     event_name(process, trans), pre[i] + 1, place);
    if (process->seen[condition->place] == process->round)
      return err_set(err, ERR_CHECK, "event %u ('%.200s'): two conditions of its preset are of '%.200s'", e,
                     event_name(process, trans), place);
    process->seen[condition->place] = process->round;
  }
  return true;
}

static bool check_preset(const Process *process, TransId trans, const uint32_t *pre, Err *err) {
  const uint32_t n = net_pre(process->net, trans).n;
  for (uint32_t i = 0, end; i < n; i = end) {
    end = siblings_end(process, pre, n, i);
    for (uint32_t k = 0; k < i; k++)
      if (!is_early(process, producer_of(process, pre[i]), pre[k]))
        return err_set(err, ERR_CHECK, "event %u ('%.200s'): condition %u is not concurrent to condition %u",
                       process->events.n, event_name(process, trans), pre[k] + 1, pre[i] + 1);
  }
  const uint32_t twin = process_find(process, trans, pre);
  if (twin == PROCESS_NONE) return true;
  return err_set(err, ERR_CHECK, "event %u ('%.200s') is listed twice, first as event %u", process->events.n,
                 event_name(process, trans), twin);
}

/* No output is concurrent to a condition of its place. */
static bool check_safe(Process *process, TransId trans, Err *err) {
  const PlaceList post = net_post(process->net, trans);
  process->round++;
  for (uint32_t i = 0; i < post.n; i++) process->seen[post.at[i].v] = process->round;
  for (uint32_t i = 0; i < process->found.n; i++) {
    const uint32_t place = process->conditions.at[process->found.at[i]].place;
    if (process->seen[place] == process->round)
      return err_set(
          err, ERR_CHECK, "event %u ('%.200s') puts a second token on '%.200s': condition %u is there at the same time",
          process->events.n, event_name(process, trans), process->net->place_name[place], process->found.at[i] + 1);
  }
  return true;
}

/* ---- adding ---- */

/* The producer has n outputs. */
static void add_condition(Process *process, uint32_t place, uint32_t producer, uint32_t n, bool is_live) {
  const uint32_t previous = is_live ? process->newest[place] : PROCESS_NONE;
  const ProcessCondition condition = {place, producer, previous, process->events.at[producer].n_early + n - 1,
                                      NULL,  NULL};
  if (is_live) process->newest[place] = process->conditions.n, process->n_live[place]++;
  vec_push(process->heap, &process->conditions, condition);
}

static void add_event(Process *process, TransId trans, const uint32_t *pre, bool is_cutoff) {
  const uint32_t e = process->events.n, n_pre = net_pre(process->net, trans).n;
  const PlaceList post = net_post(process->net, trans);
  if (process->n_slots / 2 <= e) grow_slots(process);
  ProcessEvent event = {.trans = trans, .pre = process->pool.n, .post = process->conditions.n, .is_cutoff = is_cutoff};
  vec_reserve(process->heap, &process->pool, n_pre);
  for (uint32_t i = 0; i < n_pre; i++) {
    const uint32_t depth = process->events.at[process->conditions.at[pre[i]].producer].depth;
    if (depth > event.depth) event.depth = depth;
    process->pool.at[process->pool.n++] = pre[i];
  }
  event.depth++;
  uint32_t *slot = find_slot(process, trans, pre);
  vec_push(process->heap, &process->events, event);
  *slot = e;
  if (!process->first_of[trans.v]) process->first_of[trans.v] = e;
  if (!is_cutoff) keep_found(process, e);
  for (uint32_t i = 0; i < post.n; i++) add_condition(process, post.at[i].v, e, post.n, !is_cutoff);
}

bool process_add(Process *process, TransId trans, const uint32_t *pre, bool is_cutoff, Err *err) {
  const uint32_t n = net_pre(process->net, trans).n;
  if (!n)
    return err_set(err, ERR_CHECK, "event %u ('%.200s') is of a transition without input places", process->events.n,
                   event_name(process, trans));
  if (!check_places(process, trans, pre, err) || !check_preset(process, trans, pre, err)) return false;
  if (is_cutoff && is_shorter(process, trans, pre, n)) find_on_outputs(process, trans, pre, n);
  else find_concurrent(process, pre, n);
  if (!check_safe(process, trans, err)) return false;
  add_event(process, trans, pre, is_cutoff);
  return true;
}

void process_init(Process *process, Heap *heap, const Net *net) {
  *process = (Process){.heap = heap, .net = net};
  arena_init(&process->arena, heap);
  process->first_of = heap_zeroed(heap, heap_product(heap, net->n_trans, sizeof *process->first_of));
  process->newest = heap_alloc(heap, heap_product(heap, net->n_places, sizeof *process->newest));
  process->n_live = heap_zeroed(heap, heap_product(heap, net->n_places, sizeof *process->n_live));
  process->seen = heap_zeroed(heap, heap_product(heap, net->n_places, sizeof *process->seen));
  for (uint32_t p = 0; p < net->n_places; p++) process->newest[p] = PROCESS_NONE;
  vec_push(heap, &process->events, ((ProcessEvent){.trans = TRANS_NONE}));
  grow_slots(process);
  uint32_t n_marked = 0;
  for (uint32_t p = 0; p < net->n_places; p++) n_marked += net->marked[p];
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->marked[p]) add_condition(process, p, 0, n_marked, true);
}

void process_fini(Process *process) {
  vec_fini(process->heap, &process->events);
  vec_fini(process->heap, &process->conditions);
  vec_fini(process->heap, &process->pool);
  vec_fini(process->heap, &process->found);
  heap_release(process->heap, process->slots);
  heap_release(process->heap, process->first_of);
  heap_release(process->heap, process->newest);
  heap_release(process->heap, process->n_live);
  heap_release(process->heap, process->seen);
  arena_fini(&process->arena);
  *process = (Process){.heap = process->heap};
}
