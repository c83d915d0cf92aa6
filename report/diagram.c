/* Space-time diagrams after Lamport. What breaks the block must be seen at once: only the chain from the block to the others
 * and back is thick and labelled, and the three colours have shapes of their own (thick border, double border, octagon), for
 * prints without colour. */
#include "report/diagram.h"

#include "base/text.h"
#include "report/words.h"

#include <assert.h>

enum {
  HEADER = 34, /* of a column */
  ASIDE = 5    /* an edge ends a little above the middle of a box's side, and starts below it */
};

typedef struct {
  Sketch *sketch;
  const Net *net;
  const Witness *witness;
  const Layout *layout;
  Point corner;
  DrawId *nodes; /* per step */
  DrawId frame;
} Diagram;

static int column_x(const Diagram *diagram, uint32_t column) { return diagram->corner.x + diagram->layout->columns[column].x; }

static Point step_at(const Diagram *diagram, uint32_t step) {
  assert(step < diagram->witness->n_steps);
  return (Point){column_x(diagram, diagram->layout->column[step]), diagram->corner.y + diagram->layout->y[step]};
}

static int step_width(const Diagram *diagram, uint32_t step) {
  return diagram->layout->columns[diagram->layout->column[step]].width;
}

/* From the middle of a step's box to its border. */
static int half_width(const Diagram *diagram, uint32_t step) {
  return step_width(diagram, step) / 2 + sketch_border(diagram->witness->steps[step].taint);
}
static int half_height(const Diagram *diagram, uint32_t step) {
  return LAYOUT_BOX / 2 + sketch_border(diagram->witness->steps[step].taint);
}

/* ---- the block and the events ---- */

static void add_frame(Diagram *diagram) {
  Sketch *sketch = diagram->sketch;
  const Layout *layout = diagram->layout;
  const int x = column_x(diagram, 0), width = layout->columns[0].width, side = width / 2 + 12;
  const Point from = {x - side, diagram->corner.y + layout->frame_top - 6};
  const Point to = {x + side, diagram->corner.y + layout->height + 10};
  const uint32_t block = diagram->witness->block;
  diagram->frame = sketch_frame(sketch, arena_format(&sketch->arena, "%u", block + 1), from, to);
  const char *name = words_block(&sketch->arena, diagram->net->notes, block);
  name = text_shorten(&sketch->arena, name, (uint32_t)width / 6);
  sketch_text(sketch, (Point){x, from.y + 12}, FONT_BOLD, 10, SKETCH_BLUE, SKETCH_PALE_BLUE, name);
}

static void add_event(Diagram *diagram, uint32_t step) {
  Sketch *sketch = diagram->sketch;
  const WitnessStep *event = &diagram->witness->steps[step];
  const Point at = step_at(diagram, step);
  const char *name = arena_format(&sketch->arena, "block %u, step %u", diagram->witness->block + 1, step + 1);
  const DrawId parent = event->in_block ? diagram->frame : DRAW_TOP;
  diagram->nodes[step] = sketch_box(sketch, parent, name, at, step_width(diagram, step), LAYOUT_BOX, event->taint);
  const char *colour = event->taint == TAINT_NONE ? "#5f6368" : SKETCH_INK;
  sketch_box_text(sketch, diagram->nodes[step], FONT_MONO, 10, colour, diagram->layout->text[step]);
  const char *number = arena_format(&sketch->arena, "%u", step + 1);
  sketch_text(sketch, (Point){diagram->corner.x - DIAGRAM_MARGIN + 10, at.y}, FONT_SANS, 8, SKETCH_GREY, NULL, number);
}

/* ---- program order ---- */

/* "line 10, one of 4 copies" */
static const char *describe_thread(Diagram *diagram, uint32_t thread) {
  assert(thread < diagram->net->notes->n_threads);
  const Notes *notes = diagram->net->notes;
  const NoteThread *note = &notes->threads[thread];
  Arena *arena = &diagram->sketch->arena;
  uint32_t copies = 0;
  for (uint32_t t = 0; t < notes->n_threads; t++) copies += notes->threads[t].group == note->group;
  const char *place = note->pos.line ? arena_format(arena, "line %u", note->pos.line) : "";
  if (copies == 1) return place;
  return arena_format(arena, "%s%sone of %u copies", place, place[0] ? ", " : "", copies);
}

