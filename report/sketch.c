#include "report/sketch.h"

#include "base/text.h"
#include "report/measure.h"

#include <assert.h>

void sketch_init(Sketch *sketch, Heap *heap) {
  *sketch = (Sketch){0};
  arena_init(&sketch->arena, heap);
  drawing_init(&sketch->drawing, heap, "witness");
  drawing_set(&sketch->drawing, DRAW_TOP, "layout", "nop2");
  drawing_set(&sketch->drawing, DRAW_TOP, "outputorder", "edgesfirst");
  drawing_set(&sketch->drawing, DRAW_TOP, "pad", "0.25");
}

void sketch_fini(Sketch *sketch) {
  drawing_fini(&sketch->drawing);
  arena_fini(&sketch->arena);
}

/* Points as inches, in every locale. */
static const char *inches(Sketch *sketch, int points) {
  assert(points >= 0);
  const long long thousandths = (long long)points * 1000 / 72;
  return arena_format(&sketch->arena, "%lld.%03lld", thousandths / 1000, thousandths % 1000);
}

static DrawId add_node(Sketch *sketch, DrawId parent, const char *name, Point at) {
  if (!name) name = arena_format(&sketch->arena, "text %u", ++sketch->serial);
  const DrawId node = drawing_add_node(&sketch->drawing, parent, name);
  drawing_set(&sketch->drawing, node, "pos", "%d,%d", at.x, -at.y);
  return node;
}

static void set_text(Sketch *sketch, DrawId node, SketchFont font, int size, const char *colour, const char *text) {
  assert(font <= FONT_MONO && size > 0);
  static const char *const FONTS[] = {"Helvetica", "Helvetica-Bold", "Courier"}; /* ORDER SketchFont */
  _Static_assert(sizeof FONTS / sizeof *FONTS == FONT_MONO + 1, "ORDER SketchFont");
  drawing_set(&sketch->drawing, node, "fontname", "%s", FONTS[font]);
  drawing_set(&sketch->drawing, node, "fontsize", "%d", size);
  drawing_set(&sketch->drawing, node, "fontcolor", "%s", colour);
  drawing_set_label(&sketch->drawing, node, text);
}

DrawId sketch_text(Sketch *sketch, Point at, SketchFont font, int size, const char *colour, const char *paper,
                   const char *text) {
  Drawing *drawing = &sketch->drawing;
  const DrawId node = add_node(sketch, DRAW_TOP, NULL, at);
  set_text(sketch, node, font, size, colour, text);
  drawing_set(drawing, node, "shape", "plaintext");
  drawing_set(drawing, node, "margin", "0.02,0");
  drawing_set(drawing, node, "width", "%s", inches(sketch, measure_text(font, size, text) + 2));
  drawing_set(drawing, node, "height", "%s", inches(sketch, paper ? size + 4 : 0));
  if (paper) {
    drawing_set(drawing, node, "fixedsize", "shape"); /* graphviz would measure bytes */
    drawing_set(drawing, node, "style", "filled");
    drawing_set(drawing, node, "fillcolor", "%s", paper);
  }
  return node;
}

/* The second border stands four points outside. */
int sketch_border(FindingRole role) { return role == FINDING_OTHER ? 4 : 1; }

DrawId sketch_box(Sketch *sketch, DrawId parent, const char *name, Point at, int width, int height, FindingRole role) {
  assert(width > 0 && height > 0 && role < FINDING_ROLES);
  static const struct {
    const char *shape, *fill, *border, *width, *borders;
  } LOOKS[] = {
      /* ORDER FindingRole */
      {"box", "#ffffff", SKETCH_GREY, "0.8", "1"},
      {"box", "#dbe8f8", SKETCH_BLUE, "2.2", "1"},
      {"box", "#fff2c2", "#946200", "1.1", "2"},
      {"octagon", "#fbd9d5", "#b3261e", "2.4", "1"},
  };
  _Static_assert(sizeof LOOKS / sizeof *LOOKS == FINDING_ROLES, "ORDER FindingRole");
  Drawing *drawing = &sketch->drawing;
  const DrawId node = add_node(sketch, parent, name, at);
  drawing_set(drawing, node, "shape", "%s", LOOKS[role].shape);
  drawing_set(drawing, node, "style", "filled");
  drawing_set(drawing, node, "fillcolor", "%s", LOOKS[role].fill);
  drawing_set(drawing, node, "color", "%s", LOOKS[role].border);
  drawing_set(drawing, node, "penwidth", "%s", LOOKS[role].width);
  drawing_set(drawing, node, "peripheries", "%s", LOOKS[role].borders);
  drawing_set(drawing, node, "width", "%s", inches(sketch, width));
  drawing_set(drawing, node, "height", "%s", inches(sketch, height));
  return node;
}

