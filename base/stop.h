/* stop.h: why and when work ends before it is done. A tool has one Stop, which its clock and signals set
 * (tools/work.h), a call of the library one that another thread sets (libcausal/clock.h); every heap of the work
 * watches it (base/heap.h). */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include <stdatomic.h>

/* What asked the work to end: nothing, the user (a signal), the limit of time, the limit of memory. */
typedef enum { STOP_NOT, STOP_CANCELLED, STOP_TIME, STOP_MEMORY } StopReason;

/* Two steps. `asked`: what can end with a part of its answer looks at it, and ends as soon as it can. `due`, a little
 * later: the next allocation or heap_poll leaves the work as if memory had run out. Both may be set by a signal handler
 * or another thread. */
typedef struct {
  atomic_int asked; /* a StopReason; STOP_NOT: go on */
  atomic_int due;   /* non-zero only where `asked` is */
  double seconds;   /* the limit of time, for messages */
} Stop;

#endif
