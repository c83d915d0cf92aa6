/* sketch.h: what the pictures of findings are made of: lines of text, boxes of events, lines with arrows. Lengths are
 * points, x to the right, y downwards; every position is given, so the drawing's layout is nop2. */
#ifndef REPORT_SKETCH_H
#define REPORT_SKETCH_H

#include "base/drawing.h"
#include "report/finding.h"

#define SKETCH_INK "#202124"
#define SKETCH_GREY "#8a8f98"
#define SKETCH_BLUE "#1b5e9e"
#define SKETCH_GREEN "#00695c"
#define SKETCH_PALE_BLUE "#f2f6fc"

enum {
  SKETCH_ARROW = 9,        /* length of an arrow's head */
  SKETCH_LARGEST = 1 << 28 /* width or height of a picture */
};

/* A picture while it is made. */
typedef struct {
  Arena arena;
  Drawing drawing;
  uint32_t serial; /* of the nodes that have no name of their own */
} Sketch;

/* A point of the picture. */
typedef struct {
  int x, y;
} Point;

/* The fonts of pictures. */
typedef enum { FONT_SANS, FONT_BOLD, FONT_MONO } SketchFont;

/* What a line stands for, which decides its look. */
typedef enum {
  LINE_ORDER, /* program order: thin and grey, without an arrow */
  LINE_GAP,   /* the same, where steps are left out: dashed */
  LINE_OTHER, /* causality that is not on the chain: dotted */
  LINE_CHAIN  /* thick */
} SketchLine;

/* An empty picture, with its layout and padding set. Memory is the heap's until fini. */
void sketch_init(Sketch *sketch, Heap *heap);
void sketch_fini(Sketch *sketch);

/* One line of text, centred at a point; `paper` is the colour behind it, or NULL. */
DrawId sketch_text(Sketch *sketch, Point at, SketchFont font, int size, const char *colour, const char *paper,
                   const char *text);

/* A box that looks as the role says, centred; `name` of the node, NULL for any. */
DrawId sketch_box(Sketch *sketch, DrawId parent, const char *name, Point at, int width, int height, FindingRole role);
void sketch_box_text(Sketch *sketch, DrawId box, SketchFont font, int size, const char *colour, const char *text);

/* How far such a box's border reaches beyond its width and height, on each side. */
int sketch_border(FindingRole role);

/* What is shown when one points at the node: NULL is nothing. */
void sketch_tooltip(Sketch *sketch, DrawId node, const char *text);

/* A dashed rectangle behind all else. */
DrawId sketch_frame(Sketch *sketch, const char *name, Point from, Point to);

/* Bezier curves through points[0], points[3], ..., n = 3 k + 1 in all, and from the last one an arrow to the tip. */
void sketch_curve(Sketch *sketch, DrawId from, DrawId to, Point tip, const Point *points, uint32_t n, SketchLine look);

/* A straight line, level or upright. */
void sketch_line(Sketch *sketch, DrawId from, DrawId to, Point start, Point tip, SketchLine look);

#endif
