/* diag.h: errors and warnings about a source text, collected and printed as a compiler does:
 *
 *     prog.sml:3:9: error: unknown lock 'm'; locks are declared as 'lock m;' before the first thread
 *       acquire(m)
 *               ^
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdint.h>
#include <stdio.h>

/* A warning's switch: -W NAME turns it on, -W no-NAME off. `name` NULL: cannot be turned off. */
typedef enum { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE } DiagLevel;

typedef struct {
  DiagLevel level;
  const char *option;      /* the name of the warning's switch, shown as [-Wname]; NULL for errors */
  uint32_t line, column;   /* from 1; columns count bytes */
  uint32_t length;         /* bytes to underline, at least 1 */
  const char *message;
} DiagItem;

typedef struct {
  Arena arena;
  const char *file;  /* name for messages */
  const char *text;  /* the whole source; not owned */
  size_t length;
  VEC(DiagItem) items;
  uint32_t n_errors, n_warnings;
  uint32_t max_errors;        /* after so many, diag_full() is true; 0: no limit */
  const char *const *silenced; /* names of warnings that are off; n_silenced of them */
  uint32_t n_silenced;
} Diag;

void diag_init(Diag *diag, Heap *heap, const char *file, const char *text, size_t length);
void diag_fini(Diag *diag);

/* Adds one; a warning whose option is silenced is dropped. `offset` and `length` are bytes of the text. */
void diag_add(Diag *diag, DiagLevel level, const char *option, size_t offset, size_t length, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* So many errors that going on is of no use. */
bool diag_full(const Diag *diag);

/* Prints all, sorted by place (errors first found stay first at one place). Long lines are cut around the caret, tabs stay
 * aligned, bytes that are no UTF-8 or are control characters are shown as \xNN, never sent to a terminal as they are. */
void diag_print(const Diag *diag, FILE *out, bool colour);

#endif
