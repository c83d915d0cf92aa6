#include "tests/unit/trace_case.h"

#include "base/hash.h"

#include <CUnit/CUnit.h>

#include <stdlib.h>
#include <string.h>

const TraceOptions TRACE_STRICT = {.format = -1};

char *read_text(const char *from, const TraceOptions *options) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  char *text = run_text(heap, from, options, NULL, &err);
  if (!text) printf("\n    %s\n", err.text);
  CU_ASSERT_PTR_NOT_NULL(text);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
  return text ? text : calloc(1, 1);
}

void expect_text(const char *got, const char *expected) {
  CU_ASSERT_STRING_EQUAL(got, expected);
  if (strcmp(got, expected) != 0) printf("\n    expected: %.2000s\n    found:    %.2000s\n", expected, got);
}

void expect_read(const char *bytes, size_t length, const char *expected) {
  temp_put(temp_path[0], bytes, length);
  char *text = read_text(temp_path[0], &TRACE_STRICT);
  expect_text(text, expected);
  free(text);
}

void mutate_text(char *text, size_t length, uint64_t seed) {
  static const char BYTES[] = "|(),\n\r#T0rw@ \"x";
  uint64_t random = hash_word(seed);
  for (uint64_t n = 1 + random % 30; n; n--) {
    random = hash_word(random);
    text[(random >> 20) % length] = BYTES[random % (sizeof BYTES - 1)];
  }
}
