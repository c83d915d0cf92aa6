/* The least set of pairs of controls with values that has the initial one and is closed under the steps of both, and
 * under those of third threads that change a value. All is looked up in facts that do not depend on sets, so the sets
 * do not depend on each other. A set is a table of bits, as most are small: then it is asked at once. */
#include "prove/together.h"

#include "base/intern.h"
#include "prove/known_inside.h"

#include <assert.h>
#include <string.h>

enum { TOUCHED_BY_A = 1, TOUCHED_BY_B = 2, TOUCHED_BY_BOTH = 3, FOLLOWED = 4 };

enum {
  MOST_VALUATIONS = 1 << 12, /* of one set */
  MOST_BITS = 1 << 27,       /* of one table */
  MOST_ROOM = 1 << 22,       /* words of all tables: 32 MiB */
  MOST_WORK = 1 << 21,       /* steps looked at, of all sets */
  MOST_WORK_OF_ONE = 1 << 18 /* and of one attempt at a set */
};

#define NOT_ASKED UINT32_MAX
#define NO_SET (UINT32_MAX - 1)

/* A step by which a third thread changes a value that is followed. */
typedef struct {
  uint32_t step;
  uint64_t *passes; /* the controls of both classes: those of a, then those of b */
} Third;

/* The making of one set. */
typedef struct {
  Together *together;
  const Known *facts;
  const Classes *classes;
  PairSet *set;
  uint64_t work_left, room; /* room: words of the table */
  VEC(Third) thirds;
  VEC(uint64_t) queue; /* numbers of bits */
} PairSearch;

void together_init(Together *together, const Links *links) {
  const uint64_t n_classes = links->facts->classes->n_classes;
  *together = (Together){.heap = links->heap, .facts = links->facts, .links = links};
  together->set_of = heap_zeroed(together->heap, heap_product(together->heap, n_classes + 1, sizeof *together->set_of));
  together->work_left = MOST_WORK;
  together->room_left = MOST_ROOM;
}

static void free_set(Heap *heap, PairSet *set) {
  vec_fini(heap, &set->objects);
  vec_fini(heap, &set->factors);
  heap_release(heap, set->has);
  heap_release(heap, set);
}

void together_fini(Together *together) {
  for (uint32_t i = 0; i < together->sets.n; i++) free_set(together->heap, together->sets.at[i]);
  for (uint32_t k = 0; k < together->facts->classes->n_classes; k++) heap_release(together->heap, together->set_of[k]);
  heap_release(together->heap, together->set_of);
  vec_fini(together->heap, &together->sets);
}

/* ---- valuations ---- */

/* What the step makes of a valuation, or NOTE_NONE if it does not find it. */
static uint32_t after_step(const Together *together, const PairSet *set, uint32_t step, uint32_t valuation) {
  const TouchList touches = classes_touches(together->facts->classes, step);
  uint32_t after = valuation;
  for (uint32_t i = 0, k = 0; i < touches.n && k < set->objects.n;) { /* both ascend */
    const Touch *touch = &touches.at[i];
    if (touch->object < set->objects.at[k]) {
      i++;
    } else if (touch->object > set->objects.at[k]) {
      k++;
    } else {
      if (together_value(together, set, k, valuation) != touch->pre) return NOTE_NONE;
      after = after - touch->pre * set->factors.at[k] + touch->post * set->factors.at[k];
      i++, k++;
    }
  }
  return after;
}

/* Of two controls, the first one of class a: where their bits start. */
static uint64_t first_bit(const Together *together, const PairSet *set, uint32_t control, uint32_t other) {
  const ThreadClass *classes = together->facts->classes->classes.at;
  const uint64_t n_others = classes[set->b + 1].controls - classes[set->b].controls;
  return ((control - classes[set->a].controls) * n_others + (other - classes[set->b].controls)) * set->n_valuations;
}

static bool has_bit(const PairSet *set, uint64_t bit) { return set->has[bit / 64] >> (bit % 64) & 1; }

bool together_has(const Together *together, const PairSet *set, uint32_t control, uint32_t other, uint32_t valuation) {
  assert(valuation < set->n_valuations);
  return has_bit(set, first_bit(together, set, control, other) + valuation);
}

/* The first bit that is set from `bit` on, or `end`. */
static uint64_t next_bit(const PairSet *set, uint64_t bit, uint64_t end) {
  while (bit < end && !has_bit(set, bit)) bit = set->has[bit / 64] >> (bit % 64) ? bit + 1 : (bit / 64 + 1) * 64;
  return bit < end ? bit : end;
}

/* ---- what is followed ---- */

