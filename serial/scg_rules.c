/* The rules for events: what each adds to the summarized conflict graph (scg.h).
 *
 * An access of thread i in v that conflicts with did(p), p != v, or with later(p) makes an edge p -> v; so does the
 * begin of v if i is in follow(p). A single event outside of transactions is begin, access and end at once, and leaves
 * nothing but what the p's get. A fork puts the thread into follow(v); a join is an event after all p that have the
 * thread there. An access looks at four words, and mostly finds that there is nothing to do.
 *
 * Causal atomicity is the same without edges between open transactions, because each block is looked at with all other
 * events by themselves: what others do is to p a single event, and what v does is to be compared with later(v). */
#include "serial/engine.h"
#include "serial/scg.h"

#include <assert.h>

/* Events for which memory is asked ahead, and from how many objects on. */
enum { AHEAD = 16, MANY_OBJECTS = 1 << 14 };

/* ---- accesses ---- */

/* Whose accesses conflict: reads do with writes only. Without branches, since nobody can foretell them. */
static inline uint64_t conflicting(uint64_t read, uint64_t written, bool writes) {
  return written | (read & -(uint64_t)writes);
}
static inline uint64_t who_did(const Masks *masks, bool writes) {
  return conflicting(masks->of[MASK_READ], masks->of[MASK_WRITTEN], writes);
}
static inline uint64_t who_later(const Masks *masks, bool writes) {
  return conflicting(masks->of[MASK_LATER_READ], masks->of[MASK_LATER_WRITTEN], writes);
}

/* Who conflicts with the access: g->direct, but for the slot `self`, and g->summed. */
static void collect(Scg *g, uint32_t object, bool writes, const ScgThread *thread) {
  for (uint32_t w = 0; w < g->width; w++) {
    const Masks masks = masks_get(&g->masks, object, w);
    g->direct[w] = who_did(&masks, writes);
    g->summed[w] = who_later(&masks, writes);
  }
  if (thread->bit) bitset_remove(g->direct, thread->slot);
}

static void access_in(Scg *g, const TraceEvent *event, uint64_t index) {
  const uint32_t v = scg_thread(g, event)->slot;
  for (uint32_t w = 0; w < g->width; w++) {
    const uint64_t all = g->direct[w] | g->summed[w];
    for (uint64_t fresh = all & ~scg_row(g, g->into, v)[w]; fresh; fresh &= fresh - 1) {
      const uint32_t p = w * 64 + (uint32_t)__builtin_ctzll(fresh);
      const bool direct = bitset_has(g->direct, p);
      scg_add_edge(g, p, v, scg_path_by_access(g, p, event, index, direct, scg_slot_txn(g, v)), index);
    }
  }
}

/* Of a single event p gets the access and the thread, if they are new. */
static void give_single(Scg *g, uint32_t p, const TraceEvent *event, uint64_t index, EngineAccess how, TxnId *txn) {
  const Masks masks = masks_get(&g->masks, event->object, p / 64);
  const uint64_t *after = scg_thread(g, event)->after;
  const bool writes = how == ENGINE_WRITES;
  const bool known = how == ENGINE_WAITS || (masks.of[scg_later(writes)] >> p % 64 & 1);
  if (known && after && bitset_has(after, p)) return;
  if (txn->v == SCG_NONE) *txn = scg_single_txn(g, event, index);
  const bool direct = bitset_has(g->direct, p);
  const PathId path = direct || bitset_has(g->summed, p) ? scg_path_by_access(g, p, event, index, direct, *txn)
                                                         : scg_path_by_thread(g, p, event->thread, event, index, *txn);
  const KeySetMember access = {index, 2 * event->object + writes, event->location, PATH_NONE, event->op};
  if (!known) scg_add_later(g, p, &access, path);
  scg_add_follow(g, p, event->thread, TRACE_END, index, event->location, path);
  paths_drop(&g->paths, path);
}

static void access_alone(Scg *g, const TraceEvent *event, uint64_t index, EngineAccess how) {
  const ScgThread *thread = scg_thread(g, event);
  TxnId txn = TXN_NONE;
  for (uint32_t w = 0; w < g->width; w++) {
    uint64_t all = g->direct[w] | g->summed[w] | (thread->after ? thread->after[w] : 0);
    if (thread->bit && thread->slot / 64 == w) all &= ~thread->bit;
    for (; all; all &= all - 1) give_single(g, w * 64 + (uint32_t)__builtin_ctzll(all), event, index, how, &txn);
  }
  paths_drop_txn(&g->paths, txn);
}

