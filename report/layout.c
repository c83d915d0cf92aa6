#include "report/layout.h"

#include "base/text.h"
#include "report/words.h"

#include <assert.h>
#include <stdlib.h>

enum {
  HEADER = 52,       /* from the top to the first row's box */
  FRAME_NAME = 20,   /* for the block's name above its first box */
  NARROWEST = 96,    /* a column */
  GUTTER = 44,       /* between columns, beside the label in it */
  LABEL_CHARACTER = 6
};

static const char *const MODES[] = {"read", "write", "acquire", "release"}; /* ORDER AccessMode */
_Static_assert(sizeof MODES / sizeof *MODES == ACCESS_RELEASE + 1, "ORDER AccessMode");

const char *layout_edge_label(Arena *arena, const Net *net, const CausalEdge *edge) {
  if (edge->object == NOTE_NONE) return text_shorten(arena, text_clean(arena, net->place_name[edge->place.v]), 24);
  const char *name = text_shorten(arena, words_object(arena, net->notes, edge->object), 16);
  return arena_format(arena, "%s: %s → %s", name, MODES[edge->from_mode], MODES[edge->to_mode]);
}

int layout_gutter(const Layout *layout, uint32_t c) {
  assert(c + 1 < layout->n_columns);
  const LayoutColumn *left = &layout->columns[c], *right = left + 1;
  return (left->x + left->width / 2 + right->x - right->width / 2) / 2;
}

/* ---- columns ---- */

static uint32_t find_column(const Layout *layout, uint32_t thread) {
  uint32_t c = 0;
  while (c < layout->n_columns && layout->columns[c].thread != thread) c++;
  return c;
}

static void add_column(Layout *layout, uint32_t thread) {
  if (find_column(layout, thread) == layout->n_columns) layout->columns[layout->n_columns++] = (LayoutColumn){thread, 0, 0};
}

static int compare_columns(const void *a, const void *b) {
  const LayoutColumn *x = a, *y = b;
  return (x->thread > y->thread) - (x->thread < y->thread);
}

static void choose_columns(Arena *arena, const Witness *witness, Layout *layout) {
  assert(witness->n_steps >= 3); /* e1, f and e2 */
  layout->columns = arena_zeroed(arena, witness->n_steps, sizeof *layout->columns);
  add_column(layout, witness->thread);
  for (uint32_t i = 0; i < witness->n_steps; i++)
    if (witness->steps[i].role == STEP_IN || witness->steps[i].role == STEP_CHAIN) add_column(layout, witness->steps[i].thread);
  const uint32_t n_chain = layout->n_columns;
  for (uint32_t i = 0; i < witness->n_steps; i++) add_column(layout, witness->steps[i].thread);
  qsort(layout->columns + n_chain, layout->n_columns - n_chain, sizeof *layout->columns, compare_columns);
  layout->column = arena_zeroed(arena, witness->n_steps, sizeof *layout->column);
  for (uint32_t i = 0; i < witness->n_steps; i++) layout->column[i] = find_column(layout, witness->steps[i].thread);
}

static void write_texts(Arena *arena, const Net *net, const Witness *witness, Layout *layout) {
  layout->text = arena_zeroed(arena, witness->n_steps, sizeof *layout->text);
  for (uint32_t i = 0; i < witness->n_steps; i++) {
    const TransId t = witness->steps[i].transition;
    const uint32_t line = net->notes->transitions[t.v].pos.line;
    const char *text = words_event(arena, net, t);
    if (line) text = arena_format(arena, "%u: %s", line, text);
    layout->text[i] = text_shorten(arena, text, LAYOUT_LONGEST);
  }
}

static int larger(int a, int b) { return a > b ? a : b; }

static void measure_columns(const Witness *witness, Layout *layout) {
  for (uint32_t c = 0; c < layout->n_columns; c++) layout->columns[c].width = NARROWEST;
  for (uint32_t i = 0; i < witness->n_steps; i++) {
    int *width = &layout->columns[layout->column[i]].width;
    *width = larger(*width, (int)text_length(layout->text[i]) * LAYOUT_CHARACTER + 24);
  }
}

/* The gutter behind column c is as wide as the widest label of an edge that leaves a column beside it through it. */
static void measure_gutters(Arena *arena, const Net *net, const Witness *witness, const Layout *layout, int *gutter) {
  for (uint32_t c = 0; c < layout->n_columns; c++) gutter[c] = GUTTER;
  for (uint32_t i = 0; i < witness->n_edges; i++) {
    const CausalEdge *edge = &witness->edges[i];
    const uint32_t from = layout->column[edge->from], to = layout->column[edge->to];
    assert(edge->from < edge->to && from < layout->n_columns && to < layout->n_columns);
    if (!edge->on_chain || from == to) continue;
    const uint32_t c = from < to ? from : from - 1;
    const int label = (int)text_length(layout_edge_label(arena, net, edge)) * LABEL_CHARACTER;
    gutter[c] = larger(gutter[c], label + GUTTER);
  }
}

