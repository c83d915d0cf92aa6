/* layout_inside.h: a layout while it is made, for the modules that make it. */
#ifndef REPORT_LAYOUT_INSIDE_H
#define REPORT_LAYOUT_INSIDE_H

#include "report/layout.h"
#include "report/rows.h"

/* How much room there is. */
typedef struct {
  uint32_t event, file, object; /* the most characters of the text of a box, of the name of a file in it, and of an
                                   object's name in a label */
  int gutter;                   /* between columns, beside the label in it */
  bool split;                   /* labels have two lines */
} LayoutSize;

/* What is known of a layout so far. */
typedef struct {
  Arena *arena;
  const Finding *finding;
  Rows rows;
  Layout layout;
  uint32_t *column_of; /* per thread of the finding, or LAYOUT_NONE */
  uint32_t *box_of;    /* per step of the finding, or LAYOUT_NONE */
  uint32_t *edge_of;   /* per edge of the layout: of the finding */
  LayoutSize size;
  int *gutter; /* per column: the space on its right */
  VEC(LayoutText) texts;
} LayoutWork;

/* Which edges are drawn, and along which boxes the chain runs. */
void layout_choose_edges(LayoutWork *work);

/* The space that each gutter needs for its labels. */
void layout_measure_gutters(LayoutWork *work);

/* Where the edges go and their labels stand, once all boxes have their places. Returns where the lowest label ends. */
int layout_place_edges(LayoutWork *work);

/* A step's number, as it stands at the left. */
uint64_t layout_number(const LayoutWork *work, const LayoutBox *box);

/* Appends a text; returns its number. */
uint32_t layout_add_text(LayoutWork *work, LayoutTextKind kind, Point at, const char *text);

#endif
