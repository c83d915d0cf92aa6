#include "ask/suppressions.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* The entries as a file; its path. */
static const char *written(Heap *heap, const Suppressions *suppressions) {
  CharVec text = {0};
  for (uint32_t i = 0; i < suppressions->all.n; i++) {
    const char *const parts[] = {suppressions_kind(suppressions->all.at[i].kind), ":", suppressions->all.at[i].pattern,
                                 "\n"};
    for (uint32_t k = 0; k < 4; k++)
      for (const char *at = parts[k]; *at; at++) vec_push(heap, &text, *at);
  }
  const char *path = fuzz_path(text.at, text.n);
  vec_fini(heap, &text);
  return path;
}

/* What is written of the entries reads as the same ones; and each pattern matches itself. */
static void check(Heap *heap, const Suppressions *suppressions) {
  Suppressions again;
  Err err;
  fuzz_claim(suppressions_read(heap, written(heap, suppressions), &again, &err), "what was written cannot be read");
  fuzz_claim(again.all.n == suppressions->all.n, "there are other entries");
  for (uint32_t i = 0; i < again.all.n; i++) {
    const Suppression *a = &suppressions->all.at[i], *b = &again.all.at[i];
    fuzz_claim(a->kind == b->kind && strcmp(a->pattern, b->pattern) == 0, "an entry is another one");
    fuzz_claim(suppressions_match(a, a->pattern), "a pattern does not match itself");
  }
  suppressions_fini(heap, &again);
}

static void body(void *argument) {
  const FuzzInput *input = argument;
  Suppressions suppressions;
  Err err;
  if (!suppressions_read(input->heap, fuzz_path(input->bytes, input->length), &suppressions, &err)) return;
  check(input->heap, &suppressions);
  suppressions_fini(input->heap, &suppressions);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) { return fuzz_run(bytes, length, body); }
