#include "prove/environment.h"

#include <assert.h>
#include <string.h>

enum { MORE_CONTROLS = 16 };

void environment_init(Environment *environment, Movers *movers) {
  const Known *facts = movers->links->facts;
  const Classes *classes = facts->classes;
  Heap *heap = facts->heap;
  Environment e = {.movers = movers, .facts = facts};
  e.item_at = heap_alloc(heap, heap_product(heap, (uint64_t)classes->n_objects + 1, sizeof *e.item_at));
  for (uint32_t o = 0; o < classes->n_objects; o++) {
    e.item_at[o] = e.n_items;
    if (classes->objects[o].n_values > (UINT32_MAX - e.n_items) / 2) heap_give_up(heap);
    e.n_items += 2 * classes->objects[o].n_values;
  }
  e.row_of = heap_alloc(heap, heap_product(heap, (uint64_t)classes->n_controls + 1, sizeof *e.row_of));
  for (uint32_t c = 0; c < classes->n_controls; c++) e.row_of[c] = NOTE_NONE;
  e.step_stamp = heap_zeroed(heap, heap_product(heap, (uint64_t)classes->n_steps + 1, sizeof *e.step_stamp));
  e.control_stamp = heap_zeroed(heap, heap_product(heap, (uint64_t)classes->n_controls + 1, sizeof *e.control_stamp));
  e.item_stamp = heap_zeroed(heap, heap_product(heap, (uint64_t)e.n_items + 1, sizeof *e.item_stamp));
  e.item_class = heap_alloc(heap, heap_product(heap, (uint64_t)e.n_items + 1, sizeof *e.item_class));
  e.parent = heap_alloc(heap, heap_product(heap, (uint64_t)classes->n_steps + 1, sizeof *e.parent));
  *environment = e;
}

void environment_fini(Environment *environment) {
  Heap *heap = environment->facts->heap;
  heap_release(heap, environment->row_of);
  heap_release(heap, environment->step_stamp);
  heap_release(heap, environment->control_stamp);
  heap_release(heap, environment->item_stamp);
  heap_release(heap, environment->item_class);
  heap_release(heap, environment->item_at);
  heap_release(heap, environment->parent);
  vec_fini(heap, &environment->controls);
  vec_fini(heap, &environment->rows);
  vec_fini(heap, &environment->pairs);
  vec_fini(heap, &environment->queue);
}

/* ---- the thread's ways through the block, with the step by which a chain has left ---- */

static void add_control(Environment *e, uint32_t control) {
  if (e->row_of[control] != NOTE_NONE) return;
  e->row_of[control] = e->controls.n;
  vec_push(e->facts->heap, &e->controls, control);
  vec_push(e->facts->heap, &e->rows, NULL);
}

static void add_pair(Environment *e, uint32_t control, uint32_t step) {
  Heap *heap = e->facts->heap;
  uint64_t **row = &e->rows.at[e->row_of[control]];
  if (!*row) *row = heap_zeroed(heap, bitset_words(e->facts->classes->n_steps) * sizeof **row);
  if (bitset_has(*row, step)) return;
  bitset_add(*row, step);
  vec_push(heap, &e->pairs, (uint64_t)control << 32 | step);
}

/* The step is in the block; by which steps of others may a chain leave there? */
static void leave(Environment *e, uint32_t step) {
  const Links *links = e->movers->links;
  const uint32_t to = e->facts->classes->steps[step].to;
  add_control(e, to);
  if (!movers_leave(e->movers, step)) return;
  const TouchList touches = classes_touches(e->facts->classes, step);
  for (uint32_t i = 0; i < touches.n; i++) {
    const ToucherList others = links_touchers(links, touches.at[i].object);
    for (uint32_t k = 0; k < others.n; k++)
      if (links_join(&touches.at[i], &others.at[k].touch) && links_picks_up(links, step, others.at[k].step))
        add_pair(e, to, others.at[k].step);
  }
}

static void leave_from(Environment *e, uint32_t control, uint32_t block) {
  const Classes *classes = e->facts->classes;
  for (uint32_t step = classes->step_start[control]; step < classes->step_start[control + 1]; step++)
    if (movers_is_inside(e->facts, step, block)) leave(e, step);
}

