#include "report/picture.h"

#include "base/text.h"
#include "report/diagram.h"
#include "report/measure.h"

#include <string.h>

enum {
  NARROWEST = 470, /* a picture, for the sake of its captions */
  CAPTION_LINE = 15,
  BETWEEN = 50 /* from one diagram to the next */
};

typedef struct {
  Sketch sketch;
  int width; /* of the whole picture */
  int top;   /* where the next thing starts */
} Picture;

/* ---- captions ---- */

/* Captions may use some of the space around the picture. */
static int widest_line(const Picture *picture) { return picture->width + 36; }

/* A centred line of text, as much of it as fits, and then some space. */
static void add_line(Picture *picture, SketchFont font, int size, const char *colour, const char *text, int height) {
  const Point at = {picture->width / 2, picture->top + height / 2};
  const char *shown = measure_fit(&picture->sketch.arena, font, size, text, widest_line(picture));
  const DrawId node = sketch_text(&picture->sketch, at, font, size, colour, NULL, shown);
  if (strcmp(shown, text) != 0) sketch_tooltip(&picture->sketch, node, text);
  picture->top += height;
}

/* Where the line ends that starts here: at a space, after some `wanted` characters. */
static const char *line_end(const char *text, uint32_t wanted) {
  for (uint32_t n = 0; *text && (n < wanted || *text != ' '); text++) n += ((unsigned char)*text & 0xc0) != 0x80;
  return text;
}

/* The next line; NULL after the last one. */
static const char *next_line(Arena *arena, const char **text, uint32_t wanted) {
  if (!**text) return NULL;
  const char *from = *text, *end = line_end(from, wanted);
  *text = *end ? end + 1 : end;
  return arena_copy(arena, from, (size_t)(end - from));
}

static bool lines_fit(Picture *picture, SketchFont font, int size, const char *text, uint32_t wanted) {
  for (const char *line; (line = next_line(&picture->sketch.arena, &text, wanted));)
    if (measure_text(font, size, line) > widest_line(picture)) return false;
  return true;
}

static uint32_t count_words(const char *text) {
  uint32_t n = 1;
  for (; *text; text++) n += *text == ' ';
  return n;
}

/* Breaks the text at spaces into lines of about equal length, of some `most` characters or fewer. */
static void add_lines(Picture *picture, SketchFont font, int size, const char *text, uint32_t most, int height) {
  const uint32_t length = text_length(text);
  uint32_t lines = length / most + 1;
  while (lines < count_words(text) && !lines_fit(picture, font, size, text, length / lines)) lines += lines / 8 + 1;
  for (const char *line; (line = next_line(&picture->sketch.arena, &text, length / lines));)
    add_line(picture, font, size, SKETCH_INK, line, height);
}

/* In as many lines as it takes. */
static void add_title(Picture *picture, const char *title) {
  enum { SIZE = 14, CHARACTER = 9 };
  const bool fits = measure_text(FONT_BOLD, SIZE, title) <= picture->width;
  add_lines(picture, FONT_BOLD, SIZE, title, fits ? UINT32_MAX : (uint32_t)picture->width / CHARACTER, 20);
}

/* "src/bank/account.c, line 12" */
static void add_place(Picture *picture, Place place) {
  if (!place.file && place.other) add_line(picture, FONT_SANS, 9, SKETCH_GREY, place.other, 18);
  if (!place.file || !place.line) return;
  Arena *arena = &picture->sketch.arena;
  const char *line = arena_format(arena, ", line %u", place.line);
  const int room = picture->width - measure_text(FONT_SANS, 9, line);
  const char *file = measure_fit_front(arena, FONT_SANS, 9, place.file, room);
  add_line(picture, FONT_SANS, 9, SKETCH_GREY, arena_format(arena, "%s%s", file, line), 18);
}

static void add_captions(Picture *picture, const Finding *finding) {
  add_title(picture, finding->title ? finding->title : finding->message);
  add_place(picture, finding->place);
  if (finding->why) add_lines(picture, FONT_SANS, 11, finding->why, (uint32_t)picture->width * 10 / 57, CAPTION_LINE);
  if (finding->n_steps && finding->no_run)
    add_line(picture, FONT_SANS, 9, SKETCH_GREY, "It is not known whether these events can happen in this order.", 18);
  picture->top += 16;
}

/* ---- the whole ---- */

