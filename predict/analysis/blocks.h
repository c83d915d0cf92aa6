/* blocks.h: can two transactions, or parts of them, be interleaved in a way that no order of the two explains? (Wang
 * and Stoller, RV 2003, sections 5.1 to 5.3.) Equivalence is that of views: each read gets its value from the same
 * write, and each variable has the same final write.
 *
 * Only *shared* variables matter: two lives access them, and one of them writes. That fork and join order two accesses
 * does not make them harmless: in t: W(x), fork u, W(y) with u: R(x), R(y) the order of the accesses to x is the reason
 * why t and u cannot be put in order.
 *
 * One variable. A *span* is two accesses to a variable in one transaction; an access f of another life that comes
 * between them makes an unserializable run:
 *
 *     UP1   write, next write                            f: a first read
 *     UP2   first read, next first read                  f: any write
 *     UP3   write, read with no other write between      f: any write
 *     UP4   earliest first read, final write             f: a final write
 *
 * A *first read* is one with no write to the variable before it in its transaction (the paper's uninitialized read).
 *
 * f can come between e1 and e2 only if no lock that is held from e1 to e2 is held at f; and fork and join must not put
 * f before e1 or after e2. Without potential deadlock between the two, and with nested locking, that suffices
 * (Theorem 5.1); else it is still necessary. So "atomic" is never claimed wrongly; how certain a pattern is,
 * certainty.h says.
 *
 * These are the paper's blocks, cut in two: a span has e1, e2 and h12 of a block, an access has h and fw of an event of
 * the other block. By the letter, "no three out of the four events in the two blocks" form a pattern, and f of UP1 is
 * any read. Then
 *
 *     t: acq l, W(x), R(x), rel l     t': acq l, W(x), rel l, acq l, W(x), rel l
 *
 * would not be atomic: R(x) can come between the two writes. But it is a read of its own transaction's write, which is
 * the paper's own example 15 for an atomic set; hence first reads only. (Where t' comes between W(x) and R(x), UP3 says
 * so.) Spans of UP4 from the earliest first read only: the set of locks held is the least one. The dummy event of a
 * transaction with one event is no concern of spans.
 *
 * Two variables. A *2-block* is two accesses to two variables in one transaction, each the earliest first read or the
 * final write. Two of them, b = e1 e2 and b' = f1 f2, of the same variables, are interleaved in one of these ways:
 *
 *     around    e1 f1 f2 e2    no lock held from e1 to e2 is held at some time from f1 to f2
 *     within    f1 e1 e2 f2    likewise
 *     crossing  e1 f1 e2 f2    no lock is held from e1 to e2 and from f1 to f2 (and f1 e1, or f2 e2, if the locks ask
 * for it: whether the crossing is unserializable does not depend on these)
 *
 * Which of them are unserializable for which operations is computed. The printed 2-blocks have h1, h2 and h12 alone.
 * That does not suffice for `around`: in
 *
 *     t: acq l, W(x), W(y), rel l     t': R(x), acq l, rel l, R(y)
 *
 * l is not held at R(x) nor at R(y), but t' cannot come between W(x) and W(y); R(x) W(x) W(y) R(y) can. (The verdict of
 * a pair is the same without potential deadlock, since then one of `around` and `within` is possible indeed; but
 * another transaction is the split one.) So a 2-block has the set of locks held at some time, too. */
#ifndef PREDICT_ANALYSIS_BLOCKS_H
#define PREDICT_ANALYSIS_BLOCKS_H

#include "predict/analysis/access_index.h"

/* How a transaction can be split; NONE: no way was found. */
typedef enum {
  PATTERN_NONE,
  PATTERN_UP1,
  PATTERN_UP2,
  PATTERN_UP3,
  PATTERN_UP4,
  PATTERN_TWO_BLOCKS,
  PATTERN_TWO_TRANSACTIONS, /* e1, then an access of one transaction of another life, one of a later one of its, then e2
                             */
  PATTERN_CYCLE             /* of three or more transactions */
} Pattern;

/* Of an interleaving. */
typedef struct {
  uint32_t access;
  uint64_t event; /* index of one such in the run */
  uint32_t location;
  ShapeId shape;        /* its transaction; SHAPE_NONE: itself */
  uint32_t transaction; /* those of the pattern are numbered from 0; 0 is the one that is split */
} PatternEvent;

