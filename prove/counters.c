/* Of each object with several values, can they be counted? Let K be how many they are. Weights of the controls are a
 * counter if each live step from p to q that finds v leaves v + weight(q) - weight(p), modulo K: then the value is
 * always the sum of the weights where the threads are, and what is missing at first. The weights of a class may be
 * turned round: they start at 0 after the widest gap between them, so that the largest one is as small as can be. What
 * the others add to a control's weight is then something from 0 to the sum of their largest ones. */
#include "prove/known_inside.h"

#include <assert.h>
#include <stdlib.h>

typedef struct {
  Known *facts;
  const Classes *classes;
  uint32_t object, n_values;
  uint32_t *weight;     /* per control, or NOTE_NONE */
  uint32_t *class_most; /* per class */
  U32Vec seen;          /* the controls with a weight */
  U32Vec sorted;        /* the weights of a class */
} CounterSearch;

bool known_counts(const Known *facts, uint32_t object, uint32_t value, const uint32_t *controls, uint32_t n) {
  if (facts->counter[object] == NOTE_NONE) return true;
  const Counter *counter = &facts->counters.at[facts->counter[object]];
  const uint32_t n_values = facts->classes->objects[object].n_values;
  uint64_t others = (uint64_t)value + n_values - counter->base, most = counter->most;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t own = counter->class_most[facts->classes->class_of[controls[i]]];
    if (own > most) return false; /* there are not so many threads */
    most -= own;
    others += n_values - counter->weight[controls[i]];
  }
  return others % n_values <= most;
}

/* ---- weights ---- */

static bool set_weight(CounterSearch *s, uint32_t control, uint32_t weight) {
  if (s->weight[control] != NOTE_NONE) return s->weight[control] == weight;
  s->weight[control] = weight;
  vec_push(s->facts->heap, &s->seen, control);
  return true;
}

/* By how much the step raises the value. */
static uint32_t difference(const CounterSearch *s, uint32_t step) {
  const TouchList touches = classes_touches(s->classes, step);
  for (uint32_t i = 0; i < touches.n; i++)
    if (touches.at[i].object == s->object) return (touches.at[i].post + s->n_values - touches.at[i].pre) % s->n_values;
  return 0;
}

static bool search_class(CounterSearch *s, uint32_t class) {
  const uint32_t before = s->seen.n;
  set_weight(s, s->classes->classes.at[class].controls, 0);
  for (uint32_t i = before; i < s->seen.n; i++) {
    const uint32_t control = s->seen.at[i];
    for (uint32_t step = s->classes->step_start[control]; step < s->classes->step_start[control + 1]; step++)
      if (known_is_live(s->facts, step) &&
          !set_weight(s, s->classes->steps[step].to, (s->weight[control] + difference(s, step)) % s->n_values))
        return false;
  }
  return true;
}

