/* distilling.h: makes the binary log of a raw one, and says what its user should know. */
#ifndef TOOLS_TRACEREC_DISTILLING_H
#define TOOLS_TRACEREC_DISTILLING_H

#include "base/heap.h"
#include "distil/distil.h"

/* What is to be distilled, and where to. The strings stay the caller's. */
typedef struct {
  const char *raw;     /* the path of the raw log, */
  const char *scratch; /* and a folder with as much room; or NULL */
  const char *program; /* that was to be recorded, for messages; or NULL */
  bool struck;         /* it was ended by a signal */
  const char *out;     /* where the log goes; "-": stdout */
  OptionList atomic, except;
  bool keep_local, quiet; /* quiet: no warnings */
} Distilling;

/* Warnings go to stderr. False, with *err: there is no log. result->pid is 0 if that is because nothing was recorded.
 * What the result has of the heap is released. Where memory runs out it is left as by heap_give_up. */
bool distilling_write(Heap *heap, const Distilling *job, DistilResult *result, Err *err);

/* Says on stderr what may be missing in what was recorded (RawHeader.lost), or what the order of which was guessed. */
void distilling_say_lost(const uint32_t lost[RAW_LOST], uint32_t full);

#endif
