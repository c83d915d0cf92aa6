/* The conflict graph itself: every transaction a node, an edge from each last write to what follows, and from each read
 * since to the next write, which has the same paths as all conflicts. A cycle is seen at once: the nodes are kept in a
 * topological order, and where an edge goes against it, what lies between is searched and put in order: D. J. Pearce
 * and P. H. J. Kelly, "A dynamic topological sort algorithm for directed acyclic graphs" (2006). Simple, and the
 * measure for the other engines; it forgets nothing. */
#include "base/hash.h"
#include "base/sort.h"
#include "base/vec.h"
#include "serial/engine.h"
#include "serial/hashes.h"

#include <assert.h>
#include <stdlib.h>

#define NONE UINT32_MAX

typedef struct {
  MonitorTransaction it;
  uint32_t in, out; /* first edges */
  uint32_t order, mark;
  uint32_t via; /* of a search: the edge by which it was reached */
} Node;

typedef struct {
  MonitorEdge it;
  uint32_t from, to;
  uint32_t next_in, next_out;
} Edge;

/* An access, or a presence, of a node. */
typedef struct {
  uint32_t node;
  MonitorAccess access;
} Point;

typedef VEC(Point) Points;

typedef struct {
  Point write;  /* the last one; node NONE: none */
  Points reads; /* since then */
  bool written;
} Object;

typedef struct {
  uint32_t node; /* the open transaction, or NONE */
  bool known;    /* is `node` set at all? */
  uint32_t life;
  Points before; /* what its next transaction comes after: its last one, and forks of it */
} CgThread;

typedef struct {
  Heap *heap;
  Findings *findings;
  VEC(Node) nodes;
  VEC(Edge) edges;
  Hashes pairs; /* of nodes, in order, between which there is an edge, or one that closes a cycle has been left out */
  VEC(Object) objects;
  VEC(CgThread) threads;
  U32Vec forward, backward, orders;
  uint32_t n_marks;
} Cg;

/* ---- cycles ---- */

/* The nodes that can be reached from `start`, `back` or forth, and whose order is within the limit; the mark is theirs.
 */
static void search(Cg *g, U32Vec *found, uint32_t start, bool back, uint32_t limit) {
  vec_clear(found);
  vec_push(g->heap, found, start);
  const uint32_t mark = g->nodes.at[start].mark = ++g->n_marks;
  for (uint32_t i = 0; i < found->n; i++) {
    const Node *node = &g->nodes.at[found->at[i]];
    for (uint32_t e = back ? node->in : node->out; e != NONE;
         e = back ? g->edges.at[e].next_in : g->edges.at[e].next_out) {
      const uint32_t next = back ? g->edges.at[e].from : g->edges.at[e].to;
      Node *other = &g->nodes.at[next];
      if (other->mark == mark || (back ? other->order < limit : other->order > limit)) continue;
      other->mark = mark;
      other->via = e;
      vec_push(g->heap, found, next);
    }
  }
}

static int by_order(uint32_t a, uint32_t b, const void *context) {
  const Cg *g = context;
  const uint32_t x = g->nodes.at[a].order, y = g->nodes.at[b].order;
  return (x > y) - (x < y);
}

