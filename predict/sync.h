/* sync.h: what other runs of the same threads respect, besides fork and join. */
#ifndef PREDICT_SYNC_H
#define PREDICT_SYNC_H

#include <stdbool.h>

typedef enum {
  SYNC_ALL,   /* locks and hand-overs */
  SYNC_LOCKS, /* no hand-overs */
  SYNC_NONE   /* no locks; hand-overs all the same, which are order, as fork and join are */
} Sync;

/* "all", "locks", "none", and a comma after each: for an array of choices, by Sync. */
#define SYNC_NAMES "all", "locks", "none",

static inline bool sync_has_locks(Sync sync) { return sync != SYNC_NONE; }
static inline bool sync_has_handovers(Sync sync) { return sync != SYNC_LOCKS; }

#endif
