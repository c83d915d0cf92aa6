/* Space-time diagrams after Lamport. What breaks the block must be seen at once: only the chain from the block to the
 * others and back is thick and labelled, and the three colours have shapes of their own (thick border, double border,
 * octagon), for prints without colour. */
#include "report/diagram.h"

#include <assert.h>

typedef struct {
  Sketch *sketch;
  const Finding *finding;
  uint32_t number;
  const Layout *layout;
  Point corner;
  DrawId *boxes, *texts; /* the nodes */
  DrawId *frames;        /* per page and frame of the finding */
} Diagram;

static Point move(const Diagram *diagram, Point at) {
  return (Point){diagram->corner.x + at.x, diagram->corner.y + at.y};
}

static const FindingStep *step_of(const Diagram *diagram, uint32_t box) {
  assert(box < diagram->layout->n_boxes);
  return &diagram->finding->steps[diagram->layout->boxes[box].step];
}

static Point box_at(const Diagram *diagram, uint32_t box) { return move(diagram, diagram->layout->boxes[box].at); }

static int box_width(const Diagram *diagram, uint32_t box) {
  return diagram->layout->columns[diagram->layout->boxes[box].column].width;
}

/* From the middle of a box to its border. */
static int half_width(const Diagram *diagram, uint32_t box) {
  return box_width(diagram, box) / 2 + sketch_border(step_of(diagram, box)->role);
}
static int half_height(const Diagram *diagram, uint32_t box) {
  return LAYOUT_BOX / 2 + sketch_border(step_of(diagram, box)->role);
}

/* ---- the block, the events, and all texts ---- */

static DrawId *frame_at(const Diagram *diagram, uint32_t page, uint32_t frame) {
  return &diagram->frames[(size_t)page * diagram->finding->n_frames + frame];
}

static void add_frame(Diagram *diagram, const LayoutFrame *frame) {
  Arena *arena = &diagram->sketch->arena;
  const char *name = arena_format(arena, "%u", diagram->number);
  if (frame->frame) name = arena_format(arena, "%s, frame %u", name, frame->frame + 1);
  if (frame->page) name = arena_format(arena, "%s, page %u", name, frame->page + 1);
  *frame_at(diagram, frame->page, frame->frame) =
      sketch_frame(diagram->sketch, name, move(diagram, frame->from), move(diagram, frame->to));
}

static void add_box(Diagram *diagram, uint32_t box) {
  Sketch *sketch = diagram->sketch;
  const FindingStep *step = step_of(diagram, box);
  const LayoutBox *at = &diagram->layout->boxes[box];
  const char *unit = diagram->finding->unit ? diagram->finding->unit : "block";
  const char *name = arena_format(&sketch->arena, "%s %u, step %u", unit, diagram->number, at->step + 1);
  const uint32_t frame = layout_frame(diagram->finding, step);
  const DrawId parent = frame != LAYOUT_NONE ? *frame_at(diagram, at->page, frame) : DRAW_TOP;
  diagram->boxes[box] =
      sketch_box(sketch, parent, name, box_at(diagram, box), box_width(diagram, box), LAYOUT_BOX, step->role);
  const char *colour = step->role == FINDING_BEFORE ? "#5f6368" : SKETCH_INK;
  sketch_box_text(sketch, diagram->boxes[box], FONT_MONO, 10, colour, at->text);
  sketch_tooltip(sketch, diagram->boxes[box], at->whole);
}

static const struct {
  const char *colour;
  bool paper; /* lines may run below it */
} TEXTS[] = {
    {SKETCH_INK, false}, {SKETCH_GREY, false}, {SKETCH_GREY, false}, {SKETCH_BLUE, true}, {SKETCH_INK, true},
    {SKETCH_GREY, true}, {SKETCH_GREEN, true}, {SKETCH_GREY, true},  {SKETCH_GREY, false}}; /* ORDER LayoutTextKind */
_Static_assert(sizeof TEXTS / sizeof *TEXTS == LAYOUT_TEXTS, "ORDER LayoutTextKind");

static void add_text(Diagram *diagram, uint32_t number) {
  const LayoutText *text = &diagram->layout->texts[number];
  const LayoutFont font = layout_font(text->kind);
  const char *paper = !TEXTS[text->kind].paper ? NULL : text->framed ? SKETCH_PALE_BLUE : "#ffffff";
  const DrawId node = sketch_text(diagram->sketch, move(diagram, text->at), font.font, font.size,
                                  TEXTS[text->kind].colour, paper, text->text);
  sketch_tooltip(diagram->sketch, node, text->whole);
  diagram->texts[number] = node;
}

/* ---- the lines of the threads ---- */

static DrawId header_of(const Diagram *diagram, uint32_t page, uint32_t column) {
  return diagram->texts[diagram->layout->headers[page * diagram->layout->n_columns + column]];
}

static SketchLine line_look(const LayoutBox *box) {
  if (box->carried) return LINE_CHAIN;
  return box->skips ? LINE_GAP : LINE_ORDER;
}

