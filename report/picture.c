/* The witnesses as space-time diagrams, after Lamport: one column per thread, time downwards. What breaks the block must be
 * seen at once: only the chain from the block to the others and back is thick and labelled, and the three colours have
 * shapes of their own (thick border, double border, octagon), for prints without colour. Every position is given
 * (layout=nop2), so that anyone's `dot` draws the file as we do. */
#include "report/verdict.h"

#include "base/draw.h"
#include "base/text.h"
#include "report/layout.h"
#include "report/runners.h"
#include "report/words.h"

#include <string.h>

#define SANS "Helvetica"
#define SANS_BOLD "Helvetica-Bold"
#define MONO "Courier"

#define INK "#202124"
#define GREY "#8a8f98"
#define PALE "#c3c7cd"
#define BLUE "#1b5e9e"
#define PALE_BLUE "#f2f6fc"

enum {
  MARGIN = 40,       /* left of the first column: the numbers of the steps; and on the right */
  NARROWEST = 470,   /* a picture, for the sake of its captions */
  CAPTION_LINE = 15,
  HEADER = 34,       /* of a column */
  ARROW = 9,         /* length of an arrow's head */
  ASIDE = 5,         /* an edge ends a little above the middle of a box's side, and starts below it */
  BETWEEN = 50       /* from one diagram to the next */
};

typedef struct {
  Heap *heap;
  Arena arena;
  Drawing drawing;
  const Report *report;
  const Net *net;
  Runners runners;
  int width;    /* of the whole picture */
  int top;      /* where the next thing starts */
  uint32_t serial; /* of nodes without a name of their own */
} Picture;

typedef struct {
  Picture *picture;
  const Witness *witness;
  Layout layout;
  int left, top;   /* of the layout in the picture */
  DrawId *nodes;   /* per step */
  DrawId frame;
} Diagram;

/* ---- small things ---- */

/* Points as inches, in every locale. */
static const char *inches(Picture *picture, int points) {
  const int thousandths = points * 1000 / 72;
  return arena_format(&picture->arena, "%d.%03d", thousandths / 1000, thousandths % 1000);
}

static void set_position(Picture *picture, DrawId node, int x, int y) { drawing_set(&picture->drawing, node, "pos", "%d,%d", x, -y); }

static void set_size(Picture *picture, DrawId node, int width, int height) {
  Drawing *drawing = &picture->drawing;
  drawing_set(drawing, node, "width", "%s", inches(picture, width));
  drawing_set(drawing, node, "height", "%s", inches(picture, height));
  drawing_set(drawing, node, "fixedsize", "true");
  drawing_set(drawing, node, "margin", "0");
}

static void set_font(Picture *picture, DrawId item, const char *font, int size, const char *colour) {
  drawing_set(&picture->drawing, item, "fontname", "%s", font);
  drawing_set(&picture->drawing, item, "fontsize", "%d", size);
  drawing_set(&picture->drawing, item, "fontcolor", "%s", colour);
}

static DrawId add_unnamed(Picture *picture) {
  return drawing_add_node(&picture->drawing, DRAW_TOP, arena_format(&picture->arena, "text %u", ++picture->serial));
}

/* A line of text, centred. */
static DrawId add_text(Picture *picture, int x, int y, const char *font, int size, const char *colour, const char *text) {
  const DrawId node = add_unnamed(picture);
  drawing_set_label(&picture->drawing, node, text);
  drawing_set(&picture->drawing, node, "shape", "plaintext");
  drawing_set(&picture->drawing, node, "margin", "0.02,0");
  drawing_set(&picture->drawing, node, "width", "0");
  drawing_set(&picture->drawing, node, "height", "0");
  set_font(picture, node, font, size, colour);
  set_position(picture, node, x, y);
  return node;
}

/* ---- lines ---- */

typedef struct {
  int x, y;
} Point;

typedef enum {
  LINE_ORDER, /* program order: thin and grey */
  LINE_OTHER, /* causality that is not on the chain: dotted */
  LINE_CHAIN  /* thick */
} LineLook;

