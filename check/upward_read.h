/* upward_read.h: reads what a certificate claims of a block by an upward-closed set (docs/certificates.md). */
#ifndef CHECK_UPWARD_READ_H
#define CHECK_UPWARD_READ_H

#include "check/upward_judge.h"

/* Behind the block of 'upward', with the size of the set and the lines of the claim, by facts that have been judged and
 * live as long; it is not judged yet. False with *err: ERR_INPUT where the lines have not that form; ERR_CHECK where
 * they cannot be true, in *why, without the place in the file. In any case the claim is to be freed. */
bool upward_read(Lines *lines, const ThreadFacts *facts, UpwardClaim *claim, Err *why, Err *err);

#endif
