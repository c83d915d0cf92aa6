/* The graph: its nodes and edges, and what becomes of them when a transaction ends. A. Farzan and P. Madhusudan,
 * "Monitoring atomicity in concurrent programs" (CAV 2008), section 3, after M. Casanova.
 *
 * An edge that closes a cycle, v -> v among them, is a violation. At its end v hands all that it has to each p with p
 * -> v, and the edges p -> w for each v -> w. With the paths of members and edges a cycle is reported as it was. */
#include "serial/scg.h"

#include "base/hash.h"

#include <assert.h>

/* ---- rows ---- */

/* n_old rows of the width so far become n rows of another one. */
static uint64_t *wider(Scg *g, uint64_t *rows, uint32_t n_old, uint32_t n, uint32_t width) {
  uint64_t *fresh = heap_zeroed(g->heap, heap_product(g->heap, (size_t)n * width, sizeof *fresh));
  for (uint32_t i = 0; i < n_old; i++)
    memcpy(fresh + (size_t)i * width, rows + (size_t)i * g->width, g->width * sizeof *fresh);
  heap_release(g->heap, rows);
  return fresh;
}

void scg_widen(Scg *g) {
  const uint32_t width = g->width * 2, n_old = 64 * g->width, n = 64 * width;
  assert(g->slots.n <= n_old);
  for (uint32_t t = 0; t < g->threads.n; t++)
    if (g->threads.at[t].after) g->threads.at[t].after = wider(g, g->threads.at[t].after, 1, 1, width);
  uint64_t **const rows[] = {&g->busy, &g->direct, &g->summed}, **const tables[] = {&g->into, &g->outof};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) *rows[i] = wider(g, *rows[i], 1, 1, width);
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) *tables[i] = wider(g, *tables[i], n_old, n, width);
  g->path_of = heap_resize(g->heap, g->path_of, n * sizeof *g->path_of);
  masks_widen(&g->masks);
  g->width = width;
}

static uint64_t *after_row(Scg *g, ScgThread *thread) {
  if (!thread->after) thread->after = heap_zeroed(g->heap, heap_product(g->heap, g->width, sizeof *thread->after));
  return thread->after;
}

/* ---- transactions and edges, for paths ---- */

TxnId scg_slot_txn(Scg *g, uint32_t v) {
  Slot *slot = &g->slots.at[v];
  if (slot->txn.v == SCG_NONE) slot->txn = paths_add_txn(&g->paths, &slot->it);
  return slot->txn;
}

TxnId scg_single_txn(Scg *g, const TraceEvent *event, uint64_t index) {
  const MonitorTransaction single = {
      event->thread, scg_thread(g, event)->life, 0, TRACE_NONE, event->location, index, index, false};
  return paths_add_txn(&g->paths, &single);
}

static MonitorAccess access_of(const TraceEvent *event, uint64_t index) {
  return (MonitorAccess){index, event->object, event->location, event->op};
}

/* What stands for nothing but that its thread was there. */
static MonitorAccess presence_of(const TraceEvent *event, uint64_t index) {
  return (MonitorAccess){index, TRACE_NONE, event->location, event->op};
}

/* `path`, and one more step from its end. */
static PathId extend(Scg *g, PathId path, MonitorEdgeKind kind, const MonitorAccess *from, const MonitorAccess *to,
                     TxnId txn) {
  const MonitorEdge edge = {kind, *from, *to};
  return paths_extend(&g->paths, path, &edge, txn);
}

/* There is a conflict: where nothing writes, the event does, and there is a read. */
static const KeySetMember *find_conflict(Scg *g, KeySet *members, const TraceEvent *event) {
  const KeySetMember *member = key_set_find(g->heap, members, 2 * event->object + 1);
  if (!member) member = key_set_find(g->heap, members, 2 * event->object);
  assert(member);
  return member;
}

PathId scg_path_by_access(Scg *g, uint32_t p, const TraceEvent *event, uint64_t index, bool direct, TxnId txn) {
  Slot *slot = &g->slots.at[p];
  const KeySetMember *member = find_conflict(g, direct ? &slot->did : &slot->later, event);
  const MonitorAccess from = {member->event, event->object, member->location, member->op}, to = access_of(event, index);
  return extend(g, member->path, event->op == TRACE_WAIT ? MONITOR_HANDOVER : MONITOR_CONFLICT, &from, &to, txn);
}

