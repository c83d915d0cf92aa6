/* cycle.h: what model checking serializability found, and how it is told: as text and as JSON. docs/json.md has the JSON. */
#ifndef REPORT_CYCLE_H
#define REPORT_CYCLE_H

#include "check/conflict.h"
#include "report/verdict.h"

typedef struct {
  const Net *net;             /* has notes; NULL: it was not read to its end */
  Verdict verdict;            /* VERDICT_HOLDS: serializable */
  const char *why;            /* why unknown; NULL otherwise */
  const ConflictCycle *cycle; /* if violated, else NULL */
  const BlockVerdict *blocks; /* where it holds: can they be entered? */
  uint32_t n_blocks;
  uint64_t states;            /* that were met */
  double seconds;             /* wall clock, of the whole run */
  uint64_t bytes;             /* the most memory in use */
} CycleReport;

void cycle_text(const CycleReport *report, TextStyle style, FILE *out);
void cycle_json(const CycleReport *report, FILE *out);

#endif
