/* ask.h: how far an answer is sought, and who looks on meanwhile. How long is said by what the heap watches
 * (heap_watch). */
#ifndef ASK_ASK_H
#define ASK_ASK_H

#include "base/heap.h"
#include "base/remedy.h"
#include "unfold/unfold.h"

/* How far it has come. */
typedef struct {
  uint64_t events;               /* of a run or an unfolding, or states of a model */
  uint64_t bytes;                /* of memory, in use now */
  const UnfoldCounts *unfolding; /* NULL: it is not an unfolding */
} AskProgress;

/* The limits of one question, and how an answer is sought within them. {0} is no limit, and nobody to look on. */
typedef struct {
  uint64_t max_events; /* likewise; 0: no limit */
  bool allow_empty;    /* an input in which there is nothing to be checked passes; else it is an error */
  void (*progress)(void *argument, const AskProgress *progress); /* may be NULL; called often */
  void *progress_argument;
  const Remedies *remedies; /* what can be done about errors and limits; may be NULL */
} AskLimits;

/* Is it over after so many events, as there may be no more, or as `asked` says? Then *why says so. */
bool ask_is_over(const AskLimits *limits, const Heap *heap, StopReason asked, uint64_t events, char *why, size_t room);

/* Calls limits->progress, if there is one. */
void ask_show(const AskLimits *limits, const Heap *heap, uint64_t events, const UnfoldCounts *unfolding);

#endif