PathId scg_path_by_thread(Scg *g, uint32_t p, uint32_t thread, const TraceEvent *event, uint64_t index, TxnId txn) {
  const KeySetMember *member = key_set_find(g->heap, &g->slots.at[p].follow, thread);
  const bool forked = member->op == TRACE_FORK, joined = thread != event->thread;
  const MonitorAccess from = {member->event, forked ? thread : TRACE_NONE, member->location, member->op};
  const MonitorAccess to = joined ? access_of(event, index) : presence_of(event, index);
  const MonitorEdgeKind kind = joined ? MONITOR_JOIN : forked ? MONITOR_FORK : MONITOR_ORDER;
  return extend(g, member->path, kind, &from, &to, txn);
}

PathId scg_path_by_join(Scg *g, uint32_t p, const TraceEvent *event, uint64_t index, TxnId txn) {
  const ScgThread *other = &g->threads.at[event->object];
  if (!other->bit || other->slot != p) return scg_path_by_thread(g, p, event->object, event, index, txn);
  const MonitorAccess from = {other->last, TRACE_NONE, TRACE_NONE, TRACE_END}, to = access_of(event, index);
  return extend(g, PATH_NONE, MONITOR_JOIN, &from, &to, txn);
}

/* ---- edges ---- */

static const InEdge *find_edge(const Slot *slot, uint32_t from) {
  for (uint32_t i = 0;; i++)
    if (slot->in.at[i].from == from) return &slot->in.at[i];
}

/* A shortest way from v to p along the edges: in the parents. */
static bool reaches(Scg *g, uint32_t v, uint32_t p) {
  if (v == p) return true;
  const uint32_t mark = ++g->n_marks;
  vec_clear(&g->queue);
  vec_push(g->heap, &g->queue, v);
  g->slots.at[v].mark = mark;
  for (uint32_t i = 0; i < g->queue.n; i++) {
    const uint32_t u = g->queue.at[i];
    for_each_slot(w, g, scg_row(g, g->outof, u)) {
      if (g->slots.at[w].mark == mark) continue;
      g->slots.at[w].mark = mark;
      g->slots.at[w].parent = u;
      if (w == p) return true;
      vec_push(g->heap, &g->queue, w);
    }
  }
  return false;
}

/* The steps from v to p that reaches() has found; none, if p is v. */
static void add_way(Scg *g, uint32_t v, uint32_t p, CycleSteps *steps) {
  vec_clear(&g->queue);
  for (; p != v; p = g->slots.at[p].parent) vec_push(g->heap, &g->queue, p);
  for (uint32_t i = g->queue.n; i-- > 0;) {
    const uint32_t to = g->queue.at[i];
    paths_steps(&g->paths, find_edge(&g->slots.at[to], g->slots.at[to].parent)->path, steps);
  }
}

/* A path leads over transactions that have ended: what is open is so now. */
static void complete(const Scg *g, MonitorTransaction *transaction, uint32_t thread_now, uint64_t now) {
  const ScgThread *thread = &g->threads.at[transaction->thread];
  if (!transaction->open) return;
  assert(thread->bit && g->slots.at[thread->slot].it.first == transaction->first);
  transaction->last = transaction->thread == thread_now ? now : thread->last;
}

void scg_report(Scg *g, uint32_t p, uint32_t v, PathId path, uint64_t now) {
  CycleSteps steps = {0};
  const uint64_t closing = findings_hash_edge(paths_last(&g->paths, path));
  if (!hashes_add(g->heap, &g->slots.at[v].blamed, hash_join(closing, p))) return;
  add_way(g, v, p, &steps);
  paths_steps(&g->paths, path, &steps);
  for (uint32_t i = 0; i < steps.n; i++) complete(g, &steps.at[i].to, g->slots.at[v].it.thread, now);
  findings_add(g->findings, now, &steps);
  vec_fini(g->heap, &steps);
}

/* An edge with this path, which it takes over. */
static void link_slots(Scg *g, uint32_t p, uint32_t v, PathId path) {
  assert(p != v && bitset_has(g->busy, p) && bitset_has(g->busy, v) && !bitset_has(scg_row(g, g->into, v), p));
  const InEdge edge = {p, path};
  vec_push(g->heap, &g->slots.at[v].in, edge);
  bitset_add(scg_row(g, g->into, v), p);
  bitset_add(scg_row(g, g->outof, p), v);
  if (++g->size.edges > g->size.most_edges) g->size.most_edges = g->size.edges;
}

void scg_add_edge(Scg *g, uint32_t p, uint32_t v, PathId path, uint64_t now) {
  if (!reaches(g, v, p)) {
    link_slots(g, p, v, path);
  } else {
    scg_report(g, p, v, path, now);
    paths_drop(&g->paths, path);
  }
}

/* ---- what p gets ---- */

