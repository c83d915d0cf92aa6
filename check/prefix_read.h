/* prefix_read.h: reads and judges the complete prefixes of a certificate (docs/certificates.md): of its net, and with
 * complements of some places. */
#ifndef CHECK_PREFIX_READ_H
#define CHECK_PREFIX_READ_H

#include "check/reader.h"

/* Behind the word 'prefix': a complete prefix of the net at hand, and what `claims` reads after it. False with
 * *reader->err (reader.h). */
bool prefix_read(Reader *reader, bool (*claims)(Reader *reader));

/* The same, with the claims about a net; and behind the word 'complement', with those that need complements. */
bool prefix_read_proof(Reader *reader);
bool prefix_read_complement(Reader *reader);

#endif
