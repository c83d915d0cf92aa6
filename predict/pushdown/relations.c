/* The graph has five vertices for each node, by what is still to be found:
 *   AFTER       what can come at this node or later, in the procs that are called from here;
 *   AFTER_UP    likewise, or after returns from the proc;
 *   SAME        as AFTER, in the same transaction; SAME_UP: as AFTER_UP;
 *   LATER_UP    what can come in the same transaction, after the event that is under way. Its strongly connected
 *     components are found once; then sets of 64 accesses at a time flow through them, from the last to the first. */
#include "predict/pushdown/relations.h"

#include "base/vec.h"

#include <assert.h>

typedef enum { AFTER, AFTER_UP, SAME, SAME_UP, LATER_UP, LAYERS } Layer;

typedef struct {
  uint32_t vertex, number;
  uint32_t next; /* the way out of it that is tried next */
} Visit;

typedef struct {
  Relations *r;
  const Control *control;
  uint32_t n;          /* nodes */
  uint32_t *access_of; /* per global, read and write: the access, or CONTROL_NONE */
  VEC(ProfileAccess) accesses;
  U32Vec starts;       /* nodes that are accesses, as places of r->nodes */
  uint32_t *low;       /* per vertex: the least number, from 1 by discovery, known to be reached; 0: undiscovered */
  uint32_t *component; /* per vertex: its number, from 0: later ones lead to earlier ones; CONTROL_NONE: not known */
  uint32_t n_found, n_components;
  U32Vec open; /* discovered vertices without a component */
  VEC(Visit) path;
  U32Vec order;    /* vertices by component */
  uint64_t *masks; /* per component: what flows through it */
} Search;

void relations_init(Relations *r, Heap *heap, const Control *control) {
  *r = (Relations){.heap = heap, .control = control};
  r->index_of = heap_alloc(heap, control->nodes.n * sizeof *r->index_of);
  for (uint32_t i = 0; i < control->nodes.n; i++) r->index_of[i] = CONTROL_NONE;
}

void relations_fini(Relations *r) {
  vec_fini(r->heap, &r->nodes);
  heap_release(r->heap, r->index_of);
}

/* ---- what can be reached ---- */

static void reach(Relations *r, uint32_t node) {
  assert(node < r->control->nodes.n);
  if (r->index_of[node] != CONTROL_NONE) return;
  r->index_of[node] = r->nodes.n;
  vec_push(r->heap, &r->nodes, node);
}

static void reach_from(Relations *r, const ControlNode *node) {
  if (!control_goes_on(node)) return;
  if (node->kind == CONTROL_CALL) reach(r, r->control->procs.at[node->other].start);
  if (node->kind != CONTROL_CALL || control_passes(r->control, node)) reach(r, node->next);
  if (node->kind == CONTROL_CHOICE && node->other != CONTROL_NONE) reach(r, node->other);
}

void relations_reach(Relations *r, uint32_t proc) {
  for (uint32_t i = 0; i < r->nodes.n; i++) r->index_of[r->nodes.at[i]] = CONTROL_NONE;
  vec_clear(&r->nodes);
  reach(r, r->control->procs.at[proc].start);
  for (uint32_t i = 0; i < r->nodes.n; i++) reach_from(r, &r->control->nodes.at[r->nodes.at[i]]);
}

/* ---- the graph ---- */

static const ControlNode *node_of(const Search *s, uint32_t vertex) {
  assert(vertex < LAYERS * s->n);
  return &s->control->nodes.at[s->r->nodes.at[vertex % s->n]];
}

static uint32_t vertex_of(const Search *s, Layer layer, uint32_t node) {
  const uint32_t index = s->r->index_of[node];
  return index == CONTROL_NONE ? CONTROL_NONE : (uint32_t)layer * s->n + index;
}

/* Is the transaction over after the node? */
static bool ends_transaction(const ControlNode *node) {
  return (node->kind == CONTROL_DONE || node->kind == CONTROL_END) && !node->inside;
}

/* Where the vertex leads in the proc, or CONTROL_NONE. */
static uint32_t step(const Search *s, Layer layer, const ControlNode *node) {
  if (!control_goes_on(node)) return CONTROL_NONE;
  if (layer >= SAME && ends_transaction(node)) return CONTROL_NONE;
  if (node->kind == CONTROL_CALL && !control_passes(s->control, node)) return CONTROL_NONE;
  return vertex_of(s, layer == LATER_UP && node->kind == CONTROL_DONE ? SAME_UP : layer, node->next);
}

static uint32_t branch(const Search *s, Layer layer, const ControlNode *node) {
  if (node->kind == CONTROL_CHOICE && node->other != CONTROL_NONE) return vertex_of(s, layer, node->other);
  if (node->kind != CONTROL_CALL || (layer != AFTER && layer != SAME)) return CONTROL_NONE;
  return vertex_of(s, layer, s->control->procs.at[node->other].start);
}

