/* fuzz.h: what the fuzzing targets share. A target is a file fuzz_NAME.c with LLVMFuzzerTestOneInput, as libFuzzer
 * wants it; built with replay.c it reads files instead. It does not only wait for a crash: what is claimed of an
 * input is a property, and one that does not hold ends the process. docs/fuzzing.md has them all. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "base/err.h"
#include "base/heap.h"
#include "petri/net.h"
#include "trace/trace.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

typedef struct {
  Heap *heap;
  const uint8_t *bytes; /* with a NUL behind them, which is not counted */
  size_t length;
} FuzzInput;

/* Runs the body with a heap of 64 MB. It may run out of memory; if it does not, it has given back all that it took. */
int fuzz_run(const uint8_t *bytes, size_t length, void (*body)(void *input));

/* Prints what does not hold, and aborts. */
void fuzz_claim(bool holds, const char *what);

/* A path from which the bytes can be read, until the next call. */
const char *fuzz_path(const void *bytes, size_t length);

/* The net is sound, and what is written of it reads as a net of which the same is written. */
typedef Net *FuzzReadNet(Heap *heap, const uint8_t *bytes, size_t length, Err *err);
void fuzz_net(Heap *heap, const Net *net, bool (*write)(const Net *net, FILE *out), FuzzReadNet *read);

/* Is the first byte that of a way to pack files? */
bool fuzz_may_be_packed(const uint8_t *bytes);

/* What is in the run, as run_text() tells it; the heap's. NULL, with *err, if it cannot be read. */
char *fuzz_run_text(Heap *heap, const char *path, const TraceOptions *options, Err *err);

/* The run of these bytes, written and read again, is the same one; unless it cannot be read, or said. */
void fuzz_trace(const FuzzInput *input, TraceFormat format);

#endif
