/* facts_read.h: reads what a certificate claims of threads (docs/certificates.md). */
#ifndef CHECK_FACTS_READ_H
#define CHECK_FACTS_READ_H

#include "check/lines.h"
#include "check/thread_facts.h"

/* Behind the word 'proof', to the last control or set of pairs, into facts that are empty. False with *err: ERR_INPUT
 * where the lines have not the form of such facts; ERR_CHECK where they cannot be true, in *why, without the place in
 * the file. */
bool facts_read(Lines *lines, ThreadFacts *facts, Err *why, Err *err);

#endif
