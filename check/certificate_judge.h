/* certificate_judge.h: the judge of certificates, which docs/certificates.md specifies: runs of a net, complete
 * prefixes of its unfolding and facts about its threads, with claims about the net that they prove. It knows nets and
 * the token game, and believes nothing else. */
#ifndef CHECK_CERTIFICATE_JUDGE_H
#define CHECK_CERTIFICATE_JUDGE_H

#include "base/file.h"
#include "base/vec.h"
#include "base/verdict.h"
#include "petri/formula.h"
#include "petri/net.h"

/* What a certificate can claim. */
typedef enum {
  CLAIM_RUN,       /* a run of `size` steps can be fired; only where nothing else is claimed of it */
  CLAIM_COVERS,    /* the places are marked after it */
  CLAIM_FIRES,     /* its last step is the transition */
  CLAIM_DEADLOCK,  /* no transition is enabled after it */
  CLAIM_UNSAFE,    /* its last step puts a second token on the place */
  CLAIM_SPLITS,    /* its last step shows that the block is not causally atomic */
  CLAIM_SATISFIES, /* the formula holds after it */
  CLAIM_COMPLETE,  /* the net is 1-safe and the prefix, of `size` events, is complete */
  CLAIM_UNCOVERED, /* no reachable marking marks all of the places */
  CLAIM_DEAD,      /* the transition can never fire */
  CLAIM_NEVER,     /* the formula holds in no reachable marking */
  CLAIM_ATOMIC,    /* the block is causally atomic */
  CLAIM_EVERY,     /* the block is so for all values of the open numbers of threads (petri/instance.h) */
  CLAIM_SLICE,     /* the block is so if it is where only these threads take steps */
  CLAIM_AWAY,      /* none of the places is ever marked */
  CLAIM_APART,     /* no two threads are at once at one of the first `size` places and at one of the others */
  CLAIM_OVER       /* where no transition is enabled, each thread is at one of the places (check/states_judge.h) */
} ClaimKind;

/* One claim of a certificate. */
typedef struct {
  ClaimKind kind;
  uint32_t
      with; /* it is about the net whose open numbers start at CertificateReport.with.at[with - 1]; 0: the net itself */
  uint32_t size; /* steps of the run, events of the prefix, that prove it; of what is known of threads 0, but of AWAY,
                    APART and OVER how many places are the first ones */
  uint32_t first, n; /* the places, ascending (of the last three kinds as they are named), the transition, or the block
                        and the threads of the notes that are named, from 0: numbers[first .. first + n - 1]; of a
                        formula its number, in CertificateReport.formulas */
} Claim;

/* What was proved, in the order of the file, and how large the proofs were. */
typedef struct {
  Heap *heap;
  VEC(Claim) claims;
  U32Vec numbers;
  VEC(Formula) formulas;
  U32Vec with; /* of the nets with some open numbers that claims are about: their numbers, net by net */
  uint64_t n_steps;
  uint64_t n_events, n_conditions;
  uint64_t n_pairs; /* of an event and an earlier condition concurrent to it, both without cut-offs */
} CertificateReport;

/* Checks the certificate against the net. VERDICT_HOLDS: it proves what it claims, and *report is filled. Else *report
 * has the sizes alone and *err says "file:line: " and why: VERDICT_VIOLATED (ERR_CHECK): it is a certificate, and does
 * not prove it; VERDICT_UNKNOWN (ERR_INPUT): it does not have the form of a certificate of this net. */
Verdict certificate_judge(Heap *heap, const Net *net, const InFile *file, CertificateReport *report, Err *err);
void certificate_judge_report_fini(CertificateReport *report);

#endif