/* The i-th of those that called the proc in which this return is. */
static bool go_back(const Search *s, Layer layer, uint32_t proc, uint32_t i, uint32_t *to) {
  const ControlLists *callers = &s->control->callers;
  if (i >= callers->start[proc + 1] - callers->start[proc]) return false;
  const uint32_t call = callers->at[callers->start[proc] + i];
  *to = s->r->index_of[call] == CONTROL_NONE ? CONTROL_NONE : vertex_of(s, layer, s->control->nodes.at[call].next);
  return true;
}

/* The way number i out of a vertex: false if there are no more; *to is CONTROL_NONE if this one leads nowhere. */
static bool way(const Search *s, uint32_t vertex, uint32_t i, uint32_t *to) {
  const Layer layer = (Layer)(vertex / s->n);
  const ControlNode *node = node_of(s, vertex);
  switch (i) {
  case 0: *to = layer == AFTER_UP || layer == SAME_UP ? vertex - s->n : CONTROL_NONE; return true;
  case 1: *to = step(s, layer, node); return true;
  case 2: *to = branch(s, layer, node); return true;
  default:
    if (node->kind != CONTROL_RETURN || layer == AFTER || layer == SAME) return false;
    return go_back(s, layer, node->other, i - 3, to);
  }
}

/* ---- its components: R. Tarjan, "Depth-first search and linear graph algorithms", without recursion ---- */

static void discover(Search *s, uint32_t vertex) {
  assert(s->low[vertex] == 0);
  s->low[vertex] = ++s->n_found;
  vec_push(s->r->heap, &s->open, vertex);
  vec_push(s->r->heap, &s->path, ((Visit){vertex, s->n_found, 0}));
}

static void lower(Search *s, uint32_t vertex, uint32_t low) {
  if (low < s->low[vertex]) s->low[vertex] = low;
}

static void close_component(Search *s, uint32_t root) {
  uint32_t vertex;
  do {
    assert(s->open.n > 0); /* the root is among them */
    vertex = s->open.at[--s->open.n];
    s->component[vertex] = s->n_components;
    vec_push(s->r->heap, &s->order, vertex);
  } while (vertex != root);
  s->n_components++;
}

static void leave(Search *s) {
  const Visit done = vec_last(&s->path);
  s->path.n--;
  if (s->low[done.vertex] == done.number) close_component(s, done.vertex);
  else lower(s, vec_last(&s->path).vertex, s->low[done.vertex]);
}

static void find_components(Search *s, uint32_t root) {
  uint32_t to;
  if (s->low[root]) return;
  discover(s, root);
  while (s->path.n) {
    Visit *top = &vec_last(&s->path);
    if (!way(s, top->vertex, top->next++, &to)) leave(s);
    else if (to == CONTROL_NONE || s->component[to] != CONTROL_NONE) continue;
    else if (s->low[to]) lower(s, top->vertex, s->low[to]);
    else discover(s, to);
  }
}

/* ---- the flow ---- */

static uint32_t access_at(const Search *s, const ControlNode *node) {
  return s->access_of[2 * node->object + node->write];
}

/* The vertex's own access, if it is one of the 64 from `first` on. */
static uint64_t own_mask(const Search *s, uint32_t vertex, uint32_t first) {
  const ControlNode *node = node_of(s, vertex);
  const Layer layer = (Layer)(vertex / s->n);
  if (node->kind != CONTROL_ACCESS || (layer != AFTER && layer != SAME)) return 0;
  const uint32_t access = access_at(s, node);
  return access != CONTROL_NONE && access / 64 == first / 64 ? (uint64_t)1 << (access % 64) : 0;
}

static void flow(Search *s, uint32_t first) {
  uint32_t to;
  for (uint32_t c = 0; c < s->n_components; c++) s->masks[c] = 0;
  for (uint32_t i = 0; i < s->order.n; i++) {
    const uint32_t vertex = s->order.at[i];
    uint64_t mask = own_mask(s, vertex, first);
    for (uint32_t k = 0; way(s, vertex, k, &to); k++)
      if (to != CONTROL_NONE) {
        assert(s->component[to] <= s->component[vertex]); /* what flows from there is known, or it is the same */
        mask |= s->masks[s->component[to]];
      }
    s->masks[s->component[vertex]] |= mask;
  }
}

/* ---- the relations ---- */

