/* answer_proof.h: the certificate of what was answered about a net, as docs/certificates.md describes it. */
#ifndef ASK_ANSWER_PROOF_H
#define ASK_ANSWER_PROOF_H

#include "ask/questions.h"

#include <stdio.h>

/* Is there anything to write: the complete prefix, a "yes", or that the net is not 1-safe? */
bool answer_proof_has_any(const AnswerReport *report);

/* Writes runs for each "yes" and for a net that is not 1-safe, and the prefix, made with that order, if it is complete,
 * with a claim for each "no". Not certified: that there is no deadlock, how many markings there are, and formulas,
 * about which nothing may have been asked. Errors of `out` are the caller's to see. */
void answer_proof_write(const AnswerReport *report, UnfoldOrder order, FILE *out);

#endif
