/* run_texts.h: the source files that a recorded run's findings name, whole, for a page that shows them. */
#ifndef REPORT_RUN_TEXTS_H
#define REPORT_RUN_TEXTS_H

#include "report/report.h"

/* Adds to the texts, which were initialised, each source file of the findings' places and steps that can be read and
 * has all of these places, in order of first appearance, as long as there is room in a page; none, if the report shows
 * no sources. */
void run_texts_add(const Report *report, Inputs *texts);

#endif
