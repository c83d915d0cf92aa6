/* A word is followed by a small automaton, which says how far the goal is. Lengths of paths through procs are found
 * first, from their returns backwards, for each pair of states of the automaton before and after: D. Knuth's
 * generalization of Dijkstra's algorithm, for the length of a call is the sum of two others. Then Dijkstra's own
 * finds the way from the start of the thread, where a call is stepped over, or entered for good. */
#include "predict/pushdown/word.h"

#include <assert.h>

/* ORDER Stage: they only grow. */
typedef enum {
  BOTH_MISSING,
  SECOND_MISSING,
  EVENT_OVER, /* WORD_SPLIT: and so is the event of the first one */
  COMPLETE,
  STAGES
} Stage;

/* Steps in the upper half, nodes in the lower one: of the paths with the fewest steps one with the fewest nodes. In
 * an atomic there are no steps, but many nodes. */
typedef uint64_t Length;
#define STEP ((Length)1 << 32)
#define FAR UINT64_MAX
enum { MAX_NODES = 1 << 24 };

/* A node with one stage, or with one before and one at the return of its proc. */
typedef struct {
  Length length;
  uint32_t key;
} Item;

/* How a path through goes on. */
typedef struct {
  uint8_t stage; /* after the node; of a call, after it */
  bool other;    /* at node.other, for a choice */
  bool done;     /* its length is final */
} Way;

typedef struct {
  Heap *heap;
  const Control *c;
  WordGoal goal;
  uint32_t max;
  VEC(Item) queue; /* a binary heap, the shortest on top */
  Length *through; /* by through_key: length of a shortest path to the return, or FAR */
  Way *ways;       /* likewise */
  Length *reached; /* by reach_key: length of a shortest path from the start, or FAR */
  uint32_t *from;  /* likewise: the key before it */
  U32Vec stack;    /* of emit_through: keys */
  Word *word;
} Finder;

static uint32_t through_key(uint32_t node, uint32_t before, uint32_t after) {
  assert(before <= after && after < STAGES); /* they only grow */
  return (node * STAGES + before) * STAGES + after;
}
static uint32_t reach_key(uint32_t node, uint32_t stage) { return node * STAGES + stage; }
static const ControlNode *node_at(const Finder *f, uint32_t node) { return &f->c->nodes.at[node]; }
static uint32_t start_of(const Finder *f, const ControlNode *call) { return f->c->procs.at[call->other].start; }

/* ---- the queue ---- */

static void enqueue(Finder *f, Length length, uint32_t key) {
  vec_push(f->heap, &f->queue, ((Item){length, key}));
  Item *at = f->queue.at;
  for (uint32_t i = f->queue.n - 1; i && at[(i - 1) / 2].length > at[i].length; i = (i - 1) / 2) {
    const Item item = at[i];
    at[i] = at[(i - 1) / 2];
    at[(i - 1) / 2] = item;
  }
}

static Item dequeue(Finder *f) {
  assert(f->queue.n > 0);
  Item *at = f->queue.at;
  const Item top = at[0], last = at[--f->queue.n];
  uint32_t i = 0, child;
  for (; (child = 2 * i + 1) < f->queue.n; i = child) {
    if (child + 1 < f->queue.n && at[child + 1].length < at[child].length) child++;
    if (at[child].length >= last.length) break;
    at[i] = at[child];
  }
  at[i] = last;
  return top;
}

/* ---- the automaton ---- */

static bool is_access(const ControlNode *node, WordAccess access) {
  return node->object == access.object && node->write == access.write;
}

static bool passes_access(const Finder *f, const ControlNode *node, Stage before, Stage after) {
  const WordGoal *goal = &f->goal;
  if (before == BOTH_MISSING && after == SECOND_MISSING) return is_access(node, goal->first);
  if (before == BOTH_MISSING && after == COMPLETE)
    return goal->relation == WORD_ORDER && is_access(node, goal->first) && is_access(node, goal->second);
  if (before == (goal->relation == WORD_SPLIT ? EVENT_OVER : SECOND_MISSING) && after == COMPLETE)
    return is_access(node, goal->second);
  return before == after;
}

/* Can the stage be that one after the node, if it is this one before? Not for calls. */
static bool passes(const Finder *f, const ControlNode *node, Stage before, Stage after) {
  const bool pending = before == SECOND_MISSING || before == EVENT_OVER;
  if (node->kind == CONTROL_ACCESS) return passes_access(f, node, before, after);
  if (pending && f->goal.relation != WORD_ORDER) {
    if ((node->kind == CONTROL_DONE || node->kind == CONTROL_END) && !node->inside) return false;
    if (node->kind == CONTROL_DONE && f->goal.relation == WORD_SPLIT) return after == EVENT_OVER;
  }
  return before == after;
}

