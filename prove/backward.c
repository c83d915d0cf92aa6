/* A violation has the shape that docs/proofs.md gives it: the threads do what comes before; then T alone begins the
 * block and goes on; then the others alone carry the chain; then T takes the step with which it comes back. An element
 * stands for all configurations with at least its threads, in which its objects have its values. Its numbers are
 *
 *     a control              a thread is there, neither T in the block nor who carries the chain
 *     n_controls + value     an object has that value; of each object that has several
 *
 * and its key says where T and the chain are. No element is kept that contradicts what is known of the threads: there
 * is no such configuration. */
#include "prove/backward_inside.h"

#include "prove/cutoff.h"

#include <string.h>

/* ---- numbers of an element ---- */

static void number_values(Backward *b) {
  const Classes *c = &b->classes;
  uint64_t n = c->n_controls;
  b->value_at = heap_alloc(b->heap, heap_product(b->heap, (uint64_t)c->n_objects + 1, sizeof *b->value_at));
  for (uint32_t o = 0; o < c->n_objects; o++) {
    b->value_at[o] = c->objects[o].n_values > 1 ? (uint32_t)n : NOTE_NONE;
    if (c->objects[o].n_values > 1) n += c->objects[o].n_values;
    if (n >= NOTE_NONE) heap_give_up(b->heap);
  }
  b->n_places = (uint32_t)n;
  b->object_of =
      heap_alloc(b->heap, heap_product(b->heap, (uint64_t)b->n_places - c->n_controls + 1, sizeof *b->object_of));
  for (uint32_t o = 0; o < c->n_objects; o++)
    for (uint32_t v = 0; b->value_at[o] != NOTE_NONE && v < c->objects[o].n_values; v++)
      b->object_of[b->value_at[o] - c->n_controls + v] = o;
}

static void add_maker(Backward *b, uint32_t *next, uint32_t step) {
  const TouchList touches = classes_touches(&b->classes, step);
  b->makers[next[b->classes.steps[step].to]++] = step;
  for (uint32_t i = 0; i < touches.n; i++) {
    const Touch *touch = &touches.at[i];
    if (b->value_at[touch->object] != NOTE_NONE && touch->pre != touch->post)
      b->makers[next[b->value_at[touch->object] + touch->post]++] = step;
  }
}

static void count_makers(Backward *b) {
  const Classes *c = &b->classes;
  for (uint32_t step = 0; step < c->n_steps; step++) {
    if (!known_is_live(&b->facts, step)) continue;
    const TouchList touches = classes_touches(c, step);
    b->maker_start[c->steps[step].to + 1]++;
    for (uint32_t i = 0; i < touches.n; i++) {
      const Touch *touch = &touches.at[i];
      if (b->value_at[touch->object] != NOTE_NONE && touch->pre != touch->post)
        b->maker_start[b->value_at[touch->object] + touch->post + 1]++;
    }
  }
  for (uint32_t p = 0; p < b->n_places; p++) b->maker_start[p + 1] += b->maker_start[p];
}

static void list_makers(Backward *b) {
  const size_t bytes = heap_product(b->heap, (uint64_t)b->n_places + 2, sizeof *b->maker_start);
  b->maker_start = heap_zeroed(b->heap, bytes);
  count_makers(b);
  b->makers = heap_alloc(b->heap, heap_product(b->heap, (uint64_t)b->maker_start[b->n_places] + 1, sizeof *b->makers));
  uint32_t *next = heap_alloc(b->heap, bytes);
  memcpy(next, b->maker_start, bytes);
  for (uint32_t step = 0; step < b->classes.n_steps; step++)
    if (known_is_live(&b->facts, step)) add_maker(b, next, step);
  heap_release(b->heap, next);
}

/* ---- elements that no configuration is above ---- */

static bool contradict(const Backward *b, uint32_t p, uint32_t q) {
  if (!backward_is_control(b, p) && !backward_is_control(b, q)) return backward_object(b, p) == backward_object(b, q);
  if (!backward_is_control(b, p)) return !known_allows(&b->facts, q, backward_object(b, p), backward_value(b, p));
  if (!backward_is_control(b, q)) return !known_allows(&b->facts, p, backward_object(b, q), backward_value(b, q));
  return !classes_are_two(&b->classes, b->classes.class_of[p], b->classes.class_of[q]) || !known_meet(&b->facts, p, q);
}

static bool is_contradictory(const Backward *b) {
  for (uint32_t i = 0; i < b->all.n; i++)
    for (uint32_t k = 0; k < i; k++)
      if (contradict(b, b->all.at[i], b->all.at[k])) return true;
  return false;
}

