/* certificate.h: why blocks are atomic, in the form of docs/certificates.md: a proof, between what begins and ends a
 * certificate. */
#ifndef PROVE_CERTIFICATE_H
#define PROVE_CERTIFICATE_H

#include "prove/known.h"
#include "prove/prove.h"

#include <stdio.h>

/* The facts, and a claim for each block that was proved. Errors are those of the stream. */
void certificate_proof(FILE *out, const Known *facts, const Proofs *proofs);

#endif
