/* sml_case.h: an SML program compiled for a test, and what came of it as text. */
#ifndef TESTS_UNIT_SML_CASE_H
#define TESTS_UNIT_SML_CASE_H

#include "frontend/sml/sml.h"

#include <stddef.h>

typedef struct {
  Heap *heap;     /* of its own */
  Diag diag;      /* the file is called "t.sml" */
  Net *net;       /* NULL after an error */
  char *messages; /* all of them, as they are printed; malloc'd */
} SmlCase;

/* Default options, with N=3 defined. The text must live as long as the case. */
SmlCase sml_case(const char *text);
SmlCase sml_case_with(const char *text, size_t length, Granularity granularity, Encoding encoding);
SmlCase sml_case_abstract(const char *text, size_t length); /* no values are known */
SmlCase sml_case_waiting(const char *text, size_t length);  /* none but of semaphores and the like */

/* Frees it, and checks that nothing of the heap is left. */
void sml_case_end(SmlCase *c);

/* What diag_print prints; malloc'd. */
char *diag_text(const Diag *diag, bool colour);

/* The net, a line per transition: "NAME LINE:COLUMN: INPUTS -> OUTPUTS | OBJECT:r ...", with " begin" or " end" behind
 * it, then a line "marked: PLACES"; malloc'd. Accesses are r, w, a (acquire), l (release). */
char *net_lines(const Net *net);

/* CUnit checks: the net's lines, the messages, are these. What differs is printed. */
void check_lines(const char *program, Granularity granularity, Encoding encoding, const char *expected);
void check_messages(const char *program, const char *expected);

/* CUnit check: the two texts are alike; prints both if not. */
void check_text(const char *got, const char *expected);

#endif
