/* paths.h: walks through the conflict graph, kept for as long as something may have to be explained with them.
 *
 * A path leads from an open transaction, which its owner knows, to another one. Paths share their parts, count their
 * uses, and never get longer than a bound that goes with the number of threads: they are shortened, and where that does
 * not help cut, with a gap. */
#ifndef SERIAL_PATHS_H
#define SERIAL_PATHS_H

#include "base/carry.h"
#include "serial/findings.h"
#include "serial/mentioned.h"

/* The number of a path: an index of Paths.nodes. */
typedef struct {
  uint32_t v;
} PathId;
/* The number of a transaction: an index of Paths.txns. */
typedef struct {
  uint32_t v;
} TxnId;
#define PATH_NONE ((PathId){UINT32_MAX}) /* the empty path */
#define TXN_NONE ((TxnId){UINT32_MAX})

/* A path; it is freed when it has no uses left. */
typedef struct {
  uint32_t uses;   /* 0: free */
  uint32_t length; /* steps */
  PathId left;     /* a path, and after it either another one, `right`, or a step. A free node: the next one */
  PathId right;    /* PATH_NONE: a step */
  TxnId to;        /* of the step */
  MonitorEdge edge;
} PathNode;

/* A transaction that paths lead to; it is freed likewise. */
typedef struct {
  uint32_t uses;
  uint32_t next_free;
  MonitorTransaction it;
} TxnNode;

/* All paths of a graph, and the transactions on them. */
typedef struct {
  Heap *heap;
  VEC(PathNode) nodes;
  VEC(TxnNode) txns;
  PathId free_node;
  uint32_t free_txn;
  uint32_t bound; /* steps of a path */
  U32Vec stack;
} Paths;

/* Without a path; memory is the heap's, until fini, whatever is still in use. */
void paths_init(Paths *paths, Heap *heap);
void paths_fini(Paths *paths);
void paths_carry(Paths *paths, Carry *carry);

/* Each id that is returned is one use, to be dropped. */
TxnId paths_add_txn(Paths *paths, const MonitorTransaction *transaction);
void paths_drop_txn(Paths *paths, TxnId txn);                                      /* TXN_NONE is allowed */
PathId paths_extend(Paths *paths, PathId path, const MonitorEdge *edge, TxnId to); /* the path, and a step */
PathId paths_join(Paths *paths, PathId left, PathId right); /* first left, then right; either may be empty */
PathId paths_keep(Paths *paths, PathId path);               /* one use more; an empty path is allowed */
void paths_drop(Paths *paths, PathId path);                 /* one use less; likewise */

/* Not TXN_NONE. Valid until the next transaction is added. */
static inline MonitorTransaction *paths_txn(Paths *paths, TxnId txn) { return &paths->txns.at[txn.v].it; }

/* What the paths that are in use mention. */
void paths_mention(const Paths *paths, Mentioned *mentioned);

/* The edge of its last step; it is not empty. */
const MonitorEdge *paths_last(const Paths *paths, PathId path);
/* Appends its steps. */
void paths_steps(Paths *paths, PathId path, CycleSteps *steps);

#endif
