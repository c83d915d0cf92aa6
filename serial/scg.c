/* The summarized conflict graph: A. Farzan and P. Madhusudan, "Monitoring atomicity in concurrent programs" (CAV 2008),
 * section 3, after M. Casanova.
 *
 * Only open transactions are nodes. Transaction v keeps
 *
 *     did      S(v): its own accesses
 *     later    the accesses of transactions that have ended and must come after v      } the paper's C(v),
 *     follow   the threads of these                                                    } here in two parts
 *     in       edges p -> v: there is a path from p over transactions that have ended
 *
 * An access of thread i in v that conflicts with did(p), p != v, or with later(p) makes an edge p -> v; so does the begin of
 * v if i is in follow(p). An edge that closes a cycle, v -> v among them, is a violation. At its end v hands all that it has
 * to each p with p -> v, and the edges p -> w for each v -> w. A single event outside of transactions is begin, access and
 * end at once, and leaves nothing but what the p's get. A fork puts the thread into follow(v); a join is an event after all p
 * that have the thread there.
 *
 * The other way round, per object (masks.h) and per thread (`after`), a bit for each p says in whose sets it is: so an access
 * looks at four words, and mostly finds that there is nothing to do. Each member of a set has the first event that brought it
 * there, and the path to the transaction of that event (path.h): with them a cycle is told as it was.
 *
 * Causal atomicity is the same without edges between open transactions, because each block is looked at with all other events
 * by themselves: what others do is to p a single event, and what v does is to be compared with later(v). */
#include "base/bitset.h"
#include "base/hash.h"
#include "serial/engine.h"
#include "serial/masks.h"
#include "serial/members.h"
#include "serial/path.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct {
  uint32_t from; /* a slot */
  PathId path;
} InEdge;

/* An open transaction, or a free place for one. */
typedef struct {
  MonitorTransaction it; /* `last` is not kept */
  TxnId txn;             /* its record for paths, once there is need for it */
  Members did, later, follow;
  VEC(InEdge) in;
  Hashes blamed; /* edges that close cycles here, and have been told */
  uint32_t mark, parent; /* of a search */
} Slot;

typedef struct {
  uint64_t bit;     /* of its open transaction's slot, in its block of 64; 0: none is open */
  uint32_t slot;
  uint32_t life;
  bool started;
  uint64_t last;    /* its last event */
  uint64_t *after;  /* the slots that have it in `follow`: a row, or NULL */
} Thread;

typedef struct {
  Heap *heap;
  Findings *findings;
  bool causal, locks; /* locks: they conflict */
  MaskTable masks;
  Paths paths;
  VEC(Thread) threads;
  uint32_t width;         /* words of a row of slots */
  VEC(Slot) slots;        /* at most 64 * width */
  uint64_t *busy;         /* a row: the slots in use */
  uint64_t *into, *outof; /* rows: of the slots with an edge into this one, and out of it */
  uint64_t *direct, *summed; /* rows, of an access: who conflicts by `did`, by `later` */
  U32Vec queue;
  uint32_t n_marks;
  PathId *path_of;        /* per slot: of the edge into the transaction that ends */
  MonitorSize size;
} Scg;

/* ---- rows ---- */

static uint64_t *row(const Scg *g, uint64_t *rows, uint32_t slot) { return rows + (size_t)slot * g->width; }

/* Most rows are one word. */
static void clear_row(const Scg *g, uint64_t *set) {
  set[0] = 0;
  if (g->width > 1) memset(set + 1, 0, (g->width - 1) * sizeof *set);
}

/* The next member from `from` on, or NONE. */
static uint32_t next_in(const Scg *g, const uint64_t *set, uint32_t from) {
  uint32_t w = from / 64;
  if (w >= g->width) return NONE;
  uint64_t word = set[w] >> from % 64 << from % 64;
  while (word == 0) {
    if (++w == g->width) return NONE;
    word = set[w];
  }
  return w * 64 + (uint32_t)__builtin_ctzll(word);
}

#define for_each(p, g, set) for (uint32_t p = next_in((g), (set), 0); (p) != NONE; (p) = next_in((g), (set), (p) + 1))

