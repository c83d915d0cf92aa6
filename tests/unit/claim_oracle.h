/* claim_oracle.h: is what a certificate claims true? Told from all reachable markings of a small net, which has at most
 * 64 places and 64 transitions. */
#ifndef TESTS_UNIT_CLAIM_ORACLE_H
#define TESTS_UNIT_CLAIM_ORACLE_H

#include "check/certificate_judge.h"
#include "tests/oracle/reach.h"

/* Does some reachable marking mark all of the places, or enable the transition? */
bool is_covered(const Reach *reach, const uint32_t *places, uint32_t n);
bool can_fire(const Reach *reach, TransId t);

/* Is the net known to be 1-safe? */
bool is_safe(const Reach *reach);

/* Is the prefix, the only one of an accepted certificate, complete: are the reachable markings those of its cuts
 * without cut-offs, and has it at these an event for each transition that can fire, and for no other? */
bool prefix_is_complete(Heap *heap, const Reach *reach, const char *text);

/* Is all true that an accepted certificate, which has at most one run and one prefix, was found to prove? */
bool report_is_true(Heap *heap, const Reach *reach, const char *text, const CertificateReport *report);

#endif