/* A chain of Bezier curves through `points`, 3 k + 1 of them, with an arrow from the last one to the tip. */
static void set_path(Picture *picture, DrawId edge, Point tip, const Point *points, uint32_t n, LineLook look) {
  static const struct {
    const char *colour, *width, *style, *head;
  } LOOKS[] = {{PALE, "1.2", "solid", "none"}, {GREY, "0.8", "dotted", "normal"}, {INK, "2.4", "solid", "normal"}}; /* ORDER LineLook */
  Drawing *drawing = &picture->drawing;
  const char *path = look == LINE_ORDER ? "" : arena_format(&picture->arena, "e,%d,%d", tip.x, -tip.y);
  for (uint32_t i = 0; i < n; i++)
    path = arena_format(&picture->arena, "%s%s%d,%d", path, path[0] ? " " : "", points[i].x, -points[i].y);
  drawing_set(drawing, edge, "pos", "%s", path);
  drawing_set(drawing, edge, "color", "%s", LOOKS[look].colour);
  drawing_set(drawing, edge, "penwidth", "%s", LOOKS[look].width);
  drawing_set(drawing, edge, "style", "%s", LOOKS[look].style);
  drawing_set(drawing, edge, "arrowhead", "%s", LOOKS[look].head);
  drawing_set(drawing, edge, "arrowsize", "%s", look == LINE_CHAIN ? "0.8" : "0.6");
}

static int sign(int x) { return (x > 0) - (x < 0); }

/* A straight line, level or upright. */
static void add_straight(Picture *picture, DrawId from, DrawId to, Point start, Point tip, LineLook look) {
  const int arrow = look == LINE_ORDER ? 0 : ARROW;
  const Point end = {tip.x - sign(tip.x - start.x) * arrow, tip.y - sign(tip.y - start.y) * arrow};
  const Point points[] = {start, start, end, end};
  set_path(picture, drawing_add_edge(&picture->drawing, from, to), tip, points, 4, look);
}

/* ---- events ---- */

static void paint_event(Picture *picture, DrawId node, Taint taint) {
  static const struct {
    const char *shape, *fill, *border, *width, *borders;
  } LOOKS[] = {
      /* ORDER Taint */
      {"box", "#ffffff", GREY, "0.8", "1"},
      {"box", "#dbe8f8", BLUE, "2.2", "1"},
      {"box", "#fff2c2", "#946200", "1.1", "2"},
      {"octagon", "#fbd9d5", "#b3261e", "2.4", "1"},
  };
  Drawing *drawing = &picture->drawing;
  drawing_set(drawing, node, "shape", "%s", LOOKS[taint].shape);
  drawing_set(drawing, node, "style", "filled");
  drawing_set(drawing, node, "fillcolor", "%s", LOOKS[taint].fill);
  drawing_set(drawing, node, "color", "%s", LOOKS[taint].border);
  drawing_set(drawing, node, "penwidth", "%s", LOOKS[taint].width);
  drawing_set(drawing, node, "peripheries", "%s", LOOKS[taint].borders);
}

static int column_x(const Diagram *diagram, uint32_t column) { return diagram->left + diagram->layout.columns[column].x; }
static int step_x(const Diagram *diagram, uint32_t step) { return column_x(diagram, diagram->layout.column[step]); }
static int step_y(const Diagram *diagram, uint32_t step) { return diagram->top + diagram->layout.y[step]; }
static int step_width(const Diagram *diagram, uint32_t step) {
  return diagram->layout.columns[diagram->layout.column[step]].width;
}

/* How far a step's border is from its middle; the second border of a yellow one is outside. */
static int border(const Diagram *diagram, uint32_t step) { return diagram->witness->steps[step].taint == TAINT_YELLOW ? 4 : 1; }
static int half_width(const Diagram *diagram, uint32_t step) { return step_width(diagram, step) / 2 + border(diagram, step); }
static int half_height(const Diagram *diagram, uint32_t step) { return LAYOUT_BOX / 2 + border(diagram, step); }

static void add_event(Diagram *diagram, uint32_t step) {
  Picture *picture = diagram->picture;
  const WitnessStep *at = &diagram->witness->steps[step];
  const char *name = arena_format(&picture->arena, "block %u, step %u", diagram->witness->block + 1, step + 1);
  const DrawId node = drawing_add_node(&picture->drawing, at->in_block ? diagram->frame : DRAW_TOP, name);
  drawing_set_label(&picture->drawing, node, diagram->layout.text[step]);
  paint_event(picture, node, at->taint);
  set_font(picture, node, MONO, 10, at->taint == TAINT_NONE ? "#5f6368" : INK);
  set_size(picture, node, step_width(diagram, step), LAYOUT_BOX);
  set_position(picture, node, step_x(diagram, step), step_y(diagram, step));
  diagram->nodes[step] = node;
  const char *number = arena_format(&picture->arena, "%u", step + 1);
  add_text(picture, diagram->left - MARGIN + 10, step_y(diagram, step), SANS, 8, GREY, number);
}

