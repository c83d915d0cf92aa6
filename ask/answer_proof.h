/* answer_proof.h: the certificate of what was answered about a net, as docs/certificates.md describes it. */
#ifndef ASK_ANSWER_PROOF_H
#define ASK_ANSWER_PROOF_H

#include "ask/questions.h"

#include <stdio.h>

/* Is there anything to write: the complete prefix, a "yes", or that the net is not 1-safe? */
bool answer_proof_has_any(const AnswerReport *report);

/* Of a formula: is what was answered proved? Not if a limit was in the way, or it is too large. */
bool answer_proof_has(const AnswerReport *report, const Answer *answer);

/* Writes runs for each "yes" and for a net that is not 1-safe; the prefix, made with that order, if it is complete,
 * with a claim for each "no"; and for formulas that never hold the one with complements. Not certified: that there is
 * no deadlock, and how many markings there are. Errors of `out` are the caller's to see. */
void answer_proof_write(const AnswerReport *report, UnfoldOrder order, FILE *out);

/* The same, without what begins and ends a certificate. */
void answer_proof_write_inside(const AnswerReport *report, UnfoldOrder order, FILE *out);

#endif
