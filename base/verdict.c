#include "base/verdict.h"

#include <assert.h>

Verdict verdict_join(const VerdictTally *tally) {
  if (tally->n[VERDICT_VIOLATED]) return VERDICT_VIOLATED;
  return tally->n[VERDICT_HOLDS] && !tally->n[VERDICT_UNKNOWN] ? VERDICT_HOLDS : VERDICT_UNKNOWN;
}

int verdict_exit_code(Verdict verdict) {
  static const int CODES[] = {EXIT_UNKNOWN, EXIT_HOLDS, EXIT_VIOLATED}; /* ORDER Verdict */
  _Static_assert(sizeof CODES / sizeof *CODES == VERDICT_KINDS, "an exit code for each verdict");
  assert((unsigned)verdict < VERDICT_KINDS);
  return CODES[verdict];
}
