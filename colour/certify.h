/* certify.h: why a coloured net can do all that the colouring of its program's net can: written down in the form of
 * docs/certificates.md. */
#ifndef COLOUR_CERTIFY_H
#define COLOUR_CERTIFY_H

#include "colour/encode.h"
#include "petri/thread_view.h"

#include <stdio.h>

/* A state of the generated model: a local state of a thread with a mode (colour/generator.h). */
typedef struct {
  uint32_t local, mode;
} StateOrigin;

/* What the chain colouring has made the generated model of. */
typedef struct {
  StateOrigin *states;
  uint32_t *data;            /* per object of the program: that object of the model, or NOTE_NONE */
  uint32_t undecided, chain; /* objects of the model */
} Origins;

/* What a certificate is written of: from the program to the coloured net. Nothing is owned. */
typedef struct {
  const ThreadView *program;
  const PlaceId *places; /* per place of the program's net: its number in the certificate's; or NULL */
  const Model *whole;
  const Origins *origins;
  const Model *reduced;
  const uint32_t *class_of; /* per state of `whole`: its state in `reduced`, or STATE_NONE */
  const Net *net;           /* what `reduced` was encoded as */
  const Encoding *encoding;
  const bool *blocks;       /* per block: is it claimed to be atomic? */
  const PlaceId *red_place; /* per block */
} Certified;

/* Facts about threads, and the claim of a coloured net up to its prefix. False, with ERR_CHECK and
 * nothing written, if the reduced model does less than the whole one. Errors of the stream are not looked at. */
bool certify_colouring(const Certified *certified, FILE *out, Err *err);

#endif
