#include "serial/paths.h"

#include <assert.h>

#define NONE UINT32_MAX

enum { LEAST_BOUND = 256 };

void paths_init(Paths *paths, Heap *heap) {
  *paths = (Paths){.heap = heap, .free_node = PATH_NONE, .free_txn = NONE, .bound = LEAST_BOUND};
}

void paths_fini(Paths *paths) {
  vec_fini(paths->heap, &paths->nodes);
  vec_fini(paths->heap, &paths->txns);
  vec_fini(paths->heap, &paths->stack);
}

void paths_carry(Paths *paths, Carry *carry) {
  assert(paths->stack.n == 0);
  carry_vec(carry, &paths->nodes);
  carry_vec(carry, &paths->txns);
  carry_value(carry, paths->free_node);
  carry_value(carry, paths->free_txn);
  carry_value(carry, paths->bound);
}

/* ---- transactions ---- */

TxnId paths_add_txn(Paths *paths, const MonitorTransaction *transaction) {
  uint32_t txn = paths->free_txn;
  if (txn == NONE) {
    txn = paths->txns.n;
    vec_reserve(paths->heap, &paths->txns, 1);
    paths->txns.n++;
  } else {
    paths->free_txn = paths->txns.at[txn].next_free;
  }
  paths->txns.at[txn] = (TxnNode){1, NONE, *transaction};
  return (TxnId){txn};
}

void paths_drop_txn(Paths *paths, TxnId txn) {
  assert(txn.v == NONE || paths->txns.at[txn.v].uses > 0);
  if (txn.v == NONE || --paths->txns.at[txn.v].uses > 0) return;
  paths->txns.at[txn.v].next_free = paths->free_txn;
  paths->free_txn = txn.v;
}

/* ---- nodes ---- */

static PathId add_node(Paths *paths, const PathNode *node) {
  PathId path = paths->free_node;
  if (path.v == NONE) {
    path.v = paths->nodes.n;
    vec_reserve(paths->heap, &paths->nodes, 1);
    paths->nodes.n++;
  } else {
    paths->free_node = paths->nodes.at[path.v].left;
  }
  paths->nodes.at[path.v] = *node;
  return path;
}

PathId paths_keep(Paths *paths, PathId path) {
  assert(path.v == NONE || paths->nodes.at[path.v].uses > 0);
  if (path.v != NONE) paths->nodes.at[path.v].uses++;
  return path;
}

void paths_drop(Paths *paths, PathId path) {
  if (path.v == NONE) return;
  const uint32_t bottom = paths->stack.n;
  vec_push(paths->heap, &paths->stack, path.v);
  while (paths->stack.n > bottom) {
    const PathId at = {paths->stack.at[--paths->stack.n]};
    assert(at.v == NONE || paths->nodes.at[at.v].uses > 0);
    if (at.v == NONE || --paths->nodes.at[at.v].uses > 0) continue;
    PathNode *node = &paths->nodes.at[at.v];
    paths_drop_txn(paths, node->to);
    vec_push(paths->heap, &paths->stack, node->left.v);
    vec_push(paths->heap, &paths->stack, node->right.v);
    node->left = paths->free_node;
    paths->free_node = at;
  }
}

/* The numbers of its steps, last first, on top of the stack; returns where they begin. */
static uint32_t flatten(Paths *paths, PathId path) {
  U32Vec *stack = &paths->stack;
  const uint32_t start = stack->n;
  U32Vec open = {0};
  vec_push(paths->heap, &open, path.v);
  while (open.n > 0) {
    const uint32_t at = open.at[--open.n];
    if (at == NONE) continue;
    const PathNode *node = &paths->nodes.at[at];
    vec_push(paths->heap, &open, node->left.v);
    if (node->right.v == NONE) vec_push(paths->heap, stack, at);
    else vec_push(paths->heap, &open, node->right.v);
  }
  vec_fini(paths->heap, &open);
  return start;
}

static const PathNode *last_node(const Paths *paths, PathId path) {
  assert(path.v != NONE);
  while (paths->nodes.at[path.v].right.v != NONE) path = paths->nodes.at[path.v].right;
  return &paths->nodes.at[path.v];
}

