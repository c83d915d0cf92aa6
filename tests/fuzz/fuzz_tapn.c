#include "petri/llnet.h"
#include "petri/tapn.h"
#include "tests/fuzz/fuzz.h"

/* What was read can be written as ll_net and comes back. */
static Net *read_back(Heap *heap, const uint8_t *bytes, size_t length, Err *err) {
  return llnet_read(heap, &(InFile){(char *)(uintptr_t)bytes, length, "input"}, err);
}

static void body(void *argument) {
  const FuzzInput *input = argument;
  Err err;
  Net *net = tapn_read(input->heap, &(InFile){(char *)(uintptr_t)input->bytes, input->length, "input"}, &err);
  if (net) fuzz_net(input->heap, net, llnet_write, read_back);
  net_free(net);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) { return fuzz_run(bytes, length, body); }