static DrawId add_header(Diagram *diagram, uint32_t column) {
  Sketch *sketch = diagram->sketch;
  const uint32_t thread = diagram->layout->columns[column].thread;
  const int x = column_x(diagram, column), y = diagram->corner.y;
  const char *name = text_shorten(&sketch->arena, words_thread(&sketch->arena, diagram->net->notes, thread), 16);
  const DrawId node = sketch_text(sketch, (Point){x, y + 10}, FONT_BOLD, 13, SKETCH_INK, NULL, name);
  const char *below = thread == NOTE_NONE ? "" : describe_thread(diagram, thread);
  if (below[0]) sketch_text(sketch, (Point){x, y + 25}, FONT_SANS, 9, SKETCH_GREY, NULL, below);
  return node;
}

static void add_column(Diagram *diagram, uint32_t column) {
  DrawId before = add_header(diagram, column);
  Point start = {column_x(diagram, column), diagram->corner.y + HEADER};
  for (uint32_t i = 0; i < diagram->witness->n_steps; i++) {
    if (diagram->layout->column[i] != column) continue;
    const Point at = step_at(diagram, i), tip = {at.x, at.y - half_height(diagram, i)};
    const SketchLine look = diagram->layout->carried[i] ? LINE_CHAIN : LINE_ORDER;
    sketch_line(diagram->sketch, before, diagram->nodes[i], start, tip, look);
    before = diagram->nodes[i];
    start.y = at.y + half_height(diagram, i);
  }
}

/* ---- causality between threads ---- */

/* Between neighbours the edge stays in the gutter. Else it crosses the columns between just above the row of its target,
 * where no box is. Returns where its label stands. */
static Point add_edge(Diagram *diagram, const CausalEdge *edge) {
  const Layout *layout = diagram->layout;
  const SketchLine look = edge->on_chain ? LINE_CHAIN : LINE_OTHER;
  const DrawId from = diagram->nodes[edge->from], to = diagram->nodes[edge->to];
  const uint32_t c = layout->column[edge->from], d = layout->column[edge->to];
  assert(c != d);
  const int way = c < d ? 1 : -1;
  const Point source = step_at(diagram, edge->from), target = step_at(diagram, edge->to);
  const Point start = {source.x + way * half_width(diagram, edge->from), source.y + ASIDE};
  const Point tip = {target.x - way * half_width(diagram, edge->to), target.y - ASIDE};
  const Point end = {tip.x - way * SKETCH_ARROW, tip.y};
  const int first = diagram->corner.x + layout_gutter(layout, c < d ? c : c - 1);
  const int last = diagram->corner.x + layout_gutter(layout, c < d ? d - 1 : d);
  if (first == last) {
    const Point points[] = {start, {first, start.y}, {last, end.y}, end};
    sketch_curve(diagram->sketch, from, to, tip, points, 4, look);
    return (Point){first, (start.y + end.y) / 2};
  }
  const int y = target.y - LAYOUT_ROW / 2;
  const Point a = {2 * first - start.x, y}, b = {2 * last - end.x, y};
  const Point points[] = {start, {first, start.y}, {first, y}, a, a, b, b, {last, y}, {last, end.y}, end};
  sketch_curve(diagram->sketch, from, to, tip, points, 10, look);
  return (Point){first, (start.y + y) / 2};
}

static void add_causality(Diagram *diagram) {
  Sketch *sketch = diagram->sketch;
  for (uint32_t i = 0; i < diagram->witness->n_edges; i++) {
    const CausalEdge *edge = &diagram->witness->edges[i];
    if (diagram->layout->column[edge->from] == diagram->layout->column[edge->to] || diagram->layout->implied[i]) continue;
    const Point at = add_edge(diagram, edge);
    const char *label = layout_edge_label(&sketch->arena, diagram->net, edge);
    if (edge->on_chain) sketch_text(sketch, at, FONT_BOLD, 10, SKETCH_INK, "#ffffff", label);
  }
}

void diagram_draw(Sketch *sketch, const Net *net, const Witness *witness, const Layout *layout, Point corner) {
  Diagram diagram = {.sketch = sketch, .net = net, .witness = witness, .layout = layout, .corner = corner};
  diagram.nodes = arena_zeroed(&sketch->arena, witness->n_steps, sizeof *diagram.nodes);
  add_frame(&diagram);
  for (uint32_t i = 0; i < witness->n_steps; i++) add_event(&diagram, i);
  for (uint32_t c = 0; c < layout->n_columns; c++) add_column(&diagram, c);
  add_causality(&diagram);
}