static void place_columns(Layout *layout, const int *gutter) {
  int x = 0;
  for (uint32_t c = 0; c < layout->n_columns; c++) {
    layout->columns[c].x = x + layout->columns[c].width / 2;
    x += layout->columns[c].width + gutter[c];
  }
  layout->width = x - gutter[layout->n_columns - 1];
  assert(layout->width > 0);
}

/* ---- rows ---- */

/* An edge of the chain within a thread may jump over steps of that thread: it is drawn along all of them. */
static void carry_chain(Arena *arena, const Witness *witness, Layout *layout) {
  layout->carried = arena_zeroed(arena, witness->n_steps, sizeof *layout->carried);
  for (uint32_t i = 0; i < witness->n_edges; i++) {
    const CausalEdge *edge = &witness->edges[i];
    if (!edge->on_chain || layout->column[edge->from] != layout->column[edge->to]) continue;
    for (uint32_t step = edge->from + 1; step <= edge->to; step++)
      layout->carried[step] |= layout->column[step] == layout->column[edge->to];
  }
}

static void place_rows(Arena *arena, const Witness *witness, Layout *layout) {
  layout->y = arena_zeroed(arena, witness->n_steps, sizeof *layout->y);
  int y = HEADER + LAYOUT_BOX / 2;
  for (uint32_t i = 0; i < witness->n_steps; i++) {
    if (witness->steps[i].role == STEP_BEGIN) {
      layout->frame_top = y - LAYOUT_BOX / 2;
      y += FRAME_NAME;
    }
    layout->y[i] = y;
    y += LAYOUT_ROW;
  }
  layout->height = y - LAYOUT_ROW + LAYOUT_BOX / 2;
}

/* ---- edges ---- */

/* The edges that come to one step, `at` .. `at + n`; clock[step * columns + c] - 1 is the last step of column c that the step
 * depends on. Steps of one thread depend on each other in order, so one that is not later is one more. */
static void find_implied(const Witness *witness, Layout *layout, const uint32_t *clock, uint32_t at, uint32_t n) {
  const uint32_t columns = layout->n_columns;
  for (uint32_t i = at; i < at + n; i++) {
    assert(at + n <= witness->n_edges && witness->edges[i].to == witness->edges[at].to);
    const CausalEdge *edge = &witness->edges[i];
    if (edge->on_chain || witness->steps[edge->from].thread == NOTE_NONE) continue;
    for (uint32_t k = at; k < at + n; k++) {
      const size_t other = witness->edges[k].from;
      if (k != i && clock[other * columns + layout->column[edge->from]] > edge->from) layout->implied[i] = true;
    }
  }
}

static void compare_edges(Arena *arena, const Witness *witness, Layout *layout) {
  const uint32_t columns = layout->n_columns;
  const size_t cells = heap_product(arena->heap, witness->n_steps, columns);
  uint32_t *clock = arena_zeroed(arena, cells, sizeof *clock);
  layout->implied = arena_zeroed(arena, witness->n_edges, sizeof *layout->implied);
  for (uint32_t step = 0, at = 0, end; step < witness->n_steps; step++, at = end) {
    uint32_t *own = clock + (size_t)step * columns;
    for (end = at; end < witness->n_edges && witness->edges[end].to == step; end++) {
      const uint32_t *before = clock + (size_t)witness->edges[end].from * columns;
      for (uint32_t c = 0; c < columns; c++)
        if (before[c] > own[c]) own[c] = before[c];
    }
    find_implied(witness, layout, clock, at, end - at);
    own[layout->column[step]] = step + 1;
  }
}

Layout layout_witness(Arena *arena, const Net *net, const Witness *witness) {
  Layout layout = {0};
  choose_columns(arena, witness, &layout);
  write_texts(arena, net, witness, &layout);
  measure_columns(witness, &layout);
  int *gutter = arena_zeroed(arena, layout.n_columns, sizeof *gutter);
  measure_gutters(arena, net, witness, &layout, gutter);
  place_columns(&layout, gutter);
  place_rows(arena, witness, &layout);
  carry_chain(arena, witness, &layout);
  compare_edges(arena, witness, &layout);
  return layout;
}