/* Calls in an event are a part of it. */
static bool is_step(const Finder *f, const ControlNode *node) {
  if (node->kind == CONTROL_CALL) return !f->c->procs.at[node->other].is_atomic;
  return node->kind == CONTROL_EVENT || node->kind == CONTROL_BEGIN || node->kind == CONTROL_END;
}

static Length cost(const Finder *f, const ControlNode *node) { return is_step(f, node) ? STEP + 1 : 1; }

static bool is_too_long(const Finder *f, Length length) { return length / STEP > f->max || length % STEP > MAX_NODES; }

/* ---- paths through procs ---- */

static void offer(Finder *f, uint32_t key, Length length, Stage stage, bool other) {
  if (is_too_long(f, length) || length >= f->through[key]) return;
  f->through[key] = length;
  f->ways[key] = (Way){(uint8_t)stage, other, false};
  enqueue(f, length, key);
}

static bool is_done(const Finder *f, uint32_t key) { return f->ways[key].done; }

/* A call: from `before` to `middle` in the callee, and on to `after`, if both are known. */
static void offer_call(Finder *f, uint32_t node, Stage before, Stage middle, Stage after) {
  const ControlNode *call = node_at(f, node);
  const uint32_t in = through_key(start_of(f, call), before, middle), behind = through_key(call->next, middle, after);
  if (is_done(f, in) && is_done(f, behind))
    offer(f, through_key(node, before, after), cost(f, call) + f->through[in] + f->through[behind], middle, false);
}

/* A shortest path is known from the node `next`; which does it give from a node before it? */
static void extend_back(Finder *f, uint32_t node, uint32_t next, Stage stage, Stage after) {
  const ControlNode *n = node_at(f, node);
  if (!control_goes_on(n)) return;
  const Length length = cost(f, n) + f->through[through_key(next, stage, after)];
  for (Stage before = 0; before <= stage; before++)
    if (n->kind == CONTROL_CALL) offer_call(f, node, before, stage, after);
    else if (passes(f, n, before, stage)) offer(f, through_key(node, before, after), length, stage, n->next != next);
}

static void extend(Finder *f, uint32_t key) {
  const Stage after = key % STAGES, before = key / STAGES % STAGES;
  const uint32_t node = key / STAGES / STAGES, proc = f->c->proc_at[node];
  assert(node < f->c->nodes.n && is_done(f, key));
  const ControlLists *nodes = &f->c->before, *calls = &f->c->callers;
  for (uint32_t i = nodes->start[node]; i < nodes->start[node + 1]; i++)
    extend_back(f, nodes->at[i], node, before, after);
  if (proc == CONTROL_NONE) return;
  for (uint32_t i = calls->start[proc]; i < calls->start[proc + 1]; i++)
    for (Stage last = after; last < STAGES; last++) offer_call(f, calls->at[i], before, after, last);
}

static void find_through(Finder *f) {
  for (uint32_t p = 0; p < f->c->procs.n; p++)
    for (Stage stage = 0; stage < STAGES; stage++)
      offer(f, through_key(f->c->procs.at[p].end - 1, stage, stage), 0, stage, false);
  while (f->queue.n) {
    const Item item = dequeue(f);
    if (is_done(f, item.key)) continue;
    f->ways[item.key].done = true;
    extend(f, item.key);
  }
}

/* ---- the way from the start ---- */

static void arrive(Finder *f, uint32_t from, uint32_t node, Stage stage, Length length) {
  const uint32_t key = reach_key(node, stage);
  if (is_too_long(f, length) || length >= f->reached[key]) return;
  f->reached[key] = length;
  f->from[key] = from;
  enqueue(f, length, key);
}

static void go_on_call(Finder *f, uint32_t from, const ControlNode *call, Stage stage, Length length) {
  arrive(f, from, start_of(f, call), stage, length);
  for (Stage after = stage; after < STAGES; after++) {
    const uint32_t key = through_key(start_of(f, call), stage, after);
    if (is_done(f, key)) arrive(f, from, call->next, after, length + f->through[key]);
  }
}

static void go_on(Finder *f, Item item) {
  const ControlNode *node = node_at(f, item.key / STAGES);
  const Stage stage = item.key % STAGES;
  const Length length = item.length + cost(f, node);
  if (node->kind == CONTROL_CALL) go_on_call(f, item.key, node, stage, length);
  if (node->kind == CONTROL_CALL || !control_goes_on(node)) return;
  for (Stage after = stage; after < STAGES; after++)
    if (passes(f, node, stage, after)) {
      arrive(f, item.key, node->next, after, length);
      if (node->kind == CONTROL_CHOICE && node->other != CONTROL_NONE) arrive(f, item.key, node->other, after, length);
    }
}

