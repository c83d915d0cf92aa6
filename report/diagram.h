/* diagram.h: the example run of a finding as a space-time diagram. */
#ifndef REPORT_DIAGRAM_H
#define REPORT_DIAGRAM_H

#include "report/layout.h"
#include "report/sketch.h"

/* Draws the finding with the upper left corner of its layout at a point. `number`: which of the sketch's it is. */
void diagram_draw(Sketch *sketch, const Finding *finding, uint32_t number, const Layout *layout, Point corner);

#endif
