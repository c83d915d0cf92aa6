#include "report/of_left_out.h"

void of_left_out_members(Members *members, const LeftOutReport *result) {
  if (!result->asked) {
    members_null(members, "suppressed");
    return;
  }
  members_open(members, "suppressed", '{', JSON_ROW);
  if (result->counted) members_count(members, "violations", result->violations);
  else members_null(members, "violations");
  members_count(members, "transactions", result->count.transactions);
  members_count(members, "accesses", result->count.accesses);
  members_count(members, "commuting", result->count.commuting);
  members_close(members);
}

static const char *number_of(Arena *arena, uint64_t n, const char *one, const char *several) {
  return arena_format(arena, "%llu %s", (unsigned long long)n, n == 1 ? one : several);
}

/* "3 transactions and 1 access". */
static const char *what_is_out(Arena *arena, const LeftOutCount *count) {
  const char *transactions = number_of(arena, count->transactions, "transaction", "transactions");
  const char *accesses = number_of(arena, count->accesses, "access", "accesses");
  if (!count->transactions) return accesses;
  return count->accesses ? arena_format(arena, "%s and %s", transactions, accesses) : transactions;
}

void of_left_out_line(Report *report, const LeftOutReport *result) {
  Arena *arena = &report->arena;
  const LeftOutCount *count = &result->count;
  const char *out = arena_format(arena, "%s left out", what_is_out(arena, count));
  if (result->counted)
    out = arena_format(arena, "%s (%s)", number_of(arena, result->violations, "violation", "violations"), out);
  if (count->transactions || count->accesses)
    report_add_line(report, LINE_FULL,
                    arena_format(arena, "note: suppressed: %s%s%s", out,
                                 result->why[0] ? "; the violations were not counted: " : "", result->why));
  if (count->commuting)
    report_add_line(report, LINE_FULL,
                    arena_format(arena, "note: %s taken to commute",
                                 number_of(arena, count->commuting, "access was", "accesses were")));
}
