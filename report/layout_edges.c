/* The edges of a diagram. One that follows from the others says nothing and is not drawn, save on the chain. Labels
 * stand in the gutters between the columns, where no box is, and each gutter's one below the other. */
#include "report/layout_inside.h"

#include "base/text.h"
#include "report/measure.h"

#include <stdlib.h>
#include <string.h>

/* ---- which are drawn ---- */

static const LayoutBox *end_box(const LayoutWork *work, uint32_t step) {
  const uint32_t box = work->box_of[step];
  return box == LAYOUT_NONE ? NULL : &work->layout.boxes[box];
}

/* An edge of the chain within a thread may jump over steps of that thread: it is drawn along all of them. */
static void carry_chain(LayoutWork *work, const FindingEdge *edge) {
  LayoutBox *boxes = work->layout.boxes;
  const uint32_t to = work->box_of[edge->to];
  for (uint32_t box = work->box_of[edge->from] + 1; box <= to; box++)
    boxes[box].carried |= boxes[box].column == boxes[to].column;
}

/* Per box and column: how many of the first boxes contain all those of that column that the box depends on. */
typedef struct {
  uint32_t *at;
  uint32_t n_columns;
} Clocks;

static uint32_t *clock_of(const Clocks *clocks, uint32_t box) { return clocks->at + (size_t)box * clocks->n_columns; }

static void merge_clock(const Clocks *clocks, uint32_t into, uint32_t from) {
  uint32_t *own = clock_of(clocks, into);
  const uint32_t *other = clock_of(clocks, from);
  for (uint32_t c = 0; c < clocks->n_columns; c++)
    if (other[c] > own[c]) own[c] = other[c];
}

/* Where the edges to one box are candidates[at .. at + n]: does that box depend on the start of edge i through another
 * one of them, or through the box above it? Steps of one thread depend on each other in order, so one that is not
 * earlier is enough. */
static bool is_implied(const LayoutWork *work, const Clocks *clocks, const LayoutEdge *candidates, uint32_t n,
                       uint32_t i, uint32_t above) {
  const uint32_t from = candidates[i].from, column = work->layout.boxes[from].column;
  if (candidates[i].kind == EDGE_CHAIN || work->finding->threads[work->layout.columns[column].thread].concurrent)
    return false;
  bool implied = above != LAYOUT_NONE && clock_of(clocks, above)[column] > from;
  for (uint32_t k = 0; k < n; k++) implied |= k != i && clock_of(clocks, candidates[k].from)[column] > from;
  return implied;
}

/* Of the edges to one box those that are drawn are moved to the end of the layout's. */
static void keep_edges(LayoutWork *work, const Clocks *clocks, const LayoutEdge *candidates, const uint32_t *numbers,
                       uint32_t n, uint32_t above) {
  Layout *layout = &work->layout;
  for (uint32_t i = 0; i < n; i++) {
    if (layout->boxes[candidates[i].from].column == layout->boxes[candidates[i].to].column) continue;
    if (is_implied(work, clocks, candidates, n, i, above)) continue;
    work->edge_of[layout->n_edges] = numbers[i];
    layout->edges[layout->n_edges++] = candidates[i];
  }
}

/* All edges that end at shown boxes, ascending by their ends. */
static uint32_t list_candidates(LayoutWork *work, LayoutEdge *candidates, uint32_t *numbers) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < work->finding->n_edges; i++) {
    const FindingEdge *edge = &work->finding->edges[i];
    const LayoutBox *from = end_box(work, edge->from), *to = end_box(work, edge->to);
    if (!from || !to) continue;
    if (edge->kind == EDGE_CHAIN && from->column == to->column) carry_chain(work, edge);
    numbers[n] = i;
    candidates[n++] = (LayoutEdge){.from = work->box_of[edge->from],
                                   .to = work->box_of[edge->to],
                                   .kind = edge->kind,
                                   .label = LAYOUT_NONE,
                                   .arrival = LAYOUT_NONE};
  }
  return n;
}

/* The box above in the same column, if that comes before it for certain; else LAYOUT_NONE. last[] is per column: the
 * box so far, + 1. */
static uint32_t box_above(const LayoutWork *work, const uint32_t *last, uint32_t column) {
  const bool concurrent = work->finding->threads[work->layout.columns[column].thread].concurrent;
  return last[column] && !concurrent ? last[column] - 1 : LAYOUT_NONE;
}

