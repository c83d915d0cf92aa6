/* diagram.h: one witness as a space-time diagram. */
#ifndef REPORT_DIAGRAM_H
#define REPORT_DIAGRAM_H

#include "report/layout.h"
#include "report/sketch.h"

enum { DIAGRAM_MARGIN = 40 }; /* left of the first column, where the numbers of the steps stand, and as much on the right */

/* Draws the witness with the upper left corner of its layout at a point. No two of one block in a sketch. */
void diagram_draw(Sketch *sketch, const Net *net, const Witness *witness, const Layout *layout, Point corner);

#endif
