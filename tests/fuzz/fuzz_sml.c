#include "frontend/sml/sml.h"
#include "petri/pnml.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

static Net *read_net(Heap *heap, const uint8_t *bytes, size_t length, Err *err) {
  return pnml_read(heap, &(InFile){(char *)(uintptr_t)bytes, length, "input"}, err);
}

/* There is a net, or an error that says why not. */
static void compile(const FuzzInput *input, Granularity granularity, Encoding encoding) {
  const SmlDefine defines[] = {{"N", 2}};
  const SmlOptions options = {.granularity = granularity, .encoding = encoding, .defines = defines, .n_defines = 1};
  Diag diag;
  diag_init(&diag, input->heap, "input", (const char *)input->bytes, input->length);
  Net *net = sml_compile(input->heap, &options, &diag);
  fuzz_claim(!net == (diag.n_errors > 0), "a program has a net, or an error");
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  diag_print(&diag, out, false);
  fclose(out);
  free(text);
  diag_fini(&diag);
  if (net) fuzz_net(input->heap, net, pnml_write, read_net);
  net_free(net);
}

static void body(void *input) {
  compile(input, GRANULARITY_STATEMENT, ENCODING_COMPACT);
  compile(input, GRANULARITY_ACCESS, ENCODING_PAPER);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) { return fuzz_run(bytes, length, body); }
