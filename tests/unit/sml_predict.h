/* sml_predict.h: prediction without locks from the text of a program, for tests. */
#ifndef TESTS_UNIT_SML_PREDICT_H
#define TESTS_UNIT_SML_PREDICT_H

#include "frontend/sml/sml.h"
#include "predict/pushdown/pushdown.h"

/* The prediction for the text of the diag; false after an error, in *diag or *err. */
bool sml_predict(Heap *heap, Diag *diag, Granularity granularity, PushdownPrediction *prediction, Err *err);

#endif
