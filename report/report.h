/* report.h: a tool's answer, in one form for every output.
 *
 * The files report/of_*.c make it of the results of ask/; a writer (report/writers.h) knows nothing but this. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "report/finding.h"
#include "report/inputs.h"
#include "report/members.h"

/* The file that an answer is about, when it was opened: so a line of `jsonl` is known again. */
typedef struct {
  const char *path;    /* any bytes */
  bool is_file;        /* size and time are known */
  uint64_t size, time; /* bytes; of its last change, in nanoseconds since 1970 */
  const char *options; /* those that the answer depends on: "--all --max-events=100"; "": none */
  uint64_t share,
      shares; /* it is about share number `share`, from 1, of so many of what is in it; shares 0: about all */
} ReportFile;

typedef enum { LINE_FULL, LINE_QUIET, LINE_ALWAYS } LineWhen; /* LINE_QUIET: only where people want to read little */

/* What people get to read besides findings, as lines of text. */
typedef struct {
  LineWhen when;
  const char *text; /* without the end of the line; clean */
} ReportLine;

/* Makes finding number i of those that are made when they are written. It is the arena's, or lives longer. */
typedef Finding FindingMaker(Arena *arena, const void *argument, uint32_t i);

/* Strings are clean and whole, and the arena's or longer lived; those of the members may have any bytes. */
typedef struct {
  Arena arena;
  bool brief;           /* only messages are wanted: members and examples may be left out */
  const char *tool;     /* "causalcheck" */
  const char *schema;   /* of its JSON: "causalcheck/1" */
  const char *question; /* what was asked: "causal atomicity" */
  bool refused;         /* the input, by what the findings say: the exit code is EXIT_ERROR */
  ExitCode failure;     /* there is no answer: EXIT_ERROR, EXIT_CHECK; else EXIT_HOLDS */
  Verdict verdict;
  const char *verdict_name; /* "atomic" */
  const char *scope;        /* what it is about, if not what was given alone: "for every N"; or NULL */
  const char *why;          /* why it is unknown, or why there may be more; or NULL */
  const char *nothing; /* what a picture says where there is nothing to draw: "Every marked block is causally atomic" */
  VEC(Finding) findings; /* those that were added; report_finding has all */
  struct {
    uint32_t n;
    FindingMaker *make;
    const void *argument;
  } each;                 /* of report_add_each */
  VEC(ReportLine) lines;  /* after the findings, before the verdict */
  bool lines_alone;       /* the lines are all that people get to read: neither findings nor the verdict are */
  bool shows_sources;     /* places are those of files that may be there to be read: people are shown their lines */
  const ReportFile *file; /* what it is about; NULL: that is not known */
  const uint64_t *hash;   /* of its text, where it is about a share; NULL: that is not known */
  bool empty;             /* there is nothing in the share */
  const Inputs *inputs;   /* what was read, and said of it; NULL: that is not known */
  Members members;
  VEC(Statistic) statistics; /* of --stats */
} Report;

/* An empty report: "unknown", and nothing said. */
void report_init(Report *report, Heap *heap, const char *tool, bool brief);
void report_fini(Report *report);

/* Adds n findings after all others, once, which there is no memory for until they are written. The argument must live
 * as long as the report. */
void report_add_each(Report *report, uint32_t n, FindingMaker *make, const void *argument);

/* All findings, added and made; what is made is the arena's. */
uint32_t report_findings(const Report *report);
Finding report_finding(const Report *report, Arena *arena, uint32_t i);

/* Each adds one at the end, as a copy; what it points to is not copied. */
void report_add(Report *report, const Finding *finding);
void report_add_line(Report *report, LineWhen when, const char *text);
void report_add_statistic(Report *report, Statistic statistic);

#endif
