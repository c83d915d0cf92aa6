#include "tests/unit/sml_predict.h"

bool sml_predict(Heap *heap, Diag *diag, Granularity granularity, PushdownPrediction *prediction, Err *err) {
  static const PredictOptions no_limits;
  const SmlOptions options = {.granularity = granularity, .recursion = true};
  Program program;
  if (!sml_program(heap, &options, diag, &program)) return false;
  const bool good = pushdown_predict(heap, &program, granularity, &no_limits, prediction, err);
  program_fini(&program);
  return good;
}