static int by_number(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* What leads to the edge's start comes before what follows its end; both take the places that they have together. */
static void reorder(Cg *g) {
  U32Vec *forward = &g->forward, *backward = &g->backward, *orders = &g->orders;
  assert(forward->n > 0 && backward->n > 0);
  sort_numbers(forward->at, forward->n, by_order, g);
  sort_numbers(backward->at, backward->n, by_order, g);
  vec_clear(orders);
  for (uint32_t i = 0; i < backward->n; i++) vec_push(g->heap, orders, g->nodes.at[backward->at[i]].order);
  for (uint32_t i = 0; i < forward->n; i++) vec_push(g->heap, orders, g->nodes.at[forward->at[i]].order);
  qsort(orders->at, orders->n, sizeof *orders->at, by_number);
  for (uint32_t i = 0; i < backward->n; i++) g->nodes.at[backward->at[i]].order = orders->at[i];
  for (uint32_t i = 0; i < forward->n; i++) g->nodes.at[forward->at[i]].order = orders->at[backward->n + i];
}

/* The way that the last search has found from one node to another, and the edge back. */
static void report(Cg *g, uint32_t from, uint32_t to, const MonitorEdge *edge) {
  CycleSteps steps = {0};
  for (uint32_t at = to; at != from; at = g->edges.at[g->nodes.at[at].via].from) {
    const CycleStep step = {g->edges.at[g->nodes.at[at].via].it, g->nodes.at[at].it};
    vec_push(g->heap, &steps, step);
  }
  for (uint32_t i = 0, j = steps.n; i + 1 < j; i++) {
    const CycleStep step = steps.at[i];
    steps.at[i] = steps.at[--j];
    steps.at[j] = step;
  }
  const CycleStep last = {*edge, g->nodes.at[from].it};
  vec_push(g->heap, &steps, last);
  findings_add(g->findings, edge->to.event, &steps);
  vec_fini(g->heap, &steps);
}

static void link_nodes(Cg *g, uint32_t from, uint32_t to, const MonitorEdge *edge) {
  assert(g->nodes.at[from].order < g->nodes.at[to].order);
  const Edge fresh = {*edge, from, to, g->nodes.at[to].in, g->nodes.at[from].out};
  g->nodes.at[to].in = g->nodes.at[from].out = g->edges.n;
  vec_push(g->heap, &g->edges, fresh);
}

/* The first edge from one node to another? hash_word() is a bijection, so pairs are not confused. */
static bool is_new_pair(Cg *g, uint32_t from, uint32_t to) {
  const uint64_t key = hash_word((uint64_t)from << 32 | to);
  return key <= 1 || hashes_add(g->heap, &g->pairs, key);
}

static void add_edge(Cg *g, const Point *from, uint32_t to, MonitorEdgeKind kind, const MonitorAccess *access) {
  const uint32_t newest = g->nodes.at[to].in;
  if (from->node == to || (newest != NONE && g->edges.at[newest].from == from->node)) return;
  if (!is_new_pair(g, from->node, to)) return;
  const MonitorEdge edge = {kind, from->access, *access};
  if (g->nodes.at[from->node].order > g->nodes.at[to].order) {
    search(g, &g->forward, to, false, g->nodes.at[from->node].order);
    if (g->nodes.at[from->node].mark == g->n_marks) {
      report(g, to, from->node, &edge);
      return;
    }
    search(g, &g->backward, from->node, true, g->nodes.at[to].order);
    reorder(g);
  }
  link_nodes(g, from->node, to, &edge);
}

/* ---- transactions ---- */

static CgThread *thread_at(Cg *g, uint32_t number) {
  CgThread *thread = &g->threads.at[number];
  if (!thread->known) thread->known = true, thread->node = NONE;
  return thread;
}

static uint32_t new_node(Cg *g, const TraceEvent *event, uint64_t index, uint32_t ordinal) {
  CgThread *thread = thread_at(g, event->thread);
  const uint32_t label = ordinal ? event->object : TRACE_NONE;
  const Node node = {.it = {event->thread, thread->life, ordinal, label, event->location, index, index, ordinal != 0},
                     .in = NONE,
                     .out = NONE,
                     .order = g->nodes.n};
  const MonitorAccess here = {index, TRACE_NONE, event->location, event->op};
  const Point point = {g->nodes.n, here};
  vec_push(g->heap, &g->nodes, node);
  for (uint32_t i = 0; i < thread->before.n; i++)
    add_edge(g, &thread->before.at[i], point.node,
             thread->before.at[i].access.op == TRACE_FORK ? MONITOR_FORK : MONITOR_ORDER, &here);
  vec_clear(&thread->before);
  Point own = point;
  own.access.op = TRACE_END;
  vec_push(g->heap, &thread->before, own);
  return point.node;
}

/* The transaction of the event: the open one, or one of its own. */
static uint32_t node_of(Cg *g, const TraceEvent *event, uint64_t index) {
  const CgThread *thread = thread_at(g, event->thread);
  const uint32_t node = thread->node != NONE ? thread->node : new_node(g, event, index, 0);
  g->nodes.at[node].it.last = index;
  return node;
}

static void cg_begin(void *state, const TraceEvent *event, uint64_t index, uint32_t ordinal) {
  Cg *g = state;
  const uint32_t node = new_node(g, event, index, ordinal);
  thread_at(g, event->thread)->node = node;
}

static void cg_end(void *state, const TraceEvent *event, uint64_t index) {
  Cg *g = state;
  assert(thread_at(g, event->thread)->node != NONE);
  Node *node = &g->nodes.at[node_of(g, event, index)];
  node->it.open = false;
  thread_at(g, event->thread)->node = NONE;
}

/* A thread that does anything at all has a transaction; one that runs already comes after a fork from here on. */
static void cg_start(void *state, const TraceEvent *event, uint64_t index) {
  Cg *g = state;
  const uint32_t node = node_of(g, event, index);
  const Points *before = &g->threads.at[event->thread].before;
  const MonitorAccess here = {index, TRACE_NONE, event->location, event->op};
  for (uint32_t i = 0; i < before->n; i++) {
    const Point point = before->at[i];
    if (point.access.op == TRACE_FORK) add_edge(g, &point, node, MONITOR_FORK, &here);
  }
}

/* ---- accesses ---- */

/* A wait comes after all signals since the last group. */
static void wait_for(Cg *g, const Object *object, uint32_t node, const MonitorAccess *wait) {
  for (uint32_t i = 0; i < object->reads.n; i++) add_edge(g, &object->reads.at[i], node, MONITOR_HANDOVER, wait);
}

static void cg_access(void *state, const TraceEvent *event, uint64_t index, EngineAccess how) {
  Cg *g = state;
  const uint32_t node = node_of(g, event, index);
  Object *object = &g->objects.at[event->object];
  const Point point = {node, {index, event->object, event->location, event->op}};
  if (how == ENGINE_WAITS) {
    wait_for(g, object, node, &point.access);
    return;
  }
  if (object->written) add_edge(g, &object->write, node, MONITOR_CONFLICT, &point.access);
  if (how == ENGINE_WRITES) {
    for (uint32_t i = 0; i < object->reads.n; i++)
      add_edge(g, &object->reads.at[i], node, MONITOR_CONFLICT, &point.access);
    vec_clear(&object->reads);
    object->write = point;
    object->written = true;
  } else if (object->reads.n == 0 || vec_last(&object->reads).node != node) {
    vec_push(g->heap, &object->reads, point);
  }
}

static void cg_free_object(void *state, uint32_t object) {
  Cg *g = state;
  g->objects.at[object].written = false;
  vec_clear(&g->objects.at[object].reads);
}

static void cg_fork(void *state, const TraceEvent *event, uint64_t index) {
  Cg *g = state;
  const Point point = {node_of(g, event, index), {index, event->object, event->location, event->op}};
  vec_push(g->heap, &thread_at(g, event->object)->before, point);
}

static void cg_join(void *state, const TraceEvent *event, uint64_t index) {
  Cg *g = state;
  const uint32_t node = node_of(g, event, index);
  CgThread *other = thread_at(g, event->object);
  const MonitorAccess join = {index, event->object, event->location, event->op};
  for (uint32_t i = 0; i < other->before.n; i++) {
    Point from = other->before.at[i];
    if (from.access.op != TRACE_FORK) from.access.event = g->nodes.at[from.node].it.last;
    add_edge(g, &from, node, MONITOR_JOIN, &join);
  }
  if (other->node != NONE) return;
  vec_clear(&other->before);
  other->life++;
}

/* ---- the engine ---- */

static void *cg_new(Heap *heap, const MonitorOptions *options, Findings *findings) {
  (void)options;
  Cg *g = heap_zeroed(heap, sizeof *g);
  g->heap = heap;
  g->findings = findings;
  return g;
}

static void cg_free(void *state) {
  Cg *g = state;
  for (uint32_t x = 0; x < g->objects.n; x++) vec_fini(g->heap, &g->objects.at[x].reads);
  for (uint32_t t = 0; t < g->threads.n; t++) vec_fini(g->heap, &g->threads.at[t].before);
  vec_fini(g->heap, &g->nodes);
  vec_fini(g->heap, &g->edges);
  hashes_fini(g->heap, &g->pairs);
  vec_fini(g->heap, &g->objects);
  vec_fini(g->heap, &g->threads);
  vec_fini(g->heap, &g->forward);
  vec_fini(g->heap, &g->backward);
  vec_fini(g->heap, &g->orders);
  heap_release(g->heap, g);
}

static void cg_room(void *state, uint32_t n_threads, uint32_t n_objects) {
  Cg *g = state;
  if (n_threads > g->threads.n) vec_resize_zeroed(g->heap, &g->threads, n_threads);
  if (n_objects > g->objects.n) vec_resize_zeroed(g->heap, &g->objects, n_objects);
}

static MonitorSize cg_size(const void *state) {
  const Cg *g = state;
  return (MonitorSize){g->nodes.n, g->edges.n, g->nodes.n, g->edges.n};
}

const Engine engine_cg = {cg_new,  cg_free,        cg_start, cg_begin, cg_end, cg_access, cg_fork,
                          cg_join, cg_free_object, NULL,     cg_size,  NULL,   cg_room,   NULL,
                          NULL,    NULL,           NULL,     NULL,     NULL,   NULL};
