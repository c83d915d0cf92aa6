/* certificate.h: why blocks are atomic, in the form of docs/certificates.md: a proof, between what begins and ends a
 * certificate. Errors are those of the stream. */
#ifndef PROVE_CERTIFICATE_H
#define PROVE_CERTIFICATE_H

#include "petri/view_text.h"
#include "prove/known.h"
#include "prove/prove.h"

#include <stdio.h>

/* A proof under way: the facts have been written, and claims may follow. */
typedef struct {
  TextOut text;
  const Known *facts;
  ViewText view;  /* objects with several values have numbers */
  uint32_t *kind; /* per control that is reached: as in the facts, but those of classes with pairs have their own */
  U32Vec kind_control; /* per kind: a control of it */
} Certificate;

/* Writes the facts, which live as long. The controls that are reached are numbered thread by thread. To be freed, which
 * ends the proof. */
Certificate *certificate_facts(FILE *out, const Known *facts);
void certificate_free(Certificate *certificate);

/* Has the block a slice, of fewer threads than there are? */
bool certificate_has_slice(const Proofs *proofs, const Net *net, uint32_t block);

/* The facts, and a claim for each block that was proved or has such a slice; `every` as in ProveOptions. */
void certificate_proof(FILE *out, const Known *facts, const Proofs *proofs, bool every);

#endif
