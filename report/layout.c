#include "report/layout_inside.h"

#include "base/text.h"
#include "report/measure.h"

#include <assert.h>
#include <string.h>

enum {
  TOP = 52,        /* from a page's top to its first row */
  FRAME_NAME = 20, /* for the frame's name above its first box */
  FRAME_SIDE = 12, /* from a box to the frame around it */
  FRAME_MORE = 20, /* its name may be so much wider than a box */
  FRAME_PAD = 6,   /* above the name */
  FRAME_END = 10,  /* below the last box */
  VALUES = 18,     /* for the line below a box */
  FOLD = 28,       /* a row of folded turns */
  FOLD_HALF = 8,   /* of its text, and a little more */
  NARROWEST = 96,  /* a column */
  BESIDE = 12,     /* on both sides of a box's text */
  BETWEEN_PAGES = 30,
  HEADER_MORE = 24, /* a header may be so much wider than its column; gutters are wider */
  MARGIN = 40,      /* with the numbers of the steps; with more digits it is wider */
  NUMBER = 20,      /* the room for a number in that */
  NUMBER_SIDE = 15  /* at least, between a number and the boxes */
};

/* The first one with which the picture is not too wide is taken. */
static const LayoutSize SIZES[] = {{34, 20, 16, 44, false},
                                   {34, 20, 16, 34, true},
                                   {28, 18, 16, 34, true},
                                   {22, 14, 13, 34, true},
                                   {18, 12, 10, 34, true}};
enum { N_SIZES = sizeof SIZES / sizeof *SIZES };

LayoutFont layout_font(LayoutTextKind kind) {
  static const LayoutFont FONTS[] = {
      {FONT_BOLD, 13}, {FONT_SANS, 9}, {FONT_SANS, 8}, {FONT_BOLD, 10}, {FONT_BOLD, 10},
      {FONT_SANS, 8},  {FONT_SANS, 9}, {FONT_SANS, 9}, {FONT_SANS, 10}}; /* ORDER LayoutTextKind */
  _Static_assert(sizeof FONTS / sizeof *FONTS == LAYOUT_TEXTS, "ORDER LayoutTextKind");
  assert(kind < LAYOUT_TEXTS);
  return FONTS[kind];
}

uint32_t layout_frame(const Finding *finding, const FindingStep *step) {
  const bool named = step->frame && step->frame <= finding->n_frames && finding->frames[step->frame - 1];
  return named ? step->frame - 1 : LAYOUT_NONE;
}

static int larger(int a, int b) { return a > b ? a : b; }

/* The text, and the whole one if that is another. */
static const char *unless_same(const char *whole, const char *text) { return strcmp(whole, text) ? whole : NULL; }

uint32_t layout_add_text(LayoutWork *work, LayoutTextKind kind, Point at, const char *text) {
  const LayoutFont font = layout_font(kind);
  vec_push(work->arena->heap, &work->texts,
           ((LayoutText){.kind = kind, .at = at, .width = measure_text(font.font, font.size, text), .text = text}));
  return work->texts.n - 1;
}

/* ---- columns ---- */

static void choose_columns(LayoutWork *work) {
  Layout *layout = &work->layout;
  layout->columns = arena_zeroed(work->arena, work->finding->n_threads, sizeof *layout->columns);
  work->column_of = arena_zeroed(work->arena, work->finding->n_threads, sizeof *work->column_of);
  for (uint32_t t = 0; t < work->finding->n_threads; t++) {
    work->column_of[t] = work->rows.shown[t] ? layout->n_columns : LAYOUT_NONE;
    if (work->rows.shown[t]) layout->columns[layout->n_columns++] = (LayoutColumn){t, 0, 0};
  }
  work->gutter = arena_zeroed(work->arena, layout->n_columns, sizeof *work->gutter);
}