static void add_line(Diagram *diagram, uint32_t column) {
  const Layout *layout = diagram->layout;
  uint32_t page = 0;
  DrawId before = header_of(diagram, 0, column);
  Point start = move(diagram, (Point){layout->columns[column].x, LAYOUT_HEADER});
  for (uint32_t i = 0; i < layout->n_boxes; i++) {
    const LayoutBox *box = &layout->boxes[i];
    if (box->column != column) continue;
    for (; page < box->page; page++) {
      const LayoutText *more = &layout->texts[layout->more[page * layout->n_columns + column]];
      const Point end = move(diagram, (Point){more->at.x, more->at.y - 6});
      sketch_line(diagram->sketch, before, diagram->texts[more - layout->texts], start, end, line_look(box));
      before = header_of(diagram, page + 1, column);
      start = move(diagram, (Point){layout->columns[column].x + ((int)page + 1) * layout->page, LAYOUT_HEADER});
    }
    const Point at = box_at(diagram, i), tip = {at.x, at.y - half_height(diagram, i)};
    sketch_line(diagram->sketch, before, diagram->boxes[i], start, tip, line_look(box));
    before = diagram->boxes[i];
    start.y = at.y + half_height(diagram, i);
  }
}

/* ---- dependences between threads ---- */

/* From a box to the text beside it that says where the edge goes on. */
static void add_departure(Diagram *diagram, const LayoutEdge *edge, SketchLine look) {
  const LayoutText *text = &diagram->layout->texts[edge->label];
  const Point at = box_at(diagram, edge->from), end = move(diagram, text->at);
  const Point start = {at.x + half_width(diagram, edge->from), at.y + LAYOUT_ASIDE};
  const Point tip = {end.x - text->width / 2 - 3, end.y};
  const Point last = {tip.x - SKETCH_ARROW, tip.y};
  const Point points[] = {start, {last.x, start.y}, {start.x, last.y}, last};
  sketch_curve(diagram->sketch, diagram->boxes[edge->from], diagram->texts[edge->label], tip, points, 4, look);
}

static void add_arrival(Diagram *diagram, const LayoutEdge *edge, SketchLine look) {
  const LayoutText *text = &diagram->layout->texts[edge->arrival];
  const Point at = box_at(diagram, edge->to), begin = move(diagram, text->at);
  const Point tip = {at.x + half_width(diagram, edge->to), at.y - LAYOUT_ASIDE};
  const Point start = {begin.x - text->width / 2 - 3, begin.y}, last = {tip.x + SKETCH_ARROW, tip.y};
  const Point points[] = {start, {last.x, start.y}, {start.x, last.y}, last};
  sketch_curve(diagram->sketch, diagram->texts[edge->arrival], diagram->boxes[edge->to], tip, points, 4, look);
}

/* Between neighbours the edge stays in the gutter. Else it crosses the columns between just above the row of its
 * target, where no box is. */
static void add_crossing(Diagram *diagram, const LayoutEdge *edge, SketchLine look) {
  const DrawId from = diagram->boxes[edge->from], to = diagram->boxes[edge->to];
  const Point source = box_at(diagram, edge->from), target = box_at(diagram, edge->to);
  const int way = source.x < target.x ? 1 : -1;
  const Point start = {source.x + way * half_width(diagram, edge->from), source.y + LAYOUT_ASIDE};
  const Point tip = {target.x - way * half_width(diagram, edge->to), target.y - LAYOUT_ASIDE};
  const Point end = {tip.x - way * SKETCH_ARROW, tip.y};
  const int first = diagram->corner.x + edge->leave, last = diagram->corner.x + edge->enter;
  if (first == last) {
    const Point points[] = {start, {first, start.y}, {last, end.y}, end};
    sketch_curve(diagram->sketch, from, to, tip, points, 4, look);
    return;
  }
  const int y = target.y - LAYOUT_ROW / 2;
  const Point a = {2 * first - start.x, y}, b = {2 * last - end.x, y};
  const Point points[] = {start, {first, start.y}, {first, y}, a, a, b, b, {last, y}, {last, end.y}, end};
  sketch_curve(diagram->sketch, from, to, tip, points, 10, look);
}

static void add_edge(Diagram *diagram, const LayoutEdge *edge) {
  const SketchLine look = edge->kind == EDGE_CHAIN ? LINE_CHAIN : LINE_OTHER;
  if (edge->arrival == LAYOUT_NONE) {
    add_crossing(diagram, edge, look);
    return;
  }
  add_departure(diagram, edge, look);
  add_arrival(diagram, edge, look);
}

void diagram_draw(Sketch *sketch, const Finding *finding, uint32_t number, const Layout *layout, Point corner) {
  Diagram diagram = {.sketch = sketch, .finding = finding, .number = number, .layout = layout, .corner = corner};
  diagram.boxes = arena_zeroed(&sketch->arena, layout->n_boxes, sizeof *diagram.boxes);
  diagram.texts = arena_zeroed(&sketch->arena, layout->n_texts, sizeof *diagram.texts);
  const size_t n_frames = heap_product(sketch->arena.heap, layout->n_pages, finding->n_frames);
  diagram.frames = arena_zeroed(&sketch->arena, n_frames, sizeof *diagram.frames);
  for (uint32_t i = 0; i < layout->n_frames; i++) add_frame(&diagram, &layout->frames[i]);
  for (uint32_t i = 0; i < layout->n_boxes; i++) add_box(&diagram, i);
  for (uint32_t i = 0; i < layout->n_texts; i++) add_text(&diagram, i);
  for (uint32_t c = 0; c < layout->n_columns; c++) add_line(&diagram, c);
  for (uint32_t i = 0; i < layout->n_edges; i++) add_edge(&diagram, &layout->edges[i]);
}