static void mark_touched(const PairSearch *s, uint32_t class, uint8_t *touched, uint8_t mark) {
  const Classes *c = s->classes;
  const uint32_t first = classes_first_step(c, class), behind = classes_first_step(c, class + 1);
  for (uint32_t step = first; step < behind; step++) {
    if (!known_is_live(s->facts, step)) continue;
    const TouchList touches = classes_touches(c, step);
    for (uint32_t i = 0; i < touches.n; i++) touched[touches.at[i].object] |= mark;
  }
}

static bool is_changed(const PairSearch *s, uint32_t object) {
  const ToucherList touchers = links_touchers(s->together->links, object);
  for (uint32_t i = 0; i < touchers.n; i++)
    if (touchers.at[i].touch.pre != touchers.at[i].touch.post) return true;
  return false;
}

/* Those that both touch, and then, if it is wide, others, while the values are not too many. */
static void choose_objects(PairSearch *s, bool wide) {
  const Classes *c = s->classes;
  uint8_t *touched = heap_zeroed(s->together->heap, (size_t)c->n_objects + 1);
  mark_touched(s, s->set->a, touched, TOUCHED_BY_A);
  mark_touched(s, s->set->b, touched, TOUCHED_BY_B);
  uint32_t n = 1;
  for (int both = 1; both >= !wide; both--)
    for (uint32_t o = 0; o < c->n_objects; o++) {
      const bool wanted = touched[o] && touched[o] != FOLLOWED && (touched[o] == TOUCHED_BY_BOTH) == both &&
                          s->facts->value_at[o] != NOTE_NONE;
      if (!wanted || c->objects[o].n_values > MOST_VALUATIONS / n || !is_changed(s, o)) continue;
      touched[o] = FOLLOWED;
      n *= c->objects[o].n_values;
    }
  s->set->n_valuations = 1;
  for (uint32_t o = 0; o < c->n_objects; o++) {
    if (touched[o] != FOLLOWED) continue;
    vec_push(s->together->heap, &s->set->objects, o);
    vec_push(s->together->heap, &s->set->factors, s->set->n_valuations);
    s->set->n_valuations *= c->objects[o].n_values;
  }
  assert(s->set->n_valuations == n);
  heap_release(s->together->heap, touched);
}

static bool follows(const PairSet *set, uint32_t object) {
  for (uint32_t i = 0; i < set->objects.n; i++)
    if (set->objects.at[i] == object) return true;
  return false;
}

/* ---- third threads ---- */

/* All that matters of a third step: steps with the same key have the same effect. */
static bool is_new_third(const PairSearch *s, Intern *keys, U32Vec *key, uint32_t step) {
  const ClassStep *at = &s->classes->steps[step];
  const TouchList touches = classes_touches(s->classes, step);
  vec_clear(key);
  vec_push(s->together->heap, key, s->facts->kind[at->from]);
  vec_push(s->together->heap, key, s->facts->kind[at->to]);
  for (uint32_t i = 0; i < touches.n; i++) {
    vec_push(s->together->heap, key, touches.at[i].object);
    vec_push(s->together->heap, key, touches.at[i].pre);
    vec_push(s->together->heap, key, touches.at[i].post);
  }
  bool is_new;
  intern_add(keys, (const char *)key->at, key->n * sizeof *key->at, &is_new);
  return is_new;
}

static bool spend(PairSearch *s, uint64_t work) {
  if (work > s->work_left) return false;
  s->work_left -= work;
  return true;
}

/* Which controls it passes, of both classes. */
static bool add_third(PairSearch *s, uint32_t step) {
  const ThreadClass *classes = s->classes->classes.at;
  const uint32_t ends[] = {s->set->a, s->set->b};
  uint32_t n = 0;
  for (int i = 0; i < 2; i++) n += classes[ends[i] + 1].controls - classes[ends[i]].controls;
  if (!spend(s, n)) return false;
  Third third = {step, heap_zeroed(s->together->heap, bitset_words(n) * sizeof *third.passes)};
  n = 0;
  for (int i = 0; i < 2; i++)
    for (uint32_t c = classes[ends[i]].controls; c < classes[ends[i] + 1].controls; c++, n++)
      if (known_is_reached(s->facts, c) && known_pass_alone(s->facts, step, c)) bitset_add(third.passes, n);
  vec_push(s->together->heap, &s->thirds, third);
  return true;
}

/* Of a step that changes several objects the first one counts. */
static bool changes_first(const PairSearch *s, uint32_t step, uint32_t object) {
  const TouchList touches = classes_touches(s->classes, step);
  for (uint32_t i = 0; i < touches.n && touches.at[i].object < object; i++)
    if (touches.at[i].pre != touches.at[i].post && follows(s->set, touches.at[i].object)) return false;
  return true;
}