static void add_frame(Diagram *diagram) {
  Picture *picture = diagram->picture;
  const Layout *layout = &diagram->layout;
  const LayoutColumn *column = &layout->columns[0];
  const int from = diagram->left + column->x - column->width / 2 - 12, to = from + column->width + 24;
  const int above = diagram->top + layout->frame_top - 6, below = diagram->top + layout->height + 10;
  const char *name = words_block(&picture->arena, picture->net->notes, diagram->witness->block);
  Drawing *drawing = &picture->drawing;
  diagram->frame = drawing_add_cluster(drawing, DRAW_TOP, arena_format(&picture->arena, "%u", diagram->witness->block + 1));
  drawing_set(drawing, diagram->frame, "bb", "%d,%d,%d,%d", from, -below, to, -above);
  drawing_set(drawing, diagram->frame, "style", "filled,dashed");
  drawing_set(drawing, diagram->frame, "fillcolor", PALE_BLUE);
  drawing_set(drawing, diagram->frame, "color", BLUE);
  const DrawId label = add_text(picture, (from + to) / 2, above + 12, SANS_BOLD, 10, BLUE,
                                text_shorten(&picture->arena, name, (uint32_t)column->width / 6));
  drawing_set(drawing, label, "style", "filled");
  drawing_set(drawing, label, "fillcolor", PALE_BLUE);
}

/* ---- program order ---- */

/* The name and the place of a thread, over its column. */
static DrawId add_header(Diagram *diagram, uint32_t column) {
  Picture *picture = diagram->picture;
  const uint32_t thread = diagram->layout.columns[column].thread;
  const Notes *notes = picture->net->notes;
  const char *name = text_shorten(&picture->arena, words_thread(&picture->arena, notes, thread), 16);
  const DrawId node = add_text(picture, column_x(diagram, column), diagram->top + 10, SANS_BOLD, 13, INK, name);
  if (thread == NOTE_NONE) return node;
  const char *below = "";
  uint32_t copies = 0;
  for (uint32_t t = 0; t < notes->n_threads; t++) copies += notes->threads[t].group == notes->threads[thread].group;
  if (notes->threads[thread].pos.line) below = arena_format(&picture->arena, "line %u", notes->threads[thread].pos.line);
  if (copies > 1) below = arena_format(&picture->arena, "%s%sone of %u copies", below, below[0] ? ", " : "", copies);
  if (below[0]) add_text(picture, column_x(diagram, column), diagram->top + 25, SANS, 9, GREY, below);
  return node;
}

static void add_column(Diagram *diagram, uint32_t column) {
  const Layout *layout = &diagram->layout;
  DrawId before = add_header(diagram, column);
  Point start = {column_x(diagram, column), diagram->top + HEADER};
  for (uint32_t i = 0; i < diagram->witness->n_steps; i++) {
    if (layout->column[i] != column) continue;
    const Point tip = {start.x, step_y(diagram, i) - half_height(diagram, i)};
    add_straight(diagram->picture, before, diagram->nodes[i], start, tip, layout->carried[i] ? LINE_CHAIN : LINE_ORDER);
    before = diagram->nodes[i];
    start.y = step_y(diagram, i) + half_height(diagram, i);
  }
}

/* ---- causality between threads ---- */

/* Between neighbours the edge stays in the gutter. Else it crosses the columns between just above the row of its target,
 * where no box is. Returns where its label stands. */
static Point route_edge(Diagram *diagram, const CausalEdge *edge, DrawId line, LineLook look) {
  const Layout *layout = &diagram->layout;
  const uint32_t c = layout->column[edge->from], d = layout->column[edge->to];
  const int way = c < d ? 1 : -1;
  const Point start = {step_x(diagram, edge->from) + way * half_width(diagram, edge->from), step_y(diagram, edge->from) + ASIDE};
  const Point tip = {step_x(diagram, edge->to) - way * half_width(diagram, edge->to), step_y(diagram, edge->to) - ASIDE};
  const Point end = {tip.x - way * ARROW, tip.y};
  const int first = diagram->left + layout_gutter(layout, c < d ? c : c - 1);
  const int last = diagram->left + layout_gutter(layout, c < d ? d - 1 : d);
  if (first == last) {
    const Point points[] = {start, {first, start.y}, {last, end.y}, end};
    set_path(diagram->picture, line, tip, points, 4, look);
    return (Point){first, (start.y + end.y) / 2};
  }
  const int y = tip.y + ASIDE - LAYOUT_ROW / 2;
  const Point a = {2 * first - start.x, y}, b = {2 * last - end.x, y};
  const Point points[] = {start, {first, start.y}, {first, y}, a, a, b, b, {last, y}, {last, end.y}, end};
  set_path(diagram->picture, line, tip, points, 10, look);
  return (Point){first, (start.y + y) / 2};
}

