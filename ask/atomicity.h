/* atomicity.h: the whole way from a net with notes to a verdict about each marked block: colour, unfold, expand,
 * judge. */
#ifndef ASK_ATOMICITY_H
#define ASK_ATOMICITY_H

#include "ask/entered.h"
#include "ask/ask.h"
#include "colour/colour.h"
#include "unfold/unfold.h"

/* How the blocks of a net are to be checked, and who looks on. What it points to stays the caller's. */
typedef struct {
  ColourOptions colour;
  UnfoldOrder order;
  /* may be NULL: sees the coloured net before it is unfolded; false, with *err, ends the run */
  bool (*coloured)(void *argument, const Net *net, Err *err);
  void *coloured_argument;
  /* may be NULL: sees, where every block is atomic, the complete prefix of the coloured net, in which no red place has
   * a condition */
  bool (*proof)(void *argument, const Prefix *prefix, const PlaceId *red, uint32_t n_red, Err *err);
  void *proof_argument;
} AtomicityOptions;

/* What the check of a net took. */
typedef struct {
  uint64_t places, transitions;         /* of the net that was unfolded */
  uint64_t events, conditions, cutoffs; /* of its prefix */
  double seconds;                       /* wall clock, of the whole run */
  uint64_t bytes;                       /* the most memory in use */
} VerdictStats;

/* The answer; nothing in it is owned. */
typedef struct {
  const Net *net; /* the uncoloured net; has notes. NULL: it was not read to its end, and there are no blocks */
  const BlockVerdict *blocks;
  uint32_t n_blocks;
  Verdict verdict; /* violated if a block is, else unknown if one is, else atomic */
  const char *why; /* why unknown: "--max-events 1000 reached", NULL otherwise */
  VerdictStats stats;
} AtomicityReport;

/* What was found. Owns everything but the net; the witnesses' memory is the heap's. */
typedef struct {
  Heap *heap;
  BlockVerdict *blocks; /* of the blocks that were to be checked, in the order of the notes */
  uint32_t n_blocks;
  Witness *witnesses; /* one for each block of `blocks`, set where it is violated */
  Verdict verdict;    /* of all together */
  bool proved;        /* proof() was shown the prefix, and has come to its end */
  char why[160];      /* why something is unknown, or "" */
  VerdictStats stats;
} Atomicity;

/* Checks the blocks. A limit of events, memory or time (heap_watch) makes what is not yet decided unknown; only
 * before the blocks are listed it leaves the caller's heap_try. False, with *err, if the net cannot be
 * checked (ERR_INPUT) or a violation did not stand up before the judge (ERR_CHECK). */
bool atomicity_check(Heap *heap, const Net *net, const AtomicityOptions *options, const AskLimits *limits,
                     Atomicity *result, Err *err);
void atomicity_fini(Atomicity *result);

#endif
