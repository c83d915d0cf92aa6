/* inputs.h: the texts that an answer is about, and what was said of them on the way: errors and warnings. */
#ifndef REPORT_INPUTS_H
#define REPORT_INPUTS_H

#include "base/diag.h"

/* A text that was read. */
typedef struct {
  const char *file, *text;
} InputText;

/* An error, a warning or a note about one. */
typedef struct {
  const char *file;
  DiagItem item;
} InputRemark;

/* All that was read and said so far, in that order. */
typedef struct {
  Arena arena;
  VEC(InputText) texts;
  VEC(InputRemark) remarks;
} Inputs;

/* Nothing so far; memory is the heap's, until fini. */
void inputs_init(Inputs *inputs, Heap *heap);
void inputs_fini(Inputs *inputs);

/* Adds a copy of the text, and of all that was said of it. */
void inputs_add(Inputs *inputs, const Diag *diag);

#endif
