/* workers.h: processes that do one numbered piece of work after the other, each time writing to their own stdout and
 * stderr, and send what they wrote. A process that dies takes one piece with it, and no more. */
#ifndef TOOLS_WORKERS_H
#define TOOLS_WORKERS_H

#include "base/err.h"
#include "base/heap.h"

typedef struct Workers Workers;

/* What came of a piece. */
typedef struct {
  uint32_t piece;
  int code;               /* that `serve` returned */
  int killed;             /* the process was ended by this signal; 0: it was not */
  bool is_broken;         /* it has ended, in whatever way, before the piece was done: there are no texts */
  const char *out, *said; /* on stdout, on stderr; valid during the call */
  size_t n_out, n_said;
} PieceResult;

/* Does a piece, in a process of its own, where stdout and stderr are empty files; returns its code. */
typedef int WorkersServe(void *argument, uint32_t piece);
typedef void WorkersTake(void *argument, const PieceResult *result);

/* Up to n > 0 processes (started when they are first needed) that serve pieces, each in a process group of its own;
 * they end when this one does. Results are given to `take` as they come, with the same argument. */
Workers *workers_new(Heap *heap, uint32_t n, WorkersServe *serve, WorkersTake *take, void *argument);

/* Ends all, at once. NULL is allowed. */
void workers_free(Workers *workers);

/* Can a piece be given? A process has one that it works on, and a few that it goes on with. */
bool workers_have_room(const Workers *workers);

/* Gives a piece, to who has least. False, with ERR_LIMIT, if no process can be started. */
bool workers_give(Workers *workers, uint32_t piece, Err *err);

/* Waits for results, for so many milliseconds at most, and takes those that are there. False, with ERR_LIMIT, if no
 * process can be started instead of one that has died. */
bool workers_wait(Workers *workers, int milliseconds, Err *err);

#endif
