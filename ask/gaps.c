#include "ask/gaps.h"

#include <assert.h>
#include <stdio.h>

Verdict gaps_verdict(const Net *net, Verdict verdict) {
  return verdict == VERDICT_HOLDS && gaps_any(net) ? VERDICT_UNKNOWN : verdict;
}

void gaps_explain(const Net *net, char *why, size_t room) {
  assert(gaps_any(net));
  const NoteGap *first = &net->notes->gaps[0];
  char line[16] = "";
  if (first->pos.line) snprintf(line, sizeof line, "%u:", first->pos.line);
  const int length = snprintf(why, room, "the net is not the whole program: %.40s:%s %.60s",
                              notes_file_of(net->notes, first->pos), line, first->what);
  if (net->notes->n_gaps > 1 && length > 0 && (size_t)length < room)
    snprintf(why + length, room - (size_t)length, " (and %u more)", net->notes->n_gaps - 1);
}