/* n_old rows of the width so far become n rows of another one. */
static uint64_t *wider(Scg *g, uint64_t *rows, uint32_t n_old, uint32_t n, uint32_t width) {
  uint64_t *fresh = heap_zeroed(g->heap, heap_product(g->heap, (size_t)n * width, sizeof *fresh));
  for (uint32_t i = 0; i < n_old; i++)
    memcpy(fresh + (size_t)i * width, rows + (size_t)i * g->width, g->width * sizeof *fresh);
  heap_release(g->heap, rows);
  return fresh;
}

static void widen(Scg *g) {
  const uint32_t width = g->width * 2, n_old = 64 * g->width, n = 64 * width;
  for (uint32_t t = 0; t < g->threads.n; t++)
    if (g->threads.at[t].after) g->threads.at[t].after = wider(g, g->threads.at[t].after, 1, 1, width);
  uint64_t **const rows[] = {&g->busy, &g->direct, &g->summed}, **const tables[] = {&g->into, &g->outof};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) *rows[i] = wider(g, *rows[i], 1, 1, width);
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) *tables[i] = wider(g, *tables[i], n_old, n, width);
  g->path_of = heap_resize(g->heap, g->path_of, n * sizeof *g->path_of);
  g->width = width;
}

static uint32_t new_slot(Scg *g) {
  uint32_t w = 0;
  while (w < g->width && ~g->busy[w] == 0) w++;
  if (w == g->width) widen(g);
  const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(~g->busy[w]);
  if (slot >= g->slots.n) vec_resize_zeroed(g->heap, &g->slots, slot + 1);
  bitset_add(g->busy, slot);
  if (++g->size.nodes > g->size.most_nodes) g->size.most_nodes = g->size.nodes;
  return slot;
}

static uint64_t *after_row(Scg *g, Thread *thread) {
  if (!thread->after) thread->after = heap_zeroed(g->heap, g->width * sizeof *thread->after);
  return thread->after;
}

static Thread *thread_of(const Scg *g, const TraceEvent *event) { return &g->threads.at[event->thread]; }

/* ---- transactions and edges, for paths ---- */

static TxnId slot_txn(Scg *g, uint32_t v) {
  Slot *slot = &g->slots.at[v];
  if (slot->txn.v == NONE) slot->txn = paths_add_txn(&g->paths, &slot->it);
  return slot->txn;
}

/* The event as a transaction of its own. */
static TxnId single_txn(Scg *g, const TraceEvent *event, uint64_t index) {
  const MonitorTransaction single = {event->thread, thread_of(g, event)->life, 0, TRACE_NONE, event->location, index, index,
                                     false};
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
static PathId extend(Scg *g, PathId path, MonitorEdgeKind kind, const MonitorAccess *from, const MonitorAccess *to, TxnId txn) {
  const MonitorEdge edge = {kind, *from, *to};
  return path_extend(&g->paths, path, &edge, txn);
}

static Member *find_conflict(Scg *g, Members *members, const TraceEvent *event, bool writes) {
  Member *member = members_find(g->heap, members, 2 * event->object + 1);
  return member || !writes ? member : members_find(g->heap, members, 2 * event->object);
}

/* From p to the transaction of an access that conflicts with it. */
static PathId path_by_access(Scg *g, uint32_t p, const TraceEvent *event, uint64_t index, bool writes, bool direct, TxnId txn) {
  Slot *slot = &g->slots.at[p];
  const Member *member = find_conflict(g, direct ? &slot->did : &slot->later, event, writes);
  const MonitorAccess from = {member->event, event->object, member->location, member->op}, to = access_of(event, index);
  return extend(g, member->path, MONITOR_CONFLICT, &from, &to, txn);
}

/* From p to the transaction of an event whose thread is in follow(p). */
static PathId path_by_thread(Scg *g, uint32_t p, uint32_t thread, const TraceEvent *event, uint64_t index, TxnId txn) {
  const Member *member = members_find(g->heap, &g->slots.at[p].follow, thread);
  const bool forked = member->op == TRACE_FORK, joined = thread != event->thread;
  const MonitorAccess from = {member->event, forked ? thread : TRACE_NONE, member->location, member->op};
  const MonitorAccess to = joined ? access_of(event, index) : presence_of(event, index);
  const MonitorEdgeKind kind = joined ? MONITOR_JOIN : forked ? MONITOR_FORK : MONITOR_ORDER;
  return extend(g, member->path, kind, &from, &to, txn);
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
    for_each(w, g, row(g, g->outof, u)) {
      if (g->slots.at[w].mark == mark) continue;
      g->slots.at[w].mark = mark;
      g->slots.at[w].parent = u;
      if (w == p) return true;
      vec_push(g->heap, &g->queue, w);
    }
  }
  return false;
}

