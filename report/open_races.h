/* open_races.h: pairs of accesses of which it is not known whether they race, where there are too many to tell each of
 * them: how many, why, and on which variables. */
#ifndef REPORT_OPEN_RACES_H
#define REPORT_OPEN_RACES_H

#include "report/of_reaching.h"

typedef struct {
  const uint32_t *at; /* the goals; in the order of the source */
  uint32_t n, of;     /* of so many pairs */
} OpenRaces;

/* Is that too many to tell each? */
bool open_races_are_many(const OpenRaces *open);

/* Adds some findings that stand for all of them. */
void open_races_tell(Report *report, const ReachReport *result, const OpenRaces *open);

/* "write"; "prog.sml:2:1" */
const char *open_races_deed(const ReachSite *site);
const char *open_races_place(Arena *arena, const Notes *notes, const ReachSite *site);

/* "race on X, write here and read at prog.sml:2:1: unknown", which is told at the first one. */
const char *open_races_pair(Arena *arena, const Notes *notes, const ReachGoal *goal);

#endif
