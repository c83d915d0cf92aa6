/* heads.h: what stands in front of a message, and below it, as compilers have it. */
#ifndef REPORT_HEADS_H
#define REPORT_HEADS_H

#include "report/verdict.h"

typedef enum { HEAD_ERROR, HEAD_WARNING, HEAD_NOTE } HeadLevel;

/* "prog.sml:2:1: error: " */
void put_head(Arena *arena, const Notes *notes, SrcPos pos, HeadLevel level, bool colour, FILE *out);

/* "    2 | Y := 5", the source of the transition, as a line below; nothing where that is not known. */
void put_source(Arena *arena, const Net *net, TransId t, FILE *out);

/* "verdict: NAME" as the last line, in the verdict's colour. */
void put_verdict(Verdict verdict, const char *name, bool colour, FILE *out);

#endif
