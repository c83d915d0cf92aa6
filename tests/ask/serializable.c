/* serializable.c: can a run of the SML program on stdin be predicted that is not serializable? Likewise linked to the C
 * library alone. */
#include "ask/predicting.h"

int main(void) {
  Heap *heap = heap_new(0);
  InFile file;
  PredictingResult result;
  Err err;
  const PredictingOptions options = {.sync = SYNC_ALL, .budget = PREDICTING_BUDGET};
  const bool good = file_read(heap, "-", &file, &err) &&
                    predicting_program(heap, &file, &(ProgramOptions){0}, &options, &(AskLimits){0}, &result, &err);
  const int code = good ? verdict_exit_code(result.report.verdict) : EXIT_ERROR;
  heap_free(heap);
  return code;
}
