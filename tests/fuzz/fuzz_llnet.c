#include "petri/llnet.h"
#include "tests/fuzz/fuzz.h"

static Net *read_net(Heap *heap, const uint8_t *bytes, size_t length, Err *err) {
  return llnet_read(heap, &(InFile){(char *)(uintptr_t)bytes, length, "input"}, err);
}

static void body(void *argument) {
  const FuzzInput *input = argument;
  Err err;
  Net *net = read_net(input->heap, input->bytes, input->length, &err);
  if (net) fuzz_net(input->heap, net, llnet_write, read_net);
  net_free(net);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) { return fuzz_run(bytes, length, body); }