void scg_add_after(Scg *g, uint32_t thread, uint32_t p) {
  bitset_add(after_row(g, &g->threads.at[thread]), p);
  g->threads.at[thread].n_after++;
}

void scg_add_follow(Scg *g, uint32_t p, uint32_t thread, uint8_t op, uint64_t event, uint32_t location, PathId path) {
  if (bitset_has(after_row(g, &g->threads.at[thread]), p)) return;
  scg_add_after(g, thread, p);
  const KeySetMember member = {event, thread, location, paths_keep(&g->paths, path), op};
  key_set_add(g->heap, &g->slots.at[p].follow, member);
}

void scg_add_later(Scg *g, uint32_t p, const KeySetMember *access, PathId path) {
  assert(bitset_has(g->busy, p) && access->key / 2 < g->masks.n);
  const bool fresh = masks_add(&g->masks, access->key / 2, p, scg_later(access->key & 1));
  assert(fresh);
  if (!fresh) return;
  KeySetMember member = *access;
  member.path = paths_keep(&g->paths, path);
  key_set_add(g->heap, &g->slots.at[p].later, member);
}

/* ---- the end ---- */

#define for_each_member(i, members)                    \
  for (uint32_t i = 0; (i) < (members)->list.n; (i)++) \
    if ((members)->list.at[i].key != KEY_SET_GONE)

/* To each predecessor that does not have it: the member, after the path to v. */
static void hand_access(Scg *g, const uint64_t *heirs, const KeySetMember *member, bool later) {
  for (uint32_t w = 0; w < g->width; w++) {
    if (!heirs[w]) continue;
    const Masks masks = masks_get(&g->masks, member->key / 2, w);
    for (uint64_t fresh = heirs[w] & ~masks.of[scg_later(member->key & 1)]; fresh; fresh &= fresh - 1) {
      const uint32_t p = w * 64 + (uint32_t)__builtin_ctzll(fresh);
      const PathId path =
          later ? paths_join(&g->paths, g->path_of[p], member->path) : paths_keep(&g->paths, g->path_of[p]);
      scg_add_later(g, p, member, path);
      paths_drop(&g->paths, path);
    }
  }
}

static void hand_thread(Scg *g, const uint64_t *heirs, const KeySetMember *member) {
  for_each_slot(p, g, heirs) {
    const PathId path = paths_join(&g->paths, g->path_of[p], member->path);
    scg_add_follow(g, p, member->key, member->op, member->event, member->location, path);
    paths_drop(&g->paths, path);
  }
}

/* Edges from each predecessor to each successor of v. */
static void hand_edges(Scg *g, uint32_t v, const uint64_t *heirs) {
  for_each_slot(w, g, scg_row(g, g->outof, v)) {
    const PathId rest = find_edge(&g->slots.at[w], v)->path;
    for_each_slot(p, g, heirs) if (!bitset_has(scg_row(g, g->into, w), p))
        link_slots(g, p, w, paths_join(&g->paths, g->path_of[p], rest));
  }
}

static void hand_over(Scg *g, uint32_t v, const TraceEvent *event, uint64_t now) {
  Slot *slot = &g->slots.at[v];
  const uint64_t *heirs = scg_row(g, g->into, v);
  const KeySetMember self = {now, slot->it.thread, event->location, PATH_NONE, TRACE_END};
  for (uint32_t i = 0; i < slot->in.n; i++) g->path_of[slot->in.at[i].from] = slot->in.at[i].path;
  hand_thread(g, heirs, &self);
  for_each_member(i, &slot->did) hand_access(g, heirs, &slot->did.list.at[i], false);
  for_each_member(i, &slot->later) hand_access(g, heirs, &slot->later.list.at[i], true);
  for_each_member(i, &slot->follow) hand_thread(g, heirs, &slot->follow.list.at[i]);
  hand_edges(g, v, heirs);
}

static void drop_edge(Scg *g, uint32_t from, uint32_t to) {
  Slot *slot = &g->slots.at[to];
  const uint32_t i = (uint32_t)(find_edge(slot, from) - slot->in.at);
  paths_drop(&g->paths, slot->in.at[i].path);
  slot->in.at[i] = vec_last(&slot->in);
  slot->in.n--;
  g->size.edges--;
}

