#include "report/heads.h"

#include "report/words.h"

#include <assert.h>

static const char *const VERDICT_COLOURS[] = {"\33[1;35m", "\33[1;32m", "\33[1;31m"}; /* ORDER Verdict */
_Static_assert(sizeof VERDICT_COLOURS / sizeof *VERDICT_COLOURS == VERDICT_KINDS, "ORDER Verdict");

static const struct {
  const char *word, *colour;
} LEVELS[] = {{"error", "\33[1;31m"}, {"warning", "\33[1;35m"}, {"note", "\33[1;36m"}}; /* ORDER HeadLevel */
_Static_assert(sizeof LEVELS / sizeof *LEVELS == HEAD_NOTE + 1, "ORDER HeadLevel");

static void put_coloured(const char *colour, const char *text, bool coloured, FILE *out) {
  if (coloured)
    fprintf(out, "%s%s\33[0m", colour, text);
  else
    fputs(text, out);
}

void put_head(Arena *arena, const Notes *notes, SrcPos pos, HeadLevel level, bool colour, FILE *out) {
  put_coloured("\33[1m", words_position(arena, notes, pos), colour, out);
  put_coloured(LEVELS[level].colour, LEVELS[level].word, colour, out);
  fputs(": ", out);
}

void put_source(Arena *arena, const Net *net, TransId t, FILE *out) {
  assert(t.v < net->n_trans);
  const TransNote *note = &net->notes->transitions[t.v];
  if (note->pos.line && note->text[0]) fprintf(out, "%5u | %s\n", note->pos.line, words_event(arena, net, t));
}

void put_verdict(Verdict verdict, const char *name, bool colour, FILE *out) {
  fputs("verdict: ", out);
  put_coloured(VERDICT_COLOURS[verdict], name, colour, out);
  fputc('\n', out);
}
