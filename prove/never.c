/* Deadlocks: D is a set of controls, at first all, such that in every reachable marking in which no transition is
 * enabled, each thread is at one of D. A control leaves D if, whatever values the objects may have while each other
 * thread is at a control of D, one of its steps finds those that it needs: then it would be enabled. */
#include "prove/never.h"

#include "petri/safe.h"
#include "prove/certificate.h"

/* Some threads of which something is true: the class of one, or NOTE_NONE; and are they of several classes? */
typedef struct {
  uint32_t class;
  bool several;
} SomeThreads;

/* An object, the values that it may have, and one of them. */
typedef struct {
  uint32_t object;
  uint32_t first, n; /* values */
  uint32_t now;
} ValueCase;

enum { MOST_CASES = 1024 };

typedef struct {
  const char *word;
  bool is_pair;          /* it is about two sets */
  U32Vec places, others; /* of the first and of the second one */
} NeverClaim;

struct Never {
  Heap *heap;
  const Net *net;
  Classes classes;
  Known facts;
  VEC(NeverClaim) claims; /* that were proved */
  uint64_t *waiting;      /* controls: D */
  SomeThreads *at_kind;   /* per kind: those at a control of D of this kind, as it was when the pass began; */
  U32Vec class_start;     /* per class, + 1: where its kinds with such a control stand in */
  U32Vec class_kinds;
  VEC(ValueCase) cases; /* of the control at hand */
  U32Vec values;
};

Never *never_new(Heap *heap, const Net *net) {
  Err err;
  if (!net_is_safe(heap, net)) return NULL;
  Never *n = heap_alloc(heap, sizeof *n);
  *n = (Never){.heap = heap, .net = net};
  const bool has_classes = classes_init(&n->classes, heap, net, &err);
  if (has_classes && known_init(&n->facts, heap, &n->classes)) return n;
  if (has_classes) classes_fini(&n->classes);
  heap_release(heap, n);
  return NULL;
}

void never_free(Never *never) {
  if (!never) return;
  Heap *heap = never->heap;
  for (uint32_t i = 0; i < never->claims.n; i++) {
    vec_fini(heap, &never->claims.at[i].places);
    vec_fini(heap, &never->claims.at[i].others);
  }
  vec_fini(heap, &never->claims);
  known_fini(&never->facts);
  classes_fini(&never->classes);
  heap_release(heap, never);
}

/* ---- what was proved ---- */

static void list_places(const Never *n, const bool *chosen, U32Vec *places) {
  for (uint32_t p = 0; chosen && p < n->net->n_places; p++)
    if (chosen[p]) vec_push(n->heap, places, p);
}

static bool proved(Never *n, const char *word, const bool *places, const bool *others) {
  NeverClaim claim = {.word = word, .is_pair = others};
  list_places(n, places, &claim.places);
  list_places(n, others, &claim.others);
  vec_push(n->heap, &n->claims, claim);
  return true;
}

static void put_claim(TextOut *out, const NeverClaim *claim) {
  text_out_string(out, claim->word);
  if (claim->is_pair) text_out_item(out, claim->places.n);
  for (uint32_t i = 0; i < claim->places.n; i++) text_out_item(out, (uint64_t)claim->places.at[i] + 1);
  for (uint32_t i = 0; i < claim->others.n; i++) text_out_item(out, (uint64_t)claim->others.at[i] + 1);
  text_out_string(out, "\n");
}

void never_certificate(const Never *never, FILE *out) {
  if (!never->claims.n) return;
  Certificate *c = certificate_facts(out, &never->facts);
  for (uint32_t i = 0; i < never->claims.n; i++) put_claim(&c->text, &never->claims.at[i]);
  certificate_free(c);
}

/* ---- places of threads ---- */

static uint32_t control_of(const Never *n, uint32_t thread, uint32_t state) {
  const ThreadView *view = &n->classes.program;
  return n->classes.classes.at[classes_of_thread(&n->classes, thread)].controls + state - view->state_start[thread];
}

static bool has_place(const Never *n, uint32_t state, const bool *chosen) {
  const ThreadView *view = &n->classes.program;
  for (uint32_t i = view->place_start.at[state]; i < view->place_start.at[state + 1]; i++)
    if (chosen[view->places.at[i].v]) return true;
  return false;
}