static bool find_thirds(PairSearch *s) {
  Intern keys;
  U32Vec key = {0};
  bool good = true;
  intern_init(&keys, s->together->heap);
  for (uint32_t i = 0; good && i < s->set->objects.n; i++) {
    const ToucherList touchers = links_touchers(s->together->links, s->set->objects.at[i]);
    good = spend(s, touchers.n);
    for (uint32_t k = 0; good && k < touchers.n; k++) {
      const uint32_t step = touchers.at[k].step, class = classes_of_step(s->classes, step);
      if (touchers.at[k].touch.pre == touchers.at[k].touch.post || !changes_first(s, step, s->set->objects.at[i]) ||
          !classes_are_two(s->classes, class, s->set->a) || !classes_are_two(s->classes, class, s->set->b))
        continue;
      if (is_new_third(s, &keys, &key, step)) good = add_third(s, step);
    }
    good = good && !heap_asked(s->together->heap);
  }
  intern_fini(&keys);
  vec_fini(s->together->heap, &key);
  return good;
}

/* Are the values in the sets of the control where the third thread is, and do all three count up to them? */
static bool third_knows(const PairSearch *s, uint32_t step, const uint32_t *pair, uint32_t valuation) {
  const Known *facts = s->facts;
  const uint32_t from = s->classes->steps[step].from, controls[] = {pair[0], pair[1], from};
  for (uint32_t i = 0; i < s->set->objects.n; i++) {
    const uint32_t object = s->set->objects.at[i], value = together_value(s->together, s->set, i, valuation);
    if (!bitset_has(known_values(facts, from), facts->value_at[object] + value) ||
        !known_counts(facts, object, value, controls, 3))
      return false;
  }
  return true;
}

/* ---- the set ---- */

static void add(PairSearch *s, const uint32_t *pair, uint32_t valuation) {
  const uint64_t bit = first_bit(s->together, s->set, pair[0], pair[1]) + valuation;
  if (has_bit(s->set, bit)) return;
  s->set->has[bit / 64] |= (uint64_t)1 << (bit % 64);
  vec_push(s->together->heap, &s->queue, bit);
}

/* The thread of class a (0) or b (1) takes its steps. */
static bool take_steps(PairSearch *s, const uint32_t *pair, int side, uint32_t valuation) {
  const Classes *c = s->classes;
  const uint32_t first = c->step_start[pair[side]], behind = c->step_start[pair[side] + 1];
  if (!spend(s, behind - first)) return false;
  for (uint32_t step = first; step < behind; step++) {
    if (!known_is_live(s->facts, step)) continue;
    const uint32_t after = after_step(s->together, s->set, step, valuation);
    if (after == NOTE_NONE || !known_pass_alone(s->facts, step, pair[!side])) continue;
    uint32_t next[] = {pair[0], pair[1]};
    next[side] = c->steps[step].to;
    add(s, next, after);
  }
  return true;
}

static bool take_thirds(PairSearch *s, const uint32_t *pair, uint32_t valuation) {
  const ThreadClass *classes = s->classes->classes.at;
  const uint32_t first = pair[0] - classes[s->set->a].controls, second = pair[1] - classes[s->set->b].controls +
                                                                         classes[s->set->a + 1].controls -
                                                                         classes[s->set->a].controls;
  if (!spend(s, s->thirds.n)) return false;
  for (uint32_t i = 0; i < s->thirds.n; i++) {
    const Third *third = &s->thirds.at[i];
    if (!bitset_has(third->passes, first) || !bitset_has(third->passes, second)) continue;
    const uint32_t after = after_step(s->together, s->set, third->step, valuation);
    if (after != NOTE_NONE && after != valuation && third_knows(s, third->step, pair, valuation)) add(s, pair, after);
  }
  return true;
}

static bool extend(PairSearch *s, uint64_t bit) {
  const ThreadClass *classes = s->classes->classes.at;
  const uint32_t n_others = classes[s->set->b + 1].controls - classes[s->set->b].controls;
  const uint64_t cell = bit / s->set->n_valuations;
  const uint32_t pair[] = {classes[s->set->a].controls + (uint32_t)(cell / n_others),
                           classes[s->set->b].controls + (uint32_t)(cell % n_others)};
  const uint32_t valuation = (uint32_t)(bit % s->set->n_valuations);
  return take_steps(s, pair, 0, valuation) && take_steps(s, pair, 1, valuation) && take_thirds(s, pair, valuation);
}

static bool explore(PairSearch *s) {
  const Classes *c = s->classes;
  const uint32_t pair[] = {c->classes.at[s->set->a].controls, c->classes.at[s->set->b].controls};
  uint32_t valuation = 0;
  for (uint32_t i = 0; i < s->set->objects.n; i++)
    valuation += c->objects[s->set->objects.at[i]].initial * s->set->factors.at[i];
  add(s, pair, valuation);
  for (uint32_t i = 0; i < s->queue.n; i++) {
    if (i % 1024 == 0 && heap_asked(s->together->heap)) return false;
    if (!extend(s, s->queue.at[i])) return false;
  }
  return true;
}

