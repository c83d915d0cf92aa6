/* diag.h: errors and warnings about a source text, collected and printed as a compiler does:
 *
 *     prog.sml:3:9: error: unknown lock 'm'; locks are declared as 'lock m;' before the first thread
 *       acquire(m)
 *               ^
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/arena.h"
#include "base/err.h"
#include "base/style.h"
#include "base/vec.h"

#include <stdint.h>
#include <stdio.h>

/* As an offset: about the file as a whole. Such an item has line 0 and is shown without a source line. */
#define DIAG_NOWHERE SIZE_MAX

/* An error, warning or note. Its message is the Diag's. */
typedef struct {
  Level level;
  const char *option;    /* of a warning: its switch NAME, shown as [-Wname] (-W name, -W no-name); or NULL */
  uint32_t line, column; /* from 1; columns count bytes; 0 is nowhere */
  uint32_t length;       /* bytes to underline, at least 1 */
  const char *message;
} DiagItem;

/* A source text, and what has been said about it so far. */
typedef struct {
  Arena arena;
  const char *file;    /* name for messages */
  const char *text;    /* the whole source; not owned */
  size_t length;       /* at most 2^32 - 2 */
  VEC(DiagItem) items; /* in the order of diag_add; a note belongs to the last item before it that is not a note */
  U32Vec line_starts;  /* offset of each line's first byte; filled at the first need */
  uint32_t n_errors, n_warnings;
  uint32_t max_errors;         /* after so many, diag_full() is true and further errors are dropped; 0: no limit */
  const char *const *silenced; /* names of warnings that are off; n_silenced of them; not owned */
  uint32_t n_silenced;
  bool dropped; /* the last item was dropped, and so are its notes */
} Diag;

/* Nothing is said yet. `file` and `text` are not copied and have to live as long as the Diag; all else is freed by
 * diag_fini. */
void diag_init(Diag *diag, Heap *heap, const char *file, const char *text, size_t length);
void diag_fini(Diag *diag);

/* Adds one; a warning whose option is silenced is dropped, and the notes that follow with it. `offset` and `length` are
 * bytes of the text; `option` must outlive the Diag. */
void diag_add(Diag *diag, Level level, const char *option, size_t offset, size_t length, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* The line and column of a byte of the text (or of the place after its last byte). */
void diag_locate(Diag *diag, size_t offset, uint32_t *line, uint32_t *column);

/* So many errors that going on is of no use. */
bool diag_full(const Diag *diag);

/* Applies the arguments of -W options, in their order: NAME or no-NAME, with "all" for every name. `names` is the
 * NULL-terminated list of warnings that there are; those that end up off are silenced. ERR_INPUT for an unknown
 * name. */
bool diag_switch(Diag *diag, const char *const *names, const char *const *switches, uint32_t n_switches, Err *err);

/* Prints all, sorted by place (errors first found stay first at one place), each followed by its notes. Long lines
 * are cut around the caret, tabs stay aligned, bytes that are no UTF-8 or are control characters are shown as \xNN,
 * never sent to a terminal as they are. */
void diag_print(const Diag *diag, FILE *out, bool colour);

#endif