static void choose_boxes(LayoutWork *work) {
  Layout *layout = &work->layout;
  const Finding *finding = work->finding;
  layout->boxes = arena_zeroed(work->arena, work->rows.n, sizeof *layout->boxes);
  work->box_of = arena_zeroed(work->arena, finding->n_steps, sizeof *work->box_of);
  for (uint32_t i = 0; i < finding->n_steps; i++) work->box_of[i] = LAYOUT_NONE;
  for (uint32_t i = 0; i < work->rows.n; i++) {
    const Row *row = &work->rows.rows[i];
    if (row->turns) continue;
    work->box_of[row->step] = layout->n_boxes;
    const uint32_t column = work->column_of[finding->steps[row->step].thread];
    layout->boxes[layout->n_boxes++] = (LayoutBox){.step = row->step, .column = column, .page = row->page};
  }
}

static bool same_file(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

/* "5: Y := 5", and the file's name in front where it is not that of the finding. */
static const char *box_text(const LayoutWork *work, const FindingStep *step, const char *file) {
  const char *text = step->text;
  if (step->place.line) text = arena_format(work->arena, "%u: %s", step->place.line, text);
  if (!file || same_file(step->place.file, work->finding->place.file)) return text;
  return arena_format(work->arena, "%s:%s%s", file, step->place.line ? "" : " ", text);
}

static const char *without_folders(const char *file) {
  const char *slash = strrchr(file, '/');
  return slash && slash[1] ? slash + 1 : file;
}

/* What the text has no room for is taken from the folders of the file first. */
static const char *fitting_text(const LayoutWork *work, const FindingStep *step, int width) {
  const char *file = step->place.file, *text = box_text(work, step, file);
  if (!file || measure_text(FONT_MONO, 10, text) <= width) return text;
  return box_text(work, step, text_shorten_front(work->arena, without_folders(file), work->size.file));
}

static int widest_text(const LayoutWork *work) { return measure_text(FONT_MONO, 10, "m") * (int)work->size.event; }

static void write_boxes(LayoutWork *work) {
  for (uint32_t i = 0; i < work->layout.n_boxes; i++) {
    LayoutBox *box = &work->layout.boxes[i];
    const FindingStep *step = &work->finding->steps[box->step];
    const int width = widest_text(work);
    box->text = measure_fit(work->arena, FONT_MONO, 10, fitting_text(work, step, width), width);
    box->whole = unless_same(box_text(work, step, step->place.file), box->text);
  }
}

static const char *fold_text(const LayoutWork *work, const Row *row) {
  return arena_format(work->arena, "loop, %u more turns", row->turns);
}

static void widen(LayoutWork *work, uint32_t step, int width) {
  LayoutColumn *column = &work->layout.columns[work->column_of[work->finding->steps[step].thread]];
  column->width = larger(column->width, width);
}

static bool is_framed(const LayoutWork *work, uint32_t step) {
  return layout_frame(work->finding, &work->finding->steps[step]) != LAYOUT_NONE;
}

static void widen_for_frames(LayoutWork *work, int most) {
  const LayoutFont font = layout_font(LAYOUT_FRAME);
  const Finding *finding = work->finding;
  int *wanted = arena_zeroed(work->arena, finding->n_frames, sizeof *wanted);
  for (uint32_t i = 0; i < finding->n_frames; i++)
    wanted[i] = finding->frames[i] ? measure_text(font.font, font.size, finding->frames[i]) : 0;
  for (uint32_t i = 0; i < work->layout.n_boxes; i++) {
    const uint32_t step = work->layout.boxes[i].step, frame = layout_frame(finding, &finding->steps[step]);
    if (frame != LAYOUT_NONE) widen(work, step, (wanted[frame] < most ? wanted[frame] : most) - FRAME_MORE);
  }
}

static void measure_columns(LayoutWork *work) {
  const Layout *layout = &work->layout;
  const LayoutFont values = layout_font(LAYOUT_VALUES), fold = layout_font(LAYOUT_FOLD);
  const int most = widest_text(work);
  for (uint32_t c = 0; c < layout->n_columns; c++) layout->columns[c].width = NARROWEST;
  widen_for_frames(work, most);
  for (uint32_t i = 0; i < layout->n_boxes; i++) {
    const LayoutBox *box = &layout->boxes[i];
    widen(work, box->step, measure_text(FONT_MONO, 10, box->text) + 2 * BESIDE);
    const char *said = work->finding->steps[box->step].values;
    const int wanted = said ? measure_text(values.font, values.size, said) : 0;
    widen(work, box->step, (wanted < most ? wanted : most) + 2 * BESIDE);
  }
  for (uint32_t i = 0; i < work->rows.n; i++) {
    const Row *row = &work->rows.rows[i];
    for (uint32_t k = 0; row->turns && k < row->length; k++)
      widen(work, row->step + k, measure_text(fold.font, fold.size, fold_text(work, row)) + 2 * BESIDE);
  }
}

/* What no picture can be is refused as what no memory can hold. */
static void check_width(LayoutWork *work) {
  int64_t width = 0;
  for (uint32_t c = 0; c < work->layout.n_columns; c++) width += work->layout.columns[c].width + work->gutter[c];
  if ((width + work->layout.margin + BETWEEN_PAGES) * work->layout.n_pages > SKETCH_LARGEST)
    heap_give_up(work->arena->heap);
}

static void place_columns(LayoutWork *work) {
  Layout *layout = &work->layout;
  int x = 0;
  check_width(work);
  for (uint32_t c = 0; c < layout->n_columns; c++) {
    layout->columns[c].x = x + layout->columns[c].width / 2;
    x += layout->columns[c].width + work->gutter[c];
  }
  layout->page = x + layout->margin + BETWEEN_PAGES;
  layout->width =
      ((int)layout->n_pages - 1) * layout->page + x - (layout->n_pages > 1 ? 0 : work->gutter[layout->n_columns - 1]);
  assert(layout->width > 0);
}

/* ---- rows ---- */

uint64_t layout_number(const LayoutWork *work, const LayoutBox *box) {
  const uint64_t number = work->finding->steps[box->step].number;
  return number ? number : (uint64_t)box->step + 1;
}

static const char *number_text(const LayoutWork *work, const LayoutBox *box) {
  return arena_format(work->arena, "%llu", (unsigned long long)layout_number(work, box));
}

static int number_room(const LayoutWork *work) {
  const LayoutFont font = layout_font(LAYOUT_NUMBER);
  int room = 0;
  for (uint32_t i = 0; i < work->layout.n_boxes; i++)
    room = larger(room, measure_text(font.font, font.size, number_text(work, &work->layout.boxes[i])));
  return room;
}

static int page_x(const LayoutWork *work, uint32_t page) { return (int)page * work->layout.page; }

static int column_x(const LayoutWork *work, uint32_t page, uint32_t column) {
  return page_x(work, page) + work->layout.columns[column].x;
}

/* Where the next row of a page starts. */
typedef struct {
  uint32_t page;
  int y;
  LayoutFrame **frames; /* per frame of the finding: its part on the page, once there is one */
} Cursor;

static LayoutText *text_at(LayoutWork *work, uint32_t text) { return &work->texts.at[text]; }

static void start_frame(LayoutWork *work, Cursor *cursor, uint32_t frame, uint32_t column) {
  Layout *layout = &work->layout;
  const LayoutFont font = layout_font(LAYOUT_FRAME);
  const int width = layout->columns[column].width, side = width / 2 + FRAME_SIDE;
  const int x = column_x(work, cursor->page, column);
  cursor->frames[frame] = &layout->frames[layout->n_frames++];
  *cursor->frames[frame] =
      (LayoutFrame){frame, column, cursor->page, {x - side, cursor->y - FRAME_PAD}, {x + side, cursor->y}};
  const char *name = work->finding->frames[frame];
  const char *shown = measure_fit(work->arena, font.font, font.size, name, width + FRAME_MORE);
  const uint32_t text = layout_add_text(work, LAYOUT_FRAME, (Point){x, cursor->y + FRAME_PAD}, shown);
  text_at(work, text)->whole = unless_same(name, shown);
  text_at(work, text)->framed = true;
  cursor->y += FRAME_NAME;
}

static void add_values(LayoutWork *work, Cursor *cursor, const LayoutBox *box) {
  const char *values = work->finding->steps[box->step].values;
  if (!values) return;
  const LayoutFont font = layout_font(LAYOUT_VALUES);
  const char *shown =
      measure_fit(work->arena, font.font, font.size, values, work->layout.columns[box->column].width - 2 * BESIDE);
  const uint32_t text =
      layout_add_text(work, LAYOUT_VALUES, (Point){box->at.x, cursor->y + LAYOUT_BOX + VALUES / 2 + 2}, shown);
  text_at(work, text)->whole = unless_same(values, shown);
  text_at(work, text)->framed = is_framed(work, box->step);
  cursor->y += VALUES;
}

/* The diagram reaches down to y, and so does the step's frame, if it has one. */
static void end_row(LayoutWork *work, const Cursor *cursor, uint32_t step, int y) {
  const uint32_t frame = layout_frame(work->finding, &work->finding->steps[step]);
  work->layout.height = larger(work->layout.height, y);
  if (frame != LAYOUT_NONE && cursor->frames[frame]) cursor->frames[frame]->to.y = y + FRAME_END;
}

static void place_box(LayoutWork *work, Cursor *cursor, LayoutBox *box) {
  const uint32_t frame = layout_frame(work->finding, &work->finding->steps[box->step]);
  if (frame != LAYOUT_NONE && !cursor->frames[frame]) start_frame(work, cursor, frame, box->column);
  box->at = (Point){column_x(work, box->page, box->column), cursor->y + LAYOUT_BOX / 2};
  const int number_x = page_x(work, box->page) - NUMBER_SIDE - (work->layout.margin - MARGIN / 4) / 2;
  layout_add_text(work, LAYOUT_NUMBER, (Point){number_x, box->at.y}, number_text(work, box));
  add_values(work, cursor, box);
  cursor->y += LAYOUT_BOX;
  end_row(work, cursor, box->step, cursor->y);
  cursor->y += LAYOUT_ROW - LAYOUT_BOX;
}

/* In the column of each thread that takes part in the loop, once. */
static void place_fold(LayoutWork *work, Cursor *cursor, const Row *row) {
  const FindingStep *steps = work->finding->steps;
  for (uint32_t k = 0; k < row->length; k++) {
    const uint32_t thread = steps[row->step + k].thread;
    bool again = false;
    for (uint32_t i = 0; i < k; i++) again |= steps[row->step + i].thread == thread;
    if (again) continue;
    const Point at = {column_x(work, cursor->page, work->column_of[thread]), cursor->y + 3};
    const uint32_t text = layout_add_text(work, LAYOUT_FOLD, at, fold_text(work, row));
    text_at(work, text)->framed = is_framed(work, row->step + k);
    end_row(work, cursor, row->step + k, at.y + FOLD_HALF);
  }
  cursor->y += FOLD;
}

static void place_rows(LayoutWork *work) {
  const size_t n_frames = work->finding->n_frames, n = heap_product(work->arena->heap, work->layout.n_pages, n_frames);
  Cursor cursor = {.y = TOP, .frames = arena_zeroed(work->arena, n_frames, sizeof(LayoutFrame *))};
  work->layout.frames = arena_zeroed(work->arena, n, sizeof *work->layout.frames);
  for (uint32_t i = 0; i < work->rows.n; i++) {
    const Row *row = &work->rows.rows[i];
    if (row->page != cursor.page) {
      cursor = (Cursor){row->page, TOP, cursor.frames};
      for (size_t k = 0; k < n_frames; k++) cursor.frames[k] = NULL;
    }
    if (row->turns) place_fold(work, &cursor, row);
    else place_box(work, &cursor, &work->layout.boxes[work->box_of[row->step]]);
  }
}

/* ---- headers ---- */

static void add_header(LayoutWork *work, uint32_t page, uint32_t column) {
  const FindingThread *thread = &work->finding->threads[work->layout.columns[column].thread];
  const int x = column_x(work, page, column), width = work->layout.columns[column].width + HEADER_MORE;
  const LayoutFont name = layout_font(LAYOUT_NAME), about = layout_font(LAYOUT_ABOUT);
  const char *shown = measure_fit_front(work->arena, name.font, name.size, thread->name, width);
  const uint32_t header = work->layout.headers[page * work->layout.n_columns + column] =
      layout_add_text(work, LAYOUT_NAME, (Point){x, 10}, shown);
  text_at(work, header)->whole = unless_same(thread->name, shown);
  if (!thread->about) return;
  shown = measure_fit_front(work->arena, about.font, about.size, thread->about, width);
  text_at(work, layout_add_text(work, LAYOUT_ABOUT, (Point){x, 25}, shown))->whole = unless_same(thread->about, shown);
}

static void add_headers(LayoutWork *work) {
  const size_t n = heap_product(work->arena->heap, work->layout.n_pages, work->layout.n_columns);
  work->layout.headers = arena_zeroed(work->arena, n, sizeof *work->layout.headers);
  for (uint32_t page = 0; page < work->layout.n_pages; page++)
    for (uint32_t c = 0; c < work->layout.n_columns; c++) add_header(work, page, c);
}

/* Below all else on a page. */
static void add_more(LayoutWork *work) {
  enum { MORE = 16 };
  Layout *layout = &work->layout;
  const size_t n = heap_product(work->arena->heap, layout->n_pages, layout->n_columns);
  layout->more = arena_zeroed(work->arena, n, sizeof *layout->more);
  for (size_t i = 0; i < n; i++) layout->more[i] = LAYOUT_NONE;
  for (uint32_t i = 0; i < layout->n_boxes; i++) {
    const LayoutBox *box = &layout->boxes[i];
    for (uint32_t page = box->page; page-- > 0 && layout->more[page * layout->n_columns + box->column] == LAYOUT_NONE;)
      layout->more[page * layout->n_columns + box->column] =
          layout_add_text(work, LAYOUT_MORE, (Point){column_x(work, page, box->column), layout->height + MORE}, "⋮");
  }
  if (layout->n_pages > 1) layout->height += 2 * MORE;
}

/* ---- the whole ---- */

static void measure(LayoutWork *work) {
  Layout *layout = &work->layout;
  bool fits = false;
  layout->margin = MARGIN + larger(number_room(work) - NUMBER, 0);
  for (uint32_t i = 0; i < N_SIZES && !fits; i++) {
    work->size = SIZES[i];
    write_boxes(work);
    measure_columns(work);
    layout_measure_gutters(work);
    place_columns(work);
    fits = layout->page - BETWEEN_PAGES + layout->margin - work->gutter[layout->n_columns - 1] <= LAYOUT_WIDEST;
  }
}

/* Steps that are neither shown nor folded away. */
static void find_gaps(LayoutWork *work) {
  const Finding *finding = work->finding;
  bool *gap = arena_zeroed(work->arena, finding->n_threads, sizeof *gap);
  uint32_t next = 0;
  for (uint32_t i = 0; i < work->rows.n; i++) {
    const Row *row = &work->rows.rows[i];
    for (; next < row->step; next++) gap[finding->steps[next].thread] = true;
    if (row->turns) next += row->turns * row->length;
    else work->layout.boxes[work->box_of[next++]].skips = gap[finding->steps[row->step].thread];
    if (!row->turns) gap[finding->steps[row->step].thread] = false;
  }
}

Layout layout_finding(Arena *arena, const Finding *finding) {
  assert(finding->n_steps > 0 && finding->n_threads > 0);
  LayoutWork work = {.arena = arena, .finding = finding, .rows = rows_choose(arena, finding)};
  Layout *layout = &work.layout;
  layout->n_pages = work.rows.n_pages;
  layout->left_threads = work.rows.threads;
  layout->left_steps = work.rows.steps;
  choose_columns(&work);
  choose_boxes(&work);
  find_gaps(&work);
  layout_choose_edges(&work);
  measure(&work);
  add_headers(&work);
  place_rows(&work);
  layout->height = larger(layout->height, layout_place_edges(&work));
  add_more(&work);
  layout->texts = arena_zeroed(arena, work.texts.n, sizeof *layout->texts);
  layout->n_texts = work.texts.n;
  memcpy(layout->texts, work.texts.at, work.texts.n * sizeof *layout->texts);
  vec_fini(arena->heap, &work.texts);
  return *layout;
}
