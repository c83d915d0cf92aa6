/* certificate.h: why blocks are atomic, in the form of docs/certificates.md: a proof, between what begins and ends a
 * certificate. */
#ifndef PROVE_CERTIFICATE_H
#define PROVE_CERTIFICATE_H

#include "prove/known.h"
#include "prove/prove.h"

#include <stdio.h>

/* Has the block a slice, of fewer threads than there are? */
bool certificate_has_slice(const Proofs *proofs, const Net *net, uint32_t block);

/* The facts, and a claim for each block that was proved or has such a slice; `every` as in ProveOptions. Errors are
 * those of the stream. */
void certificate_proof(FILE *out, const Known *facts, const Proofs *proofs, bool every);

#endif
