/* compile.h: from a program to its net, with notes. docs/net.md describes the net. There is no other way to one. */
#ifndef PROGRAM_COMPILE_H
#define PROGRAM_COMPILE_H

#include "petri/net.h"
#include "program/notice.h"
#include "program/program.h"

/* What net is made of a program. */
typedef struct {
  Granularity granularity;
  Encoding encoding;
  bool reduce;   /* what no other thread sees is left out, as far as that makes it smaller (program/reduce.h) */
  uint32_t most; /* transitions; 0: as many as a net may have */
} CompileOptions;

/* The net, from the program's heap, or NULL after an error. What there is to be said is added to *notices: after an
 * error of these (program/notice.h) *err is untouched. Else *err has it: the net would have more than `most`
 * transitions (ERR_LIMIT), or be too large (ERR_INPUT), or the frontend has broken a rule of program.h (ERR_CHECK). */
Net *compile_program(const Program *program, const CompileOptions *options, NoticeVec *notices, Err *err);

#endif
