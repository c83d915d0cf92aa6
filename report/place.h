/* place.h: places as people and editors read them. */
#ifndef REPORT_PLACE_H
#define REPORT_PLACE_H

#include "report/finding.h"
#include "report/members.h"

/* The place that a run's log names: "prog.c:12:5:main", "prog.c:12:5", "prog.c:12". Anything else is no file: `other`.
 * The text is clean. */
Place place_parse(Arena *arena, const char *text);

/* "prog.c:12:5", as compilers write it, as much of it as is known; else `other`; else "". What is too long for a line
 * is cut in front. */
const char *place_head(Arena *arena, const Place *place);

/* The same within a sentence: "prog.c:12:5 in main". */
const char *place_words(Arena *arena, const Place *place);

/* "here in main", "here". */
const char *place_here(Arena *arena, const Place *place);

/* The place that a run's log names as a member of the JSON, an object as in findings (docs/json.md); null for NULL. The
 * key is NULL in an array. */
void place_member(Members *members, const char *key, const char *text);

#endif
