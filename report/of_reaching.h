/* of_reaching.h: whether a program can come to a wrong assertion, a deadlock, or two threads in blocks at once, as a
 * Report. docs/json.md has the members. */
#ifndef REPORT_OF_REACHING_H
#define REPORT_OF_REACHING_H

#include "ask/reaching.h"
#include "report/report.h"

/* Of its JSON. */
#define OF_REACHING_SCHEMA "causalcheck-reaching/1"

/* What is told. Nothing in it is owned. */
typedef struct {
  const Net *net; /* has notes; NULL: it was not read to its end */
  const Reaching *reaching;
  Verdict verdict;
  const char *why; /* why unknown; NULL otherwise */
  bool each;       /* each pair of accesses that is undecided is told, however many there are */
} ReachReport;

/* Into an empty report. The result lives as long as the report. */
void of_reaching(Report *report, const ReachReport *result);

#endif