/* The shapes, in the order of a chain. */
static void add_legend(Picture *picture, const char *unit) {
  enum { HEIGHT = 18, GAP = 26, CHARACTER = 5, PADDING = 18 };
  Sketch *sketch = &picture->sketch;
  const char *const texts[] = {"needed before", arena_format(&sketch->arena, "in the %s", unit),
                               "other thread, after it",
                               arena_format(&sketch->arena, "the %s again", unit)}; /* ORDER FindingRole */
  _Static_assert(sizeof texts / sizeof *texts == FINDING_ROLES, "ORDER FindingRole");
  int width = -GAP;
  for (size_t i = 0; i < FINDING_ROLES; i++) width += (int)strlen(texts[i]) * CHARACTER + PADDING + GAP;
  int x = (picture->width - width) / 2;
  const int y = picture->top + HEIGHT / 2;
  DrawId before = DRAW_TOP;
  for (FindingRole i = FINDING_BEFORE; i < FINDING_ROLES; i++) {
    const int own = (int)strlen(texts[i]) * CHARACTER + PADDING;
    const DrawId box = sketch_box(sketch, DRAW_TOP, NULL, (Point){x + own / 2, y}, own, HEIGHT, i);
    sketch_box_text(sketch, box, FONT_SANS, 8, SKETCH_INK, texts[i]);
    if (i > FINDING_INSIDE)
      sketch_line(sketch, before, box, (Point){x - GAP, y}, (Point){x - sketch_border(i), y}, LINE_CHAIN);
    before = box;
    x += own + GAP;
  }
}

/* "3 more threads and 12 more steps, which do not matter here, are left out" */
static void add_left_out(Picture *picture, const Layout *layout) {
  if (!layout->left_steps) return;
  Arena *arena = &picture->sketch.arena;
  const uint32_t threads = layout->left_threads, steps = layout->left_steps;
  const char *of_threads = threads ? arena_format(arena, "%u more thread%s, ", threads, threads > 1 ? "s" : "") : "";
  const char *text = arena_format(arena, "%s%u more step%s not shown", of_threads, steps, steps > 1 ? "s" : "");
  picture->top += 16;
  add_line(picture, FONT_SANS, 9, SKETCH_GREY, text, CAPTION_LINE);
}

static void add_finding(Picture *picture, const Finding *finding, uint32_t number, const Layout *layout) {
  add_captions(picture, finding);
  if (finding->n_steps) {
    const int width = layout->width + 2 * layout->margin;
    const Point corner = {(picture->width - width) / 2 + layout->margin, picture->top};
    diagram_draw(&picture->sketch, finding, number, layout, corner);
    picture->top += layout->height;
    add_left_out(picture, layout);
  }
  picture->top += BETWEEN;
  if (picture->top > SKETCH_LARGEST) heap_give_up(picture->sketch.arena.heap);
}

/* All diagrams are as wide as the widest. */
static uint32_t add_findings(Picture *picture, const Finding *findings, uint32_t n) {
  uint32_t number = 0;
  Layout *layouts = arena_zeroed(&picture->sketch.arena, n, sizeof *layouts);
  for (uint32_t i = 0; i < n; i++) {
    if (findings[i].kind != FINDING_FAIL || !findings[i].n_steps) continue;
    layouts[i] = layout_finding(&picture->sketch.arena, &findings[i]);
    const int width = layouts[i].width + 2 * layouts[i].margin;
    if (width > picture->width) picture->width = width;
  }
  for (uint32_t i = 0; i < n; i++)
    if (findings[i].kind == FINDING_FAIL) add_finding(picture, &findings[i], ++number, &layouts[i]);
  return number;
}

/* What a frame is, in the first finding that has an example. NULL: none has. */
static const char *unit_of(const Finding *findings, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (findings[i].kind == FINDING_FAIL && findings[i].n_steps) return findings[i].unit ? findings[i].unit : "block";
  return NULL;
}

typedef bool WriteDrawing(const Drawing *drawing, FILE *out, Err *err);

static bool draw(Heap *heap, const Finding *findings, uint32_t n, const char *nothing, WriteDrawing *write, FILE *out,
                 Err *err) {
  Picture picture = {.width = NARROWEST};
  sketch_init(&picture.sketch, heap);
  const char *unit = unit_of(findings, n);
  if (!add_findings(&picture, findings, n)) add_line(&picture, FONT_SANS, 14, SKETCH_INK, nothing, 20);
  if (unit) add_legend(&picture, unit);
  const bool good = write(&picture.sketch.drawing, out, err);
  sketch_fini(&picture.sketch);
  return good;
}

bool picture_dot(Heap *heap, const Finding *findings, uint32_t n, const char *nothing, FILE *out, Err *err) {
  return draw(heap, findings, n, nothing, drawing_write_dot, out, err);
}

bool picture_svg(Heap *heap, const Finding *findings, uint32_t n, const char *nothing, FILE *out, Err *err) {
  return draw(heap, findings, n, nothing, drawing_write_svg, out, err);
}
