/* layout.h: where everything of a witness's space-time diagram stands: one column per thread, a row per step, time downwards.
 * All lengths are points, x to the right, y downwards from the diagram's top. */
#ifndef REPORT_LAYOUT_H
#define REPORT_LAYOUT_H

#include "check/witness.h"
#include "petri/net.h"

enum {
  LAYOUT_BOX = 28,       /* height of an event's box */
  LAYOUT_ROW = 50,       /* from one row to the next */
  LAYOUT_CHARACTER = 6,  /* width of one of the monospaced ten-point font */
  LAYOUT_LONGEST = 34    /* characters shown of an event */
};

typedef struct {
  uint32_t thread; /* or NOTE_NONE */
  int x, width;    /* the centre; of the boxes */
} LayoutColumn;

typedef struct {
  LayoutColumn *columns; /* T first, then the others in the order in which the chain reaches them, then the rest */
  uint32_t n_columns;
  uint32_t *column;      /* per step */
  int *y;                /* per step: the centre of its box */
  const char **text;     /* per step: "5: Y := 5", shortened and clean */
  bool *carried;         /* per step: the chain comes to it from the step above it, or passes along there */
  bool *implied;         /* per edge: off the chain, and the step depends on that anyway, through another edge */
  int width, height;
  int frame_top;         /* of the block's frame, with room for its name above the first box */
} Layout;

/* All of it belongs to the arena. */
Layout layout_witness(Arena *arena, const Net *net, const Witness *witness);

/* "Y: write -> read": what is written at an edge of the chain that crosses from thread to thread. */
const char *layout_edge_label(Arena *arena, const Net *net, const CausalEdge *edge);

/* The middle between the columns c and c + 1. */
int layout_gutter(const Layout *layout, uint32_t c);

#endif
