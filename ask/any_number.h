/* any_number.h: are the marked blocks of a program causally atomic whatever its open counts are: the N of
 * `N * { ... }` that no -D sets? docs/proofs.md has the theory. */
#ifndef ASK_ANY_NUMBER_H
#define ASK_ANY_NUMBER_H

#include "ask/atomicity.h"
#include "ask/block_input.h"

/* The program with some values for its open counts, in which a block is violated. */
typedef struct {
  Net *net;
  Atomicity found;
} AnyInstance;

/* What was found. Owns everything; the memory is the heap's. */
typedef struct {
  Heap *heap;
  Arena arena; /* of words, names and numbers */
  Net *net;    /* with two for each open count */
  const char *const *open;
  uint32_t n_open;
  VEC(AnyInstance) instances;
  BlockVerdict *blocks; /* those that were to be checked, in the order of the notes */
  uint32_t n_blocks;
  Verdict verdict; /* of all together */
  char why[300];   /* why something is unknown, or "" */
  bool is_cut;     /* as in Atomicity, */
  long cut_at;     /* likewise */
  VerdictStats stats;
} AnyNumber;

/* Checks the blocks of the program, an SML text that stays the caller's, or a net in which counts were left open. A
 * block is violated if it is for some values of the counts, and its numbers are the least that were found; it is atomic
 * if it is for all values. Of the options, `tries` and `never_whole` say what may be tried, and no net is shown; a
 * certificate is begun, and has what is proved for all values (is_proved): it is about the net of 'sml2net
 * --any-number', and so is what is said of a violation: its net is one of petri/instance.h then. Limits are as in
 * atomicity_check, which leave the caller's heap_try only before the blocks are listed. False, with *err, if it is no
 * program, or no count is open (ERR_INPUT; the text is empty if program.say() has seen all), or a self-check failed
 * (ERR_CHECK). */
bool any_number_check(Heap *heap, const InFile *file, const BlockInputOptions *input, const AtomicityOptions *options,
                      const AskLimits *limits, AnyNumber *result, Err *err);

/* The same of a net that was read: input->net has open counts (petri/instance.h); it becomes the result's, also on
 * failure. */
bool any_number_check_net(Heap *heap, BlockInput *input, const AtomicityOptions *options, const AskLimits *limits,
                          AnyNumber *result, Err *err);
void any_number_fini(AnyNumber *result);

/* The report about it, which refers to it. */
AtomicityReport any_number_report(const AnyNumber *result);

#endif