static void drop_edges(Scg *g, uint32_t v) {
  Slot *slot = &g->slots.at[v];
  for_each_slot(w, g, scg_row(g, g->outof, v)) {
    drop_edge(g, v, w);
    bitset_remove(scg_row(g, g->into, w), v);
  }
  for (uint32_t i = 0; i < slot->in.n; i++) {
    paths_drop(&g->paths, slot->in.at[i].path);
    bitset_remove(scg_row(g, g->outof, slot->in.at[i].from), v);
  }
  g->size.edges -= slot->in.n;
  vec_clear(&slot->in);
  scg_clear_row(g, scg_row(g, g->into, v));
  scg_clear_row(g, scg_row(g, g->outof, v));
  if (slot->blamed.n > 0) hashes_fini(g->heap, &slot->blamed);
}

static void drop_members(Scg *g, uint32_t v) {
  Slot *slot = &g->slots.at[v];
  const KeySetMember *did = slot->did.list.at, *later = slot->later.list.at, *follow = slot->follow.list.at;
  for_each_member(i, &slot->did) masks_remove(&g->masks, did[i].key / 2, v, scg_did(did[i].key & 1));
  for_each_member(i, &slot->later) {
    masks_remove(&g->masks, later[i].key / 2, v, scg_later(later[i].key & 1));
    paths_drop(&g->paths, later[i].path);
  }
  for_each_member(i, &slot->follow) {
    bitset_remove(g->threads.at[follow[i].key].after, v);
    g->threads.at[follow[i].key].n_after--;
    paths_drop(&g->paths, follow[i].path);
  }
  key_set_clear(g->heap, &slot->did);
  key_set_clear(g->heap, &slot->later);
  key_set_clear(g->heap, &slot->follow);
}

void scg_collapse(void *graph, const TraceEvent *event, uint64_t index) {
  Scg *g = graph;
  ScgThread *thread = scg_thread(g, event);
  const uint32_t v = thread->slot;
  assert(thread->bit && bitset_has(g->busy, v) && g->size.nodes > 0);
  Slot *slot = &g->slots.at[v];
  if (slot->txn.v != SCG_NONE) {
    paths_txn(&g->paths, slot->txn)->last = index;
    paths_txn(&g->paths, slot->txn)->open = false;
  }
  if (slot->in.n > 0) hand_over(g, v, event, index);
  drop_edges(g, v);
  drop_members(g, v);
  paths_drop_txn(&g->paths, slot->txn);
  bitset_remove(g->busy, v);
  g->size.nodes--;
  thread->bit = 0;
  thread->slot = 0;
  thread->home = v;
}

/* ---- what is forgotten ---- */

static void forget_key(Scg *g, KeySet *members, uint32_t key) {
  KeySetMember *member = key_set_find(g->heap, members, key);
  if (!member) return;
  paths_drop(&g->paths, member->path);
  key_set_remove(g->heap, members, member);
}

void scg_forget_thread(Scg *g, uint32_t number) {
  ScgThread *thread = &g->threads.at[number];
  assert(!thread->bit);
  thread->started = false;
  thread->life++;
  if (!thread->after) return;
  for_each_slot(p, g, thread->after) forget_key(g, &g->slots.at[p].follow, number);
  heap_release(g->heap, thread->after);
  thread->after = NULL;
  thread->n_after = 0;
}

static void forget_in_word(Scg *g, uint32_t object, uint32_t word) {
  const Masks masks = masks_get(&g->masks, object, word);
  for (uint64_t all = masks.of[0] | masks.of[1] | masks.of[2] | masks.of[3]; all; all &= all - 1) {
    Slot *slot = &g->slots.at[word * 64 + (uint32_t)__builtin_ctzll(all)];
    for (uint32_t writes = 0; writes < 2; writes++) {
      forget_key(g, &slot->did, 2 * object + writes);
      forget_key(g, &slot->later, 2 * object + writes);
    }
  }
}

void scg_forget_object(void *graph, uint32_t object) {
  Scg *g = graph;
  for (uint32_t word = 0; word < g->width; word++) forget_in_word(g, object, word);
  masks_forget(&g->masks, object);
}

static void mention_accesses(const KeySet *members, Mentioned *mentioned) {
  for_each_member(i, members) mentioned_add_object(mentioned, members->list.at[i].key / 2);
}

void scg_mention(const void *graph, Mentioned *mentioned) {
  const Scg *g = graph;
  paths_mention(&g->paths, mentioned);
  for_each_slot(v, g, g->busy) {
    const Slot *slot = &g->slots.at[v];
    mentioned_add_thread(mentioned, slot->it.thread);
    mention_accesses(&slot->did, mentioned);
    mention_accesses(&slot->later, mentioned);
    for_each_member(i, &slot->follow) mentioned_add_thread(mentioned, slot->follow.list.at[i].key);
  }
}