/* The key at which the goal is reached: its last event is over. CONTROL_NONE if that takes too long. */
static uint32_t find_way(Finder *f, uint32_t start) {
  vec_clear(&f->queue);
  arrive(f, CONTROL_NONE, start, BOTH_MISSING, 0);
  while (f->queue.n) {
    const Item item = dequeue(f);
    if (item.length > f->reached[item.key]) continue;
    if (item.key % STAGES == COMPLETE && node_at(f, item.key / STAGES)->kind == CONTROL_DONE) return item.key;
    go_on(f, item);
  }
  return CONTROL_NONE;
}

/* ---- the word ---- */

static WordOp op_of(const ControlNode *node) {
  switch (node->kind) {
  case CONTROL_BEGIN: return WORD_BEGIN;
  case CONTROL_END: return WORD_END;
  case CONTROL_CALL: return WORD_CALL;
  default: return WORD_EVENT;
  }
}

static void emit_access(Finder *f, uint32_t node, Stage before, Stage after) {
  Word *w = f->word;
  assert(w->steps.n > 0); /* an access is of an event */
  if (before == BOTH_MISSING && after != BOTH_MISSING) w->first = w->accesses.n;
  if (before != COMPLETE && after == COMPLETE) w->second = w->accesses.n;
  vec_push(f->heap, &w->accesses, node);
  vec_last(&w->steps).n_accesses++;
}

static void emit(Finder *f, uint32_t node, Stage before, Stage after) {
  const ControlNode *n = node_at(f, node);
  if (n->kind == CONTROL_ACCESS) emit_access(f, node, before, after);
  else if (is_step(f, n))
    vec_push(f->heap, &f->word->steps, ((WordStep){(uint8_t)op_of(n), node, f->word->accesses.n, 0}));
}

/* A shortest path from the node to the return of its proc. */
static void emit_through(Finder *f, uint32_t node, Stage before, Stage after) {
  vec_push(f->heap, &f->stack, through_key(node, before, after));
  while (f->stack.n) {
    const uint32_t key = f->stack.at[--f->stack.n], at = key / STAGES / STAGES;
    const ControlNode *n = node_at(f, at);
    const Way way = f->ways[key];
    const Stage now = key / STAGES % STAGES, last = key % STAGES;
    assert(way.done && now <= way.stage && way.stage <= last);
    if (n->kind == CONTROL_RETURN) continue;
    emit(f, at, now, way.stage);
    vec_push(f->heap, &f->stack, through_key(way.other ? n->other : n->next, way.stage, last));
    if (n->kind == CONTROL_CALL) vec_push(f->heap, &f->stack, through_key(start_of(f, n), now, way.stage));
  }
}

static void emit_way(Finder *f, uint32_t key) {
  U32Vec keys = {0};
  for (; key != CONTROL_NONE; key = f->from[key]) vec_push(f->heap, &keys, key);
  for (uint32_t i = keys.n - 1; i > 0; i--) {
    const uint32_t node = keys.at[i] / STAGES, next = keys.at[i - 1] / STAGES;
    const Stage before = keys.at[i] % STAGES, after = keys.at[i - 1] % STAGES;
    const ControlNode *n = node_at(f, node);
    emit(f, node, before, after);
    if (n->kind == CONTROL_CALL && next == n->next) emit_through(f, start_of(f, n), before, after);
  }
  vec_fini(f->heap, &keys);
}

static Length *far_away(Heap *heap, size_t n) {
  Length *lengths = heap_alloc(heap, heap_product(heap, n, sizeof *lengths));
  for (size_t i = 0; i < n; i++) lengths[i] = FAR;
  return lengths;
}

static void finder_init(Finder *f) {
  const size_t n = f->c->nodes.n;
  f->through = far_away(f->heap, n * STAGES * STAGES);
  f->ways = heap_zeroed(f->heap, heap_product(f->heap, n * STAGES * STAGES, sizeof *f->ways));
  f->reached = far_away(f->heap, n * STAGES);
  f->from = heap_alloc(f->heap, heap_product(f->heap, n * STAGES, sizeof *f->from));
}

static void finder_fini(Finder *f) {
  vec_fini(f->heap, &f->queue);
  vec_fini(f->heap, &f->stack);
  heap_release(f->heap, f->through);
  heap_release(f->heap, f->ways);
  heap_release(f->heap, f->reached);
  heap_release(f->heap, f->from);
}

bool word_find(Heap *heap, const Control *control, uint32_t proc, WordGoal goal, uint32_t max, Word *word) {
  Finder finder = {.heap = heap, .c = control, .goal = goal, .max = max, .word = word}, *f = &finder;
  finder_init(f);
  find_through(f);
  const uint32_t way = find_way(f, control->procs.at[proc].start);
  if (way != CONTROL_NONE) emit_way(f, way);
  finder_fini(f);
  return way != CONTROL_NONE;
}

void word_fini(Heap *heap, Word *word) {
  vec_fini(heap, &word->steps);
  vec_fini(heap, &word->accesses);
}
