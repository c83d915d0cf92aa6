/* comparison.h: what all analyses say of a run, as one table: a line per transaction of the source, a column per analysis. */
#ifndef REPORT_COMPARISON_H
#define REPORT_COMPARISON_H

#include "ask/comparing.h"

#include <stdio.h>

void comparison_text(Heap *heap, const Comparison *comparison, FILE *out);
void comparison_json(Heap *heap, const Comparison *comparison, FILE *out);

#endif