/* An access of a block that something of another thread within the block precedes. */
static void access_again(Scg *g, const TraceEvent *event, uint64_t index) {
  const uint32_t v = scg_thread(g, event)->slot;
  if (!bitset_has(g->summed, v)) return;
  const PathId path = scg_path_by_access(g, v, event, index, false, scg_slot_txn(g, v));
  scg_report(g, v, v, path, index);
  paths_drop(&g->paths, path);
}

static void do_access(Scg *g, const TraceEvent *event, uint64_t index, bool writes) {
  const ScgThread *thread = scg_thread(g, event);
  if (!thread->bit || !masks_add(&g->masks, event->object, thread->slot, scg_did(writes))) return;
  const KeySetMember member = {index, 2 * event->object + writes, event->location, PATH_NONE, event->op};
  key_set_add(g->heap, &g->slots.at[thread->slot].did, member);
}

static void on_access(void *state, const TraceEvent *event, uint64_t index, EngineAccess how) {
  Scg *g = state;
  ScgThread *thread = scg_thread(g, event);
  collect(g, event->object, how != ENGINE_READS, thread);
  if (thread->bit && !g->causal) access_in(g, event, index);
  else access_alone(g, event, index, how);
  if (thread->bit && g->causal) access_again(g, event, index);
  if (how != ENGINE_WAITS) do_access(g, event, index, how == ENGINE_WRITES);
  thread->last = index;
}

/* ---- begin ---- */

static void on_begin(void *state, const TraceEvent *event, uint64_t index, uint32_t ordinal) {
  Scg *g = state;
  assert(!scg_thread(g, event)->bit && ordinal > 0);
  const uint32_t v = scg_add_slot(g, scg_thread(g, event)->home);
  ScgThread *thread = scg_thread(g, event);
  g->slots.at[v].it =
      (MonitorTransaction){event->thread, thread->life, ordinal, event->object, event->location, index, index, true};
  g->slots.at[v].txn = TXN_NONE;
  thread->slot = v;
  thread->bit = (uint64_t)1 << v % 64;
  thread->last = index;
  if (!thread->after || g->causal) return;
  for_each_slot(p, g, thread->after)
      scg_add_edge(g, p, v, scg_path_by_thread(g, p, event->thread, event, index, scg_slot_txn(g, v)), index);
}

/* ---- threads ---- */

/* p, which has forked the thread, or comes before what has, gets its first event. */
static void start_one(Scg *g, uint32_t p, const TraceEvent *event, uint64_t index) {
  const ScgThread *thread = scg_thread(g, event);
  const bool node = thread->bit && (p == thread->slot || !g->causal);
  const TxnId txn = node ? scg_slot_txn(g, thread->slot) : scg_single_txn(g, event, index);
  const PathId path = scg_path_by_thread(g, p, event->thread, event, index, txn);
  KeySetMember *member = key_set_find(g->heap, &g->slots.at[p].follow, event->thread);
  assert(member && member->op == TRACE_FORK);
  paths_drop(&g->paths, member->path);
  *member = (KeySetMember){index, event->thread, event->location, path, TRACE_END};
  if (!node) paths_drop_txn(&g->paths, txn);
  else if (!bitset_has(scg_row(g, g->into, thread->slot), p))
    scg_add_edge(g, p, thread->slot, paths_keep(&g->paths, path), index);
}

static void on_start(void *state, const TraceEvent *event, uint64_t index) {
  Scg *g = state;
  ScgThread *thread = scg_thread(g, event);
  thread->started = true;
  thread->last = index;
  if (!thread->after) return;
  for_each_slot(p, g, thread->after) if (key_set_find(g->heap, &g->slots.at[p].follow, event->thread)->op == TRACE_FORK)
      start_one(g, p, event, index);
}

/* The fork, as a single event, comes after p, as its thread is in follow(p): so the new thread comes after p. */
static void fork_alone(Scg *g, uint32_t p, const TraceEvent *event, uint64_t index) {
  const TxnId txn = scg_single_txn(g, event, index);
  const PathId path = scg_path_by_thread(g, p, event->thread, event, index, txn);
  scg_add_follow(g, p, event->object, TRACE_FORK, index, event->location, path);
  paths_drop(&g->paths, path);
  paths_drop_txn(&g->paths, txn);
}

