/* findings.h: cycles, made short and told apart. */
#ifndef SERIAL_FINDINGS_H
#define SERIAL_FINDINGS_H

#include "base/vec.h"
#include "serial/hashes.h"
#include "serial/monitor.h"

/* An edge and where it leads. A walk is a sequence of them; its `from` accesses are of the transaction before. */
typedef struct {
  MonitorEdge edge;
  MonitorTransaction to;
} CycleStep;

/* A walk. Starts as {0}. */
typedef VEC(CycleStep) CycleSteps;

/* Makes a walk shorter, with the same end: a loop is left out; two transactions of a thread follow each other by its
 * order. */
void findings_shorten(Heap *heap, CycleSteps *walk);

/* The cycles that were found. */
typedef struct {
  Heap *heap;
  bool all; /* else the first one is the only one */
  VEC(MonitorFinding) list;
  Hashes known; /* theirs */
} Findings;

/* Starts as {.heap = heap, .all = ...}; fini releases the findings, too. */
void findings_fini(Findings *findings);
void findings_carry(Findings *findings, Carry *carry);
/* The same number for edges with the same places; where these are not known, with the same objects. */
uint64_t findings_hash_edge(const MonitorEdge *edge);
/* A walk from a transaction to itself; it is shortened. Nothing is added if it is known, or if one is enough. */
void findings_add(Findings *findings, uint64_t event, CycleSteps *cycle);
/* A transaction on a cycle that is not known. */
void findings_add_one(Findings *findings, uint64_t event, const MonitorTransaction *transaction);

#endif