static bool exceeds(const Backward *b) {
  for (uint32_t i = 0; i < b->all.n; i++) {
    if (!backward_is_control(b, b->all.at[i])) continue;
    const uint32_t class = b->classes.class_of[b->all.at[i]];
    if (b->count[class] > counted_most(&b->counted, class)) return true;
  }
  return false;
}

/* Going back, threads are only added: with as many as an initial configuration that was found, nothing new is. */
static bool is_beyond_found(const Backward *b) {
  for (uint32_t i = 0; i < b->found.n; i++) {
    uint32_t k = 0;
    while (k < b->classes.n_classes && b->count[k] >= b->found.at[i][k]) k++;
    if (k == b->classes.n_classes) return true;
  }
  return false;
}

static bool is_initial(const Backward *b) {
  for (uint32_t i = 0; i < b->made.n; i++) {
    const uint32_t p = b->made.at[i];
    if (backward_is_control(b, p) ? b->classes.classes.at[b->classes.class_of[p]].controls != p
                                  : b->classes.objects[backward_object(b, p)].initial != backward_value(b, p))
      return false;
  }
  return true;
}

static void keep_found(Backward *b) {
  const size_t size = b->classes.n_classes * sizeof(uint32_t);
  uint32_t *need = heap_alloc(b->heap, size + 1);
  memcpy(need, b->count, size);
  vec_push(b->heap, &b->found, need);
}

static void count_all(Backward *b) {
  for (uint32_t i = 0; i < b->all.n; i++)
    if (backward_is_control(b, b->all.at[i])) b->count[b->classes.class_of[b->all.at[i]]]++;
}

static void count_none(Backward *b) {
  for (uint32_t i = 0; i < b->all.n; i++)
    if (backward_is_control(b, b->all.at[i])) b->count[b->classes.class_of[b->all.at[i]]] = 0;
}

/* All that an element says of: with T, and who carries the chain. */
static void list_all(Backward *b, const U32Vec *numbers, ChainKey key) {
  vec_clear(&b->all);
  for (uint32_t i = 0; i < numbers->n; i++) vec_push(b->heap, &b->all, numbers->at[i]);
  if (key.kind != CHAIN_NONE) vec_push(b->heap, &b->all, key.control);
  if (key.kind == CHAIN_CARRIED) vec_push(b->heap, &b->all, key.at);
}

/* The last element is to be gone back from. */
static void enqueue(Backward *b) {
  uint32_t n_threads = 0;
  for (uint32_t i = 0; i < b->all.n; i++) n_threads += backward_is_control(b, b->all.at[i]);
  if (n_threads >= b->levels.n) vec_resize_zeroed(b->heap, &b->levels, n_threads + 1);
  vec_push(b->heap, &b->levels.at[n_threads], b->set.elements.n - 1);
}

/* b->made becomes an element with this key, if there can be such a configuration. */
static void add(Backward *b, ChainKey key) {
  const uint32_t words[3] = {key.kind, key.control, key.at};
  list_all(b, &b->made, key);
  if (is_contradictory(b)) return;
  count_all(b);
  if (!exceeds(b) && !is_beyond_found(b) && upward_add(&b->set, words, b->made.at, b->made.n)) {
    if (key.kind == CHAIN_NONE && is_initial(b)) keep_found(b);
    else enqueue(b);
  }
  count_none(b);
}

/* ---- one step back ---- */

static void remove_at(U32Vec *numbers, uint32_t i) {
  memmove(numbers->at + i, numbers->at + i + 1, (numbers->n - i - 1) * sizeof *numbers->at);
  numbers->n--;
}

static void insert(Heap *heap, U32Vec *numbers, uint32_t number) {
  vec_push(heap, numbers, number);
  uint32_t i = numbers->n - 1;
  for (; i > 0 && numbers->at[i - 1] > number; i--) numbers->at[i] = numbers->at[i - 1];
  numbers->at[i] = number;
}

static uint32_t find(const U32Vec *numbers, uint32_t number) {
  uint32_t i = 0;
  while (i < numbers->n && numbers->at[i] != number) i++;
  return i;
}

/* The object had the value that the step finds, and got the one that it leaves. False if it has another one. */
static bool restore(Backward *b, const Touch *touch) {
  const uint32_t first = b->value_at[touch->object];
  if (first == NOTE_NONE) return true;
  uint32_t i = 0;
  while (i < b->made.n && (backward_is_control(b, b->made.at[i]) || backward_object(b, b->made.at[i]) != touch->object))
    i++;
  if (i < b->made.n && backward_value(b, b->made.at[i]) != touch->post) return false;
  if (i < b->made.n) remove_at(&b->made, i);
  insert(b->heap, &b->made, first + touch->pre);
  return true;
}

