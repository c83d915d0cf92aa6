#include "check/thread_facts.h"

#include "petri/safe.h"

#include <stdlib.h>
#include <string.h>

/* ---- the net ---- */

/* Takes each transition of a thread one of its control tokens, and puts none more than are taken? Counted for one
 * thread and one transition. */
static uint32_t count_control(const Notes *notes, PlaceList places, uint32_t thread) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < places.n; i++)
    n += notes->places[places.at[i].v].role == ROLE_CONTROL && notes->places[places.at[i].v].thread == thread;
  return n;
}

static bool moves_well(const Net *net, TransId t, uint32_t thread) {
  const uint32_t taken = count_control(net->notes, net_pre(net, t), thread);
  const uint32_t put = count_control(net->notes, net_post(net, t), thread);
  return taken <= 1 && put <= taken && (net->notes->transitions[t.v].thread != thread || taken == 1);
}

static bool keeps_sequential(const Net *net, TransId t) {
  const PlaceList lists[] = {net_pre(net, t), net_post(net, t)};
  const uint32_t own = net->notes->transitions[t.v].thread;
  if (own != NOTE_NONE && !moves_well(net, t, own)) return false;
  for (int l = 0; l < 2; l++)
    for (uint32_t i = 0; i < lists[l].n; i++) {
      const PlaceNote *note = &net->notes->places[lists[l].at[i].v];
      if (note->role == ROLE_CONTROL && note->thread != own && !moves_well(net, t, note->thread)) return false;
    }
  return true;
}

static bool starts_sequential(Heap *heap, const Net *net) {
  bool *started = heap_zeroed(heap, (size_t)net->notes->n_threads + 1), good = true;
  for (uint32_t p = 0; p < net->n_places; p++) {
    const PlaceNote *note = &net->notes->places[p];
    if (note->role != ROLE_CONTROL || !net->marked[p]) continue;
    good = good && !started[note->thread];
    started[note->thread] = true;
  }
  heap_release(heap, started);
  return good;
}

static bool check_net(Heap *heap, const Net *net, bool is_safe, Err *err) {
  if (!net->notes) return err_set(err, ERR_CHECK, "the net says nothing of threads");
  if (!starts_sequential(heap, net)) return err_set(err, ERR_CHECK, "a thread starts twice");
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const TransNote *note = &net->notes->transitions[t];
    if (!keeps_sequential(net, (TransId){t}))
      return err_set(err, ERR_CHECK, "a thread that transition '%.200s' moves is not sequential", net->trans_name[t]);
    if (note->thread == NOTE_NONE && (note->begin != NOTE_NONE || note->end != NOTE_NONE))
      return err_set(err, ERR_CHECK, "transition '%.200s' of no thread begins or ends a block", net->trans_name[t]);
  }
  bool *proved = heap_zeroed(heap, (size_t)net->n_places + 1);
  is_safe = is_safe || net_prove_safe(heap, net, proved);
  heap_release(heap, proved);
  return is_safe || err_set(err, ERR_CHECK, "counting does not show that the net is 1-safe");
}

static void join_owner(ThreadFacts *f, uint32_t *owner, bool *met, TransId t) {
  const uint32_t thread = f->thread_of[t.v];
  *owner = !*met || *owner == thread ? thread : FACT_NONE;
  *met = true;
}

static void find_owners(ThreadFacts *f) {
  for (uint32_t p = 0; p < f->net->n_places; p++) {
    const TransList in = net_producers(f->net, (PlaceId){p}), out = net_consumers(f->net, (PlaceId){p});
    bool met = false;
    f->owner[p] = FACT_NONE;
    for (uint32_t i = 0; i < in.n; i++) join_owner(f, &f->owner[p], &met, in.at[i]);
    for (uint32_t i = 0; i < out.n; i++) join_owner(f, &f->owner[p], &met, out.at[i]);
  }
}

bool thread_facts_init(ThreadFacts *facts, Heap *heap, const Net *net, bool is_safe, Err *err) {
  if (!check_net(heap, net, is_safe, err)) return false;
  ThreadFacts f = {.heap = heap, .net = net, .n_threads = net->notes->n_threads};
  f.thread_of = heap_alloc(heap, ((size_t)net->n_trans + 1) * sizeof *f.thread_of);
  f.owner = heap_alloc(heap, ((size_t)net->n_places + 1) * sizeof *f.owner);
  f.value_of = heap_alloc(heap, ((size_t)net->n_places + 1) * sizeof *f.value_of);
  for (uint32_t p = 0; p < net->n_places; p++) f.value_of[p] = FACT_NONE;
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const uint32_t thread = net->notes->transitions[t].thread;
    f.thread_of[t] = thread == NOTE_NONE ? f.n_threads++ : thread;
  }
  vec_push(heap, &f.object_start, 0);
  find_owners(&f);
  intern_init(&f.controls, heap);
  *facts = f;
  return true;
}

