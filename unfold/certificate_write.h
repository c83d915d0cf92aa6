/* certificate_write.h: writing certificates, in the form of docs/certificates.md: first certificate_begin, then runs
 * and prefixes, each with its claims after it, then certificate_end. Errors are those of the stream. */
#ifndef UNFOLD_CERTIFICATE_WRITE_H
#define UNFOLD_CERTIFICATE_WRITE_H

#include "unfold/unfold.h"

#include <stdio.h>

/* What can be claimed of the run or prefix before it. */
typedef enum {
  /* of a run */
  CERTIFY_COVERS,   /* places: marked at its end */
  CERTIFY_FIRES,    /* a transition: its last step */
  CERTIFY_DEADLOCK, /* nothing is enabled at its end */
  CERTIFY_UNSAFE,   /* a place: its last step puts a second token there */
  CERTIFY_SPLITS,   /* a block of the notes: its last step shows that it is not causally atomic */
  /* of a prefix */
  CERTIFY_UNCOVERED, /* places: no reachable marking marks all of them */
  CERTIFY_DEAD       /* a transition: it can never fire */
} CertificateClaim;

/* The first two lines: the format's version, the sizes of the net. */
void certificate_begin(FILE *out, const Net *net);
/* What follows, a run, is of the net with these numbers, one for each of n that the net leaves open. */
void certificate_with(FILE *out, const uint32_t *numbers, uint32_t n);
/* A run of n steps. */
void certificate_run(FILE *out, const TransId *run, uint32_t n);

/* The prefix must be UNFOLD_COMPLETE; `order` is the one that it was made with. The writing is left where the prefix's
 * heap is due to stop (heap_poll). */
void certificate_prefix(FILE *out, const Prefix *prefix, UnfoldOrder order);

/* A claim about the n places, or the transition or block; from 0, as everywhere. */
void certificate_claim(FILE *out, CertificateClaim claim, const uint32_t *numbers, uint32_t n);
void certificate_end(FILE *out);

#endif
