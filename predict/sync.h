/* sync.h: what other runs of the same threads respect, besides fork and join. Updates are single events in any case. */
#ifndef PREDICT_SYNC_H
#define PREDICT_SYNC_H

#include <stdbool.h>

typedef enum {
  SYNC_ALL,   /* locks and hand-overs */
  SYNC_LOCKS, /* locks, shared ones too */
  SYNC_ORDER, /* hand-overs */
  SYNC_NONE
} Sync;

/* "all", "locks", "order", "none", and a comma after each: for an array of choices, by Sync. */
#define SYNC_NAMES "all", "locks", "order", "none",

static inline bool sync_has_locks(Sync sync) { return sync == SYNC_ALL || sync == SYNC_LOCKS; }
static inline bool sync_has_handovers(Sync sync) { return sync == SYNC_ALL || sync == SYNC_ORDER; }

#endif
