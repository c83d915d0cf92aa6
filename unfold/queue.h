/* queue.h: the possible extensions, by the size of their local configurations, and the markings met so far.
 *
 * No order within one size is needed to take them: events of one size do not depend on each other, and whether one is a
 * cut-off depends only on events of smaller size and on those of the same size and marking. So all of one size are
 * taken together, and the order is asked only between those that lead to the same marking. */
#ifndef UNFOLD_QUEUE_H
#define UNFOLD_QUEUE_H

#include "unfold/marks.h"
#include "unfold/erv.h"

/* The extensions of one size. */
typedef struct {
  uint32_t first, last; /* extensions, linked by Ext.next in the order in which they were found; or NONE */
} Bucket;

/* The extensions that wait, and what has come out of those that were taken. */
typedef struct {
  Branch *branch;
  Marks *marks;
  VEC(Bucket) buckets; /* by size */
  uint32_t size;       /* of those taken last */
  uint32_t n_waiting;
  U32Vec first; /* per marking: the extension that leads to it and is, or will be if nothing smaller comes, live; or
                   NONE */
  Order order;
  bool total; /* the order of Esparza, Roemer and Vogler; else of two events of one size none is smaller */
} Queue;

/* Nothing waits; the initial marking counts as met, by extension 0, which the branch must have. `branch` and `marks`
 * outlive the queue; memory is the heap of the branch until fini. */
void queue_init(Queue *queue, Branch *branch, Marks *marks, bool total);
void queue_fini(Queue *queue);

/* Adds the extension, a cause of which is being inserted. Its marking is the one at hand. If an event with this marking
 * is there already, that is smaller, and the extension is a cut-off whatever comes. */
void queue_push(Queue *queue, uint32_t ext, uint32_t size);

/* Takes all extensions of the smallest size that there is, decides which of them are cut-offs (Ext.fate), and returns
 * the first; NONE if none is left. */
uint32_t queue_take(Queue *queue);

#endif
