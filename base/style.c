#include "base/style.h"

#include <assert.h>

_Static_assert(STYLE_ERROR + LEVEL_NOTE == STYLE_NOTE && LEVELS == 3, "ORDER Level");
_Static_assert(STYLE_UNKNOWN + VERDICT_VIOLATED == STYLE_VIOLATED && VERDICT_KINDS == 3, "ORDER Verdict");

static const char *const CODES[] = {"1",                                                     /* bold */
                                    "1;31", "1;35", "1;36", "1;35", "1;32", "1;31", "1;32"}; /* ORDER Style */
_Static_assert(sizeof CODES / sizeof *CODES == STYLES, "ORDER Style");

const char *style_level_name(Level level) {
  static const char *const NAMES[] = {"error", "warning", "note"}; /* ORDER Level */
  _Static_assert(sizeof NAMES / sizeof *NAMES == LEVELS, "ORDER Level");
  assert((unsigned)level < LEVELS);
  return NAMES[level];
}

void style_begin(Style style, bool colour, FILE *out) {
  assert((unsigned)style < STYLES);
  if (colour) fprintf(out, "\033[%sm", CODES[style]);
}

void style_end(bool colour, FILE *out) {
  if (colour) fputs("\033[0m", out);
}

void style_put(Style style, const char *text, bool colour, FILE *out) {
  style_begin(style, colour, out);
  fputs(text, out);
  style_end(colour, out);
}