void layout_choose_edges(LayoutWork *work) {
  Layout *layout = &work->layout;
  Arena *arena = work->arena;
  const uint32_t n_edges = work->finding->n_edges;
  LayoutEdge *candidates = arena_zeroed(arena, n_edges, sizeof *candidates);
  uint32_t *numbers = arena_zeroed(arena, n_edges, sizeof *numbers);
  uint32_t *last = arena_zeroed(arena, layout->n_columns, sizeof *last);
  const size_t cells = heap_product(arena->heap, layout->n_boxes, layout->n_columns);
  const Clocks clocks = {arena_zeroed(arena, cells, sizeof *clocks.at), layout->n_columns};
  layout->edges = arena_zeroed(arena, n_edges, sizeof *layout->edges);
  work->edge_of = arena_zeroed(arena, n_edges, sizeof *work->edge_of);
  const uint32_t n = list_candidates(work, candidates, numbers);
  for (uint32_t box = 0, at = 0, end; box < layout->n_boxes; box++, at = end) {
    const uint32_t column = layout->boxes[box].column, above = box_above(work, last, column);
    if (above != LAYOUT_NONE) merge_clock(&clocks, box, above);
    for (end = at; end < n && candidates[end].to == box; end++) merge_clock(&clocks, box, candidates[end].from);
    keep_edges(work, &clocks, candidates + at, numbers + at, end - at, above);
    clock_of(&clocks, box)[column] = last[column] = box + 1;
  }
}

/* ---- labels ---- */

enum {
  NARROWEST = 44, /* a gutter */
  SPARE = 16,     /* what a label may take of the space beside it */
  LINE = 12,      /* of a label */
  STUB = 22,      /* from a box to the text of an edge that goes on on another page, with the box's border */
  LONGEST_LABEL = 30
};

static int larger(int a, int b) { return a > b ? a : b; }

static bool turns_page(const LayoutWork *work, const LayoutEdge *edge) {
  return work->layout.boxes[edge->from].page != work->layout.boxes[edge->to].page;
}

/* What is written at an edge: one line or two, or none; and all of it where names are shortened, or NULL. */
typedef struct {
  const char *lines[2], *whole;
} Label;

static const char *joined(const LayoutWork *work, const char *a, const char *between, const char *b) {
  if (!a || !b) return a ? a : b;
  return arena_format(work->arena, "%s%s%s", a, between, b);
}

/* "to 71", at an edge that goes on on another page; else NULL. */
static const char *destination(const LayoutWork *work, const LayoutEdge *edge) {
  if (!turns_page(work, edge)) return NULL;
  return arena_format(work->arena, "to %llu", (unsigned long long)layout_number(work, &work->layout.boxes[edge->to]));
}

/* "Y: write → read", or "Y" above "write → read". */
static Label label_of(const LayoutWork *work, uint32_t edge) {
  const FindingEdge *of = &work->finding->edges[work->edge_of[edge]];
  const char *to = destination(work, &work->layout.edges[edge]);
  if (of->kind != EDGE_CHAIN) return (Label){{to}, NULL};
  const uint32_t most = of->label ? work->size.object : work->size.object + work->size.object / 2;
  const char *object = of->object ? text_shorten(work->arena, of->object, most) : NULL;
  const char *label = of->label ? text_shorten(work->arena, of->label, LONGEST_LABEL) : NULL;
  const bool whole = (!object || !strcmp(object, of->object)) && (!label || !strcmp(label, of->label));
  Label written = {{object}, whole ? NULL : joined(work, of->object, ": ", of->label)};
  label = joined(work, label, ", ", to);
  if (work->size.split && object) written.lines[1] = label;
  else written.lines[0] = joined(work, object, ": ", label);
  return written;
}

static Label arrival_of(const LayoutWork *work, uint32_t edge) {
  const unsigned long long number = layout_number(work, &work->layout.boxes[work->layout.edges[edge].from]);
  return (Label){{arena_format(work->arena, "from %llu", number)}, NULL};
}

/* A gutter has the number of the column on its left. */
static uint32_t leave_gutter(const LayoutWork *work, const LayoutEdge *edge) {
  const uint32_t from = work->layout.boxes[edge->from].column, to = work->layout.boxes[edge->to].column;
  return from < to || turns_page(work, edge) ? from : from - 1;
}

static uint32_t enter_gutter(const LayoutWork *work, const LayoutEdge *edge) {
  const uint32_t from = work->layout.boxes[edge->from].column, to = work->layout.boxes[edge->to].column;
  return from > to || turns_page(work, edge) ? to : to - 1;
}

/* As of a monospaced font, or what it is. */
static int label_width(LayoutTextKind kind, Label label) {
  int width = 0;
  for (uint32_t i = 0; i < 2 && label.lines[i]; i++) {
    const int usual = measure_text(FONT_MONO, 10, label.lines[i]);
    const int measured = measure_text(layout_font(kind).font, layout_font(kind).size, label.lines[i]) - SPARE;
    width = larger(width, larger(usual, measured));
  }
  return width;
}

static LayoutTextKind label_kind(const LayoutEdge *edge) {
  return edge->kind == EDGE_CHAIN ? LAYOUT_LABEL : LAYOUT_POINTER;
}

static void widen(const LayoutWork *work, uint32_t gutter, const LayoutEdge *edge, Label label) {
  work->gutter[gutter] = larger(work->gutter[gutter], label_width(label_kind(edge), label) + work->size.gutter);
}

