/* verdict.h: what causalcheck found, and how it is told: as text, JSON and a picture. docs/json.md has the JSON. */
#ifndef REPORT_VERDICT_H
#define REPORT_VERDICT_H

#include "base/verdict.h"
#include "check/witness.h"
#include "petri/net.h"

#include <stdio.h>

/* Can the block begin at all? One that cannot is atomic, which says nothing. */
typedef enum { ENTERED_UNKNOWN, ENTERED_SOMETIMES, ENTERED_NEVER } Entered;

typedef struct {
  uint32_t block;         /* of the notes */
  Verdict verdict;
  Entered entered;
  const Witness *witness; /* if violated, else NULL */
} BlockVerdict;

typedef struct {
  uint64_t places, transitions;           /* of the net that was unfolded */
  uint64_t events, conditions, cutoffs;   /* of its prefix */
  double seconds;                         /* wall clock, of the whole run */
  uint64_t bytes;                         /* the most memory in use */
} VerdictStats;

typedef struct {
  const Net *net; /* the uncoloured net; has notes. NULL: it was not read to its end, and there are no blocks */
  const BlockVerdict *blocks;
  uint32_t n_blocks;
  Verdict verdict;      /* violated if a block is, else unknown if one is, else atomic */
  const char *why;      /* why unknown: "--max-events 1000 reached", NULL otherwise */
  VerdictStats stats;
} Report;

typedef struct {
  bool colour; /* ANSI colours */
  bool quiet;  /* only the last line */
  bool verbose; /* every step of a witness, not only those that matter */
} TextStyle;

void report_text(const Report *report, TextStyle style, FILE *out);
void report_json(Heap *heap, const Report *report, FILE *out);

/* The witnesses of all violated blocks, one space-time diagram each, as one DOT graph, or drawn as SVG. With none it is a
 * picture that says so. False with *err if graphviz cannot do it. */
bool report_dot(Heap *heap, const Report *report, FILE *out, Err *err);
bool report_svg(Heap *heap, const Report *report, FILE *out, Err *err);

#endif
