#include "ask/gaps.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool matters(const NoteGap *gap, GapsAbout about) {
  if (note_gap_waits(gap->what)) return about == GAPS_OF_WAITING;
  return about != GAPS_OF_ANY_NUMBER || !note_gap_copies(gap->what);
}

/* How many matter, and the first of them. */
static uint32_t count(const Net *net, GapsAbout about, const NoteGap **first) {
  uint32_t n = 0;
  for (uint32_t i = 0; net->notes && i < net->notes->n_gaps; i++)
    if (matters(&net->notes->gaps[i], about) && !n++) *first = &net->notes->gaps[i];
  return n;
}

bool gaps_any(const Net *net, GapsAbout about) {
  const NoteGap *first;
  return count(net, about, &first) > 0;
}

Verdict gaps_verdict(const Net *net, GapsAbout about, Verdict verdict) {
  return verdict == VERDICT_HOLDS && gaps_any(net, about) ? VERDICT_UNKNOWN : verdict;
}

/* What can be told of a long path is its end. */
static const char *end_of_path(const char *path) {
  enum { MOST = 40 };
  const size_t length = strlen(path);
  if (length <= MOST) return path;
  const char *end = path + length - MOST, *slash = strchr(end, '/');
  return slash && slash[1] ? slash + 1 : end;
}

static bool is_first_of_kind(const Net *net, GapsAbout about, uint32_t gap) {
  const NoteGap *gaps = net->notes->gaps;
  for (uint32_t i = 0; i < gap; i++)
    if (matters(&gaps[i], about) && strcmp(gaps[i].what, gaps[gap].what) == 0) return false;
  return true;
}

/* How many differ by more than their places. */
static uint32_t count_kinds(const Net *net, GapsAbout about) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < net->notes->n_gaps; i++)
    n += matters(&net->notes->gaps[i], about) && is_first_of_kind(net, about, i);
  return n;
}

/* " (and 397 more, of 6 kinds)" */
static void add_rest(const Net *net, GapsAbout about, uint32_t more, char *text, size_t room) {
  enum { FEW = 3 };
  const uint32_t kinds = more > FEW ? count_kinds(net, about) : 0;
  if (kinds) snprintf(text, room, " (and %u more, of %u kind%s)", more, kinds, kinds == 1 ? "" : "s");
  else if (more) snprintf(text, room, " (and %u more)", more);
}

void gaps_explain(const Net *net, GapsAbout about, char *why, size_t room) {
  const NoteGap *first = NULL;
  const uint32_t n = count(net, about, &first);
  char line[16] = "";
  assert(n);
  if (first->pos.line) snprintf(line, sizeof line, "%u:", first->pos.line);
  const int length = snprintf(why, room, "the net is not the whole program: %s:%s %.60s",
                              end_of_path(notes_file_of(net->notes, first->pos)), line, first->what);
  if (length > 0 && (size_t)length < room) add_rest(net, about, n - 1, why + length, room - (size_t)length);
}
