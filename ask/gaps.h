/* gaps.h: nets that lack something that their programs may do (NoteGap, docs/annotations.md). What is violated in some
 * run of the net stays so; what holds in all its runs is not known of the program. */
#ifndef ASK_GAPS_H
#define ASK_GAPS_H

#include "base/verdict.h"
#include "petri/net.h"

/* What is asked. Gaps that begin with NOTE_GAP_WAITING matter only to who asks whether threads wait for ever; those
 * that begin with NOTE_GAP_COPIES do not matter to what was shown for any number of threads of each group that the net
 * has two or more of. */
typedef enum { GAPS_OF_EVENTS, GAPS_OF_ANY_NUMBER, GAPS_OF_WAITING } GapsAbout;

/* Makes VERDICT_HOLDS of all runs of the net VERDICT_UNKNOWN where the net has gaps that matter; other verdicts stay.
 */
Verdict gaps_verdict(const Net *net, GapsAbout about, Verdict verdict);

/* Why a verdict was changed: "the net is not the whole program: c.c:12: calls 'f', which is unknown (and 2 more)",
 * or "(and 20 more, of 3 kinds)", if there are so many.
 * The net has gaps that matter. */
void gaps_explain(const Net *net, GapsAbout about, char *why, size_t room);

/* Has it gaps that matter? */
bool gaps_any(const Net *net, GapsAbout about);

#endif
