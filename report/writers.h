/* writers.h: the forms in which a report is written: one table, with a row for each. A new form is a file with its
 * function, and a row of WRITERS. */
#ifndef REPORT_WRITERS_H
#define REPORT_WRITERS_H

#include "base/err.h"
#include "report/report.h"

/* The forms: ROW(name for --format, function that writes it, brief, says errors). */
#define WRITERS(ROW)                          \
  ROW("text", text_write, true, false)        \
  ROW("json", json_write, false, true)        \
  ROW("jsonl", jsonl_write, true, true)       \
  ROW("sarif", sarif_write, false, false)     \
  ROW("junit", junit_write, false, true)      \
  ROW("mermaid", mermaid_write, false, false) \
  ROW("shiviz", shiviz_write, false, false)   \
  ROW("dot", picture_write_dot, false, false) \
  ROW("svg", picture_write_svg, false, false) \
  ROW("html", html_write, false, true)

/* How much people want to read. Data formats and pictures show everything, and no colour. */
typedef struct {
  bool colour;  /* ANSI colours */
  bool quiet;   /* only the verdict */
  bool verbose; /* every step of an example run, not only those that matter */
} TextStyle;

/* Writes the report; errors of `out` are the caller's to see. False, with *err, if it cannot be written in that form:
 * ERR_LIMIT where drawing takes too much. */
typedef bool WriteReport(const Report *report, TextStyle style, FILE *out, Err *err);

/* A form of output. */
typedef struct {
  const char *name; /* for --format */
  WriteReport *write;
  bool brief;       /* unless everything is asked for, it shows neither members nor examples: Report.brief */
  bool says_errors; /* it is also written where there is no answer, and says why */
} Writer;

/* The rows, the first of which is the default; and their names, with a NULL after the last one, as an option's choices.
 */
const Writer *writers_table(uint32_t *n);
const char *const *writers_names(void);

/* The row of that name, which there is; its number. */
const Writer *writers_find(const char *name);
uint32_t writers_number(const char *name);

#define WRITER_FUNCTION(name, function, brief, says_errors) WriteReport function;
WRITERS(WRITER_FUNCTION)
#undef WRITER_FUNCTION

#endif
