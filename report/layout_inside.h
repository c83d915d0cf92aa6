/* layout_inside.h: a layout while it is made, for the modules that make it. */
#ifndef REPORT_LAYOUT_INSIDE_H
#define REPORT_LAYOUT_INSIDE_H

#include "report/layout.h"
#include "report/rows.h"

typedef struct {
  Arena *arena;
  const Finding *finding;
  Rows rows;
  Layout layout;
  uint32_t *column_of; /* per thread of the finding, or LAYOUT_NONE */
  uint32_t *box_of;    /* per step of the finding, or LAYOUT_NONE */
  uint32_t *edge_of;   /* per edge of the layout: of the finding */
  int *gutter;         /* per column: the space on its right */
  VEC(LayoutText) texts;
} LayoutWork;

/* Which edges are drawn, and along which boxes the chain runs. */
void layout_choose_edges(LayoutWork *work);

/* What is written at an edge of the layout: "Y: write → read", where the name has at most so many characters; on the way to another
 * page "Y: write → read, to 71". NULL: nothing. */
const char *layout_label(const LayoutWork *work, uint32_t edge, uint32_t name);

/* The space that each gutter needs for its labels. */
void layout_measure_gutters(LayoutWork *work, uint32_t name);

/* Where the edges go and their labels stand, once all boxes have their places. Returns where the lowest label ends. */
int layout_place_edges(LayoutWork *work, uint32_t name);

/* A step's number, as it stands at the left. */
uint64_t layout_number(const LayoutWork *work, const LayoutBox *box);

/* Appends a text; returns its number. */
uint32_t layout_add_text(LayoutWork *work, LayoutTextKind kind, Point at, const char *text);

#endif