static bool are_private(const Never *n, const bool *chosen) {
  for (uint32_t p = 0; p < n->net->n_places; p++)
    if (chosen[p] && n->classes.program.place_object[p] != NOTE_NONE) return false;
  return true;
}

static void add_thread(const Never *n, SomeThreads *threads, uint32_t thread) {
  const uint32_t class = classes_of_thread(&n->classes, thread);
  threads->several |= threads->class != NOTE_NONE && threads->class != class;
  if (threads->class == NOTE_NONE) threads->class = class;
}

static SomeThreads *new_threads(const Never *n) {
  const uint32_t n_kinds = n->facts.n_kinds;
  SomeThreads *threads = heap_alloc(n->heap, heap_product(n->heap, (uint64_t)n_kinds + 1, sizeof *threads));
  for (uint32_t k = 0; k < n_kinds; k++) threads[k] = (SomeThreads){.class = NOTE_NONE};
  return threads;
}

/* Is one of them another thread than one of the class? Of a class with several, each one is taken to be. */
static bool has_other(const Never *n, SomeThreads threads, uint32_t class) {
  return threads.class != NOTE_NONE && (threads.several || classes_are_two(&n->classes, threads.class, class));
}

/* Per kind: the threads that have a control of it with such a place. */
static SomeThreads *find_threads(const Never *n, const bool *chosen) {
  const ThreadView *view = &n->classes.program;
  SomeThreads *threads = new_threads(n);
  for (uint32_t t = 0; t < view->n_threads; t++)
    for (uint32_t s = view->state_start[t]; s < view->state_start[t + 1]; s++) {
      const uint32_t control = control_of(n, t, s);
      if (known_is_reached(&n->facts, control) && has_place(n, s, chosen))
        add_thread(n, &threads[n->facts.kind[control]], t);
    }
  return threads;
}

bool never_away(Never *never, const bool *places) {
  SomeThreads *there = find_threads(never, places);
  bool good = are_private(never, places);
  for (uint32_t k = 0; good && k < never->facts.n_kinds; k++) good = there[k].class == NOTE_NONE;
  heap_release(never->heap, there);
  return good && proved(never, "away", places, NULL);
}

static bool two_meet(const Never *n, const SomeThreads *first, const SomeThreads *second, uint32_t k, uint32_t m) {
  return first[k].class != NOTE_NONE &&
         (has_other(n, second[m], first[k].class) || (first[k].several && second[m].class != NOTE_NONE)) &&
         known_meet(&n->facts, n->facts.kind_control.at[k], n->facts.kind_control.at[m]);
}

bool never_apart(Never *never, const bool *first, const bool *second) {
  const uint32_t n_kinds = never->facts.n_kinds;
  SomeThreads *one = find_threads(never, first), *other = find_threads(never, second);
  bool good = are_private(never, first) && are_private(never, second);
  for (uint32_t k = 0; good && k < n_kinds; k++) {
    good = !heap_asked(never->heap);
    for (uint32_t m = 0; good && m < n_kinds; m++) good = !two_meet(never, one, other, k, m);
  }
  heap_release(never->heap, one);
  heap_release(never->heap, other);
  return good && proved(never, "apart", first, second);
}

/* ---- deadlocks ---- */

/* Sums up D. */
static void begin_pass(Never *n) {
  const Classes *c = &n->classes;
  uint32_t *seen = heap_zeroed(n->heap, heap_product(n->heap, (uint64_t)n->facts.n_kinds + 1, sizeof *seen));
  vec_clear(&n->class_start);
  vec_clear(&n->class_kinds);
  for (uint32_t k = 0; k < n->facts.n_kinds; k++) n->at_kind[k] = (SomeThreads){.class = NOTE_NONE};
  for (uint32_t class = 0; class < c->n_classes; class ++) {
    vec_push(n->heap, &n->class_start, n->class_kinds.n);
    for (uint32_t i = c->classes.at[class].controls; i < c->classes.at[class + 1].controls; i++) {
      if (!bitset_has(n->waiting, i)) continue;
      const uint32_t kind = n->facts.kind[i];
      add_thread(n, &n->at_kind[kind], c->classes.at[class].first);
      if (seen[kind] != class + 1) vec_push(n->heap, &n->class_kinds, kind);
      seen[kind] = class + 1;
    }
  }
  vec_push(n->heap, &n->class_start, n->class_kinds.n);
  heap_release(n->heap, seen);
}

