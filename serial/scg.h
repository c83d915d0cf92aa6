/* scg.h: the summarized conflict graph as the rules for events (scg_rules.c) see it; for serial/scg*.c alone.
 *
 * Only open transactions are nodes. Transaction v keeps
 *
 *     did      S(v): its own accesses
 *     later    the accesses of transactions that have ended and must come after v      } the paper's C(v),
 *     follow   the threads of these                                                    } here in two parts
 *     in       edges p -> v: there is a path from p over transactions that have ended
 *
 * The other way round, per object (masks.h) and per thread (`after`), a bit for each p says in whose sets it is. Each
 * member of a set has the first event that brought it there, and the path to the transaction of that event (path.h). */
#ifndef SERIAL_SCG_H
#define SERIAL_SCG_H

#include "base/bitset.h"
#include "base/err.h"
#include "serial/findings.h"
#include "serial/hashes.h"
#include "serial/masks.h"
#include "serial/key_set.h"
#include "serial/paths.h"

#include <string.h>

#define SCG_NONE UINT32_MAX

/* An edge into an open transaction, with a path that explains it. */
typedef struct {
  uint32_t from; /* a slot */
  PathId path;
} InEdge;

/* An open transaction, or a free place for one. */
typedef struct {
  MonitorTransaction it; /* `last` is not kept */
  TxnId txn;             /* its record for paths, once there is need for it */
  KeySet did, later, follow;
  VEC(InEdge) in;
  Hashes blamed;         /* edges that close cycles here, and have been reported */
  uint32_t mark, parent; /* of a search */
} Slot;

/* A thread, and its open transaction if there is one. */
typedef struct {
  uint64_t bit; /* of its open transaction's slot, in its word; 0: none is open */
  uint32_t slot;
  uint32_t home; /* the slot of the last one */
  uint32_t life;
  bool started;
  uint64_t last;   /* its last event */
  uint64_t *after; /* the slots that have it in `follow`: a row, or NULL */
  uint32_t n_after;
} ScgThread;

/* The graph. */
typedef struct {
  Heap *heap;
  Findings *findings;
  bool causal, locks; /* locks: they conflict */
  MaskTable masks;
  Paths paths;
  VEC(ScgThread) threads;
  uint32_t width;            /* words of a row of slots */
  VEC(Slot) slots;           /* at most 64 * width */
  uint64_t *busy;            /* a row: the slots in use */
  uint64_t *into, *outof;    /* rows: of the slots with an edge into this one, and out of it */
  uint64_t *direct, *summed; /* rows, of an access: who conflicts by `did`, by `later` */
  U32Vec queue;
  uint32_t n_marks;
  PathId *path_of; /* per slot: of the edge into the transaction that ends */
  MonitorSize size;
} Scg;

/* ---- rows ---- */

/* The row of a slot in a table of rows. */
static inline uint64_t *scg_row(const Scg *g, uint64_t *rows, uint32_t slot) { return rows + (size_t)slot * g->width; }

/* Most rows are one word. */
static inline void scg_clear_row(const Scg *g, uint64_t *set) {
  set[0] = 0;
  if (g->width > 1) memset(set + 1, 0, (g->width - 1) * sizeof *set);
}

/* The next member from `from` on, or SCG_NONE. */
static inline uint32_t scg_next(const Scg *g, const uint64_t *set, uint32_t from) {
  uint32_t w = from / 64;
  if (w >= g->width) return SCG_NONE;
  uint64_t word = set[w] >> from % 64 << from % 64;
  while (word == 0) {
    if (++w == g->width) return SCG_NONE;
    word = set[w];
  }
  return w * 64 + (uint32_t)__builtin_ctzll(word);
}

#define for_each_slot(p, g, set) \
  for (uint32_t p = scg_next((g), (set), 0); (p) != SCG_NONE; (p) = scg_next((g), (set), (p) + 1))

/* The event's thread, which scg_room has been told of. Valid until scg_room. */
static inline ScgThread *scg_thread(const Scg *g, const TraceEvent *event) { return &g->threads.at[event->thread]; }

static inline MaskKind scg_did(bool writes) { return writes ? MASK_WRITTEN : MASK_READ; }
static inline MaskKind scg_later(bool writes) { return writes ? MASK_LATER_WRITTEN : MASK_LATER_READ; }

/* ---- nodes ---- */