void scg_renew_thread(void *graph, uint32_t thread) {
  Scg *g = graph;
  assert(!g->threads.at[thread].bit && !g->threads.at[thread].n_after);
  heap_release(g->heap, g->threads.at[thread].after);
  g->threads.at[thread] = (ScgThread){0};
}

/* ---- the whole ---- */

void *scg_new(Heap *heap, const MonitorOptions *options, Findings *findings) {
  Scg *g = heap_zeroed(heap, sizeof *g);
  g->heap = heap;
  g->findings = findings;
  g->causal = options->notion == MONITOR_CAUSAL;
  g->locks = options->lock_conflicts;
  masks_init(&g->masks, heap);
  paths_init(&g->paths, heap);
  g->width = 1;
  uint64_t **const rows[] = {&g->busy, &g->direct, &g->summed};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) *rows[i] = heap_zeroed(heap, sizeof **rows[i]);
  uint64_t **const tables[] = {&g->into, &g->outof};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) *tables[i] = heap_zeroed(heap, 64 * sizeof **tables[i]);
  g->path_of = heap_alloc(heap, 64 * sizeof *g->path_of);
  return g;
}

void scg_free(void *graph) {
  Scg *g = graph;
  for (uint32_t t = 0; t < g->threads.n; t++) heap_release(g->heap, g->threads.at[t].after);
  for (uint32_t v = 0; v < g->slots.n; v++) {
    Slot *slot = &g->slots.at[v];
    key_set_fini(g->heap, &slot->did);
    key_set_fini(g->heap, &slot->later);
    key_set_fini(g->heap, &slot->follow);
    vec_fini(g->heap, &slot->in);
    hashes_fini(g->heap, &slot->blamed);
  }
  void *const pieces[] = {g->busy, g->direct, g->summed, g->into, g->outof, g->path_of};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) heap_release(g->heap, pieces[i]);
  vec_fini(g->heap, &g->threads);
  vec_fini(g->heap, &g->slots);
  vec_fini(g->heap, &g->queue);
  masks_fini(&g->masks);
  paths_fini(&g->paths);
  heap_release(g->heap, g);
}

void scg_room(void *graph, uint32_t n_threads, uint32_t n_objects) {
  Scg *g = graph;
  if (n_objects > KEY_SET_GONE / 2) heap_give_up(g->heap);
  masks_room(&g->masks, n_objects);
  if (n_threads > g->threads.n) vec_resize_zeroed(g->heap, &g->threads, n_threads);
}

MonitorSize scg_size(const void *graph) { return ((const Scg *)graph)->size; }

/* ---- a run that is going on ---- */

bool scg_follows(const void *graph, uint32_t number) {
  const Scg *g = graph;
  const ScgThread *thread = &g->threads.at[number];
  return thread->bit ? g->slots.at[thread->slot].in.n > 0 : thread->n_after > 0;
}

void scg_note(void *graph, const TraceEvent *event, uint64_t index) {
  Scg *g = graph;
  const ScgThread *thread = scg_thread(g, event);
  const bool writes = event->op != TRACE_READ;
  assert(thread->bit);
  if (!masks_add(&g->masks, event->object, thread->slot, scg_did(writes))) return;
  const KeySetMember member = {index, 2 * event->object + writes, event->location, PATH_NONE, event->op};
  key_set_add(g->heap, &g->slots.at[thread->slot].did, member);
}

/* The member that the slot has for the one object, if any, for the other one as well. */
static void divide_member(Scg *g, uint32_t slot, MaskKind kind, uint32_t from, uint32_t to) {
  const bool writes = kind == MASK_WRITTEN || kind == MASK_LATER_WRITTEN,
             later = kind == MASK_LATER_READ || kind == MASK_LATER_WRITTEN;
  KeySet *members = later ? &g->slots.at[slot].later : &g->slots.at[slot].did;
  const KeySetMember *member = key_set_find(g->heap, members, 2 * from + writes);
  assert(member);
  KeySetMember copy = *member;
  copy.key = 2 * to + writes;
  if (!masks_add(&g->masks, to, slot, kind)) return;
  copy.path = paths_keep(&g->paths, copy.path);
  key_set_add(g->heap, members, copy);
}

void scg_divide(void *graph, uint32_t from, uint32_t to) {
  Scg *g = graph;
  for (uint32_t w = 0; w < g->width; w++) {
    const Masks masks = masks_get(&g->masks, from, w);
    for (uint32_t kind = 0; kind < MASK_KINDS; kind++)
      for (uint64_t all = masks.of[kind]; all; all &= all - 1)
        divide_member(g, w * 64 + (uint32_t)__builtin_ctzll(all), (MaskKind)kind, from, to);
  }
}