/* May another thread hold the object, while one is at the control? */
static bool is_held_beside(const Never *n, uint32_t control, uint32_t object) {
  for (uint32_t k = 0; k < n->facts.n_kinds; k++) {
    const uint32_t other = n->facts.kind_control.at[k];
    if (has_other(n, n->at_kind[k], n->classes.class_of[control]) && known_is_held(&n->facts, other, object) &&
        known_meet_alone(&n->facts, control, other))
      return true;
  }
  return false;
}

/* May the object have the value while a thread of the class waits, and another one is at the control? */
static bool class_allows(const Never *n, uint32_t class, uint32_t control, uint32_t object, uint32_t value) {
  for (uint32_t i = n->class_start.at[class]; i < n->class_start.at[class + 1]; i++) {
    const uint32_t other = n->facts.kind_control.at[n->class_kinds.at[i]];
    if (known_allows(&n->facts, other, object, value) && known_meet_alone(&n->facts, control, other)) return true;
  }
  return false;
}

static bool is_excluded(const Never *n, uint32_t control, uint32_t object, uint32_t value) {
  const Known *facts = &n->facts;
  const uint32_t own = n->classes.class_of[control];
  if (!known_allows(facts, control, object, value)) return true;
  if (value != n->classes.objects[object].initial && facts->bit[object] != NOTE_NONE &&
      !known_is_held(facts, control, object) && !is_held_beside(n, control, object))
    return true;
  for (uint32_t class = 0; class < n->classes.n_classes; class ++)
    if (classes_are_two(&n->classes, class, own) && !class_allows(n, class, control, object, value)) return true;
  return false;
}

/* The objects that live steps of the control touch, and the values that each may have while each other thread is at a
 * control of D. */
static void find_cases(Never *n, uint32_t control) {
  const Classes *c = &n->classes;
  vec_clear(&n->cases);
  vec_clear(&n->values);
  for (uint32_t s = c->step_start[control]; s < c->step_start[control + 1]; s++) {
    const TouchList touches = classes_touches(c, s);
    for (uint32_t i = 0; known_is_live(&n->facts, s) && i < touches.n; i++) {
      const uint32_t object = touches.at[i].object;
      uint32_t k = 0;
      while (k < n->cases.n && n->cases.at[k].object != object) k++;
      if (k < n->cases.n) continue;
      ValueCase new = {.object = object, .first = n->values.n};
      for (uint32_t v = 0; v < c->objects[object].n_values; v++)
        if (!is_excluded(n, control, object, v)) vec_push(n->heap, &n->values, v), new.n++;
      vec_push(n->heap, &n->cases, new);
    }
  }
}

static uint32_t value_now(const Never *n, uint32_t object) {
  uint32_t k = 0;
  while (n->cases.at[k].object != object) k++;
  return n->values.at[n->cases.at[k].first + n->cases.at[k].now];
}

/* With the values of now, is a step enabled at the control? */
static bool some_enabled(const Never *n, uint32_t control) {
  for (uint32_t s = n->classes.step_start[control]; s < n->classes.step_start[control + 1]; s++) {
    const TouchList touches = classes_touches(&n->classes, s);
    bool enabled = known_is_live(&n->facts, s);
    for (uint32_t i = 0; enabled && i < touches.n; i++)
      enabled = value_now(n, touches.at[i].object) == touches.at[i].pre;
    if (enabled) return true;
  }
  return false;
}

/* To the next values; false after the last ones. */
static bool next_case(Never *n) {
  for (uint32_t i = 0; i < n->cases.n; i++) {
    if (++n->cases.at[i].now < n->cases.at[i].n) return true;
    n->cases.at[i].now = 0;
  }
  return false;
}

