/* progress.h: can an event of one transaction come between two of another one, with the locks of both? Exactly, for any
 * locks, also where the two could deadlock, or release locks in another order than nested.
 *
 * A trace of the two is a way through E. Dijkstra's progress graph, a grid: so many steps of one, so many of the other.
 * It avoids the points at which both hold a lock that they do not share, and leads to the end of both. The points that
 * ways from the start reach are found row by row. (L. Wang and S. Stoller, RV 2003, leave the condition for
 * transactions that can deadlock open, but for two locks held at a time; with the grid it need not be written down.) */
#ifndef PREDICT_ANALYSIS_PROGRESS_H
#define PREDICT_ANALYSIS_PROGRESS_H

#include "predict/analysis/shapes.h"

/* A transaction that begins without locks, and neither forks, joins nor hands over; or NULL: one access, without locks,
 * by itself. And two of its steps, in order, or one twice. */
typedef struct {
  const Shape *shape;
  uint32_t first, last;
} ProgressLine;

/* Is there a trace of the two alone with all steps of `inner` that are named between those of `outer`; or, with
 * `crossing`, with the first of each before the last of the other? False also if that would take more than *budget
 * points, of which those that were looked at are taken. */
bool progress_allows(Shapes *shapes, ProgressLine outer, ProgressLine inner, bool crossing, uint64_t *budget);

#endif
