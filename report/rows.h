/* rows.h: which steps of an example run a picture shows, in which rows, and on which pages.
 *
 * Turns of a loop that repeat the one before are folded into one row. Threads of which no step matters, and which no
 * edge joins to another, are left out. If the run is long even so, only the steps that matter are kept, and the ends of
 * the chain's edges; what still does not fit one page goes on in a second one. */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "report/finding.h"

enum {
  ROWS_WHOLE = 20, /* a run of at most so many rows is shown with all steps of the threads that are */
  ROWS_PAGE = 60   /* of one page */
};

/* A row of the picture. */
typedef struct {
  uint32_t step;   /* of the finding; of a fold: the first one that is folded away */
  uint32_t turns;  /* 0: the step itself; else a fold: so many turns, each of which repeats what stands above, */
  uint32_t length; /* of so many steps */
  uint32_t page;   /* from 0, ascending */
} Row;

/* The rows of a picture. */
typedef struct {
  Row *rows; /* ascending in `step` */
  uint32_t n, n_pages;
  bool *shown;             /* per thread of the finding: it has a row */
  uint32_t steps, threads; /* that are left out; steps that are folded away are not among them */
} Rows;

/* All of it belongs to the arena. A step that matters, or at which an edge ends that goes from thread to thread or is
 * one of the chain, is never folded away. */
Rows rows_choose(Arena *arena, const Finding *finding);

#endif
