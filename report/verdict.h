/* verdict.h: what causalcheck found, and how it is told: as text, JSON and a picture. docs/json.md has the JSON. */
#ifndef REPORT_VERDICT_H
#define REPORT_VERDICT_H

#include "ask/atomicity.h"

#include <stdio.h>

typedef struct {
  bool colour; /* ANSI colours */
  bool quiet;  /* only the last line */
  bool verbose; /* every step of a witness, not only those that matter */
} TextStyle;

void report_text(const AtomicityReport *report, TextStyle style, FILE *out);
void report_json(Heap *heap, const AtomicityReport *report, FILE *out);

/* The witnesses of all violated blocks, one space-time diagram each, as one DOT graph, or drawn as SVG. With none it is a
 * picture that says so. False with *err if graphviz cannot do it. */
bool report_dot(Heap *heap, const AtomicityReport *report, FILE *out, Err *err);
bool report_svg(Heap *heap, const AtomicityReport *report, FILE *out, Err *err);

#endif
