/* replay.c: a target without a fuzzer: runs it on each file that is named. */
#include "tests/fuzz/fuzz.h"

#include "base/file.h"

static bool replay(const char *path) {
  Heap *heap = heap_new(0);
  InFile file;
  Err err;
  const bool good = file_read(heap, path, &file, &err);
  if (good) LLVMFuzzerTestOneInput((const uint8_t *)file.text, file.length);
  else fprintf(stderr, "%s\n", err.text);
  heap_free(heap);
  return good;
}

int main(int argc, char **argv) {
  bool good = true;
  for (int i = 1; i < argc; i++) good = replay(argv[i]) && good;
  return good ? 0 : 1;
}
