/* picture.h: findings as one picture: the example run of each as a space-time diagram, one below the other, with what
 * it shows said in a sentence above it, and one legend. */
#ifndef REPORT_PICTURE_H
#define REPORT_PICTURE_H

#include "base/err.h"
#include "report/finding.h"

#include <stdio.h>

/* Draws each finding that fails, with its example run; of one without, the message. Where there is none, the picture
 * says `nothing`. False, with ERR_LIMIT, if graphviz cannot do it. */
bool picture_dot(Heap *heap, const Finding *findings, uint32_t n, const char *nothing, FILE *out, Err *err);
bool picture_svg(Heap *heap, const Finding *findings, uint32_t n, const char *nothing, FILE *out, Err *err);

#endif
