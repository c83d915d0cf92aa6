/* style.h: levels of messages, and the colours of everything that is printed for people. The only file that knows ANSI
 * codes is style.c. */
#ifndef BASE_STYLE_H
#define BASE_STYLE_H

#include "base/verdict.h"

#include <stdbool.h>
#include <stdio.h>

/* As compilers have them. A note belongs to the error or warning before it. */
typedef enum { LEVEL_ERROR, LEVEL_WARNING, LEVEL_NOTE, LEVELS } Level;

const char *style_level_name(Level level); /* "error", "warning", "note" */

/* What a piece of text is, for its colour. */
typedef enum {
  STYLE_PLACE, /* "prog.sml:2:1:" */
  STYLE_ERROR, /* ORDER Level, from here */
  STYLE_WARNING,
  STYLE_NOTE,
  STYLE_UNKNOWN, /* ORDER Verdict, from here */
  STYLE_HOLDS,
  STYLE_VIOLATED,
  STYLE_CARET,
  STYLES
} Style;

/* The style of a level, and of a verdict. */
static inline Style style_of_level(Level level) { return (Style)(STYLE_ERROR + level); }
static inline Style style_of_verdict(Verdict verdict) { return (Style)(STYLE_UNKNOWN + verdict); }

/* What is printed in between has that style; without `colour` both print nothing. */
void style_begin(Style style, bool colour, FILE *out);
void style_end(bool colour, FILE *out);

/* The text in that style. */
void style_put(Style style, const char *text, bool colour, FILE *out);

#endif
