/* measure.h: how wide a line of text is, about: fonts differ, so what must not overlap leaves some room. */
#ifndef REPORT_MEASURE_H
#define REPORT_MEASURE_H

#include "base/arena.h"
#include "report/sketch.h"

/* In points, of clean text. */
int measure_text(SketchFont font, int size, const char *text);

/* The text, or where it is wider than `width`, as much of it as fits with an ellipsis: at its end, or in front. At
 * least the ellipsis. */
const char *measure_fit(Arena *arena, SketchFont font, int size, const char *text, int width);
const char *measure_fit_front(Arena *arena, SketchFont font, int size, const char *text, int width);

#endif
