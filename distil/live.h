/* live.h: the raw log of a program that is running: what its threads have written so far, and up to which clock that is
 * all.
 *
 * A round raises the floor above all clocks, and waits until each thread has seen it, or stands outside of all events,
 * so that it will see it before the next one (record/live.c). Then all events below the floor are in the log, of
 * threads that sleep as well, and can be merged. A thread that the process has no more, after an exec or a kill, has
 * written all that it will. */
#ifndef DISTIL_LIVE_H
#define DISTIL_LIVE_H

#include "base/err.h"
#include "base/heap.h"
#include "record/raw.h"

/* A raw log that is being read. */
typedef struct Live Live;

/* From now on the runtime reckons with a reader, which is this process. The file is open for reading and writing, and
 * stays the caller's. Before the program runs. NULL with *err: the file cannot be mapped. Memory is the heap's. */
Live *live_open(Heap *heap, int file, bool recycle, bool debugged, Err *err);
/* Nobody reads any more: the program goes on without. NULL is allowed. */
void live_close(Live *live);

const RawHeader *live_header(const Live *live);

/* One round: all events whose clocks are below *floor can be read after it. `ended`: the program has, so that *floor is
 * above all. False: a thread does not come out of an event for now; nothing can be said. */
bool live_round(Live *live, bool ended, uint64_t *floor);

/* Threads that there have been, from number 0 on; there may be gaps. */
uint32_t live_threads(const Live *live);
/* The numbers of those that are there, and not forgotten, *n of them; valid until the next call. */
const uint32_t *live_there(const Live *live, uint32_t *n);

/* The next words of the thread, of one chunk, valid until the next call for it; `fresh`: of a new chunk, so that the
 * bases of the one before do not count any more. NULL: there are none for now. */
const uint64_t *live_words(Live *live, uint32_t thread, uint32_t *n, bool *fresh);

/* The thread has logged its end: nothing more will be asked of it, and its memory may be another one's. */
void live_forget(Live *live, uint32_t thread);

/* Why something was missed; NULL: nothing was. */
const char *live_missed(const Live *live);

/* Has the reader fallen behind by more than a few chunks? Then the next round need not be waited for. */
bool live_is_behind(const Live *live);

#endif
