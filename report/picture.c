/* The picture of a verdict: each violated block's witness as a diagram, one below the other, with what it shows said in a
 * sentence above it, and one legend. */
#include "report/verdict.h"

#include "base/text.h"
#include "report/diagram.h"
#include "report/runners.h"
#include "report/words.h"

#include <string.h>

enum {
  NARROWEST = 470,   /* a picture, for the sake of its captions */
  CAPTION_LINE = 15,
  BETWEEN = 50       /* from one diagram to the next */
};

typedef struct {
  Sketch sketch;
  const AtomicityReport *report;
  const Net *net;
  Runners runners;
  int width; /* of the whole picture */
  int top;   /* where the next thing starts */
} Picture;

/* ---- captions ---- */

/* A centred line of text, and then some space. */
static void add_line(Picture *picture, SketchFont font, int size, const char *colour, const char *text, int height) {
  const Point at = {picture->width / 2, picture->top + height / 2};
  sketch_text(&picture->sketch, at, font, size, colour, NULL, text);
  picture->top += height;
}

/* Breaks the text at spaces into lines of about equal length, of some `most` characters. */
static void add_paragraph(Picture *picture, const char *text, uint32_t most) {
  const uint32_t length = text_length(text), wanted = length / (length / most + 1);
  while (*text) {
    const char *end = text;
    for (uint32_t n = 0; *end && (n < wanted || *end != ' '); end++) n += ((unsigned char)*end & 0xc0) != 0x80;
    const char *line = arena_copy(&picture->sketch.arena, text, (size_t)(end - text));
    add_line(picture, FONT_SANS, 11, SKETCH_INK, line, CAPTION_LINE);
    text = *end ? end + 1 : end;
  }
}

/* Whom the chain visits: "T2", or "the other threads". */
static const char *others(Picture *picture, const Witness *witness) {
  uint32_t thread = NOTE_NONE;
  for (uint32_t i = 0; i < witness->n_steps; i++) {
    const WitnessStep *step = &witness->steps[i];
    if (step->role == STEP_IN) thread = step->thread;
    if (step->role == STEP_CHAIN && step->thread != thread) return "the other threads";
  }
  return words_thread(&picture->sketch.arena, picture->net->notes, thread);
}

/* "T1 writes Y; T2 reads Y in between; T1 writes Y again: no reordering takes T2 out of the block." Of a long chain the
 * middle is left out. */
static const char *explain(Picture *picture, const Witness *witness) {
  Arena *arena = &picture->sketch.arena;
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

static void add_captions(Picture *picture, const Witness *witness) {
  Arena *arena = &picture->sketch.arena;
  const Notes *notes = picture->net->notes;
  const ThreadList all = runners_list(&picture->runners, witness->block);
  const char *threads = runners_phrase(arena, notes, runners_copies(arena, notes, all, witness->thread));
  const char *block = words_block(arena, notes, witness->block);
  const char *title = arena_format(arena, "B%s of %s is not causally atomic", block + 1, threads);
  add_line(picture, FONT_BOLD, 14, SKETCH_INK, text_shorten(arena, title, (uint32_t)picture->width / 8), 20);
  const SrcPos pos = notes->blocks[witness->block].begin;
  const char *file = notes_file_of(notes, pos);
  if (file[0] && pos.line) {
    const char *place = arena_format(arena, "%s, line %u", text_clean(arena, file), pos.line);
    add_line(picture, FONT_SANS, 9, SKETCH_GREY, place, 18);
  }
  add_paragraph(picture, explain(picture, witness), (uint32_t)picture->width * 10 / 57);
  picture->top += 16;
}

/* ---- the whole ---- */

/* The shapes, in the order of a chain. */
static void add_legend(Picture *picture) {
  static const char *const TEXTS[] = {"needed before", "in the block", "other thread, after it", "the block again"}; /* ORDER Taint */
  _Static_assert(sizeof TEXTS / sizeof *TEXTS == TAINT_RED + 1, "ORDER Taint");
  enum { HEIGHT = 18, GAP = 26, CHARACTER = 5, PADDING = 18 };
  Sketch *sketch = &picture->sketch;
  int width = -GAP;
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) width += (int)strlen(TEXTS[i]) * CHARACTER + PADDING + GAP;
  int x = (picture->width - width) / 2;
  const int y = picture->top + HEIGHT / 2;
  DrawId before = DRAW_TOP;
  for (Taint i = TAINT_NONE; i <= TAINT_RED; i++) {
    const int own = (int)strlen(TEXTS[i]) * CHARACTER + PADDING;
    const DrawId box = sketch_box(sketch, DRAW_TOP, NULL, (Point){x + own / 2, y}, own, HEIGHT, i);
    sketch_box_text(sketch, box, FONT_SANS, 8, SKETCH_INK, TEXTS[i]);
    if (i > TAINT_BLUE) sketch_line(sketch, before, box, (Point){x - GAP, y}, (Point){x - sketch_border(i), y}, LINE_CHAIN);
    before = box;
    x += own + GAP;
  }
}

static void add_diagram(Picture *picture, const Witness *witness, const Layout *layout) {
  add_captions(picture, witness);
  const Point corner = {(picture->width - layout->width) / 2, picture->top};
  diagram_draw(&picture->sketch, picture->net, witness, layout, corner);
  picture->top += layout->height + BETWEEN;
}

/* All diagrams are as wide as the widest. */
static void add_witnesses(Picture *picture) {
  const AtomicityReport *report = picture->report;
  Layout *layouts = arena_zeroed(&picture->sketch.arena, report->n_blocks, sizeof *layouts);
  for (uint32_t i = 0; i < report->n_blocks; i++) {
    if (!report->blocks[i].witness) continue;
    layouts[i] = layout_witness(&picture->sketch.arena, report->net, report->blocks[i].witness);
    const int width = layouts[i].width + 2 * DIAGRAM_MARGIN;
    if (width > picture->width) picture->width = width;
  }
  for (uint32_t i = 0; i < report->n_blocks; i++)
    if (report->blocks[i].witness) add_diagram(picture, report->blocks[i].witness, &layouts[i]);
}

static void add_everything(Picture *picture) {
  picture->width = NARROWEST;
  switch (picture->report->verdict) {
  case VERDICT_VIOLATED:
    add_witnesses(picture);
    add_legend(picture);
    break;
  case VERDICT_HOLDS: add_line(picture, FONT_SANS, 14, SKETCH_INK, "Every marked block is causally atomic", 20); break;
  case VERDICT_UNKNOWN: add_line(picture, FONT_SANS, 14, SKETCH_INK, "No marked block was found violated", 20); break;
  }
}

static bool draw(Heap *heap, const AtomicityReport *report, bool (*write)(const Drawing *, FILE *, Err *), FILE *out, Err *err) {
  Picture picture = {.report = report, .net = report->net};
  sketch_init(&picture.sketch, heap);
  picture.runners = runners_of(&picture.sketch.arena, report->net);
  add_everything(&picture);
  const bool good = write(&picture.sketch.drawing, out, err);
  sketch_fini(&picture.sketch);
  return good;
}

bool report_dot(Heap *heap, const AtomicityReport *report, FILE *out, Err *err) { return draw(heap, report, drawing_write_dot, out, err); }
bool report_svg(Heap *heap, const AtomicityReport *report, FILE *out, Err *err) { return draw(heap, report, drawing_write_svg, out, err); }