static void add_causal_edge(Diagram *diagram, const CausalEdge *edge) {
  Picture *picture = diagram->picture;
  const DrawId line = drawing_add_edge(&picture->drawing, diagram->nodes[edge->from], diagram->nodes[edge->to]);
  const Point at = route_edge(diagram, edge, line, edge->on_chain ? LINE_CHAIN : LINE_OTHER);
  if (!edge->on_chain) return;
  const char *text = layout_edge_label(&picture->arena, picture->net, edge);
  const DrawId node = add_text(picture, at.x, at.y, SANS_BOLD, 10, INK, text);
  drawing_set(&picture->drawing, node, "style", "filled");
  drawing_set(&picture->drawing, node, "fillcolor", "#ffffff");
}

/* ---- captions ---- */

/* Whom the chain visits: "T2", or "the other threads". */
static const char *others(Picture *picture, const Witness *witness) {
  uint32_t thread = NOTE_NONE;
  for (uint32_t i = 0; i < witness->n_steps; i++) {
    const WitnessStep *step = &witness->steps[i];
    if (step->role == STEP_IN) thread = step->thread;
    if (step->role == STEP_CHAIN && step->thread != thread) return "the other threads";
  }
  return words_thread(&picture->arena, picture->net->notes, thread);
}

/* "T1 writes Y; T2 reads Y in between; T1 writes Y again: no reordering takes T2 out of the block." Of a long chain the
 * middle is left out. */
static const char *explain(Picture *picture, const Witness *witness) {
  Arena *arena = &picture->arena;
  enum { FIRST = 4, LAST = 2 };
  uint32_t told = 0, n = 0;
  for (uint32_t i = 0; i < witness->n_steps; i++) n += words_step(arena, picture->net, witness, i) != NULL;
  const char *sentence = "";
  for (uint32_t i = 0; i < witness->n_steps; i++) {
    const char *words = words_step(arena, picture->net, witness, i);
    if (!words) continue;
    told++;
    const bool gap = n > FIRST + LAST + 1 && told > FIRST && told <= n - LAST;
    const char *thread = words_thread(arena, picture->net->notes, witness->steps[i].thread);
    if (!gap) sentence = arena_format(arena, "%s%s%s %s", sentence, told > 1 ? "; " : "", thread, words);
    if (gap && told == FIRST + 1) sentence = arena_format(arena, "%s; …", sentence);
  }
  return arena_format(arena, "%s: no reordering takes %s out of the block.", sentence, others(picture, witness));
}

/* Breaks the text at spaces into lines of about equal length, at most some `most` characters. */
static void add_paragraph(Picture *picture, const char *text, uint32_t most) {
  const uint32_t length = text_length(text), lines = (length + most - 1) / most;
  const uint32_t wanted = length / (lines ? lines : 1);
  while (*text) {
    const char *end = text;
    for (uint32_t n = 0; *end && (n < wanted || *end != ' '); end++) n += ((unsigned char)*end & 0xc0) != 0x80;
    const char *line = arena_copy(&picture->arena, text, (size_t)(end - text));
    add_text(picture, picture->width / 2, picture->top + CAPTION_LINE / 2, SANS, 11, INK, line);
    picture->top += CAPTION_LINE;
    text = *end ? end + 1 : end;
  }
}

static void add_captions(Picture *picture, const Witness *witness) {
  Arena *arena = &picture->arena;
  const Notes *notes = picture->net->notes;
  const ThreadList all = runners_list(&picture->runners, witness->block);
  const char *threads = runners_phrase(arena, notes, runners_copies(arena, notes, all, witness->thread));
  const char *block = words_block(arena, notes, witness->block) + 1;
  const char *title = arena_format(arena, "B%s of %s is not causally atomic", block, threads);
  add_text(picture, picture->width / 2, picture->top + 9, SANS_BOLD, 14, INK, text_shorten(arena, title, (uint32_t)picture->width / 8));
  picture->top += 20;
  const SrcPos pos = notes->blocks[witness->block].begin;
  if (notes->file[0] && pos.line) {
    const char *place = arena_format(arena, "%s, line %u", text_clean(arena, notes->file), pos.line);
    add_text(picture, picture->width / 2, picture->top + 7, SANS, 9, GREY, place);
    picture->top += 18;
  }
  add_paragraph(picture, explain(picture, witness), (uint32_t)picture->width * 10 / 57);
  picture->top += 14;
}