static void on_fork(void *state, const TraceEvent *event, uint64_t index) {
  Scg *g = state;
  ScgThread *thread = scg_thread(g, event);
  thread->last = index;
  g->threads.at[event->object].started = false;
  if (thread->bit) scg_add_follow(g, thread->slot, event->object, TRACE_FORK, index, event->location, PATH_NONE);
  if (!thread->after || (thread->bit && !g->causal)) return;
  for_each_slot(p, g, thread->after) fork_alone(g, p, event, index);
}

/* Has v itself forked the thread, and no more? Then its join by v is no cycle. */
static bool only_forked(Scg *g, uint32_t v, uint32_t thread) {
  const KeySetMember *member = key_set_find(g->heap, &g->slots.at[v].follow, thread);
  assert(member);
  return member->op == TRACE_FORK && member->path.v == SCG_NONE;
}

/* The join comes after p. */
static void join_one(Scg *g, uint32_t p, const TraceEvent *event, uint64_t index) {
  const ScgThread *thread = scg_thread(g, event);
  const bool own = thread->bit && p == thread->slot, node = thread->bit && (own || !g->causal);
  if (own && only_forked(g, p, event->object)) return;
  if (node && bitset_has(scg_row(g, g->into, thread->slot), p)) return;
  const TxnId txn = node ? scg_slot_txn(g, thread->slot) : scg_single_txn(g, event, index);
  const PathId path = scg_path_by_join(g, p, event, index, txn);
  if (node) {
    scg_add_edge(g, p, thread->slot, path, index);
  } else {
    scg_add_follow(g, p, event->thread, TRACE_END, index, event->location, path);
    paths_drop(&g->paths, path);
    paths_drop_txn(&g->paths, txn);
  }
}

static void on_join(void *state, const TraceEvent *event, uint64_t index) {
  Scg *g = state;
  const ScgThread *other = &g->threads.at[event->object];
  scg_thread(g, event)->last = index;
  if (other->after) for_each_slot(p, g, other->after) join_one(g, p, event, index);
  if (other->bit && !(other->after && bitset_has(other->after, other->slot))) join_one(g, other->slot, event, index);
  if (!other->bit) scg_forget_thread(g, event->object);
}

/* ---- the usual case ---- */

/* Does the access change nothing in this word but that its transaction, which is in word `own`, has done it? */
static inline bool is_settled(const Scg *g, const ScgThread *thread, const Masks *masks, uint32_t word, uint32_t own,
                              bool writes, bool causal) {
  const uint64_t self = own == word ? thread->bit : 0, later = who_later(masks, writes);
  const uint64_t all = (who_did(masks, writes) & ~self) | later;
  if (thread->bit && !causal) return !all || !(all & ~g->into[(size_t)thread->slot * g->width + word]);
  if (!thread->after) return !all;
  const uint64_t due = (all | thread->after[word]) & ~self;
  return !(later & self) && !(due & ~masks->of[scg_later(writes)]) && !(due & ~thread->after[word]);
}

/* The same of all words. */
static bool is_settled_everywhere(const Scg *g, const ScgThread *thread, uint32_t object, bool writes, bool causal) {
  for (uint32_t w = 0; w < g->width; w++) {
    const Masks masks = masks_get(&g->masks, object, w);
    if (!is_settled(g, thread, &masks, w, thread->slot / 64, writes, causal)) return false;
  }
  return true;
}

/* The same, where the thread does not follow on others that are open, or that does not matter: no more than the members
 * that conflict are looked at, if there are any. */
static inline bool is_settled_in_list(const Scg *g, const ScgThread *thread, const WideMasks *masks, bool writes,
                                      bool causal) {
  for (uint32_t i = 0; i < masks->n; i++) {
    const uint32_t kind = masks->list[i] % MASK_KINDS, slot = masks->list[i] / MASK_KINDS;
    const bool conflicts = writes || kind == MASK_WRITTEN || kind == MASK_LATER_WRITTEN;
    const bool own = thread->bit && slot == thread->slot && kind <= MASK_WRITTEN;
    if (!conflicts || own) continue;
    if (!thread->bit || causal || !bitset_has(scg_row(g, g->into, thread->slot), slot)) return false;
  }
  return true;
}