void layout_measure_gutters(LayoutWork *work) {
  const Layout *layout = &work->layout;
  for (uint32_t c = 0; c < layout->n_columns; c++) work->gutter[c] = NARROWEST;
  for (uint32_t i = 0; i < layout->n_edges; i++) {
    const LayoutEdge *edge = &layout->edges[i];
    widen(work, leave_gutter(work, edge), edge, label_of(work, i));
    if (turns_page(work, edge)) widen(work, enter_gutter(work, edge), edge, arrival_of(work, i));
  }
}

/* ---- their places ---- */

static int gutter_x(const LayoutWork *work, uint32_t page, uint32_t gutter) {
  const LayoutColumn *left = &work->layout.columns[gutter];
  return (int)page * work->layout.page + left->x + left->width / 2 + work->gutter[gutter] / 2;
}

/* The first line's text; the second's is the next one. */
static uint32_t add_label(LayoutWork *work, LayoutTextKind kind, Point at, Label label) {
  const uint32_t first = work->texts.n;
  for (uint32_t i = 0; i < 2 && label.lines[i]; i++) {
    const uint32_t text = layout_add_text(work, kind, (Point){at.x, at.y + (int)i * LINE}, label.lines[i]);
    work->texts.at[text].whole = label.whole;
  }
  return first;
}

/* Beside a box: the end of an edge that goes on on another page. */
static uint32_t add_end(LayoutWork *work, const LayoutEdge *edge, uint32_t box, Label label, int aside) {
  const LayoutBox *at = &work->layout.boxes[box];
  const int left = at->at.x + work->layout.columns[at->column].width / 2 + STUB;
  return add_label(work, label_kind(edge), (Point){left + label_width(label_kind(edge), label) / 2, at->at.y + aside},
                   label);
}

/* A label in its gutter: its first line. */
typedef struct {
  uint32_t page, gutter, text, lines;
  int y;
} Placed;

typedef VEC(Placed) PlacedVec;

static void put_placed(const LayoutWork *work, PlacedVec *placed, uint32_t box, uint32_t gutter, uint32_t text,
                       Label label) {
  const Placed at = {work->layout.boxes[box].page, gutter, text, label.lines[1] ? 2 : 1, work->texts.at[text].at.y};
  vec_push(work->arena->heap, placed, at);
}

static void place_edge(LayoutWork *work, uint32_t number, PlacedVec *placed) {
  LayoutEdge *edge = &work->layout.edges[number];
  const LayoutBox *from = &work->layout.boxes[edge->from], *to = &work->layout.boxes[edge->to];
  const Label label = label_of(work, number);
  edge->leave = gutter_x(work, from->page, leave_gutter(work, edge));
  edge->enter = gutter_x(work, to->page, enter_gutter(work, edge));
  if (turns_page(work, edge)) {
    edge->label = add_end(work, edge, edge->from, label, LAYOUT_ASIDE);
    edge->arrival = add_end(work, edge, edge->to, arrival_of(work, number), -LAYOUT_ASIDE);
    put_placed(work, placed, edge->to, enter_gutter(work, edge), edge->arrival, arrival_of(work, number));
  } else if (label.lines[0]) {
    const int start = from->at.y + LAYOUT_ASIDE;
    const int end = edge->leave == edge->enter ? to->at.y - LAYOUT_ASIDE : to->at.y - LAYOUT_ROW / 2;
    edge->label =
        add_label(work, LAYOUT_LABEL, (Point){edge->leave, (start + end) / 2 - (label.lines[1] ? LINE / 2 : 0)}, label);
  }
  if (edge->label != LAYOUT_NONE) put_placed(work, placed, edge->from, leave_gutter(work, edge), edge->label, label);
}

static int compare_placed(const void *a, const void *b) {
  const Placed *p = a, *q = b;
  if (p->page != q->page) return p->page < q->page ? -1 : 1;
  if (p->gutter != q->gutter) return p->gutter < q->gutter ? -1 : 1;
  if (p->y != q->y) return p->y < q->y ? -1 : 1;
  return (p->text > q->text) - (p->text < q->text);
}

/* Labels of one gutter that would overlap move down. Returns where the lowest one ends. */
static int spread_labels(LayoutWork *work, Placed *placed, uint32_t n) {
  enum { APART = 2 };
  int lowest = 0, free = 0;
  if (n > 1) qsort(placed, n, sizeof *placed, compare_placed);
  for (uint32_t i = 0; i < n; i++) {
    const bool first = i == 0 || placed[i - 1].page != placed[i].page || placed[i - 1].gutter != placed[i].gutter;
    const int down = first ? 0 : larger(free - placed[i].y, 0);
    for (uint32_t k = 0; k < placed[i].lines; k++) work->texts.at[placed[i].text + k].at.y += down;
    free = placed[i].y + down + (int)placed[i].lines * LINE + APART;
    lowest = larger(lowest, free - LINE / 2);
  }
  return lowest;
}

int layout_place_edges(LayoutWork *work) {
  PlacedVec placed = {0};
  for (uint32_t i = 0; i < work->layout.n_edges; i++) place_edge(work, i, &placed);
  const int lowest = spread_labels(work, placed.at, placed.n);
  vec_fini(work->arena->heap, &placed);
  return lowest;
}
