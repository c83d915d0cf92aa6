/* Of the producers of a set of concurrent conditions one is the last, event 0 included. So all sets are found, each
 * once, by taking for each live event its outputs, and what is concurrent to it and earlier, and looking for sets among
 * these with at least one output. In a safe net nothing earlier and concurrent is on the place of an output, so where
 * the places that are asked for have an output of the event, there is nothing else to choose for them. The others are
 * tried one after another, those with few conditions first. */
#include "check/cosets.h"

#include <stdio.h>
#include <stdlib.h>

static void fill(uint32_t *array, uint32_t n, uint32_t value) {
  for (uint32_t i = 0; i < n; i++) array[i] = value;
}

void cosets_init(Cosets *cosets, const Process *process) {
  Heap *heap = process->heap;
  const Net *net = process->net;
  *cosets = (Cosets){.process = process};
  cosets->first = heap_alloc(heap, heap_product(heap, net->n_places, sizeof *cosets->first));
  cosets->n = heap_zeroed(heap, heap_product(heap, net->n_places, sizeof *cosets->n));
  cosets->seen = heap_alloc(heap, heap_product(heap, net->n_trans, sizeof *cosets->seen));
  cosets->missing = heap_alloc(heap, heap_product(heap, net->n_trans, sizeof *cosets->missing));
  vec_resize_zeroed(heap, &cosets->next, process->conditions.n);
  fill(cosets->first, net->n_places, PROCESS_NONE);
  fill(cosets->seen, net->n_trans, PROCESS_NONE);
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const PlaceList pre = net_pre(net, (TransId){t});
    cosets->missing[t] = pre.n ? pre.at[0].v : 0;
  }
}

void cosets_fini(Cosets *cosets) {
  Heap *heap = cosets->process->heap;
  heap_release(heap, cosets->first);
  heap_release(heap, cosets->n);
  heap_release(heap, cosets->seen);
  heap_release(heap, cosets->missing);
  vec_fini(heap, &cosets->next);
  vec_fini(heap, &cosets->places);
  vec_fini(heap, &cosets->chosen);
  vec_fini(heap, &cosets->groups);
  vec_fini(heap, &cosets->sorted);
}

/* ---- the current event ---- */

static void put(Cosets *cosets, uint32_t c) {
  const uint32_t place = cosets->process->conditions.at[c].place;
  cosets->next.at[c] = cosets->first[place];
  cosets->first[place] = c;
  cosets->n[place]++;
}

static void drop(Cosets *cosets, uint32_t c) {
  const uint32_t place = cosets->process->conditions.at[c].place;
  cosets->first[place] = PROCESS_NONE;
  cosets->n[place] = 0;
}

static void each_at_hand(Cosets *cosets, uint32_t e, void (*visit)(Cosets *cosets, uint32_t c)) {
  const Process *process = cosets->process;
  const ProcessEvent *event = &process->events.at[e];
  const uint32_t end = process_post_end(process, e);
  for (uint32_t i = 0; i < event->n_early; i++) visit(cosets, event->early[i]);
  for (uint32_t c = event->post; c < end; c++) visit(cosets, c);
}

/* ---- sets on given places ---- */

