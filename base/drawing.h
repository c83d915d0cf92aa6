/* drawing.h: drawings, through graphviz: the only file that knows it is drawing.c. It is loaded when something is
 * drawn.
 *
 * A drawing is collected here first, nodes, edges and clusters with attributes of the DOT language, in the order in
 * which they will be written; then it is written as DOT, or laid out and rendered as SVG. Which engine lays it out says
 * the graph's attribute `layout`; "nop2" takes every position as it is given. */
#ifndef BASE_DRAWING_H
#define BASE_DRAWING_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

#include <stdio.h>

/* What a DrawItem is. */
typedef enum { DRAW_GRAPH, DRAW_CLUSTER, DRAW_NODE, DRAW_EDGE } DrawKind;

/* The number of an item, from 0: an index of Drawing.items. */
typedef struct {
  uint32_t v;
} DrawId;
#define DRAW_TOP ((DrawId){0}) /* the graph itself */

/* NAME=VALUE of an item. Both strings belong to the drawing. */
typedef struct {
  uint32_t item;
  const char *name, *value;
} DrawAttribute;

/* A part of a drawing. Its name belongs to the drawing. */
typedef struct {
  DrawKind kind;
  const char *name;  /* of a cluster or node */
  uint32_t parent;   /* the item of the cluster or graph in which it stands */
  uint32_t from, to; /* items of an edge's nodes */
} DrawItem;

/* A drawing as it is put together. */
typedef struct {
  Arena arena;
  VEC(DrawItem) items; /* 0 is the graph */
  VEC(DrawAttribute) attributes;
} Drawing;

void drawing_init(Drawing *drawing, Heap *heap, const char *name); /* a directed graph */
void drawing_fini(Drawing *drawing);

/* Names of nodes and of clusters are unique in the drawing, each among themselves. They are cleaned (base/text.h) and
 * copied. */
DrawId drawing_add_cluster(Drawing *drawing, DrawId parent, const char *name);
DrawId drawing_add_node(Drawing *drawing, DrawId parent, const char *name);
DrawId drawing_add_edge(Drawing *drawing, DrawId from, DrawId to);

/* An attribute of the item, formatted. Once per item and name. */
void drawing_set(Drawing *drawing, DrawId item, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for an attribute that is text, to be shown as it stands: cleaned, and without a meaning for backslashes,
 * angle brackets and entities. The second one sets `label`. */
void drawing_set_text(Drawing *drawing, DrawId item, const char *name, const char *text);
void drawing_set_label(Drawing *drawing, DrawId item, const char *text);

/* A process of its own draws, and nothing of this one's memory. False, with ERR_LIMIT, if graphviz cannot do it, most
 * likely for want of memory, or if the heap is asked to stop meanwhile. Errors of `out` are the caller's to see. */
bool drawing_write_dot(const Drawing *drawing, FILE *out, Err *err);
bool drawing_write_svg(const Drawing *drawing, FILE *out, Err *err);

#endif