/* Is the thread that takes the step one of the numbers afterwards, and before? */
typedef enum { COUNTED_NEVER = 0, COUNTED_BEHIND = 1, COUNTED_BEFORE = 2, COUNTED_ALWAYS = 3 } StepThread;

/* b->made becomes the least with which the step leads to what is above b->current. False if there is none. */
static bool take_back(Backward *b, uint32_t step, StepThread thread) {
  const ClassStep *at = &b->classes.steps[step];
  const TouchList touches = classes_touches(&b->classes, step);
  vec_clear(&b->made);
  for (uint32_t i = 0; i < b->current.n; i++) vec_push(b->heap, &b->made, b->current.at[i]);
  const uint32_t behind = find(&b->made, at->to);
  if (thread & COUNTED_BEHIND && behind < b->made.n) remove_at(&b->made, behind);
  for (uint32_t i = 0; i < touches.n; i++)
    if (!restore(b, &touches.at[i])) return false;
  if (thread & COUNTED_BEFORE) insert(b->heap, &b->made, at->from);
  return true;
}

static void go_back(Backward *b, uint32_t step, StepThread thread, ChainKey key) {
  if (take_back(b, step, thread)) add(b, key);
}

static const Touch *touch_of(const Backward *b, uint32_t step, uint32_t object) {
  const TouchList touches = classes_touches(&b->classes, step);
  for (uint32_t i = 0; i < touches.n; i++)
    if (touches.at[i].object == object) return &touches.at[i];
  return NULL;
}

/* Does the step put what may be item `at`? */
static bool puts_item(const Backward *b, uint32_t step, uint32_t at) {
  const Touch *touch = touch_of(b, step, at / 2);
  return touch && touch->puts && touch->writes == at % 2;
}

static bool writes_item(const Backward *b, uint32_t step, uint32_t at) {
  const Touch *touch = touch_of(b, step, at / 2);
  return touch && touch->writes;
}

/* The thread, no longer or not yet with the chain, has taken it from an item that it touches. */
static void pick_up(Backward *b, uint32_t step, StepThread thread, uint32_t control) {
  const TouchList touches = classes_touches(&b->classes, step);
  for (uint32_t i = 0; i < touches.n; i++)
    for (uint32_t wrote = touches.at[i].writes ? 0 : 1; touches.at[i].takes && wrote < 2; wrote++) {
      const uint32_t item = 2 * touches.at[i].object + wrote;
      go_back(b, step, thread, (ChainKey){CHAIN_PASSED, control, item});
      go_back(b, step, thread, (ChainKey){CHAIN_LEFT, control, item});
    }
}

/* ---- from each kind of element ---- */

/* A thread that does nothing for the chain has taken a step. One that makes nothing that is asked for leads nowhere. */
static void step_aside(Backward *b, ChainKey key) {
  b->round++;
  for (uint32_t i = 0; i < b->current.n; i++)
    for (uint32_t m = b->maker_start[b->current.at[i]]; m < b->maker_start[b->current.at[i] + 1]; m++) {
      const uint32_t step = b->makers[m];
      if (b->stamp[step] == b->round) continue;
      b->stamp[step] = b->round;
      if (key.kind != CHAIN_NONE && !known_pass(&b->facts, step, key.control)) continue;
      if (key.kind == CHAIN_PASSED && writes_item(b, step, key.at)) continue; /* it would take the chain */
      go_back(b, step, COUNTED_ALWAYS, key);
    }
}

/* Another thread has put the chain there: one that carried it, or that has picked it up with the same step. */
static void from_passed(Backward *b, ChainKey key) {
  const ToucherList touchers = links_touchers(&b->links, key.at / 2);
  for (uint32_t i = 0; i < touchers.n; i++) {
    const uint32_t step = touchers.at[i].step;
    if (!puts_item(b, step, key.at) || !known_pass(&b->facts, step, key.control)) continue;
    go_back(b, step, COUNTED_BEHIND, (ChainKey){CHAIN_CARRIED, key.control, b->classes.steps[step].from});
    pick_up(b, step, COUNTED_ALWAYS, key.control);
  }
  step_aside(b, key);
}

static void from_carried(Backward *b, ChainKey key) {
  for (uint32_t m = b->maker_start[key.at]; m < b->maker_start[key.at + 1]; m++) {
    const uint32_t step = b->makers[m];
    if (!known_pass(&b->facts, step, key.control)) continue;
    go_back(b, step, COUNTED_NEVER, (ChainKey){CHAIN_CARRIED, key.control, b->classes.steps[step].from});
    pick_up(b, step, COUNTED_BEFORE, key.control);
  }
  step_aside(b, key);
}