static void free_pairs(ThreadFacts *facts) {
  Heap *heap = facts->heap;
  for (uint32_t i = 0; i < facts->pairs.n; i++) {
    FactPairs *set = &facts->pairs.at[i];
    vec_fini(heap, &set->objects);
    heap_release(heap, set->left);
    heap_release(heap, set->right);
    intern_fini(&set->lines);
    intern_fini(&set->pairs);
    vec_fini(heap, &set->first);
    vec_fini(heap, &set->next);
  }
  vec_fini(heap, &facts->pairs);
  for (uint32_t k = 0; facts->kind_pairs && k < facts->n_kinds; k++) vec_fini(heap, &facts->kind_pairs[k]);
  heap_release(heap, facts->kind_pairs);
}

void thread_facts_fini(ThreadFacts *facts) {
  Heap *heap = facts->heap;
  free_pairs(facts);
  heap_release(heap, facts->thread_of);
  heap_release(heap, facts->owner);
  heap_release(heap, facts->value_of);
  vec_fini(heap, &facts->object_start);
  vec_fini(heap, &facts->value_size);
  vec_fini(heap, &facts->bit_of);
  vec_fini(heap, &facts->counters);
  vec_fini(heap, &facts->counter_of);
  vec_fini(heap, &facts->weights);
  vec_fini(heap, &facts->start);
  vec_fini(heap, &facts->missing);
  vec_fini(heap, &facts->most);
  vec_fini(heap, &facts->kind_most);
  vec_fini(heap, &facts->held);
  vec_fini(heap, &facts->values);
  intern_fini(&facts->controls);
  vec_fini(heap, &facts->control_kind);
  vec_fini(heap, &facts->initial);
  vec_fini(heap, &facts->effect_start);
  vec_fini(heap, &facts->effects);
  vec_fini(heap, &facts->steps);
  vec_fini(heap, &facts->step_start);
  vec_fini(heap, &facts->step_kind);
  vec_fini(heap, &facts->kind_threads);
  vec_fini(heap, &facts->step_threads);
}

uint32_t thread_facts_object_of(const ThreadFacts *facts, uint32_t value) {
  uint32_t from = 0, to = thread_facts_objects(facts);
  while (to - from > 1) {
    const uint32_t middle = from + (to - from) / 2;
    if (facts->object_start.at[middle] <= value) from = middle;
    else to = middle;
  }
  return from;
}

/* ---- the claims ---- */

void thread_facts_share(ThreadFacts *facts, PlaceId place) { facts->owner[place.v] = FACT_NONE; }

void thread_facts_object(ThreadFacts *facts) {
  const uint32_t start = vec_last(&facts->object_start);
  vec_push(facts->heap, &facts->object_start, start);
  vec_push(facts->heap, &facts->bit_of, FACT_NONE);
  vec_push(facts->heap, &facts->counter_of, FACT_NONE);
}

bool thread_facts_value(ThreadFacts *facts, const uint32_t *places, uint32_t n, Err *err) {
  const uint32_t object = thread_facts_objects(facts) - 1, value = facts->value_size.n;
  if (value > facts->object_start.at[object] && !vec_last(&facts->value_size))
    return err_set(err, ERR_CHECK, "an object has a value after the one without places");
  if (!n && value > facts->object_start.at[object] + 1) /* who puts the tokens of a value may find another one there */
    return err_set(err, ERR_CHECK, "an object with a value without places has more than one other");
  for (uint32_t i = 0; i < n; i++) {
    if (facts->value_of[places[i]] != FACT_NONE || facts->owner[places[i]] != FACT_NONE)
      return err_set(err, ERR_CHECK, "place '%.200s' is private, or of two values", facts->net->place_name[places[i]]);
    facts->value_of[places[i]] = value;
  }
  vec_push(facts->heap, &facts->value_size, n);
  vec_last(&facts->object_start)++;
  return true;
}

bool thread_facts_bit(ThreadFacts *facts, uint32_t object, Err *err) {
  if (facts->bit_of.at[object] != FACT_NONE) return err_set(err, ERR_CHECK, "an object has two bits");
  facts->bit_of.at[object] = facts->n_bits++;
  return true;
}

bool thread_facts_counter(ThreadFacts *facts, uint32_t object, Err *err) {
  if (facts->counter_of.at[object] != FACT_NONE) return err_set(err, ERR_CHECK, "an object is two counters");
  facts->counter_of.at[object] = facts->counters.n;
  vec_push(facts->heap, &facts->counters, object);
  return true;
}

void thread_facts_kind(ThreadFacts *facts) {
  if (!facts->n_kinds++) {
    facts->bit_words = bitset_words(facts->n_bits);
    facts->value_words = bitset_words(facts->value_size.n);
  }
  for (size_t i = 0; i < facts->bit_words; i++) vec_push(facts->heap, &facts->held, 0);
  for (size_t i = 0; i < facts->value_words; i++) vec_push(facts->heap, &facts->values, UINT64_MAX);
  for (uint32_t i = 0; i < facts->counters.n; i++) vec_push(facts->heap, &facts->weights, 0);
}

