/* labels.h: what the places and transitions of one thread are called. */
#ifndef PROGRAM_LABELS_H
#define PROGRAM_LABELS_H

#include "program/lower.h"

/* To be put after the name of the thread, "T1". All strings and arrays belong to the arena. */
typedef struct {
  Arena arena;
  const char **state; /* per state: ".3", ".3[f=1;c=0]", ".3.1#17" */
  const char **edge;  /* per edge: ".3 Y := 5", ".3#2 Y := 5" */
  const char **text;  /* per edge: "Y := 5", "[f = true]", "[not f = true]", "read Y" */
} Labels;

/* Makes them for a thread that has been explored; labels_fini frees them. */
void labels_init(Labels *labels, const Program *program, const ThreadCode *code);
void labels_fini(Labels *labels);

/* What the event is called that is one read of an operation, an item of the program: "read Y". It lives in the
 * arena. */
const char *labels_read(const ProgramItem *item, Arena *arena);

#endif
