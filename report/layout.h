/* layout.h: where everything of a finding's space-time diagram stands: one column per thread, a row per step, time
 * downwards; what is too long for one page goes on in a second one on its right. All lengths are points, x to the
 * right, y downwards from the upper left corner of the first page. Boxes and texts overlap nowhere. */
#ifndef REPORT_LAYOUT_H
#define REPORT_LAYOUT_H

#include "report/finding.h"
#include "report/sketch.h"

#define LAYOUT_NONE UINT32_MAX

enum {
  LAYOUT_BOX = 28,    /* height of an event's box */
  LAYOUT_ROW = 50,    /* from one row to the next */
  LAYOUT_HEADER = 34, /* from a page's top to where the lines of its threads start */
  LAYOUT_ASIDE = 5,   /* an edge ends a little above the middle of a box's side, and starts below it */
  LAYOUT_WIDEST = 900 /* a picture, if names can be shortened so far */
};

/* A thread's column. */
typedef struct {
  uint32_t thread; /* of the finding */
  int x, width;    /* the centre, on the first page; of the boxes, without their borders */
} LayoutColumn;

/* A step that is shown, as a box. */
typedef struct {
  uint32_t step, column, page;
  Point at;          /* the centre */
  const char *text;  /* "5: Y := 5", shortened */
  const char *whole; /* the same where it was shortened, else NULL */
  bool carried;      /* the chain comes to it from the box above it, or passes along there */
  bool skips;        /* steps of its thread that would stand above it are left out */
} LayoutBox;

/* What a text says. LAYOUT_TEXTS is how many kinds there are. */
typedef enum {
  LAYOUT_NAME,    /* of a thread */
  LAYOUT_ABOUT,   /* what is known of it */
  LAYOUT_NUMBER,  /* of a step */
  LAYOUT_FRAME,   /* the name of a frame */
  LAYOUT_LABEL,   /* of an edge of the chain */
  LAYOUT_POINTER, /* where an edge off the chain goes on, on another page */
  LAYOUT_VALUES,  /* of variables, after a step */
  LAYOUT_FOLD,    /* "loop, 998 more turns" */
  LAYOUT_MORE,    /* the thread goes on on another page */
  LAYOUT_TEXTS
} LayoutTextKind;

/* A line of text. */
typedef struct {
  LayoutTextKind kind;
  Point at; /* the centre */
  int width;
  const char *text, *whole; /* as of a box */
  bool framed;              /* it stands in a frame */
} LayoutText;

/* A font, and its size in points. */
typedef struct {
  SketchFont font;
  int size;
} LayoutFont;

/* An edge that is drawn: from one thread to another. Those within a thread are its line. */
typedef struct {
  uint32_t from, to; /* boxes */
  FindingEdgeKind kind;
  int leave, enter; /* x of the middle of the gutters through which it leaves its first box and comes to its last */
  uint32_t label, arrival; /* texts, or LAYOUT_NONE; from page to page both, at its first and at its last box: these are
                              its ends then */
} LayoutEdge;

/* A part of a frame: one on each page that has steps of it. */
typedef struct {
  uint32_t frame; /* of the finding's, from 0 */
  uint32_t column, page;
  Point from, to; /* the corners */
} LayoutFrame;

/* The whole diagram. Its arrays and texts are the arena's. */
typedef struct {
  LayoutColumn *columns;
  LayoutBox *boxes; /* as they follow each other in time */
  LayoutText *texts;
  LayoutEdge *edges;
  LayoutFrame *frames;
  uint32_t n_columns, n_boxes, n_texts, n_edges, n_frames;
  uint32_t n_pages;
  uint32_t *headers; /* texts: of column c on page p the one with the number p * n_columns + c; likewise, */
  uint32_t *more;    /* at the end of a page; LAYOUT_NONE where the thread does not go on */
  int page;          /* from one page to the next */
  int margin;        /* on the left, for the numbers of the steps, and as much on the right */
  int width, height; /* of all pages, without the margins */
  uint32_t left_threads, left_steps; /* that are left out */
} Layout;

/* The finding has steps. All of it belongs to the arena. */
Layout layout_finding(Arena *arena, const Finding *finding);

/* The frame around the step, from 0, or LAYOUT_NONE. */
uint32_t layout_frame(const Finding *finding, const FindingStep *step);

/* The font in which texts of this kind are set. */
LayoutFont layout_font(LayoutTextKind kind);

#endif