/* Is some step of the control enabled, whatever values the objects have? */
static bool goes_on(Never *n, uint32_t control) {
  uint64_t all = 1;
  find_cases(n, control);
  for (uint32_t i = 0; i < n->cases.n && all <= MOST_CASES; i++) all *= n->cases.at[i].n;
  if (all > MOST_CASES) return false;
  if (!all) return true; /* nobody is there while the others wait */
  do
    if (!some_enabled(n, control)) return false;
  while (next_case(n));
  return true;
}

/* Takes from D what can be taken. False if the work was asked to end. */
static bool shrink(Never *n) {
  bool changed = true;
  while (changed) {
    changed = false;
    begin_pass(n);
    for (uint32_t c = 0; c < n->classes.n_controls; c++) {
      if (heap_asked(n->heap)) return false;
      if (!bitset_has(n->waiting, c) || !goes_on(n, c)) continue;
      bitset_remove(n->waiting, c);
      changed = true;
    }
  }
  return true;
}

/* Is one of the places of objects surely marked while a thread is at the control? */
static bool has_object_place(const Never *n, uint32_t control, const bool *chosen) {
  const ThreadView *view = &n->classes.program;
  for (uint32_t p = 0; p < n->net->n_places; p++) {
    const uint32_t object = view->place_object[p];
    if (!chosen[p] || object == NOTE_NONE) continue;
    bool sure = true;
    for (uint32_t v = 0; v < n->classes.objects[object].n_values; v++)
      sure = sure && (v == view->place_value[p] || !known_allows(&n->facts, control, object, v));
    if (sure) return true;
  }
  return false;
}

static bool is_control(const Never *n, uint32_t p, uint32_t thread) {
  const PlaceNote *note = &n->net->notes->places[p];
  return note->role == ROLE_CONTROL && note->thread == thread;
}

/* Has the thread no control place? */
static bool is_nobody(const Never *n, uint32_t thread) {
  for (uint32_t p = 0; p < n->net->n_places; p++)
    if (is_control(n, p, thread)) return false;
  return true;
}

/* Is one of the places the thread's, and always marked, as nothing takes from it? */
static bool stays(const Never *n, uint32_t thread, const bool *chosen) {
  for (uint32_t p = 0; p < n->net->n_places; p++)
    if (chosen[p] && n->net->marked[p] && is_control(n, p, thread) && !net_consumers(n->net, (PlaceId){p}).n)
      return true;
  return false;
}

/* Is the thread over wherever it may be waiting? */
static bool ends_well(const Never *n, uint32_t thread, const bool *over) {
  const ThreadView *view = &n->classes.program;
  if (is_nobody(n, thread) || stays(n, thread, over)) return true;
  for (uint32_t s = view->state_start[thread]; s < view->state_start[thread + 1]; s++) {
    const uint32_t control = control_of(n, thread, s);
    if (bitset_has(n->waiting, control) && !has_place(n, s, over) && !has_object_place(n, control, over)) return false;
  }
  return true;
}

static bool has_no_deadlock(Never *n, const bool *over) {
  const Classes *c = &n->classes;
  bool good = true;
  for (uint32_t class = 0; class < c->n_classes; class ++)
    if (n->class_start.at[class] == n->class_start.at[class + 1]) return true; /* something is always enabled */
  for (uint32_t t = 0; good && t < n->net->notes->n_threads; t++) good = ends_well(n, t, over);
  return good;
}

bool never_waits(Never *never, const bool *over) {
  Heap *heap = never->heap;
  const size_t words = bitset_words(never->classes.n_controls);
  never->waiting = heap_alloc(heap, (words + 1) * sizeof *never->waiting);
  for (size_t i = 0; i < words; i++) never->waiting[i] = never->facts.reached[i];
  never->at_kind = new_threads(never);
  const bool good = shrink(never) && has_no_deadlock(never, over);
  heap_release(heap, never->waiting);
  heap_release(heap, never->at_kind);
  vec_fini(heap, &never->class_start);
  vec_fini(heap, &never->class_kinds);
  vec_fini(heap, &never->cases);
  vec_fini(heap, &never->values);
  return good && proved(never, "over", over, NULL);
}