/* The steps from v to p that reaches() has found. */
static void add_way(Scg *g, uint32_t v, uint32_t p, CycleSteps *steps) {
  vec_clear(&g->queue);
  for (; p != v; p = g->slots.at[p].parent) vec_push(g->heap, &g->queue, p);
  for (uint32_t i = g->queue.n; i-- > 0;) {
    const uint32_t to = g->queue.at[i];
    path_steps(&g->paths, find_edge(&g->slots.at[to], g->slots.at[to].parent)->path, steps);
  }
}

static void complete(const Scg *g, MonitorTransaction *transaction, uint32_t thread_now, uint64_t now) {
  const Thread *thread = &g->threads.at[transaction->thread];
  if (!transaction->open) return;
  if (!thread->bit || g->slots.at[thread->slot].it.first != transaction->first) return;
  transaction->last = transaction->thread == thread_now ? now : thread->last;
}

/* A cycle: from v to p, if that is another one, and back by the path. */
static void report(Scg *g, uint32_t p, uint32_t v, PathId path, uint64_t now) {
  CycleSteps steps = {0};
  const uint64_t closing = findings_hash_edge(path_last(&g->paths, path));
  if (!hashes_add(g->heap, &g->slots.at[v].blamed, hash_join(closing, p))) return;
  if (p != v) add_way(g, v, p, &steps);
  path_steps(&g->paths, path, &steps);
  for (uint32_t i = 0; i < steps.n; i++) complete(g, &steps.at[i].to, g->slots.at[v].it.thread, now);
  findings_add(g->findings, now, &steps);
  vec_fini(g->heap, &steps);
}

/* An edge with this path, which it takes over. */
static void link_slots(Scg *g, uint32_t p, uint32_t v, PathId path) {
  const InEdge edge = {p, path};
  vec_push(g->heap, &g->slots.at[v].in, edge);
  bitset_add(row(g, g->into, v), p);
  bitset_add(row(g, g->outof, p), v);
  if (++g->size.edges > g->size.most_edges) g->size.most_edges = g->size.edges;
}

/* The same, unless it closes a cycle: then that is told. */
static void add_edge(Scg *g, uint32_t p, uint32_t v, PathId path, uint64_t now) {
  if (!reaches(g, v, p)) {
    link_slots(g, p, v, path);
    return;
  }
  report(g, p, v, path, now);
  path_drop(&g->paths, path);
}

/* ---- what p gets ---- */

static void add_follow(Scg *g, uint32_t p, uint32_t thread, uint8_t op, uint64_t event, uint32_t location, PathId path) {
  uint64_t *after = after_row(g, &g->threads.at[thread]);
  if (bitset_has(after, p)) return;
  bitset_add(after, p);
  const Member member = {event, thread, location, path_keep(&g->paths, path), op};
  members_add(g->heap, &g->slots.at[p].follow, member);
}

static void add_later(Scg *g, uint32_t p, const Member *access, PathId path) {
  Masks *masks = masks_at(&g->masks, access->key / 2, p / 64);
  uint64_t *set = &masks->later[access->key & 1];
  const uint64_t bit = (uint64_t)1 << p % 64;
  if (*set & bit) return;
  *set |= bit;
  Member member = *access;
  member.path = path_keep(&g->paths, path);
  members_add(g->heap, &g->slots.at[p].later, member);
}

/* ---- accesses ---- */

/* Whose accesses conflict: reads do with writes only. Without branches, since nobody can foretell them. */
static inline uint64_t conflicting(const uint64_t *set, bool writes) { return set[1] | (set[0] & -(uint64_t)writes); }

/* Who conflicts with the access: g->direct, but for the slot `self`, and g->summed. */
static void collect(Scg *g, uint32_t object, bool writes, const Thread *thread) {
  FarMasks *far = NULL;
  const uint32_t n = masks_rest(&g->masks, object, &far);
  clear_row(g, g->direct);
  clear_row(g, g->summed);
  g->direct[0] = conflicting(g->masks.near[object].did, writes);
  g->summed[0] = conflicting(g->masks.near[object].later, writes);
  for (uint32_t i = 0; i < n; i++) {
    g->direct[far[i].block] = conflicting(far[i].masks.did, writes);
    g->summed[far[i].block] = conflicting(far[i].masks.later, writes);
  }
  if (thread->bit) bitset_remove(g->direct, thread->slot);
}

