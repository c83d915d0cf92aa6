/* sync.h: semaphores, reader-writer locks, and threads that are forked and joined, as operations on variables.
 *
 * A semaphore is a tracked variable with the values 0 .. M. `p` waits until it is not 0 and takes 1, `v` waits until it
 * is not M and adds 1, each in one event.
 *
 * A reader-writer lock is a bool for its writer, and one for each thread, which says that this thread reads. A reader
 * waits until there is no writer, a writer until there is neither, and each sets its own bool: so readers have nothing
 * in common but what they read, and all else is ordered. What the thread itself holds is in a local of its own that it
 * tracks, with the values of SyncMode: by it `unlock` knows what to give back.
 *
 * A thread with a name has a variable with the values of SyncPhase. Its first event waits until it is forked, its last
 * one says that it has ended. It runs once: `fork` waits until it was not forked, `join` until it has ended. */
#ifndef FRONTEND_SML_SYNC_H
#define FRONTEND_SML_SYNC_H

#include "frontend/sml/translate.h"

/* What a thread does with a reader-writer lock. */
typedef enum { SYNC_NOTHING, SYNC_READS, SYNC_WRITES, SYNC_MODES } SyncMode;

/* What a thread with a name does. */
typedef enum { SYNC_WAITS, SYNC_RUNS, SYNC_ENDED, SYNC_PHASES } SyncPhase;

/* The most threads of a program with a reader-writer lock. */
enum { SYNC_MAX_THREADS = 1000 };

/* p, v: adds the event, of the semaphore that the statement means in the variant under way. */
void sync_add_p(Translator *t, StmtId id);
void sync_add_v(Translator *t, StmtId id);

/* rdlock, wrlock, unlock: likewise, of a reader-writer lock. Where the thread holds it already, or does not hold what
 * it gives back, it stays there for ever (NOTICE_STRAYS). */
void sync_add_rdlock(Translator *t, StmtId id);
void sync_add_wrlock(Translator *t, StmtId id);
void sync_add_unlock(Translator *t, StmtId id);

/* fork, join. */
void sync_add_fork(Translator *t, StmtId id);
void sync_add_join(Translator *t, StmtId id);

/* The first and the last event of a thread with a name. */
void sync_add_start(Translator *t, const Thread *thread);
void sync_add_exit(Translator *t, const Thread *thread);

#endif