/* Of the transactions of a pattern (certainty.h). */
typedef enum {
  CERTAIN_NOT,
  CERTAIN_ALONE, /* taken by themselves they have such a trace */
  CERTAIN_WHOLE  /* all transactions of the run together have a trace that is not serializable */
} Certainty;

/* What was found of one shape: a pattern that may split it, or none. */
typedef struct {
  Pattern pattern;
  Certainty certainty;
  uint32_t n;
  const PatternEvent *events; /* in the order of the interleaving */
} BlockFinding;

/* ---- what the patterns are made of ---- */

/* An event of an interleaving of two transactions, 0 and 1. */
typedef struct {
  uint32_t transaction;
  uint32_t variable;
  bool write;
} ViewEvent;

/* Is an interleaving of all events of transactions 0 and 1, at most VIEW_MOST, equivalent to neither of the serial
 * orders? */
enum { VIEW_MOST = 16 };
bool blocks_view_unserializable(const ViewEvent *events, uint32_t n);

/* The ways in which two 2-blocks can be interleaved, as listed above. ORDERS is how many there are. */
typedef enum { ORDER_AROUND, ORDER_WITHIN, ORDER_CROSSING, ORDERS } BlockOrder;

/* The events of two 2-blocks: 0, 1 are e1, e2, and 2, 3 are f1, f2. */
extern const uint8_t BLOCK_ORDERS[ORDERS][4];

/* ---- shapes ---- */

/* The earliest first read, or the final write, of a shared variable. */
typedef struct {
  uint32_t step;
  uint32_t access;
  bool exposed; /* fork and join allow that a conflicting access happens while the transaction is under way */
} Endpoint;

/* Endpoints of one shape, in its order. */
typedef VEC(Endpoint) Endpoints;

/* Two of a shape, in its order. */
typedef struct {
  Endpoint first, second;
  LockSetId through; /* locks held from the first to the second */
  LockSetId ever;    /* held at some time from the first to the second */
} EndpointPair;

/* The search in all shapes of a run. The shapes outlive it. */
typedef struct {
  Shapes *shapes;
  AccessIndex index;
  bool *shared;                   /* per variable */
  const bool *movable;            /* per shape: reduction has shown that it is not split; NULL: of none */
  BlockFinding *findings;         /* per shape */
  Arena arena;                    /* of findings */
  uint64_t budget;                /* of each part, in pairs that are looked at or kept */
  uint64_t points;                /* of progress graphs that may be looked at yet (progress.h) */
  bool complete;                  /* the budget was enough */
  uint64_t pairs;                 /* that blocks_each_pair has looked at since it was zeroed */
  uint64_t n_spans, n_two_blocks; /* distinct ones */
  HeldLocks held;                 /* of the current shape */
  struct VariableMark *marks;
  uint64_t pass; /* over a shape; marks are of one */
} Blocks;

/* Finds the shared variables; no pattern has been looked for. `movable` stays the caller's. Memory is the heap of
 * the shapes until fini. */
void blocks_init(Blocks *blocks, Shapes *shapes, const bool *movable, uint64_t budget);
void blocks_fini(Blocks *blocks);

/* Looks for patterns of two transactions that split one which is not movable. */
void blocks_find_spans(Blocks *blocks);
void blocks_find_two_blocks(Blocks *blocks);

/* Replaces *endpoints, which starts as {0}, by those of the shape; the caller frees it with vec_fini. */
void blocks_endpoints(Blocks *blocks, ShapeId id, Endpoints *endpoints);

/* Calls `see` for each pair of endpoints, those of one variable included, as long as it returns true; with `exposed`,
 * of those of which one is exposed. (No other pair can be split, since a conflicting access comes between.) False, and
 * blocks->complete too, if more pairs were looked at than the budget allows. */
typedef bool (*SeePair)(void *self, ShapeId id, const EndpointPair *pair);
bool blocks_each_pair(Blocks *blocks, ShapeId id, const Endpoints *endpoints, bool exposed, SeePair see, void *self);

/* Keeps the finding for the shape, if it has none. */
void blocks_tell(Blocks *blocks, ShapeId id, Pattern pattern, Certainty certainty, const PatternEvent *events,
                 uint32_t n);

#endif
