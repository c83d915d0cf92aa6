/* verdict.h: the answer to a question about a program, a net or a run, and the exit code that tells it. One type for
 * all tools.
 *
 * The zero is "unknown": what has not been decided, has failed, or was never asked is never called good. */
#ifndef BASE_VERDICT_H
#define BASE_VERDICT_H

#include <stdint.h>

/* The answer itself. VERDICT_KINDS is how many there are. */
typedef enum {
  VERDICT_UNKNOWN,
  VERDICT_HOLDS,   /* atomic, serializable, none predicted, no such marking: there are grounds for it */
  VERDICT_VIOLATED /* the contrary has been found */
} Verdict;
enum { VERDICT_KINDS = VERDICT_VIOLATED + 1 };

/* How often each verdict came. {0} is none at all. */
typedef struct {
  uint64_t n[VERDICT_KINDS];
} VerdictTally;

/* One more of that verdict. */
static inline void verdict_count(VerdictTally *tally, Verdict verdict) { tally->n[verdict]++; }

/* The verdict of all together: violated if one is; holds if there is one and all hold; else unknown. So nothing is
 * unknown. */
Verdict verdict_join(const VerdictTally *tally);

/* The exit codes of all tools. */
typedef enum {
  EXIT_HOLDS = 0, /* what was asked holds; or simply: done */
  EXIT_VIOLATED = 1,
  EXIT_UNKNOWN = 2, /* a limit, a cancel */
  EXIT_ERROR = 3,   /* usage or input */
  EXIT_CHECK = 4    /* a self-check failed */
} ExitCode;

/* EXIT_HOLDS, EXIT_VIOLATED or EXIT_UNKNOWN. */
int verdict_exit_code(Verdict verdict);

#endif