/* As an Engine (serial/engine.h). The findings must live as long. */
void *scg_new(Heap *heap, const MonitorOptions *options, Findings *findings);
void scg_free(void *graph);
void scg_room(void *graph, uint32_t n_threads, uint32_t n_objects); /* numbers below may come from now on */
MonitorSize scg_size(const void *graph);                            /* nodes and edges, now and at most */

void scg_widen(Scg *g); /* doubles the number of slots that there may be */

/* The least free slot. */
static inline uint32_t scg_free_slot(Scg *g) {
  uint32_t w = 0;
  while (w < g->width && ~g->busy[w] == 0) w++;
  if (w == g->width) scg_widen(g);
  return w * 64 + (uint32_t)__builtin_ctzll(~g->busy[w]);
}

/* A new node: `it` and `txn` are to be set. Where there are many, it is best in the slot of its thread's last one: then
 * an object has to do with few words of sets. */
static inline uint32_t scg_add_slot(Scg *g, uint32_t home) {
  const uint32_t slot = g->width > 1 && !bitset_has(g->busy, home) ? home : scg_free_slot(g);
  if (slot >= g->slots.n) vec_resize_zeroed(g->heap, &g->slots, slot + 1);
  bitset_add(g->busy, slot);
  if (++g->size.nodes > g->size.most_nodes) g->size.most_nodes = g->size.nodes;
  return slot;
}

/* The node v of the event's thread ends with it: what v has goes to each p with p -> v, and for each v -> w there is p
 * -> w. */
void scg_collapse(void *graph, const TraceEvent *event, uint64_t index);

/* Nothing is known any more of a thread that was joined, whose number may come again; of an object that was freed. */
void scg_forget_thread(Scg *g, uint32_t number);
void scg_forget_object(void *graph, uint32_t object);

/* As an Engine: whom it knows anything of; whom it does not, when the number comes again. */
void scg_mention(const void *graph, Mentioned *mentioned);
void scg_renew_thread(void *graph, uint32_t thread);

/* As an Engine. */
void scg_carry(void *graph, Carry *carry);

/* As an Engine, of a run that is going on. */
bool scg_follows(const void *graph, uint32_t thread);
void scg_note(void *graph, const TraceEvent *event, uint64_t index);
void scg_divide(void *graph, uint32_t from, uint32_t to);

void scg_add_after(Scg *g, uint32_t thread, uint32_t p); /* the row of `thread`, which lacks it, has p */

/* ---- what p gets, if it does not have it; the path is kept ---- */

/* Thread `thread` comes after p, from the event on; an access of a transaction that has ended does. */
void scg_add_follow(Scg *g, uint32_t p, uint32_t thread, uint8_t op, uint64_t event, uint32_t location, PathId path);
void scg_add_later(Scg *g, uint32_t p, const KeySetMember *access, PathId path);

/* ---- edges and their paths ---- */

TxnId scg_slot_txn(Scg *g, uint32_t v); /* is v's */
TxnId scg_single_txn(Scg *g, const TraceEvent *event,
                     uint64_t index); /* the event as a transaction of its own: one use */

/* One use each: from p to the transaction of an access that conflicts with did(p), if `direct`, or with later(p); of an
 * event whose thread, or the one it joins, is `thread` in follow(p); of a join of a thread with something after p, or
 * p's own. */
PathId scg_path_by_access(Scg *g, uint32_t p, const TraceEvent *event, uint64_t index, bool direct, TxnId txn);
PathId scg_path_by_thread(Scg *g, uint32_t p, uint32_t thread, const TraceEvent *event, uint64_t index, TxnId txn);
PathId scg_path_by_join(Scg *g, uint32_t p, const TraceEvent *event, uint64_t index, TxnId txn);

/* The edge p -> v with this path, which it takes over; if it closes a cycle, that is reported instead. */
void scg_add_edge(Scg *g, uint32_t p, uint32_t v, PathId path, uint64_t now);
/* Tells the cycle: from v to p, if that is another one, and back by the path. */
void scg_report(Scg *g, uint32_t p, uint32_t v, PathId path, uint64_t now);

/* Checks what holds between any two events (for tests): which slots are in use, that edges stand in both directions and
 * make no circle, and that members and masks say the same of each other. False with ERR_CHECK on the first fault. */
bool scg_audit(const void *graph, Err *err);

#endif
