/* labels.h: what the places and transitions of one thread are called. */
#ifndef FRONTEND_SML_LABELS_H
#define FRONTEND_SML_LABELS_H

#include "frontend/sml/lower.h"

/* To be put behind the name of the thread, "T1". All strings and arrays belong to the arena. */
typedef struct {
  Arena arena;
  const char **state; /* per state: ".3", ".3[f=1;c=0]", ".3.1#17" */
  const char **edge;  /* per edge: ".3 Y := 5", ".3#2 Y := 5" */
  const char **text;  /* per edge: "Y := 5", "[f = true]", "[not f = true]", "read Y" */
} Labels;

void labels_init(Labels *labels, const Ast *ast, const ThreadCode *code, Diag *diag);
void labels_fini(Labels *labels);

/* Where the text of labels comes from, and goes to. */
typedef struct {
  Arena *arena;
  const Ast *ast;
  const char *text; /* of the program */
} LabelSource;

/* "Y := 5", "[f = true]", "[not f = true]", "begin:B", "atomic { f := M; M := true }"; or "read Y". */
const char *label_statement(const LabelSource *source, StmtId id, bool outcome);
const char *label_read(const LabelSource *source, uint32_t item);

#endif
