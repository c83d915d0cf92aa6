/* sml.h: from the text of an SML program to a program of threads and objects, and to its net. docs/language.md has the
 * language, docs/net.md the net. */
#ifndef FRONTEND_SML_SML_H
#define FRONTEND_SML_SML_H

#include "base/diag.h"
#include "base/remedy.h"
#include "program/compile.h"

/* A value for the name of a count, as -D gives it. The string stays the caller's. */
typedef struct {
  const char *name; /* -D name=value */
  uint64_t value;
} SmlDefine;

/* What a program without a marked block is. */
typedef enum { SML_UNMARKED_WARNS, SML_UNMARKED_FAILS, SML_UNMARKED_PASSES } SmlUnmarked;

/* How a program is read, and what net is made of it. */
typedef struct {
  Granularity granularity;
  Encoding encoding;
  const SmlDefine *defines;
  uint32_t n_defines;
  bool any_number; /* a count that no define sets is open: there are two of its threads, and the net's notes say so */
  bool abstract_data; /* `bool` and `int[K]` are treated like `int`, as prediction does, with locks and without */
  bool keep_sync; /* but semaphores, reader-writer locks, fork and join are kept, as locks are: they are waited for */
  SmlUnmarked unmarked;
  bool recursion;           /* procs may call themselves; for sml_program alone, not for a net */
  const Remedies *remedies; /* what can be done about errors; may be NULL */
} SmlOptions;

/* Parses and checks the program; diagnostics (errors and warnings) go to `diag`, which knows the file's name and text.
 * False after an error; else *program is to be freed with program_fini(). */
bool sml_program(Heap *heap, const SmlOptions *options, Diag *diag, Program *program);

/* Compiles the program; diagnostics (errors and warnings) go to `diag`, which knows the file's name and text. The
 * net, with notes, or NULL if there was an error. */
Net *sml_compile(Heap *heap, const SmlOptions *options, Diag *diag);

/* The names of all warnings, for diag_switch; ends in NULL. */
extern const char *const SML_WARNINGS[];

/* Does the text look like an SML program, rather than PNML ('<' first), ll_net ("PEP" first) or TINA's format
 * (petri/tina.h)? */
bool sml_recognise(const char *text, size_t length);

#endif