void sketch_box_text(Sketch *sketch, DrawId box, SketchFont font, int size, const char *colour, const char *text) {
  set_text(sketch, box, font, size, colour, text);
  drawing_set(&sketch->drawing, box, "fixedsize", "shape");
  drawing_set(&sketch->drawing, box, "margin", "0");
}

void sketch_tooltip(Sketch *sketch, DrawId node, const char *text) {
  enum { LONGEST = 1000 };
  if (text) drawing_set_text(&sketch->drawing, node, "tooltip", text_shorten(&sketch->arena, text, LONGEST));
}

DrawId sketch_frame(Sketch *sketch, const char *name, Point from, Point to) {
  assert(from.x < to.x && from.y < to.y);
  Drawing *drawing = &sketch->drawing;
  const DrawId frame = drawing_add_cluster(drawing, DRAW_TOP, name);
  drawing_set(drawing, frame, "bb", "%d,%d,%d,%d", from.x, -to.y, to.x, -from.y);
  drawing_set(drawing, frame, "style", "filled,dashed");
  drawing_set(drawing, frame, "fillcolor", SKETCH_PALE_BLUE);
  drawing_set(drawing, frame, "color", SKETCH_BLUE);
  return frame;
}

void sketch_curve(Sketch *sketch, DrawId from, DrawId to, Point tip, const Point *points, uint32_t n, SketchLine look) {
  static const struct {
    const char *colour, *width, *style, *head, *size;
  } LOOKS[] = {
      /* ORDER SketchLine */
      {"#c3c7cd", "1.2", "solid", "none", "0.6"},
      {"#c3c7cd", "1.2", "dashed", "none", "0.6"},
      {SKETCH_GREY, "0.8", "dotted", "normal", "0.6"},
      {SKETCH_INK, "2.4", "solid", "normal", "0.8"},
  };
  _Static_assert(sizeof LOOKS / sizeof *LOOKS == LINE_CHAIN + 1, "ORDER SketchLine");
  Drawing *drawing = &sketch->drawing;
  const DrawId edge = drawing_add_edge(drawing, from, to);
  const char *path = look <= LINE_GAP ? "" : arena_format(&sketch->arena, "e,%d,%d", tip.x, -tip.y);
  for (uint32_t i = 0; i < n; i++)
    path = arena_format(&sketch->arena, "%s%s%d,%d", path, path[0] ? " " : "", points[i].x, -points[i].y);
  drawing_set(drawing, edge, "pos", "%s", path);
  drawing_set(drawing, edge, "color", "%s", LOOKS[look].colour);
  drawing_set(drawing, edge, "penwidth", "%s", LOOKS[look].width);
  drawing_set(drawing, edge, "style", "%s", LOOKS[look].style);
  drawing_set(drawing, edge, "arrowhead", "%s", LOOKS[look].head);
  drawing_set(drawing, edge, "arrowsize", "%s", LOOKS[look].size);
}

static int sign(int x) { return (x > 0) - (x < 0); }

void sketch_line(Sketch *sketch, DrawId from, DrawId to, Point start, Point tip, SketchLine look) {
  const int arrow = look <= LINE_GAP ? 0 : SKETCH_ARROW;
  const Point end = {tip.x - sign(tip.x - start.x) * arrow, tip.y - sign(tip.y - start.y) * arrow};
  const Point points[] = {start, start, end, end};
  sketch_curve(sketch, from, to, tip, points, 4, look);
}