static void access_in(Scg *g, const TraceEvent *event, uint64_t index, bool writes) {
  const uint32_t v = thread_of(g, event)->slot;
  for (uint32_t w = 0; w < g->width; w++) {
    const uint64_t all = g->direct[w] | g->summed[w];
    for (uint64_t fresh = all & ~row(g, g->into, v)[w]; fresh; fresh &= fresh - 1) {
      const uint32_t p = w * 64 + (uint32_t)__builtin_ctzll(fresh);
      add_edge(g, p, v, path_by_access(g, p, event, index, writes, bitset_has(g->direct, p), slot_txn(g, v)), index);
    }
  }
}

/* Of a single event p gets the access and the thread, if they are new. */
static void give_single(Scg *g, uint32_t p, const TraceEvent *event, uint64_t index, bool writes, TxnId *txn) {
  const Masks *masks = masks_at(&g->masks, event->object, p / 64);
  const bool known = masks->later[writes] >> p % 64 & 1;
  if (known && bitset_has(after_row(g, thread_of(g, event)), p)) return;
  if (txn->v == NONE) *txn = single_txn(g, event, index);
  const bool direct = bitset_has(g->direct, p);
  const PathId path = direct || bitset_has(g->summed, p) ? path_by_access(g, p, event, index, writes, direct, *txn)
                                                         : path_by_thread(g, p, event->thread, event, index, *txn);
  const Member access = {index, 2 * event->object + writes, event->location, PATH_NONE, event->op};
  add_later(g, p, &access, path);
  add_follow(g, p, event->thread, TRACE_END, index, event->location, path);
  path_drop(&g->paths, path);
}

static void access_alone(Scg *g, const TraceEvent *event, uint64_t index, bool writes) {
  const Thread *thread = thread_of(g, event);
  TxnId txn = TXN_NONE;
  for (uint32_t w = 0; w < g->width; w++) {
    uint64_t all = g->direct[w] | g->summed[w] | (thread->after ? thread->after[w] : 0);
    if (thread->bit && thread->slot / 64 == w) all &= ~thread->bit;
    for (; all; all &= all - 1) give_single(g, w * 64 + (uint32_t)__builtin_ctzll(all), event, index, writes, &txn);
  }
  paths_drop_txn(&g->paths, txn);
}

/* An access of a block that something of another thread within the block precedes. */
static void access_again(Scg *g, const TraceEvent *event, uint64_t index, bool writes) {
  const uint32_t v = thread_of(g, event)->slot;
  if (!bitset_has(g->summed, v)) return;
  const PathId path = path_by_access(g, v, event, index, writes, false, slot_txn(g, v));
  report(g, v, v, path, index);
  path_drop(&g->paths, path);
}

static void do_access(Scg *g, const TraceEvent *event, uint64_t index, bool writes) {
  Masks *masks = masks_at(&g->masks, event->object, thread_of(g, event)->slot / 64);
  const uint64_t bit = thread_of(g, event)->bit;
  uint64_t *set = &masks->did[writes];
  if (!bit || *set & bit) return;
  *set |= bit;
  const Member member = {index, 2 * event->object + writes, event->location, PATH_NONE, event->op};
  members_add(g->heap, &g->slots.at[thread_of(g, event)->slot].did, member);
}

static void scg_access(void *state, const TraceEvent *event, uint64_t index, bool writes) {
  Scg *g = state;
  Thread *thread = thread_of(g, event);
  collect(g, event->object, writes, thread);
  if (thread->bit && !g->causal) access_in(g, event, index, writes);
  else access_alone(g, event, index, writes);
  if (thread->bit && g->causal) access_again(g, event, index, writes);
  do_access(g, event, index, writes);
  thread->last = index;
}

/* ---- begin and end ---- */