static bool make_table(PairSearch *s) {
  const ThreadClass *classes = s->classes->classes.at;
  const uint64_t n = classes[s->set->a + 1].controls - classes[s->set->a].controls,
                 m = classes[s->set->b + 1].controls - classes[s->set->b].controls;
  if (n * m > MOST_BITS / s->set->n_valuations) return false;
  const uint64_t words = n * m * s->set->n_valuations / 64 + 1;
  if (words > s->together->room_left) return false;
  s->together->room_left -= words;
  s->room = words;
  s->set->has = heap_zeroed(s->together->heap, heap_product(s->together->heap, words, sizeof *s->set->has));
  return true;
}

/* NULL if it needs too much, or there is nothing to follow. */
static PairSet *make_set(Together *together, uint32_t a, uint32_t b, bool wide) {
  const uint64_t work = together->work_left < MOST_WORK_OF_ONE ? together->work_left : MOST_WORK_OF_ONE;
  PairSet *set = heap_alloc(together->heap, sizeof *set);
  *set = (PairSet){.a = a, .b = b};
  PairSearch s = {.together = together, .facts = together->facts, .classes = together->facts->classes, .set = set};
  s.work_left = work;
  choose_objects(&s, wide);
  const bool good = set->objects.n && make_table(&s) && find_thirds(&s) && explore(&s);
  together->work_left -= work - s.work_left;
  for (uint32_t i = 0; i < s.thirds.n; i++) heap_release(together->heap, s.thirds.at[i].passes);
  vec_fini(together->heap, &s.thirds);
  vec_fini(together->heap, &s.queue);
  if (good) return set;
  together->room_left += s.room;
  free_set(together->heap, set);
  return NULL;
}

/* ---- the sets ---- */

static uint32_t *entry(Together *together, uint32_t a, uint32_t b) {
  const uint32_t n = together->facts->classes->n_classes;
  if (!together->set_of[a]) {
    together->set_of[a] = heap_alloc(together->heap, heap_product(together->heap, n, sizeof **together->set_of));
    for (uint32_t i = 0; i < n; i++) together->set_of[a][i] = NOT_ASKED;
  }
  return &together->set_of[a][b];
}

bool together_refine(Together *together, uint32_t class, uint32_t other) {
  const uint32_t a = class < other ? class : other, b = class < other ? other : class;
  uint32_t *number = entry(together, a, b);
  if (*number != NOT_ASKED) return false;
  *number = NO_SET;
  if (!classes_are_two(together->facts->classes, a, b)) return false;
  PairSet *set = make_set(together, a, b, true);
  if (!set) set = make_set(together, a, b, false);
  if (!set) return false;
  *number = together->sets.n;
  vec_push(together->heap, &together->sets, set);
  return true;
}

const PairSet *together_set(const Together *together, uint32_t class, uint32_t other) {
  const uint32_t a = class < other ? class : other, b = class < other ? other : class;
  const uint32_t number = together->set_of[a] ? together->set_of[a][b] : NO_SET;
  return number == NO_SET || number == NOT_ASKED ? NULL : together->sets.at[number];
}

/* ---- what they tell ---- */

/* Where the bits of the controls start, whichever is of class a. */
static uint64_t first_of(const Together *together, const PairSet *set, uint32_t control, uint32_t other) {
  return together->facts->classes->class_of[control] == set->a ? first_bit(together, set, control, other)
                                                               : first_bit(together, set, other, control);
}

bool together_meet(const Together *together, uint32_t control, uint32_t other) {
  const uint32_t *class_of = together->facts->classes->class_of;
  const PairSet *set = together_set(together, class_of[control], class_of[other]);
  if (!set) return true;
  const uint64_t from = first_of(together, set, control, other), end = from + set->n_valuations;
  return next_bit(set, from, end) < end;
}

bool together_pass(const Together *together, uint32_t step, uint32_t control) {
  const Classes *c = together->facts->classes;
  const PairSet *set = together_set(together, classes_of_step(c, step), c->class_of[control]);
  if (!set) return true;
  const uint64_t from = first_of(together, set, c->steps[step].from, control), end = from + set->n_valuations;
  const uint64_t to = first_of(together, set, c->steps[step].to, control);
  for (uint64_t bit = next_bit(set, from, end); bit < end; bit = next_bit(set, bit + 1, end)) {
    const uint32_t after = after_step(together, set, step, (uint32_t)(bit - from));
    if (after != NOTE_NONE && has_bit(set, to + after)) return true;
  }
  return false;
}
