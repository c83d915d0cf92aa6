/* hanging.h: who waits for whom in a run that did not end by itself: what each thread waits for is in the header of its
 * raw log (RawWait), who holds what is in the log. */
#ifndef DISTIL_HANGING_H
#define DISTIL_HANGING_H

#include "base/heap.h"
#include "base/vec.h"

#include <stdbool.h>

/* What is known of it, for its user. Starts as {0}. */
typedef struct {
  bool deadlock; /* some threads cannot go on any more, since each waits for another one of them, or for what a thread
                  * holds that has ended; these come first */
  bool all_wait; /* without end, each thread that there is */
  CharVec lines; /* one for each thread, NUL-terminated, "T0:main waits for &b at a.c:3:2:main, which T1:work holds
                  * since a.c:9:2:work"; empty: nothing is known */
} Hanging;

/* Reads the raw log, whose process has ended; where it is cut short only that part counts. *hanging is to be given back
 * with hanging_fini. */
void hanging_read(Heap *heap, const char *raw, Hanging *hanging);
void hanging_fini(Heap *heap, Hanging *hanging);

#endif