void thread_facts_hold(ThreadFacts *facts, uint32_t bit) {
  bitset_add(facts->held.at + (facts->n_kinds - 1) * facts->bit_words, bit);
}

void thread_facts_limit(ThreadFacts *facts, uint32_t object) {
  for (uint32_t v = facts->object_start.at[object]; v < facts->object_start.at[object + 1]; v++)
    bitset_remove(facts->values.at + (facts->n_kinds - 1) * facts->value_words, v);
}

void thread_facts_allow(ThreadFacts *facts, uint32_t value) {
  bitset_add(facts->values.at + (facts->n_kinds - 1) * facts->value_words, value);
}

bool thread_facts_weigh(ThreadFacts *facts, uint32_t object, uint32_t weight, Err *err) {
  const uint32_t counter = facts->counter_of.at[object];
  if (counter == FACT_NONE) return err_set(err, ERR_CHECK, "object %u is not a counter", object + 1);
  if (weight >= facts->object_start.at[object + 1] - facts->object_start.at[object])
    return err_set(err, ERR_CHECK, "a weight is no smaller than the number of values of counter %u", object + 1);
  facts->weights.at[(facts->n_kinds - 1) * facts->counters.n + counter] = weight;
  return true;
}

static int ascending(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static bool check_places(const ThreadFacts *facts, uint32_t thread, const uint32_t *places, uint32_t n, Err *err) {
  for (uint32_t i = 0; i < n; i++)
    if (facts->owner[places[i]] != thread || (i && places[i] == places[i - 1]))
      return err_set(err, ERR_CHECK, "place '%.200s' is not private to the thread, or named twice",
                     facts->net->place_name[places[i]]);
  return true;
}

bool thread_facts_control(ThreadFacts *facts, uint32_t kind, uint32_t thread, const uint32_t *places, uint32_t n,
                          Err *err) {
  U32Vec key = {0};
  vec_push(facts->heap, &key, thread);
  for (uint32_t i = 0; i < n; i++) vec_push(facts->heap, &key, places[i]);
  if (n > 1) qsort(key.at + 1, n, sizeof *key.at, ascending);
  bool is_new = true;
  const bool good = check_places(facts, thread, key.at + 1, n, err);
  if (good) intern_add(&facts->controls, (const char *)key.at, key.n * sizeof *key.at, &is_new);
  vec_fini(facts->heap, &key);
  if (!good) return false;
  if (!is_new) return err_set(err, ERR_CHECK, "a control is listed twice");
  vec_push(facts->heap, &facts->control_kind, kind);
  return true;
}

/* ---- pairs ---- */

bool thread_facts_pairs(ThreadFacts *facts, const uint32_t *objects, uint32_t n, Err *err) {
  FactPairs set = {0};
  for (uint32_t i = 1; i < n; i++)
    if (objects[i] <= objects[i - 1]) return err_set(err, ERR_CHECK, "the objects of a set of pairs do not ascend");
  for (uint32_t i = 0; i < n; i++) vec_push(facts->heap, &set.objects, objects[i]);
  set.left = heap_zeroed(facts->heap, (bitset_words(facts->n_kinds) + 1) * sizeof *set.left);
  set.right = heap_zeroed(facts->heap, (bitset_words(facts->n_kinds) + 1) * sizeof *set.right);
  intern_init(&set.lines, facts->heap);
  intern_init(&set.pairs, facts->heap);
  vec_push(facts->heap, &facts->pairs, set);
  return true;
}

void thread_facts_left(ThreadFacts *facts, uint32_t kind) { bitset_add(vec_last(&facts->pairs).left, kind); }
void thread_facts_right(ThreadFacts *facts, uint32_t kind) { bitset_add(vec_last(&facts->pairs).right, kind); }

bool thread_facts_pair(ThreadFacts *facts, uint32_t left, uint32_t right, const uint32_t *values, Err *err) {
  FactPairs *set = &vec_last(&facts->pairs);
  if (!bitset_has(set->left, left) || !bitset_has(set->right, right))
    return err_set(err, ERR_CHECK, "a line of a set of pairs has a kind that the set is not about");
  U32Vec line = {0};
  vec_push(facts->heap, &line, left);
  vec_push(facts->heap, &line, right);
  for (uint32_t i = 0; i < set->objects.n; i++)
    vec_push(facts->heap, &line, facts->object_start.at[set->objects.at[i]] + values[i]);
  bool is_new, is_new_pair;
  const uint32_t number = intern_add(&set->lines, (const char *)line.at, line.n * sizeof *line.at, &is_new);
  const uint32_t pair = intern_add(&set->pairs, (const char *)line.at, 2 * sizeof *line.at, &is_new_pair);
  vec_fini(facts->heap, &line);
  if (is_new_pair) vec_push(facts->heap, &set->first, FACT_NONE);
  if (!is_new) return true;
  vec_push(facts->heap, &set->next, set->first.at[pair]);
  set->first.at[pair] = number;
  return true;
}
