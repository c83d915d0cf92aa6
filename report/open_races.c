/* A program that has gaps may have thousands of such pairs. Why each of them is open is one of two reasons, and where
 * to look is said best by the variables: those with the most pairs first, with the first pair of each. */
#include "report/open_races.h"

#include "base/text.h"
#include "report/words.h"

#include <stdlib.h>

enum { FEW_PAIRS = 6, SHOWN_VARIABLES = 5 };

/* The pairs of one variable. */
typedef struct {
  uint32_t first, n; /* the goal that comes first; how many */
} Variable;

typedef VEC(Variable) Variables;

bool open_races_are_many(const OpenRaces *open) { return open->n > FEW_PAIRS; }

const char *open_races_deed(const ReachSite *site) { return site->writes ? "write" : "read"; }

const char *open_races_place(Arena *arena, const Notes *notes, const ReachSite *site) {
  const char *file = text_clean(arena, notes_file_of(notes, site->pos));
  return arena_format(arena, "%s:%u:%u", file, site->pos.line, site->pos.column);
}

const char *open_races_pair(Arena *arena, const Notes *notes, const ReachGoal *goal) {
  return arena_format(arena, "race on %s, %s here and %s at %s: unknown",
                      words_object(arena, notes, goal->sites[0].object), open_races_deed(&goal->sites[0]),
                      open_races_deed(&goal->sites[1]), open_races_place(arena, notes, &goal->sites[1]));
}

static void add(Report *report, Place place, const char *message) {
  const Finding finding = {.kind = FINDING_OPEN,
                           .level = LEVEL_NOTE,
                           .subject = "races",
                           .unit = "block",
                           .rule = "race",
                           .message = message,
                           .place = place};
  report_add(report, &finding);
}

/* ---- why ---- */

static void tell_reason(Report *report, const ReachReport *result, uint32_t n, uint32_t of, const char *reason) {
  const Place whole = {.file = text_clean(&report->arena, result->net->notes->file)};
  if (n) add(report, whole, arena_format(&report->arena, "%u of %u pairs of accesses %s: unknown", n, of, reason));
}

static void tell_reasons(Report *report, const ReachReport *result, const OpenRaces *open) {
  uint32_t n_lacks = 0;
  for (uint32_t i = 0; i < open->n; i++) n_lacks += result->reaching->goals[open->at[i]].lacks;
  tell_reason(report, result, n_lacks, open->of, "do not race in the net, which is not the whole program");
  tell_reason(report, result, open->n - n_lacks, open->of,
              result->reaching->brief ? "are undecided after a short search, as the net is not the whole program (with "
                                        "--max-events=N it goes on)"
                                      : "are undecided");
}

/* ---- where ---- */

static Variables count_variables(Heap *heap, const ReachReport *result, const OpenRaces *open) {
  Variables variables = {0};
  uint32_t *number = heap_zeroed(heap, ((size_t)result->net->notes->n_objects + 1) * sizeof *number); /* from 1 */
  for (uint32_t i = 0; i < open->n; i++) {
    uint32_t *it = &number[result->reaching->goals[open->at[i]].sites[0].object];
    if (!*it) vec_push(heap, &variables, ((Variable){open->at[i], 0}));
    if (!*it) *it = variables.n;
    variables.at[*it - 1].n++;
  }
  heap_release(heap, number);
  return variables;
}

/* The most pairs first. */
static int compare_variables(const void *a, const void *b) {
  const Variable *x = a, *y = b;
  if (x->n != y->n) return x->n > y->n ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

static void tell_variable(Report *report, const ReachReport *result, const Variable *variable) {
  const ReachGoal *goal = &result->reaching->goals[variable->first];
  const Notes *notes = result->net->notes;
  const char *pair = open_races_pair(&report->arena, notes, goal);
  if (variable->n > 1)
    pair = arena_format(&report->arena, "%s, and %u more pair%s on it", pair, variable->n - 1,
                        variable->n == 2 ? "" : "s");
  add(report, words_place(&report->arena, notes, goal->pos), pair);
}

static void tell_more(Report *report, const ReachReport *result, uint32_t n) {
  const Place whole = {.file = text_clean(&report->arena, result->net->notes->file)};
  add(report, whole,
      n == 1 ? "and pairs on one more variable: unknown (-v tells each pair)"
             : arena_format(&report->arena, "and pairs on %u more variables: unknown (-v tells each pair)", n));
}

void open_races_tell(Report *report, const ReachReport *result, const OpenRaces *open) {
  Heap *heap = report->arena.heap;
  Variables variables = count_variables(heap, result, open);
  if (variables.n) qsort(variables.at, variables.n, sizeof *variables.at, compare_variables);
  tell_reasons(report, result, open);
  for (uint32_t i = 0; i < variables.n && i < SHOWN_VARIABLES; i++) tell_variable(report, result, &variables.at[i]);
  if (variables.n > SHOWN_VARIABLES) tell_more(report, result, variables.n - SHOWN_VARIABLES);
  vec_fini(heap, &variables);
}
