/* atomic_proof.h: the certificate of blocks that were found to be atomic by unfolding (docs/certificates.md). */
#ifndef ASK_ATOMIC_PROOF_H
#define ASK_ATOMIC_PROOF_H

#include "ask/atomicity_inside.h"

/* Of the unfolding under way: writes to the run's certificate why these of its blocks are atomic; `blocks` is per block
 * of the notes. If not all threads take steps, it has why these are enough (prove/certificate.h). There must be a
 * certificate, and the colouring be COLOURING_CHAIN. False: the run has failed. Memory or time may be up within; then
 * result->is_cut stays set. */
bool atomic_proof_write(Question *q, const bool *blocks);

#endif
