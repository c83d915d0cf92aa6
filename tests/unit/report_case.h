/* report_case.h: the verdict of a block, and what is told of it, for tests. */
#ifndef TESTS_UNIT_REPORT_CASE_H
#define TESTS_UNIT_REPORT_CASE_H

#include "report/of_blocks.h"
#include "report/writers.h"

#include <stdio.h>

typedef struct {
  Heap *heap;
  Net *net;
  Witness witness;
  BlockVerdict block;
  AtomicityReport report;
} ReportCase;

/* A verdict of the net's first block. The heap and the net are the case's from now on. */
void report_case_start(ReportCase *c, Heap *heap, Net *net, Verdict verdict);

/* It is violated, by the transitions of these letters: 'a' is number 0. */
void report_case_violated(ReportCase *c, Heap *heap, Net *net, const char *letters);

/* Frees all, and sees that nothing else was left. */
void report_case_end(ReportCase *c);

/* What the writer makes of the result; false as it does. */
bool report_case_write_with(Heap *heap, const AtomicityReport *result, WriteReport *write, TextStyle style, FILE *out,
                            Err *err);

/* The same as a malloc'd text; of a picture; for people. */
char *report_case_written(const AtomicityReport *result, WriteReport *write, TextStyle style);
char *report_case_picture(const AtomicityReport *result, WriteReport *write);
char *report_case_text(const AtomicityReport *result, TextStyle style);

/* A net whose block is split over a long chain of writes, or of locks; one without a source, with strange names. */
Net *report_case_long_chain(Heap *heap, bool by_locks);
Net *report_case_foreign_net(Heap *heap);

#endif
