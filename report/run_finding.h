/* run_finding.h: a cycle of transactions, as the monitor found it in a run, or a prediction in another one: told, written, drawn. */
#ifndef REPORT_RUN_FINDING_H
#define REPORT_RUN_FINDING_H

#include "base/draw.h"
#include "base/json.h"
#include "base/verdict.h"
#include "serial/monitor.h"
#include "trace/trace.h"

#include <stdio.h>

typedef struct {
  bool colour, quiet; /* quiet: the verdict alone */
} RunStyle;

/* "error: ", what the first transaction is said to be, and a note for each edge. */
void finding_text(Heap *heap, const TraceNames *names, const MonitorFinding *finding, const char *what, RunStyle style, FILE *out);

/* "prog.c:2:1: error: " and the text, as a line. */
typedef enum { RUN_ERROR, RUN_WARNING, RUN_NOTE } RunLevel;
void finding_note(RunStyle style, const char *place, RunLevel level, const char *text, FILE *out);

/* "verdict: " and the name in its colour. */
void verdict_text(Verdict verdict, const char *name, RunStyle style, FILE *out);

/* Two members of the object that is open: the event in which it was found, and the cycle. */
void finding_json(Heap *heap, const TraceNames *names, const MonitorFinding *finding, Json *json);

/* A cluster. */
void finding_draw(Arena *arena, const TraceNames *names, const MonitorFinding *finding, uint32_t number, Drawing *drawing);

#endif
