/* lone_locks.h: where one thread alone takes a lock, as all others that do have been joined. */
#ifndef FRONTEND_C_LONE_LOCKS_H
#define FRONTEND_C_LONE_LOCKS_H

#include "frontend/c/deeds.h"

/* Finds calls that take a lock or give it back and are no events (CShare of no parts), in the thread's own order as
 * well: nobody else uses the lock any more, nor does this thread behind them, but by such calls. */
void lone_locks_find(const Deeds *deeds, Cells *cells);

#endif