static void begin_block(Environment *e, uint32_t class, uint32_t block) {
  const Classes *classes = e->facts->classes;
  const uint32_t first = classes_first_step(classes, class);
  const uint32_t behind = classes_first_step(classes, class + 1);
  for (uint32_t step = first; step < behind; step++)
    if (classes->steps[step].begin == block && known_is_live(e->facts, step)) leave(e, step);
}

/* The thread goes on; the other step may come before that or after it. */
static void carry(Environment *e, uint64_t pair, uint32_t block) {
  const Classes *classes = e->facts->classes;
  const uint32_t control = (uint32_t)(pair >> 32), other = (uint32_t)pair;
  for (uint32_t step = classes->step_start[control]; step < classes->step_start[control + 1]; step++)
    if (movers_is_inside(e->facts, step, block) && known_pass(e->facts, other, classes->steps[step].to))
      add_pair(e, classes->steps[step].to, other);
}

static bool walk_block(Environment *e, uint32_t class, uint32_t block) {
  begin_block(e, class, block);
  for (uint32_t i = 0; i < e->controls.n; i++) {
    leave_from(e, e->controls.at[i], block);
    if (heap_asked(e->facts->heap)) return false;
  }
  for (uint32_t i = 0; i < e->pairs.n; i++) {
    carry(e, e->pairs.at[i], block);
    if (i % 1024 == 0 && heap_asked(e->facts->heap)) return false;
  }
  return true;
}

/* ---- the chain's ways through the others, while the thread is at a control ---- */

static void reach_step(Environment *e, uint32_t control, uint32_t step, ChainParent parent) {
  if (e->step_stamp[step] == e->round || !known_is_live(e->facts, step) || !known_pass(e->facts, step, control)) return;
  e->step_stamp[step] = e->round;
  e->parent[step] = parent;
  vec_push(e->facts->heap, &e->queue, step);
}

/* The chain goes on with the thread that has taken the step. */
static void go_on(Environment *e, uint32_t control, uint32_t step) {
  const Classes *classes = e->facts->classes;
  const uint32_t at = classes->steps[step].to;
  if (e->control_stamp[at] == e->round) return;
  e->control_stamp[at] = e->round;
  for (uint32_t next = classes->step_start[at]; next < classes->step_start[at + 1]; next++)
    reach_step(e, control, next, (ChainParent){step, true});
}

/* Is the item reached by a thread that has not reached it before? It matters only up to two classes: a class that is a
 * single thread hands nothing over to itself. */
static bool reach_item(Environment *e, uint32_t item, uint32_t class) {
  const bool is_new = e->item_stamp[item] != e->round;
  if (!is_new && (e->item_class[item] == class || e->item_class[item] == NOTE_NONE)) return false;
  e->item_stamp[item] = e->round;
  e->item_class[item] = is_new ? class : NOTE_NONE;
  return true;
}

/* Or with another one that takes what the step has put. */
static void hand_over(Environment *e, uint32_t control, uint32_t step) {
  const Classes *classes = e->facts->classes;
  const TouchList touches = classes_touches(classes, step);
  const uint32_t class = classes_of_step(classes, step);
  for (uint32_t i = 0; i < touches.n; i++) {
    const Touch *touch = &touches.at[i];
    if (!reach_item(e, e->item_at[touch->object] + 2 * touch->post + touch->writes, class)) continue;
    const ToucherList others = links_touchers(e->movers->links, touch->object);
    for (uint32_t k = 0; k < others.n; k++)
      if (links_join(touch, &others.at[k].touch) &&
          classes_are_two(classes, class, classes_of_step(classes, others.at[k].step)))
        reach_step(e, control, others.at[k].step, (ChainParent){step, false});
  }
}

static bool joins(const Classes *classes, uint32_t step, uint32_t next) {
  const TouchList a = classes_touches(classes, step), b = classes_touches(classes, next);
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t k = 0; k < b.n; k++)
      if (a.at[i].object == b.at[k].object && links_join(&a.at[i], &b.at[k])) return true;
  return false;
}

