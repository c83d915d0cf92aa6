/* rules.h: what can be found, as one table. The ids are stable: people suppress findings by them. */
#ifndef REPORT_RULES_H
#define REPORT_RULES_H

#include "base/style.h"

#include <stdint.h>

/* A kind of finding. All strings are constants. */
typedef struct {
  const char *id;    /* of Finding.rule */
  Level level;       /* that it usually has */
  const char *brief; /* a sentence */
  const char *help;  /* what to do about it: a few sentences */
} Rule;

extern const Rule RULES[];
extern const uint32_t N_RULES;

/* The index of the rule in RULES; asserted: there is one. */
uint32_t rules_find(const char *id);

#endif
