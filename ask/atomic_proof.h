/* atomic_proof.h: the certificate of blocks that were found to be atomic by unfolding (docs/certificates.md). */
#ifndef ASK_ATOMIC_PROOF_H
#define ASK_ATOMIC_PROOF_H

#include "colour/colour.h"
#include "unfold/unfold.h"

#include <stdio.h>

/* What it is written of: a coloured net, its complete prefix, and the red places, which have no condition there. */
typedef struct {
  Heap *heap;
  const Coloured *coloured;
  const Prefix *prefix;
  UnfoldOrder order; /* the one that the prefix was made with */
  const PlaceId *red;
  uint32_t n_red;
} AtomicProof;

/* Writes it, whole, to the stream, whose errors are not looked at; or to a file. It is about the program's own net, or,
 * with COLOURING_FULL, about the coloured one. False, with *err, if the file cannot be written, or (ERR_CHECK) the coloured
 * net is not seen to do what it should. */
bool atomic_proof_print(const AtomicProof *proof, FILE *out, Err *err);
bool atomic_proof_write(const AtomicProof *proof, const char *path, Err *err);

#endif
