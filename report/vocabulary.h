/* vocabulary.h: the words that all reports share. */
#ifndef REPORT_VOCABULARY_H
#define REPORT_VOCABULARY_H

#include "base/verdict.h"
#include "predict/sync.h"

#include <stdint.h>

/* What an event does; of a net the first four. ORDER TraceOp, ORDER AccessMode. */
typedef struct {
  const char *name; /* "write": as in JSON, and in labels */
  const char *does; /* "writes" */
  const char *done; /* "has written it" without "has" and "it" */
} Verb;

const Verb *vocabulary_verb(uint32_t op); /* a TraceOp, or an AccessMode */

/* What was asked; that decides how the verdicts are called. */
typedef enum {
  ASKED_ATOMIC,       /* atomic, violated */
  ASKED_SERIALIZABLE, /* serializable, violated */
  ASKED_PROOF,        /* atomic, possibly not atomic */
  ASKED_PREDICTION,   /* none, predicted */
  ASKED_LIKELY,       /* none likely, predicted */
  ASKED_SEARCH,       /* none, found */
  ASKED_REACHING,     /* holds, violated */
  ASKED_KINDS
} Asked;

/* What that verdict is called where this was asked: "serializable". A constant. */
const char *vocabulary_verdict(Asked asked, Verdict verdict);

/* What other runs were not asked to respect: "note: locks were ignored"; or NULL. Programs have no hand-overs. */
const char *vocabulary_ignored(Sync sync, bool has_handovers);

#endif