/* T has come to where it is. */
static void from_own(Backward *b, ChainKey key) {
  for (uint32_t m = b->maker_start[key.control]; m < b->maker_start[key.control + 1]; m++) {
    const uint32_t step = b->makers[m], from = b->classes.steps[step].from;
    const bool left = key.kind == CHAIN_LEFT, puts = !left || puts_item(b, step, key.at);
    if (b->classes.steps[step].begin == b->block && puts)
      go_back(b, step, COUNTED_BEFORE, (ChainKey){CHAIN_NONE, NOTE_NONE, NOTE_NONE});
    if (b->classes.steps[step].end == b->block || !bitset_has(b->inside, from)) continue;
    if (puts) go_back(b, step, COUNTED_NEVER, (ChainKey){CHAIN_WITH_T, from, NOTE_NONE});
    if (left && !writes_item(b, step, key.at)) go_back(b, step, COUNTED_NEVER, (ChainKey){CHAIN_LEFT, from, key.at});
  }
}

static void from_element(Backward *b, ChainKey key) {
  switch ((ChainKind)key.kind) {
  case CHAIN_NONE: step_aside(b, key); break;
  case CHAIN_WITH_T:
  case CHAIN_LEFT: from_own(b, key); break;
  case CHAIN_PASSED: from_passed(b, key); break;
  case CHAIN_CARRIED: from_carried(b, key); break;
  }
}

/* Makes it b->current. False if nothing new can come of it. */
static bool take_element(Backward *b, uint32_t i, ChainKey *key) {
  const UpwardElement *element = &b->set.elements.at[i];
  uint32_t words[3];
  if (element->is_dropped) return false;
  upward_key(&b->set, i, words);
  *key = (ChainKey){words[0], words[1], words[2]};
  vec_clear(&b->current);
  for (uint32_t k = 0; k < element->n; k++) vec_push(b->heap, &b->current, b->set.numbers.at[element->at + k]);
  list_all(b, &b->current, *key);
  count_all(b);
  const bool is_beyond = is_beyond_found(b);
  count_none(b);
  return !is_beyond;
}

/* ---- where the search starts ---- */

static void enter(Backward *b, U32Vec *queue, uint32_t control) {
  if (bitset_has(b->inside, control)) return;
  bitset_add(b->inside, control);
  vec_push(b->heap, queue, control);
}

static void find_inside(Backward *b) {
  const Classes *c = &b->classes;
  U32Vec queue = {0};
  memset(b->inside, 0, (bitset_words(c->n_controls) + 1) * sizeof *b->inside);
  for (uint32_t step = 0; step < c->n_steps; step++)
    if (c->steps[step].begin == b->block && known_is_live(&b->facts, step)) enter(b, &queue, c->steps[step].to);
  for (uint32_t i = 0; i < queue.n; i++)
    for (uint32_t step = c->step_start[queue.at[i]]; step < c->step_start[queue.at[i] + 1]; step++)
      if (known_is_live(&b->facts, step) && c->steps[step].end != b->block) enter(b, &queue, c->steps[step].to);
  vec_fini(b->heap, &queue);
}

/* T takes the step, and with it the chain from an item that another thread has put it on. */
static void come_back(Backward *b, uint32_t step) {
  const TouchList touches = classes_touches(&b->classes, step);
  const uint32_t control = b->classes.steps[step].from;
  vec_clear(&b->made);
  for (uint32_t i = 0; i < touches.n; i++)
    if (b->value_at[touches.at[i].object] != NOTE_NONE)
      insert(b->heap, &b->made, b->value_at[touches.at[i].object] + touches.at[i].pre);
  for (uint32_t i = 0; i < touches.n; i++)
    for (uint32_t wrote = touches.at[i].writes ? 0 : 1; touches.at[i].takes && wrote < 2; wrote++)
      add(b, (ChainKey){CHAIN_PASSED, control, 2 * touches.at[i].object + wrote});
}

static void start(Backward *b) {
  const Classes *c = &b->classes;
  find_inside(b);
  for (uint32_t step = 0; step < c->n_steps; step++)
    if (bitset_has(b->inside, c->steps[step].from) && known_is_live(&b->facts, step) && c->steps[step].end != b->block)
      come_back(b, step);
}

/* ---- the search ---- */

