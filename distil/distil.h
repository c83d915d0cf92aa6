/* distil.h: from the raw log of a run to the binary log of docs/traces.md.
 *
 * Two passes over the raw log: the first finds the objects and who accesses them, the second writes. Memory depends on
 * the addresses, code and threads of the run, hardly on its length. */
#ifndef DISTIL_DISTIL_H
#define DISTIL_DISTIL_H

#include "base/err.h"
#include "base/heap.h"
#include "base/options.h"
#include "record/raw.h"

#include <stdio.h>

/* How a raw log becomes a log. What it points to stays the caller's. */
typedef struct {
  bool keep_local;     /* keep objects that only one thread accesses */
  const char *scratch; /* a folder for temporary files, which make it faster; or NULL */
  OptionList atomic;   /* functions that are transactions; each may be a list with commas. "all-functions": each call is
                        * one, save of main, of functions that threads start with, and of `except`; "all-calls": these,
                        * too, save of `except` */
  OptionList except;
} DistilOptions;

/* What the log has, and what is to be said of the recording. */
typedef struct {
  uint64_t events;       /* written */
  uint64_t transactions; /* begun, of the events */
  uint32_t threads, objects;
  char *missing; /* the names of `atomic`, with ", " between, of which no call was recorded, each with what it
                  * may stand for; or NULL. The heap's */
  uint32_t pid;  /* 0: nothing was recorded */
  uint32_t lost[RAW_LOST];
  uint32_t full;  /* the errno for RAW_LOST_FULL */
  char *warnings; /* what else is to be said of the run, a line each; or NULL. The heap's */
} DistilResult;

/* False, with *err, if the raw log cannot be read, or is damaged, if the heap is asked to stop, or the log cannot be
 * written, as far as `out` has noticed; what is written is no whole log then. Where nothing was recorded nothing is
 * written. */
bool distil(Heap *heap, const char *raw, FILE *out, const DistilOptions *options, DistilResult *result, Err *err);

#endif
