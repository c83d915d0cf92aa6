#include "report/joining.h"

#include "report/summing.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

void joining_init(Joining *joining, Heap *heap) { *joining = (Joining){.heap = heap}; }

void joining_fini(Joining *joining) {
  vec_fini(joining->heap, &joining->verdict);
  vec_fini(joining->heap, &joining->why);
  vec_fini(joining->heap, &joining->hash);
}

static void keep(Joining *joining, CharVec *copy, const char *text) {
  const size_t size = text ? strlen(text) + 1 : 1;
  vec_clear(copy);
  vec_reserve(joining->heap, copy, size);
  memcpy(copy->at, text ? text : "", size);
  copy->n = (uint32_t)size;
}

/* What is not known of its text is left open: nothing was found in that. */
static void compare_texts(Joining *joining, const ResultLine *line) {
  if (!line->hash) return;
  if (!joining->hash.n) keep(joining, &joining->hash, line->hash);
  joining->differs |= strcmp(joining->hash.at, line->hash) != 0;
}

static void take_answer(Joining *joining, const ResultLine *line) {
  const ExitCode worse = joining->answered ? summing_worse(joining->exit, line->exit) : line->exit;
  if (!joining->answered || worse != joining->exit) {
    keep(joining, &joining->verdict, line->verdict);
    keep(joining, &joining->why, line->why);
  }
  joining->exit = worse;
  joining->answered = true;
}

void joining_add(Joining *joining, const ResultLine *line) {
  assert(line->file.shares && (!joining->n || joining->of == line->file.shares));
  joining->of = line->file.shares;
  joining->n++;
  compare_texts(joining, line);
  if (!line->empty) take_answer(joining, line);
  joining->n_wrong += line->n_wrong;
  joining->events += line->has_events ? line->events : 0;
  joining->lacks_events |= !line->has_events;
}

/* NULL: nothing. */
static const char *remark_of(Joining *joining) {
  char *text = joining->remark;
  if (joining->differs) return "its shares are of different texts";
  if (joining->n < joining->of) {
    snprintf(text, sizeof joining->remark, "%" PRIu64 " of %" PRIu64 " shares are there", joining->n, joining->of);
    return text;
  }
  return joining->answered ? NULL : "there is nothing in its shares";
}

ResultLine joining_result(Joining *joining, const char *path) {
  const char *remark = remark_of(joining), *why = joining->why.n && joining->why.at[0] ? joining->why.at : NULL;
  ResultLine line = {.file = {.path = path, .options = ""},
                     .schema = "",
                     .verdict = joining->answered ? joining->verdict.at : "unknown",
                     .exit = joining->answered ? joining->exit : EXIT_UNKNOWN,
                     .why = remark ? remark : why,
                     .events = joining->events,
                     .has_events = !joining->lacks_events,
                     .n_wrong = joining->n_wrong > UINT32_MAX ? UINT32_MAX : (uint32_t)joining->n_wrong};
  const ExitCode with_rest = joining->differs ? EXIT_UNKNOWN
                             : remark         ? summing_worse(line.exit, EXIT_UNKNOWN)
                                              : line.exit;
  if (with_rest != line.exit) line.verdict = "unknown";
  line.exit = with_rest;
  return line;
}