/* Those with few threads first: so the least numbers are found first, and going back never takes a thread away. */
static BackwardAnswer search(Backward *b, uint64_t max_elements) {
  ChainKey key;
  start(b);
  for (uint32_t level = 0; level < b->levels.n; level++)
    for (uint32_t i = 0; i < b->levels.at[level].n; i++) {
      if (max_elements && b->set.elements.n > max_elements) return BACKWARD_LIMIT;
      if (heap_asked(b->heap)) return BACKWARD_ASKED;
      if (take_element(b, b->levels.at[level].at[i], &key)) from_element(b, key);
    }
  return b->found.n ? BACKWARD_FOUND : BACKWARD_NEVER;
}

static void forget(Backward *b) {
  for (uint32_t i = 0; i < b->found.n; i++) heap_release(b->heap, b->found.at[i]);
  for (uint32_t i = 0; i < b->levels.n; i++) vec_fini(b->heap, &b->levels.at[i]);
  vec_clear(&b->found);
  vec_clear(&b->levels);
  upward_fini(&b->set);
}

/* Of all that were found. */
static void find_first(const Backward *b, uint32_t *tuple) {
  const uint32_t n = b->counted.n_open;
  uint32_t *one = heap_alloc(b->heap, ((size_t)n + 1) * sizeof *one);
  for (uint32_t i = 0; i < b->found.n; i++) {
    counted_least(&b->counted, b->found.at[i], one);
    if (i == 0 || counted_is_before(one, tuple, n)) memcpy(tuple, one, n * sizeof *one);
  }
  heap_release(b->heap, one);
}

BackwardAnswer backward_search(Backward *backward, uint32_t block, uint64_t max_elements, FILE *certificate,
                               uint32_t *tuple, uint64_t *n_elements) {
  Backward *b = backward;
  b->block = block;
  upward_init(&b->set, b->heap);
  const BackwardAnswer answer = search(b, max_elements);
  *n_elements = b->set.elements.n;
  if (answer == BACKWARD_FOUND) find_first(b, tuple);
  if (answer == BACKWARD_NEVER && certificate) backward_write(b, certificate);
  forget(b);
  return answer;
}

bool backward_begins(const Backward *backward, uint32_t block) {
  for (uint32_t step = 0; step < backward->classes.n_steps; step++)
    if (backward->classes.steps[step].begin == block && known_is_live(&backward->facts, step)) return true;
  return false;
}

uint32_t backward_cutoff(const Backward *backward) { return cutoff_others(&backward->facts); }

/* ---- its life ---- */

static void prepare(Backward *b) {
  const Classes *c = &b->classes;
  links_init(&b->links, &b->facts);
  number_values(b);
  list_makers(b);
  b->inside = heap_alloc(b->heap, (bitset_words(c->n_controls) + 1) * sizeof *b->inside);
  b->stamp = heap_zeroed(b->heap, heap_product(b->heap, (uint64_t)c->n_steps + 1, sizeof *b->stamp));
  b->count = heap_zeroed(b->heap, heap_product(b->heap, (uint64_t)c->n_classes + 1, sizeof *b->count));
}

static bool find_classes(Backward *b, const Net *net, const OpenNumbers *open, Err *err) {
  if (!classes_init(&b->classes, b->heap, net, err)) return false;
  if (counted_init(&b->counted, b->heap, &b->classes, open)) return true;
  classes_fini(&b->classes);
  return err_set(err, ERR_INPUT, "the copies of a thread are not alike");
}

Backward *backward_new(Heap *heap, const Net *net, const OpenNumbers *open, Err *err) {
  Backward *b = heap_zeroed(heap, sizeof *b);
  b->heap = heap;
  if (!find_classes(b, net, open, err)) return heap_release(heap, b), NULL;
  if (known_init(&b->facts, heap, &b->classes)) return prepare(b), b;
  err_set(err, ERR_LIMIT, "the work was asked to end");
  counted_fini(&b->counted);
  classes_fini(&b->classes);
  heap_release(heap, b);
  return NULL;
}

void backward_free(Backward *backward) {
  if (!backward) return;
  Heap *heap = backward->heap;
  links_fini(&backward->links);
  known_fini(&backward->facts);
  counted_fini(&backward->counted);
  classes_fini(&backward->classes);
  heap_release(heap, backward->value_at);
  heap_release(heap, backward->object_of);
  heap_release(heap, backward->maker_start);
  heap_release(heap, backward->makers);
  heap_release(heap, backward->inside);
  heap_release(heap, backward->stamp);
  heap_release(heap, backward->count);
  vec_fini(heap, &backward->current);
  vec_fini(heap, &backward->made);
  vec_fini(heap, &backward->all);
  vec_fini(heap, &backward->found);
  vec_fini(heap, &backward->levels);
  heap_release(heap, backward);
}
