#include "tests/fuzz/fuzz.h"

static void body(void *input) { fuzz_trace(input, TRACE_BINARY); }

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) { return fuzz_run(bytes, length, body); }
