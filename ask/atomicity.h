/* atomicity.h: the whole way from a net with notes to a verdict about each marked block: prove; try the threads of a
 * chain; slice; unfold, expand, judge. docs/proofs.md and docs/colours.md have the theory. */
#ifndef ASK_ATOMICITY_H
#define ASK_ATOMICITY_H

#include "ask/ask.h"
#include "ask/entered.h"
#include "colour/colour.h"
#include "unfold/unfold.h"

#include <stdio.h>

struct Question;

/* What may be tried for a block before its whole net is unfolded, in this order; a set of them is a sum. */
enum {
  TRY_MOVERS = 1,
  TRY_ENVIRONMENT = 2, /* also: unfold the threads of a chain that it finds alone, for a violation */
  TRY_PAIRS = 4,       /* likewise */
  TRY_SLICE = 8,       /* unfold no more threads than the block needs, where these are not all */
  TRY_ALL = TRY_MOVERS | TRY_ENVIRONMENT | TRY_PAIRS | TRY_SLICE
};

/* Why a block is unknown for which no more was to be tried. */
#define ATOMICITY_UNTRIED "the chosen stages did not decide it"

/* A unit of the work on a question (ask/units.h): what is to be done about block i of the result, and about the others
 * that belong to it. It changes nothing of the question but what is said of these blocks (verdict, grounds, run,
 * given_up, is_loose), the counts, the limits that were reached, and the error; and nothing that `argument` points to.
 * False: the run has failed. */
typedef bool Unit(struct Question *q, void *argument, uint32_t i);

/* How the blocks of a net are to be checked, and who looks on. What it points to stays the caller's. {0} is one
 * unfolding of the whole net for all blocks. */
typedef struct {
  unsigned tries; /* of the above */
  uint32_t jobs;  /* processes at a time; 0 is 1. With a certificate, or callbacks, it is always 1 */
  bool (*in_processes)(struct Question *q, Unit *unit, void *argument, const uint32_t *units,
                       uint32_t n); /* unit_processes_run, where jobs > 1; NULL: there are no processes */
  bool never_whole; /* never unfold the whole net: leave unknown what they do not decide, TRY_SLICE with 65,536 events
                       for the blocks that need the same threads */
  ColourOptions colour;
  UnfoldOrder order;
  FILE *certificate; /* NULL, or where what proves the atomic blocks goes, as certcheck reads it, about the uncoloured
                        net: proofs of `tries`, and coloured nets with what their places stand for */
  bool every;        /* the certificate is about every number that the net leaves open (prove/prove.h) */
  /* may be NULL: sees the coloured net before it is unfolded; false, with *err, ends the run */
  bool (*coloured)(void *argument, const Net *net, Err *err);
  void *coloured_argument;
  /* may be NULL: sees, where every block is atomic by one unfolding, the complete prefix of the coloured net, in which
   * no red place has a condition */
  bool (*proof)(void *argument, const Prefix *prefix, const PlaceId *red, uint32_t n_red, Err *err);
  void *proof_argument;
} AtomicityOptions;

/* What the check of a net took. */
typedef struct {
  uint64_t places, transitions;         /* of the largest net that was unfolded; 0 if none was */
  uint64_t events, conditions, cutoffs; /* of all prefixes together */
  double seconds;                       /* wall clock, of the whole run */
  uint64_t bytes;                       /* the most memory in use */
} VerdictStats;

/* The answer; nothing in it is owned. */
typedef struct {
  const Net *net; /* the uncoloured net; has notes. NULL: it was not read to its end, and there are no blocks */
  const BlockVerdict *blocks;
  uint32_t n_blocks;
  Verdict verdict; /* violated if a block is, else unknown if one is, else atomic */
  const char *why; /* why unknown: "the limit of 1000 events was reached", NULL otherwise */
  VerdictStats stats;
  const char *const *open; /* the names of the counts that are open (ask/any_number.h): `net` has two for each. The
                              verdicts are about all their values */
  uint32_t n_open;
} AtomicityReport;

/* What was found. Owns everything but the net; the memory is the heap's. */
typedef struct {
  Heap *heap;
  Arena arena;          /* of the words in `blocks` */
  BlockVerdict *blocks; /* of the blocks that were to be checked, in the order of the notes */
  uint32_t n_blocks;
  Witness *witnesses; /* one for each block of `blocks`, set where it is violated */
  Verdict verdict;    /* of all together */
  bool proved;        /* proof() was shown the prefix, and has come to its end */
  bool is_cut;        /* the certificate ends in the middle of a proof: memory or time were up; */
  long cut_at;        /* that proof begins there (ftell) */
  char why[300];      /* why something is unknown, or "" */
  VerdictStats stats;
} Atomicity;

/* Checks the blocks. A limit of events, memory or time (heap_watch) makes what is not yet decided unknown; only
 * before the blocks are listed it leaves the caller's heap_try. False, with *err, if the net cannot be
 * checked (ERR_INPUT) or a violation did not stand up before the judge (ERR_CHECK). */
bool atomicity_check(Heap *heap, const Net *net, const AtomicityOptions *options, const AskLimits *limits,
                     Atomicity *result, Err *err);
void atomicity_fini(Atomicity *result);

#endif