static void scg_begin(void *state, const TraceEvent *event, uint64_t index, uint32_t ordinal) {
  Scg *g = state;
  const uint32_t v = new_slot(g);
  Thread *thread = thread_of(g, event);
  g->slots.at[v].it =
      (MonitorTransaction){event->thread, thread->life, ordinal, event->object, event->location, index, index, true};
  g->slots.at[v].txn = TXN_NONE;
  thread->slot = v;
  thread->bit = (uint64_t)1 << v % 64;
  thread->last = index;
  if (thread->after && !g->causal)
    for_each(p, g, thread->after) add_edge(g, p, v, path_by_thread(g, p, event->thread, event, index, slot_txn(g, v)), index);
}

/* To each predecessor that does not have it: the member, behind the path to v. */
static void hand_access(Scg *g, const uint64_t *heirs, const Member *member, bool later) {
  for (uint32_t w = 0; w < g->width; w++) {
    if (!heirs[w]) continue;
    const Masks *masks = masks_at(&g->masks, member->key / 2, w);
    for (uint64_t fresh = heirs[w] & ~masks->later[member->key & 1]; fresh; fresh &= fresh - 1) {
      const uint32_t p = w * 64 + (uint32_t)__builtin_ctzll(fresh);
      const PathId path = later ? path_join(&g->paths, g->path_of[p], member->path) : path_keep(&g->paths, g->path_of[p]);
      add_later(g, p, member, path);
      path_drop(&g->paths, path);
    }
  }
}

static void hand_thread(Scg *g, const uint64_t *heirs, const Member *member) {
  for_each(p, g, heirs) {
    const PathId path = path_join(&g->paths, g->path_of[p], member->path);
    add_follow(g, p, member->key, member->op, member->event, member->location, path);
    path_drop(&g->paths, path);
  }
}

/* Edges from each predecessor to each successor of v. */
static void hand_edges(Scg *g, uint32_t v, const uint64_t *heirs) {
  for_each(w, g, row(g, g->outof, v)) {
    const PathId rest = find_edge(&g->slots.at[w], v)->path;
    for_each(p, g, heirs)
      if (!bitset_has(row(g, g->into, w), p)) link_slots(g, p, w, path_join(&g->paths, g->path_of[p], rest));
  }
}

static void hand_over(Scg *g, uint32_t v, const TraceEvent *event, uint64_t now) {
  Slot *slot = &g->slots.at[v];
  const uint64_t *heirs = row(g, g->into, v);
  const Member self = {now, slot->it.thread, event->location, PATH_NONE, TRACE_END};
  for (uint32_t i = 0; i < slot->in.n; i++) g->path_of[slot->in.at[i].from] = slot->in.at[i].path;
  hand_thread(g, heirs, &self);
  for (uint32_t i = 0; i < slot->did.list.n; i++)
    if (slot->did.list.at[i].key != MEMBER_GONE) hand_access(g, heirs, &slot->did.list.at[i], false);
  for (uint32_t i = 0; i < slot->later.list.n; i++)
    if (slot->later.list.at[i].key != MEMBER_GONE) hand_access(g, heirs, &slot->later.list.at[i], true);
  for (uint32_t i = 0; i < slot->follow.list.n; i++)
    if (slot->follow.list.at[i].key != MEMBER_GONE) hand_thread(g, heirs, &slot->follow.list.at[i]);
  hand_edges(g, v, heirs);
}

static void drop_edge(Scg *g, uint32_t from, uint32_t to) {
  Slot *slot = &g->slots.at[to];
  const uint32_t i = (uint32_t)(find_edge(slot, from) - slot->in.at);
  path_drop(&g->paths, slot->in.at[i].path);
  slot->in.at[i] = vec_last(&slot->in);
  slot->in.n--;
  g->size.edges--;
}

static void drop_edges(Scg *g, uint32_t v) {
  Slot *slot = &g->slots.at[v];
  for_each(w, g, row(g, g->outof, v)) {
    drop_edge(g, v, w);
    bitset_remove(row(g, g->into, w), v);
  }
  for (uint32_t i = 0; i < slot->in.n; i++) {
    path_drop(&g->paths, slot->in.at[i].path);
    bitset_remove(row(g, g->outof, slot->in.at[i].from), v);
  }
  g->size.edges -= slot->in.n;
  vec_clear(&slot->in);
  clear_row(g, row(g, g->into, v));
  clear_row(g, row(g, g->outof, v));
  if (slot->blamed.n > 0) hashes_fini(g->heap, &slot->blamed);
}