/* ---- the whole ---- */

static void add_diagram(Picture *picture, const Witness *witness, Layout layout) {
  add_captions(picture, witness);
  Diagram diagram = {.picture = picture, .witness = witness, .layout = layout};
  diagram.left = (picture->width - layout.width) / 2;
  diagram.top = picture->top;
  diagram.nodes = arena_zeroed(&picture->arena, witness->n_steps, sizeof *diagram.nodes);
  add_frame(&diagram);
  for (uint32_t i = 0; i < witness->n_steps; i++) add_event(&diagram, i);
  for (uint32_t c = 0; c < layout.n_columns; c++) add_column(&diagram, c);
  for (uint32_t i = 0; i < witness->n_edges; i++) {
    const CausalEdge *edge = &witness->edges[i];
    if (layout.column[edge->from] != layout.column[edge->to]) add_causal_edge(&diagram, edge);
  }
  picture->top += layout.height + BETWEEN;
}

/* The shapes, in the order of a chain. */
static void add_legend(Picture *picture) {
  static const char *const TEXTS[] = {"needed before", "in the block", "other thread, after it", "the block again"}; /* ORDER Taint */
  enum { HEIGHT = 18, GAP = 26, CHARACTER = 5, PADDING = 18 };
  int width = -GAP;
  for (size_t i = 0; i < 4; i++) width += (int)strlen(TEXTS[i]) * CHARACTER + PADDING + GAP;
  int x = (picture->width - width) / 2;
  DrawId before = DRAW_TOP;
  for (size_t i = 0; i < 4; i++) {
    const int own = (int)strlen(TEXTS[i]) * CHARACTER + PADDING, y = picture->top + HEIGHT / 2;
    const DrawId node = add_unnamed(picture);
    drawing_set_label(&picture->drawing, node, TEXTS[i]);
    paint_event(picture, node, (Taint)i);
    set_font(picture, node, SANS, 8, INK);
    set_size(picture, node, own, HEIGHT);
    set_position(picture, node, x + own / 2, y);
    if (i > 1) add_straight(picture, before, node, (Point){x - GAP, y}, (Point){x - (i == 2 ? 4 : 1), y}, LINE_CHAIN);
    before = node;
    x += own + GAP;
  }
}

static int larger(int a, int b) { return a > b ? a : b; }

/* All diagrams are as wide as the widest. */
static void draw_witnesses(Picture *picture) {
  const Report *report = picture->report;
  Layout *layouts = arena_zeroed(&picture->arena, report->n_blocks, sizeof *layouts);
  uint32_t n = 0;
  picture->width = NARROWEST;
  for (uint32_t i = 0; i < report->n_blocks; i++) {
    if (report->blocks[i].verdict != VERDICT_VIOLATED) continue;
    layouts[i] = layout_witness(&picture->arena, report->net, report->blocks[i].witness);
    picture->width = larger(picture->width, layouts[i].width + 2 * MARGIN);
    n++;
  }
  for (uint32_t i = 0; i < report->n_blocks; i++)
    if (report->blocks[i].verdict == VERDICT_VIOLATED) add_diagram(picture, report->blocks[i].witness, layouts[i]);
  if (n) add_legend(picture);
  else
    add_text(picture, picture->width / 2, 20, SANS, 14, INK,
             report->verdict == VERDICT_ATOMIC ? "Every marked block is causally atomic" : "No marked block was found violated");
}

static bool draw(Heap *heap, const Report *report, bool (*write)(const Drawing *, FILE *, Err *), FILE *out, Err *err) {
  Picture picture = {.heap = heap, .report = report, .net = report->net};
  arena_init(&picture.arena, heap);
  picture.runners = runners_of(&picture.arena, report->net);
  drawing_init(&picture.drawing, heap, "witness");
  drawing_set(&picture.drawing, DRAW_TOP, "layout", "nop2");
  drawing_set(&picture.drawing, DRAW_TOP, "outputorder", "edgesfirst");
  drawing_set(&picture.drawing, DRAW_TOP, "pad", "0.25");
  draw_witnesses(&picture);
  const bool good = write(&picture.drawing, out, err);
  drawing_fini(&picture.drawing);
  arena_fini(&picture.arena);
  return good;
}

bool report_dot(Heap *heap, const Report *report, FILE *out, Err *err) { return draw(heap, report, drawing_write_dot, out, err); }
bool report_svg(Heap *heap, const Report *report, FILE *out, Err *err) { return draw(heap, report, drawing_write_svg, out, err); }