static inline bool is_settled_in_words(const Scg *g, const ScgThread *thread, const WideMasks *masks, bool writes,
                                       bool causal) {
  for (uint64_t some = who_did(&masks->any, writes) | who_later(&masks->any, writes); some; some &= some - 1)
    for (uint32_t w = (uint32_t)__builtin_ctzll(some); w < g->width; w += 64)
      if (!is_settled(g, thread, &masks->words[w], w, thread->slot / 64, writes, causal)) return false;
  return true;
}

static inline bool is_settled_wide(const Scg *g, const ScgThread *thread, uint32_t object, bool writes, bool causal) {
  const WideMasks *masks = &g->masks.wide[object];
  if (thread->n_after && (causal || !thread->bit)) return is_settled_everywhere(g, thread, object, writes, causal);
  return masks->listed ? is_settled_in_list(g, thread, masks, writes, causal)
                       : is_settled_in_words(g, thread, masks, writes, causal);
}

/* An operation on a lock, or a hand-over, where they do not count. */
static inline bool is_nothing(const Scg *g, const TraceEvent *event) {
  const TraceSort sort = TRACE_SORT[event->op];
  return (sort == TRACE_ON_LOCK || sort == TRACE_ON_HANDOVER) && !g->locks && scg_thread(g, event)->started;
}

/* Asks for the memory that the event will look at. */
static inline void bring_near(const Scg *g, const TraceEvent *event, bool wide) {
  if (TRACE_SORT[event->op] != TRACE_ON_VARIABLE) return;
  if (wide) __builtin_prefetch(&g->masks.wide[event->object]);
  else __builtin_prefetch(&g->masks.narrow[event->object]);
}

static inline __attribute__((always_inline)) uint32_t run_with(Scg *g, const TraceEvent *events, uint32_t n,
                                                               uint64_t index, bool causal, bool wide, bool far) {
  for (uint32_t i = 0; i < n; i++) {
    const TraceEvent *event = &events[i];
    if (far && n - i > AHEAD) bring_near(g, &events[i + AHEAD], wide);
    if (event->op > TRACE_WRITE && event->op != TRACE_UPDATE) {
      if (!is_nothing(g, event)) return i;
      continue;
    }
    const bool writes = event->op != TRACE_READ;
    ScgThread *thread = &g->threads.at[event->thread];
    Masks *masks = wide ? NULL : &g->masks.narrow[event->object];
    if (!thread->started || (wide ? !is_settled_wide(g, thread, event->object, writes, causal)
                                  : !is_settled(g, thread, masks, 0, 0, writes, causal)))
      return i;
    thread->last = index + i;
    if (wide) {
      do_access(g, event, index + i, writes);
      continue;
    }
    uint64_t *set = &masks->of[scg_did(writes)];
    if (!(~*set & thread->bit)) continue;
    *set |= thread->bit;
    const KeySetMember member = {index + i, 2 * event->object + writes, event->location, PATH_NONE, event->op};
    key_set_add(g->heap, &g->slots.at[thread->slot].did, member);
  }
  return n;
}

/* With many objects they are not near. */
static inline __attribute__((always_inline)) uint32_t run(Scg *g, const TraceEvent *events, uint32_t n, uint64_t index,
                                                          bool causal) {
  const bool far = g->masks.n > MANY_OBJECTS;
  if (g->width > 1)
    return far ? run_with(g, events, n, index, causal, true, true) : run_with(g, events, n, index, causal, true, false);
  return far ? run_with(g, events, n, index, causal, false, true) : run_with(g, events, n, index, causal, false, false);
}

static uint32_t serial_run(void *state, const TraceEvent *events, uint32_t n, uint64_t index) {
  return run(state, events, n, index, false);
}

static uint32_t causal_run(void *state, const TraceEvent *events, uint32_t n, uint64_t index) {
  return run(state, events, n, index, true);
}

/* ---- the engine ---- */

const Engine engine_scg = {scg_new,     scg_free,          on_start,    on_begin, scg_collapse, on_access, on_fork,
                           on_join,     scg_forget_object, NULL,        scg_size, serial_run,   scg_room,  scg_audit,
                           scg_mention, scg_renew_thread,  scg_follows, scg_note, scg_divide,   scg_carry};
const Engine engine_scg_causal = {scg_new,          scg_free,    on_start, on_begin,          scg_collapse,
                                  on_access,        on_fork,     on_join,  scg_forget_object, NULL,
                                  scg_size,         causal_run,  scg_room, scg_audit,         scg_mention,
                                  scg_renew_thread, scg_follows, scg_note, scg_divide,        scg_carry};