static uint64_t **rows_new(Heap *heap, uint32_t n) {
  const size_t words = bitset_words(n);
  uint64_t **rows = heap_alloc(heap, heap_product(heap, (size_t)n + 1, sizeof *rows));
  uint64_t *bits = heap_zeroed(heap, heap_product(heap, heap_product(heap, n, words), sizeof *bits));
  rows[0] = bits;
  for (uint32_t i = 0; i < n; i++) rows[i] = bits + i * words;
  return rows;
}

static void rows_release(Heap *heap, uint64_t *const *rows) {
  heap_release(heap, rows[0]);
  heap_release(heap, (void *)(uintptr_t)rows);
}

static uint64_t mask_at(const Search *s, Layer layer, uint32_t start) {
  return s->masks[s->component[(uint32_t)layer * s->n + start]];
}

/* What a flow says of the 64 accesses from `first` on. */
static void take(Search *s, uint32_t first, uint64_t **before, uint64_t **split, uint64_t **together) {
  flow(s, first);
  for (uint32_t i = 0; i < s->starts.n; i++) {
    const uint32_t access = access_at(s, node_of(s, s->starts.at[i]));
    assert(access < s->accesses.n);
    before[access][first / 64] |= mask_at(s, AFTER_UP, s->starts.at[i]);
    together[access][first / 64] |= mask_at(s, SAME_UP, s->starts.at[i]);
    split[access][first / 64] |= mask_at(s, LATER_UP, s->starts.at[i]);
  }
}

/* before(x, y) holds also where y comes first, in the same transaction. */
static void add_transposed(uint64_t **before, uint64_t **together, uint32_t n) {
  for (uint32_t y = 0; y < n; y++)
    for (uint32_t word = 0; word < bitset_words(n); word++)
      for (uint64_t rest = together[y][word]; rest; rest &= rest - 1)
        bitset_add(before[word * 64 + (uint32_t)__builtin_ctzll(rest)], y);
}

static void find_accesses(Search *s, const bool *objects) {
  for (uint32_t i = 0; i < s->n; i++) {
    const ControlNode *node = node_of(s, i);
    if (node->kind != CONTROL_ACCESS || !objects[node->object]) continue;
    uint32_t *access = &s->access_of[2 * node->object + node->write];
    if (*access == CONTROL_NONE) {
      *access = s->accesses.n;
      vec_push(s->r->heap, &s->accesses, ((ProfileAccess){node->object, 2 * node->object + node->write, node->write}));
    }
    vec_push(s->r->heap, &s->starts, i);
  }
}

static void search_init(Search *s, const bool *objects, uint32_t n_objects) {
  Heap *heap = s->r->heap;
  const uint32_t n = LAYERS * s->n;
  s->access_of = heap_alloc(heap, 2 * (size_t)n_objects * sizeof *s->access_of);
  for (uint32_t i = 0; i < 2 * n_objects; i++) s->access_of[i] = CONTROL_NONE;
  find_accesses(s, objects);
  s->low = heap_zeroed(heap, n * sizeof *s->low);
  s->component = heap_alloc(heap, n * sizeof *s->component);
  for (uint32_t i = 0; i < n; i++) s->component[i] = CONTROL_NONE;
  for (uint32_t i = 0; i < s->starts.n; i++) {
    find_components(s, AFTER_UP * s->n + s->starts.at[i]);
    find_components(s, SAME_UP * s->n + s->starts.at[i]);
    find_components(s, LATER_UP * s->n + s->starts.at[i]);
  }
  s->masks = heap_alloc(heap, s->n_components * sizeof *s->masks);
}

static void search_fini(Search *s) {
  Heap *heap = s->r->heap;
  vec_fini(heap, &s->starts);
  vec_fini(heap, &s->open);
  vec_fini(heap, &s->path);
  vec_fini(heap, &s->order);
  heap_release(heap, s->access_of);
  heap_release(heap, s->low);
  heap_release(heap, s->component);
  heap_release(heap, s->masks);
}

ThreadProfiles relations_find(Relations *r, uint32_t proc, const bool *objects, uint32_t n_objects) {
  Search search = {.r = r, .control = r->control}, *s = &search;
  relations_reach(r, proc);
  s->n = r->nodes.n;
  search_init(s, objects, n_objects);
  const uint32_t n = s->accesses.n;
  uint64_t **before = rows_new(r->heap, n), **split = rows_new(r->heap, n), **together = rows_new(r->heap, n);
  for (uint32_t first = 0; first < n; first += 64) take(s, first, before, split, together);
  add_transposed(before, together, n);
  rows_release(r->heap, together);
  search_fini(s);
  return (ThreadProfiles){.n = n, .accesses = s->accesses.at, .before = before, .split = split};
}

void relations_release(Heap *heap, ThreadProfiles *profiles) {
  heap_release(heap, (void *)(uintptr_t)profiles->accesses);
  rows_release(heap, profiles->before);
  rows_release(heap, profiles->split);
}
