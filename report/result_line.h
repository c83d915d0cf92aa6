/* result_line.h: reads the lines of --format=jsonl (docs/many.md) again. */
#ifndef REPORT_RESULT_LINE_H
#define REPORT_RESULT_LINE_H

#include "base/json_read.h"
#include "base/verdict.h"
#include "base/vec.h"
#include "report/report.h"

/* A finding that is a line's. NULL, 0: unknown. */
typedef struct {
  const char *rule, *level, *message, *file, *function;
  uint32_t line, column;
  bool passed; /* it says that nothing is wrong */
} LineFinding;

/* What a line says. The strings live until the next one is read. */
typedef struct {
  ReportFile file;
  const char *schema, *verdict;
  const char *why;  /* NULL: nothing to say */
  const char *hash; /* of the text, where it is about a share; NULL: that is not known */
  bool empty;       /* there is nothing in the share */
  ExitCode exit;
  bool has_events;
  uint64_t events;
  uint32_t n_findings;
  uint32_t n_wrong; /* of them: those that did not pass */
  JsonValue findings;
} ResultLine;

/* The reader, with what it needs for the line that it has read last. */
typedef struct {
  JsonReader *json;
  Heap *heap;
  CharVec path;
} LineReader;

/* False, with *err, if jansson cannot be loaded. */
bool line_reader_init(LineReader *reader, Heap *heap, Err *err);
void line_reader_fini(LineReader *reader);

/* False if the text (without the end of the line) is no such line, or not all of it. */
bool result_line_read(LineReader *reader, const char *text, size_t length, ResultLine *line);

/* One of its findings. */
LineFinding result_line_finding(const LineReader *reader, const ResultLine *line, uint32_t i);

#endif