static int ascending(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The weight after the widest gap, and the way from there to the one before it. */
static uint32_t find_start(const CounterSearch *s, uint32_t *most) {
  const U32Vec *sorted = &s->sorted;
  uint32_t start = sorted->at[0], widest = s->n_values - (vec_last(sorted) - start);
  for (uint32_t i = 1; i < sorted->n; i++)
    if (sorted->at[i] - sorted->at[i - 1] > widest) {
      widest = sorted->at[i] - sorted->at[i - 1];
      start = sorted->at[i];
    }
  *most = s->n_values - widest;
  return start;
}

/* Of the controls that have been seen from `from` on. */
static void turn_round(CounterSearch *s, uint32_t class, uint32_t from) {
  vec_clear(&s->sorted);
  for (uint32_t i = from; i < s->seen.n; i++) vec_push(s->facts->heap, &s->sorted, s->weight[s->seen.at[i]]);
  qsort(s->sorted.at, s->sorted.n, sizeof *s->sorted.at, ascending);
  const uint32_t start = find_start(s, &s->class_most[class]);
  for (uint32_t i = from; i < s->seen.n; i++) {
    uint32_t *weight = &s->weight[s->seen.at[i]];
    *weight = (*weight + s->n_values - start) % s->n_values;
    assert(*weight <= s->class_most[class]);
  }
}

/* ---- counters ---- */

static uint32_t *copy_or_zero(Heap *heap, const uint32_t *from, uint32_t n) {
  uint32_t *copy = heap_alloc(heap, heap_product(heap, (uint64_t)n + 1, sizeof *copy));
  for (uint32_t i = 0; i < n; i++) copy[i] = from[i] == NOTE_NONE ? 0 : from[i];
  return copy;
}

static void keep_counter(CounterSearch *s, uint64_t most) {
  Known *facts = s->facts;
  const Classes *c = s->classes;
  Counter counter = {.object = s->object, .most = most};
  counter.weight = copy_or_zero(facts->heap, s->weight, c->n_controls);
  counter.class_most = copy_or_zero(facts->heap, s->class_most, c->n_classes);
  uint64_t base = c->objects[s->object].initial;
  for (uint32_t k = 0; k < c->n_classes; k++)
    base += (uint64_t)c->classes.at[k].n * (s->n_values - counter.weight[c->classes.at[k].controls]);
  counter.base = (uint32_t)(base % s->n_values);
  facts->counter[s->object] = facts->counters.n;
  vec_push(facts->heap, &facts->counters, counter);
}

/* Does it tell more than values do: are there two threads at least that count, and two whose places leave some value
 * out? Then *most is what all of them count up to. */
static bool is_useful(const CounterSearch *s, const U32Vec *users, uint64_t *most) {
  uint64_t first = 0, second = 0;
  *most = 0;
  for (uint32_t i = 0; i < users->n; i++) {
    const uint64_t own = s->class_most[users->at[i]], n = s->classes->classes.at[users->at[i]].n;
    *most += n * own;
    for (uint32_t k = 0; k < n && k < 2; k++) {
      if (own > first) {
        second = first;
        first = own;
      } else if (own > second) {
        second = own;
      }
    }
  }
  return second && *most - first - second < s->n_values - 1;
}

/* users: the classes that touch the object. */
static bool search_object(CounterSearch *s, const U32Vec *users) {
  uint64_t most;
  bool good = true;
  vec_clear(&s->seen);
  for (uint32_t i = 0; good && i < users->n; i++) {
    const uint32_t from = s->seen.n;
    good = search_class(s, users->at[i]);
    if (good) turn_round(s, users->at[i], from);
  }
  good = good && is_useful(s, users, &most);
  if (good) keep_counter(s, most);
  for (uint32_t i = 0; i < s->seen.n; i++) s->weight[s->seen.at[i]] = NOTE_NONE;
  for (uint32_t i = 0; i < users->n; i++) s->class_most[users->at[i]] = 0;
  return good;
}

/* Do places stand for all values of each object? Those of a variable that has none for a value are not counted. */
static bool *find_whole(const Known *facts) {
  const Classes *c = facts->classes;
  const ThreadView *program = &c->program;
  size_t *start = heap_alloc(facts->heap, heap_product(facts->heap, (uint64_t)c->n_objects + 1, sizeof *start)), n = 0;
  for (uint32_t o = 0; o < c->n_objects; o++) {
    start[o] = n;
    n += c->objects[o].n_values;
  }
  bool *has_place = heap_zeroed(facts->heap, n + 1);
  for (uint32_t p = 0; p < program->net->n_places; p++)
    if (program->place_object[p] != NOTE_NONE)
      has_place[start[program->place_object[p]] + program->place_value[p]] = true;
  bool *whole = heap_alloc(facts->heap, (size_t)c->n_objects + 1);
  for (uint32_t o = 0; o < c->n_objects; o++) {
    whole[o] = true;
    for (uint32_t v = 0; v < c->objects[o].n_values; v++) whole[o] = whole[o] && has_place[start[o] + v];
  }
  heap_release(facts->heap, has_place);
  heap_release(facts->heap, start);
  return whole;
}

/* The largest weights where threads may be. Has one become smaller? */
static bool tighten(const Known *facts, Counter *counter) {
  const Classes *c = facts->classes;
  const uint64_t before = counter->most;
  counter->most = 0;
  for (uint32_t k = 0; k < c->n_classes; k++) {
    counter->class_most[k] = 0;
    for (uint32_t i = c->classes.at[k].controls; i < c->classes.at[k + 1].controls; i++)
      if (known_is_reached(facts, i) && counter->weight[i] > counter->class_most[k])
        counter->class_most[k] = counter->weight[i];
    counter->most += (uint64_t)c->classes.at[k].n * counter->class_most[k];
  }
  assert(counter->most <= before);
  return counter->most < before;
}

static uint32_t find_new(Known *facts) {
  const Classes *c = facts->classes;
  Heap *heap = facts->heap;
  CounterSearch s = {.facts = facts, .classes = c};
  s.weight = heap_alloc(heap, heap_product(heap, (uint64_t)c->n_controls + 1, sizeof *s.weight));
  for (uint32_t i = 0; i < c->n_controls; i++) s.weight[i] = NOTE_NONE;
  s.class_most = heap_zeroed(heap, heap_product(heap, (uint64_t)c->n_classes + 1, sizeof *s.class_most));
  U32Vec *users = known_users(facts);
  bool *whole = find_whole(facts);
  uint32_t n_new = 0;
  for (uint32_t o = 0; o < c->n_objects && !heap_asked(heap); o++) {
    if (c->objects[o].n_values < 3 || !whole[o] || facts->counter[o] != NOTE_NONE) continue;
    s.object = o;
    s.n_values = c->objects[o].n_values;
    n_new += search_object(&s, &users[o]);
  }
  for (uint32_t o = 0; o < c->n_objects; o++) vec_fini(heap, &users[o]);
  heap_release(heap, users);
  heap_release(heap, whole);
  heap_release(heap, s.weight);
  heap_release(heap, s.class_most);
  vec_fini(heap, &s.seen);
  vec_fini(heap, &s.sorted);
  return n_new;
}

uint32_t counters_find(Known *facts) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < facts->counters.n; i++) n += tighten(facts, &facts->counters.at[i]);
  return n + find_new(facts);
}