const MonitorEdge *paths_last(const Paths *paths, PathId path) { return &last_node(paths, path)->edge; }

void paths_steps(Paths *paths, PathId path, CycleSteps *steps) {
  const uint32_t start = flatten(paths, path);
  for (uint32_t i = paths->stack.n; i-- > start;) {
    const PathNode *node = &paths->nodes.at[paths->stack.at[i]];
    const CycleStep step = {node->edge, *paths_txn(paths, node->to)};
    vec_push(paths->heap, steps, step);
  }
  paths->stack.n = start;
}

/* ---- longer paths ---- */

static uint32_t length_of(const Paths *paths, PathId path) {
  return path.v == NONE ? 0 : paths->nodes.at[path.v].length;
}

static PathId add_step(Paths *paths, PathId path, const MonitorEdge *edge, TxnId to) {
  assert(paths->txns.at[to.v].uses > 0);
  paths->txns.at[to.v].uses++;
  paths_keep(paths, path);
  return add_node(paths, &(PathNode){1, length_of(paths, path) + 1, path, PATH_NONE, to, *edge});
}

/* Half of the bound is kept, at both ends. */
static void cut(CycleSteps *steps, uint32_t bound) {
  if (steps->n <= bound / 2) return;
  const uint32_t head = bound / 4, skip = steps->n - bound / 2;
  CycleStep *far = &steps->at[head + skip];
  far->edge.kind = MONITOR_GAP;
  far->edge.from = steps->at[head].edge.from;
  for (uint32_t i = head; i + skip < steps->n; i++) steps->at[i] = steps->at[i + skip];
  steps->n -= skip;
}

/* The path of these steps, of which the last leads to `end`. */
static PathId rebuild(Paths *paths, const CycleSteps *steps, TxnId end) {
  assert(steps->n > 0 && steps->n <= paths->bound);
  PathId path = PATH_NONE;
  paths->txns.at[end.v].uses++; /* dropped with the last step's */
  for (uint32_t i = 0; i < steps->n; i++) {
    const TxnId txn = i + 1 < steps->n ? paths_add_txn(paths, &steps->at[i].to) : end;
    const PathId longer = add_step(paths, path, &steps->at[i].edge, txn);
    paths_drop_txn(paths, txn);
    paths_drop(paths, path);
    path = longer;
  }
  return path;
}

static PathId shorter(Paths *paths, PathId path) {
  CycleSteps steps = {0};
  paths_steps(paths, path, &steps);
  findings_shorten(paths->heap, &steps);
  cut(&steps, paths->bound);
  const PathId result = rebuild(paths, &steps, last_node(paths, path)->to);
  vec_fini(paths->heap, &steps);
  paths_drop(paths, path);
  return result;
}

static PathId within_bound(Paths *paths, PathId path) {
  return length_of(paths, path) <= paths->bound ? path : shorter(paths, path);
}

PathId paths_extend(Paths *paths, PathId path, const MonitorEdge *edge, TxnId to) {
  return within_bound(paths, add_step(paths, path, edge, to));
}

PathId paths_join(Paths *paths, PathId left, PathId right) {
  if (left.v == NONE || right.v == NONE) return paths_keep(paths, left.v == NONE ? right : left);
  paths_keep(paths, left);
  paths_keep(paths, right);
  const PathNode node = {1, length_of(paths, left) + length_of(paths, right), left, right, TXN_NONE, {0}};
  return within_bound(paths, add_node(paths, &node));
}

void paths_mention(const Paths *paths, Mentioned *mentioned) {
  mentioned->n += paths->nodes.n + paths->txns.n;
  for (uint32_t i = 0; i < paths->nodes.n; i++)
    if (paths->nodes.at[i].uses > 0 && paths->nodes.at[i].right.v == NONE)
      mentioned_add_edge(mentioned, &paths->nodes.at[i].edge);
  for (uint32_t i = 0; i < paths->txns.n; i++)
    if (paths->txns.at[i].uses > 0) mentioned_add_thread(mentioned, paths->txns.at[i].it.thread);
}