/* Does the thread, at the control, take what the step has put? */
static bool comes_back(Environment *e, uint32_t control, uint32_t step, uint32_t block) {
  const Classes *classes = e->facts->classes;
  for (uint32_t own = classes->step_start[control]; own < classes->step_start[control + 1]; own++)
    if (movers_is_inside(e->facts, own, block) && joins(classes, step, own)) return true;
  return false;
}

static bool may_enter(Environment *e, uint32_t control, uint32_t block) {
  const Classes *classes = e->facts->classes;
  for (uint32_t own = classes->step_start[control]; own < classes->step_start[control + 1]; own++)
    if (movers_is_inside(e->facts, own, block) && movers_enter(e->movers, own)) return true;
  return false;
}

static void next_round(Environment *e) {
  vec_clear(&e->queue);
  if (++e->round) return;
  const Classes *classes = e->facts->classes;
  for (uint32_t i = 0; i < classes->n_steps; i++) e->step_stamp[i] = 0;
  for (uint32_t i = 0; i < classes->n_controls; i++) e->control_stamp[i] = 0;
  for (uint32_t i = 0; i < e->n_items; i++) e->item_stamp[i] = 0;
  e->round = 1;
}

/* Steps by which a chain has left when the thread comes to the control of the row. False if none can come back there.
 */
static bool start_chains(Environment *e, uint32_t row, uint32_t block) {
  const uint32_t control = e->controls.at[row];
  if (!e->rows.at[row] || !may_enter(e, control, block)) return false;
  next_round(e);
  for (uint32_t step = 0; step < e->facts->classes->n_steps; step++)
    if (bitset_has(e->rows.at[row], step)) reach_step(e, control, step, (ChainParent){NOTE_NONE, false});
  return true;
}

static void extend_chain(Environment *e, uint32_t control, uint32_t step) {
  go_on(e, control, step);
  hand_over(e, control, step);
}

/* The last step of a chain that comes back, or NOTE_NONE. */
static uint32_t search_chain(Environment *e, uint32_t row, uint32_t block) {
  const uint32_t control = e->controls.at[row];
  if (!start_chains(e, row, block)) return NOTE_NONE;
  for (uint32_t i = 0; i < e->queue.n; i++) {
    if (comes_back(e, control, e->queue.at[i], block)) return e->queue.at[i];
    extend_chain(e, control, e->queue.at[i]);
  }
  return NOTE_NONE;
}

/* From its end to its start, then the right way round. */
static void tell_chain(const Environment *e, uint32_t last, U32Vec *chain) {
  Heap *heap = e->facts->heap;
  vec_clear(chain);
  for (uint32_t step = last; step != NOTE_NONE; step = e->parent[step].step) {
    vec_push(heap, chain, step);
    if (!e->parent[step].same) vec_push(heap, chain, CHAIN_HANDED);
  }
  for (uint32_t i = 0, k = chain->n - 1; i < k; i++, k--) {
    const uint32_t other = chain->at[i];
    chain->at[i] = chain->at[k];
    chain->at[k] = other;
  }
}

/* How many threads it takes. */
static uint32_t count_threads(const Environment *e, uint32_t last) {
  uint32_t n = 0;
  for (uint32_t step = last; step != NOTE_NONE; step = e->parent[step].step) n += !e->parent[step].same;
  return n;
}

/* Once there is a chain, a few more controls are searched for one with fewer threads. */
static EnvironmentAnswer search_chains(Environment *e, uint32_t block, U32Vec *chain) {
  uint32_t least = UINT32_MAX, more = MORE_CONTROLS;
  for (uint32_t row = 0; row < e->controls.n && least > 1 && more; row++) {
    const uint32_t last = search_chain(e, row, block), n = count_threads(e, last);
    if (last != NOTE_NONE && n < least) {
      tell_chain(e, last, chain);
      least = n;
    }
    if (least != UINT32_MAX) more--;
    if (heap_asked(e->facts->heap)) return ENVIRONMENT_ASKED;
  }
  return chain->n ? ENVIRONMENT_CHAIN : ENVIRONMENT_PROVES;
}