static int ascending(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static int ascending_conditions(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Begins to look for sets on the places. */
static void begin_sets(Cosets *cosets, const PlaceId *places, uint32_t n) {
  Heap *heap = cosets->process->heap;
  vec_clear(&cosets->places);
  vec_clear(&cosets->chosen);
  vec_clear(&cosets->groups);
  vec_reserve(heap, &cosets->chosen, n);
  for (uint32_t i = 0; i < n; i++)
    vec_push(heap, &cosets->places, (uint64_t)cosets->n[places[i].v] << 32 | places[i].v);
  qsort(cosets->places.at, n, sizeof *cosets->places.at, ascending);
}

/* Is the condition, of this producer, concurrent to all that are chosen? What is concurrent to one output of an event,
 * and earlier, is so to all. */
static bool fits(const Cosets *cosets, uint32_t c, uint32_t producer) {
  const Process *process = cosets->process;
  bool known = false;
  for (uint32_t i = 0; i < cosets->groups.n; i++) {
    const CosetGroup group = cosets->groups.at[i];
    if (group.producer == producer) known = true;
    else if (group.producer > producer && !process_concurrent(process, c, cosets->chosen.at[group.before]))
      return false;
  }
  for (uint32_t i = 0; i < cosets->chosen.n && !known; i++)
    if (!process_concurrent(process, cosets->chosen.at[i], c)) return false;
  return true;
}

static void push_chosen(Cosets *cosets, uint32_t c, uint32_t producer) {
  uint32_t i = 0;
  while (i < cosets->groups.n && cosets->groups.at[i].producer != producer) i++;
  if (i == cosets->groups.n)
    vec_push(cosets->process->heap, &cosets->groups, ((CosetGroup){producer, cosets->chosen.n}));
  cosets->chosen.at[cosets->chosen.n++] = c;
}

static uint32_t pop_chosen(Cosets *cosets) {
  const uint32_t last = cosets->chosen.at[--cosets->chosen.n];
  if (vec_last(&cosets->groups).before == cosets->chosen.n) cosets->groups.n--;
  return last;
}

/* Chooses the first condition from c on, along its place, that fits those chosen so far. */
static bool choose(Cosets *cosets, uint32_t c) {
  for (; c != PROCESS_NONE; c = cosets->next.at[c]) {
    const uint32_t producer = cosets->process->conditions.at[c].producer;
    if (!fits(cosets, c, producer)) continue;
    push_chosen(cosets, c, producer);
    return true;
  }
  return false;
}

/* Leaves the next set in `chosen`; false if there is none. */
static bool next_set(Cosets *cosets) {
  bool back = cosets->chosen.n == cosets->places.n;
  for (;;) {
    if (back) {
      if (!cosets->chosen.n) return false;
      back = !choose(cosets, cosets->next.at[pop_chosen(cosets)]);
    } else {
      back = !choose(cosets, cosets->first[(uint32_t)cosets->places.at[cosets->chosen.n]]);
    }
    if (!back && cosets->chosen.n == cosets->places.n) return true;
  }
}

static const uint32_t *sort_set(Cosets *cosets) {
  vec_clear(&cosets->sorted);
  for (uint32_t i = 0; i < cosets->chosen.n; i++)
    vec_push(cosets->process->heap, &cosets->sorted, cosets->chosen.at[i]);
  qsort(cosets->sorted.at, cosets->sorted.n, sizeof *cosets->sorted.at, ascending_conditions);
  return cosets->sorted.at;
}

/* The set as text: " 3 7", cut where it is long. */
static const char *set_text(const Cosets *cosets, char *text, size_t size) {
  size_t length = 0;
  for (uint32_t i = 0; i < cosets->sorted.n && length + 16 < size; i++)
    length += (size_t)snprintf(text + length, size - length, " %u", cosets->sorted.at[i] + 1);
  if (length + 16 >= size) snprintf(text + length, size - length, " ...");
  return text;
}

/* ---- check 4 ---- */

/* Has every input place a condition at hand? */
static bool has_conditions(Cosets *cosets, TransId t) {
  if (!cosets->n[cosets->missing[t.v]]) return false;
  const PlaceList pre = net_pre(cosets->process->net, t);
  for (uint32_t i = 0; i < pre.n; i++)
    if (!cosets->n[pre.at[i].v]) {
      cosets->missing[t.v] = pre.at[i].v;
      return false;
    }
  return true;
}

static bool check_transition(Cosets *cosets, TransId t, Err *err) {
  const Process *process = cosets->process;
  const PlaceList pre = net_pre(process->net, t);
  char text[256];
  for (begin_sets(cosets, pre.at, pre.n); next_set(cosets);)
    if (process_find(process, t, sort_set(cosets)) == PROCESS_NONE)
      return err_set(err, ERR_CHECK,
                     "the prefix is not complete: an event of transition '%.200s' with the preset%s is missing",
                     process->net->trans_name[t.v], set_text(cosets, text, sizeof text));
  return true;
}

/* The transitions that take an output of e, whose conditions are at hand. */
static bool check_successors(Cosets *cosets, uint32_t e, Err *err) {
  const Process *process = cosets->process;
  const uint32_t end = process_post_end(process, e);
  for (uint32_t c = process->events.at[e].post; c < end; c++) {
    const TransList consumers = net_consumers(process->net, (PlaceId){process->conditions.at[c].place});
    for (uint32_t i = 0; i < consumers.n; i++) {
      const TransId t = consumers.at[i];
      if (cosets->seen[t.v] == e) continue;
      cosets->seen[t.v] = e;
      if (has_conditions(cosets, t) && !check_transition(cosets, t, err)) return false;
    }
  }
  return true;
}

bool cosets_complete(Cosets *cosets, Err *err) {
  const Process *process = cosets->process;
  const Net *net = process->net;
  bool good = true;
  for (uint32_t t = 0; t < net->n_trans; t++)
    if (!net_pre(net, (TransId){t}).n)
      return err_set(err, ERR_CHECK, "transition '%.200s' has no input place: the unfolding is not finite",
                     net->trans_name[t]);
  for (uint32_t e = 0; e < process->events.n && good; e++) {
    if (process->events.at[e].is_cutoff) continue;
    each_at_hand(cosets, e, put);
    good = check_successors(cosets, e, err);
    each_at_hand(cosets, e, drop);
  }
  return good;
}

/* ---- check 5 ---- */

static bool check_last_producer(Cosets *cosets, uint32_t e, const PlaceId *places, uint32_t n, Err *err) {
  char text[256];
  each_at_hand(cosets, e, put);
  begin_sets(cosets, places, n);
  const bool found = next_set(cosets);
  each_at_hand(cosets, e, drop);
  if (!found) return true;
  sort_set(cosets);
  return err_set(err, ERR_CHECK, "these places can be marked together: see condition%s%s", n > 1 ? "s" : "",
                 set_text(cosets, text, sizeof text));
}

bool cosets_uncovered(Cosets *cosets, const PlaceId *places, uint32_t n, Err *err) {
  const Process *process = cosets->process;
  for (uint32_t i = 0; i < n; i++)
    if (process->newest[places[i].v] == PROCESS_NONE) return true;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t c = process->newest[places[i].v]; c != PROCESS_NONE; c = process->conditions.at[c].previous)
      if (!check_last_producer(cosets, process->conditions.at[c].producer, places, n, err)) return false;
  return true;
}