static void drop_members(Scg *g, uint32_t v) {
  Slot *slot = &g->slots.at[v];
  const uint64_t others = ~((uint64_t)1 << v % 64);
  for (uint32_t i = 0; i < slot->did.list.n; i++) {
    const uint32_t key = slot->did.list.at[i].key;
    if (key == MEMBER_GONE) continue;
    masks_at(&g->masks, key / 2, v / 64)->did[key & 1] &= others;
  }
  for (uint32_t i = 0; i < slot->later.list.n; i++) {
    const Member *member = &slot->later.list.at[i];
    if (member->key == MEMBER_GONE) continue;
    masks_at(&g->masks, member->key / 2, v / 64)->later[member->key & 1] &= others;
    path_drop(&g->paths, member->path);
  }
  for (uint32_t i = 0; i < slot->follow.list.n; i++) {
    const Member *member = &slot->follow.list.at[i];
    if (member->key == MEMBER_GONE) continue;
    bitset_remove(g->threads.at[member->key].after, v);
    path_drop(&g->paths, member->path);
  }
  members_clear(g->heap, &slot->did);
  members_clear(g->heap, &slot->later);
  members_clear(g->heap, &slot->follow);
}

static void scg_end(void *state, const TraceEvent *event, uint64_t index) {
  Scg *g = state;
  Thread *thread = thread_of(g, event);
  const uint32_t v = thread->slot;
  Slot *slot = &g->slots.at[v];
  if (slot->txn.v != NONE) {
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
  thread->last = index;
}

/* ---- threads ---- */

/* p, which has forked the thread, or comes before what has, gets its first event. */
static void start_one(Scg *g, uint32_t p, const TraceEvent *event, uint64_t index) {
  const Thread *thread = thread_of(g, event);
  const bool node = thread->bit && (p == thread->slot || !g->causal);
  const TxnId txn = node ? slot_txn(g, thread->slot) : single_txn(g, event, index);
  const PathId path = path_by_thread(g, p, event->thread, event, index, txn);
  Member *member = members_find(g->heap, &g->slots.at[p].follow, event->thread);
  path_drop(&g->paths, member->path);
  *member = (Member){index, event->thread, event->location, path, TRACE_END};
  if (!node) paths_drop_txn(&g->paths, txn);
  else if (!bitset_has(row(g, g->into, thread->slot), p)) add_edge(g, p, thread->slot, path_keep(&g->paths, path), index);
}

static void scg_start(void *state, const TraceEvent *event, uint64_t index) {
  Scg *g = state;
  Thread *thread = thread_of(g, event);
  thread->started = true;
  thread->last = index;
  if (!thread->after) return;
  for_each(p, g, thread->after)
    if (members_find(g->heap, &g->slots.at[p].follow, event->thread)->op == TRACE_FORK) start_one(g, p, event, index);
}

/* The fork, as a single event, comes after p, as its thread is in follow(p): so the new thread comes after p. */
static void fork_alone(Scg *g, uint32_t p, const TraceEvent *event, uint64_t index) {
  const TxnId txn = single_txn(g, event, index);
  const PathId path = path_by_thread(g, p, event->thread, event, index, txn);
  add_follow(g, p, event->object, TRACE_FORK, index, event->location, path);
  path_drop(&g->paths, path);
  paths_drop_txn(&g->paths, txn);
}

static void scg_fork(void *state, const TraceEvent *event, uint64_t index) {
  Scg *g = state;
  Thread *thread = thread_of(g, event);
  thread->last = index;
  g->threads.at[event->object].started = false;
  if (thread->bit) add_follow(g, thread->slot, event->object, TRACE_FORK, index, event->location, PATH_NONE);
  if (!thread->after || (thread->bit && !g->causal)) return;
  for_each(p, g, thread->after)
    if (!thread->bit || p != thread->slot) fork_alone(g, p, event, index);
}

/* Has v itself forked the thread, and no more? Then its join by v is no cycle. */
static bool only_forked(Scg *g, uint32_t v, uint32_t thread) {
  const Member *member = members_find(g->heap, &g->slots.at[v].follow, thread);
  return member->op == TRACE_FORK && member->path.v == NONE;
}

/* From p to the transaction of a join, of a thread with something after p. */
static PathId path_by_join(Scg *g, uint32_t p, const TraceEvent *event, uint64_t index, TxnId txn) {
  const Thread *other = &g->threads.at[event->object];
  if (!other->bit || other->slot != p) return path_by_thread(g, p, event->object, event, index, txn);
  const MonitorAccess from = {other->last, TRACE_NONE, TRACE_NONE, TRACE_END}, to = access_of(event, index);
  return extend(g, PATH_NONE, MONITOR_JOIN, &from, &to, txn);
}

/* The join comes after p. */
static void join_one(Scg *g, uint32_t p, const TraceEvent *event, uint64_t index) {
  const Thread *thread = thread_of(g, event);
  const bool own = thread->bit && p == thread->slot, node = thread->bit && (own || !g->causal);
  if (own && only_forked(g, p, event->object)) return;
  if (node && bitset_has(row(g, g->into, thread->slot), p)) return;
  const TxnId txn = node ? slot_txn(g, thread->slot) : single_txn(g, event, index);
  const PathId path = path_by_join(g, p, event, index, txn);
  if (node) {
    add_edge(g, p, thread->slot, path, index);
    return;
  }
  add_follow(g, p, event->thread, TRACE_END, index, event->location, path);
  path_drop(&g->paths, path);
  paths_drop_txn(&g->paths, txn);
}

/* Nothing is known any more of a thread that was joined; its number may come again. */
static void forget_thread(Scg *g, uint32_t number) {
  Thread *thread = &g->threads.at[number];
  thread->started = false;
  thread->life++;
  if (!thread->after) return;
  for_each(p, g, thread->after) {
    Members *follow = &g->slots.at[p].follow;
    Member *member = members_find(g->heap, follow, number);
    path_drop(&g->paths, member->path);
    members_remove(g->heap, follow, member);
  }
  heap_release(g->heap, thread->after);
  thread->after = NULL;
}

static void scg_join(void *state, const TraceEvent *event, uint64_t index) {
  Scg *g = state;
  const Thread *other = &g->threads.at[event->object];
  thread_of(g, event)->last = index;
  if (other->after)
    for_each(p, g, other->after) join_one(g, p, event, index);
  if (other->bit && !(other->after && bitset_has(other->after, other->slot))) join_one(g, other->slot, event, index);
  if (!other->bit) forget_thread(g, event->object);
}

/* ---- objects ---- */

static void forget_key(Scg *g, Members *members, uint32_t key) {
  Member *member = members_find(g->heap, members, key);
  if (!member) return;
  path_drop(&g->paths, member->path);
  members_remove(g->heap, members, member);
}

static void forget_block(Scg *g, Masks *masks, uint32_t object, uint32_t block) {
  for (uint64_t all = masks->did[0] | masks->did[1] | masks->later[0] | masks->later[1]; all; all &= all - 1) {
    Slot *slot = &g->slots.at[block * 64 + (uint32_t)__builtin_ctzll(all)];
    for (uint32_t writes = 0; writes < 2; writes++) {
      forget_key(g, &slot->did, 2 * object + writes);
      forget_key(g, &slot->later, 2 * object + writes);
    }
  }
  *masks = (Masks){0};
}

static void scg_free_object(void *state, uint32_t object) {
  Scg *g = state;
  FarMasks *far = NULL;
  const uint32_t n = masks_rest(&g->masks, object, &far);
  forget_block(g, &g->masks.near[object], object, 0);
  for (uint32_t i = 0; i < n; i++) forget_block(g, &far[i].masks, object, far[i].block);
}

/* ---- the usual case ---- */

/* Does the access change nothing in this block but that its transaction, which is in block `own`, has done it? */
static inline bool is_settled(const Scg *g, const Thread *thread, const Masks *masks, uint32_t block, uint32_t own, bool writes,
                              bool causal) {
  const uint64_t self = own == block ? thread->bit : 0, later = conflicting(masks->later, writes);
  const uint64_t all = (conflicting(masks->did, writes) & ~self) | later;
  if (thread->bit && !causal) return !all || !(all & ~g->into[(size_t)thread->slot * g->width + block]);
  if (!thread->after) return !all;
  const uint64_t due = (all | thread->after[block]) & ~self;
  return !(later & self) && !(due & ~masks->later[writes]) && !(due & ~thread->after[block]);
}

/* The same of the blocks that the object does not have. */
static bool is_settled_elsewhere(const Scg *g, const Thread *thread, const FarMasks *far, uint32_t n) {
  for (uint32_t i = 0, block = 1; block < g->width; block++) {
    if (i < n && far[i].block == block) i++;
    else if (thread->after[block] & ~(thread->slot / 64 == block ? thread->bit : 0)) return false;
  }
  return true;
}

/* The same of all blocks but 0; *masks becomes the one of its transaction, if that is not in block 0. */
static inline bool is_settled_far(Scg *g, const Thread *thread, uint32_t object, Masks **masks, bool writes, bool causal) {
  FarMasks *far = NULL;
  const uint32_t n = masks_rest(&g->masks, object, &far), own = thread->slot / 64;
  Masks *found = own == 0 ? *masks : NULL;
  for (uint32_t i = 0; i < n; i++) {
    if (!is_settled(g, thread, &far[i].masks, far[i].block, own, writes, causal)) return false;
    if (far[i].block == own) found = &far[i].masks;
  }
  if (thread->after && (causal || !thread->bit) && !is_settled_elsewhere(g, thread, far, n)) return false;
  *masks = found ? found : masks_far(&g->masks, object, own);
  return true;
}

/* An operation on a lock, where they do not count. */
static inline bool is_nothing(const Scg *g, const TraceEvent *event) {
  return (event->op == TRACE_ACQUIRE || event->op == TRACE_RELEASE) && !g->locks && thread_of(g, event)->started;
}

static inline __attribute__((always_inline)) uint32_t run_with(Scg *g, const TraceEvent *events, uint32_t n, uint64_t index,
                                                               bool causal, bool wide) {
  for (uint32_t i = 0; i < n; i++) {
    const TraceEvent *event = &events[i];
    if (event->op > TRACE_WRITE) {
      if (!is_nothing(g, event)) return i;
      continue;
    }
    const bool writes = event->op == TRACE_WRITE;
    Thread *thread = &g->threads.at[event->thread];
    Masks *masks = &g->masks.near[event->object];
    if (!thread->started || !is_settled(g, thread, masks, 0, wide ? thread->slot / 64 : 0, writes, causal)) return i;
    if (wide && !is_settled_far(g, thread, event->object, &masks, writes, causal)) return i;
    thread->last = index + i;
    uint64_t *set = &masks->did[writes];
    if (!(~*set & thread->bit)) continue;
    *set |= thread->bit;
    const Member member = {index + i, 2 * event->object + writes, event->location, PATH_NONE, event->op};
    members_add(g->heap, &g->slots.at[thread->slot].did, member);
  }
  return n;
}

static uint32_t scg_run(void *state, const TraceEvent *events, uint32_t n, uint64_t index) {
  Scg *g = state;
  return g->width > 1 ? run_with(g, events, n, index, false, true) : run_with(g, events, n, index, false, false);
}

static uint32_t causal_run(void *state, const TraceEvent *events, uint32_t n, uint64_t index) {
  Scg *g = state;
  return g->width > 1 ? run_with(g, events, n, index, true, true) : run_with(g, events, n, index, true, false);
}

/* ---- the engine ---- */

static void *scg_new(Heap *heap, const MonitorOptions *options, Findings *findings) {
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

static void scg_free(void *state) {
  Scg *g = state;
  for (uint32_t t = 0; t < g->threads.n; t++) heap_release(g->heap, g->threads.at[t].after);
  for (uint32_t v = 0; v < g->slots.n; v++) {
    Slot *slot = &g->slots.at[v];
    members_fini(g->heap, &slot->did);
    members_fini(g->heap, &slot->later);
    members_fini(g->heap, &slot->follow);
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

static void scg_room(void *state, uint32_t n_threads, uint32_t n_objects) {
  Scg *g = state;
  if (n_objects > MEMBER_GONE / 2) heap_give_up(g->heap);
  masks_room(&g->masks, n_objects);
  if (n_threads > g->threads.n) vec_resize_zeroed(g->heap, &g->threads, n_threads);
}

static MonitorSize scg_size(const void *state) { return ((const Scg *)state)->size; }

const Engine engine_scg = {scg_new,  scg_free, scg_start,       scg_begin, scg_end,  scg_access, scg_fork,
                           scg_join, scg_free_object, NULL, scg_size,  scg_run, scg_room};
const Engine engine_scg_causal = {scg_new,  scg_free, scg_start,       scg_begin, scg_end,    scg_access, scg_fork,
                                  scg_join, scg_free_object, NULL, scg_size,  causal_run, scg_room};