static void forget_block(Environment *e) {
  for (uint32_t row = 0; row < e->controls.n; row++) {
    e->row_of[e->controls.at[row]] = NOTE_NONE;
    heap_release(e->facts->heap, e->rows.at[row]);
  }
  vec_clear(&e->controls);
  vec_clear(&e->rows);
  vec_clear(&e->pairs);
}

EnvironmentAnswer environment_prove(Environment *environment, uint32_t class, uint32_t block, U32Vec *chain) {
  assert(!environment->controls.n && !chain->n);
  const EnvironmentAnswer answer =
      walk_block(environment, class, block) ? search_chains(environment, block, chain) : ENVIRONMENT_ASKED;
  forget_block(environment);
  return answer;
}

/* ---- who is on any chain that comes back ---- */

typedef struct {
  bool *step, *control, *item; /* is there a way back from there? */
} WaysBack;

static uint32_t item_of(const Environment *e, const Touch *touch, uint32_t value, bool written) {
  return e->item_at[touch->object] + 2 * value + written;
}

static bool has_way_back(const Environment *e, const WaysBack *ways, uint32_t step) {
  const TouchList touches = classes_touches(e->facts->classes, step);
  bool any = ways->control[e->facts->classes->steps[step].to];
  for (uint32_t i = 0; i < touches.n; i++)
    any =
        any || (touches.at[i].puts && ways->item[item_of(e, &touches.at[i], touches.at[i].post, touches.at[i].writes)]);
  return any;
}

/* So there is one from where the step may be taken, and from what it may take. */
static void add_way_back(const Environment *e, WaysBack *ways, uint32_t step) {
  const TouchList touches = classes_touches(e->facts->classes, step);
  ways->step[step] = ways->control[e->facts->classes->steps[step].from] = true;
  for (uint32_t i = 0; i < touches.n; i++) {
    const Touch *touch = &touches.at[i];
    if (!touch->takes) continue;
    ways->item[item_of(e, touch, touch->pre, true)] = true;
    if (touch->writes) ways->item[item_of(e, touch, touch->pre, false)] = true;
  }
}

/* All chains at the control of the row were followed: from their ends back, until there is no more. */
static void follow_back(Environment *e, uint32_t row, uint32_t block, WaysBack *ways, uint64_t *classes) {
  const Classes *c = e->facts->classes;
  memset(ways->step, 0, c->n_steps + (size_t)1);
  memset(ways->control, 0, c->n_controls + (size_t)1);
  memset(ways->item, 0, e->n_items + (size_t)1);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = e->queue.n; i-- > 0;) {
      const uint32_t step = e->queue.at[i];
      if (ways->step[step]) continue;
      if (!has_way_back(e, ways, step) && !comes_back(e, e->controls.at[row], step, block)) continue;
      add_way_back(e, ways, step);
      bitset_add(classes, classes_of_step(c, step));
      more = true;
    }
  }
}

static bool find_users(Environment *e, uint32_t block, WaysBack *ways, uint64_t *classes) {
  for (uint32_t row = 0; row < e->controls.n; row++) {
    if (!start_chains(e, row, block)) continue;
    for (uint32_t i = 0; i < e->queue.n; i++) extend_chain(e, e->controls.at[row], e->queue.at[i]);
    follow_back(e, row, block, ways, classes);
    if (heap_asked(e->facts->heap)) return false;
  }
  return true;
}

bool environment_users(Environment *environment, uint32_t class, uint32_t block, uint64_t *classes) {
  Heap *heap = environment->facts->heap;
  WaysBack ways = {heap_alloc(heap, environment->facts->classes->n_steps + (size_t)1),
                   heap_alloc(heap, environment->facts->classes->n_controls + (size_t)1),
                   heap_alloc(heap, environment->n_items + (size_t)1)};
  const bool good = walk_block(environment, class, block) && find_users(environment, block, &ways, classes);
  forget_block(environment);
  heap_release(heap, ways.step);
  heap_release(heap, ways.control);
  heap_release(heap, ways.item);
  return good;
}
