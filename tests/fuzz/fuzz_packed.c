/* The first byte says what the others are: packed data, or a run in STD that is packed here. */
#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>

static char *text_of(Heap *heap, const void *bytes, size_t length, const TraceOptions *options) {
  Err err;
  return fuzz_run_text(heap, fuzz_path(bytes, length), options, &err);
}

static bool same(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static void compare(Heap *heap, const void *packed, size_t n_packed, const char *expected) {
  const TraceOptions options = {.format = TRACE_STD};
  char *text = text_of(heap, packed, n_packed, &options);
  fuzz_claim(same(text, expected), "what is packed is read as what is not");
  heap_release(heap, text);
}

static size_t with_gzip(const FuzzInput *input, uint8_t *to, size_t room) {
  z_stream stream = {.avail_in = (uInt)input->length - 1, .next_out = to, .avail_out = (uInt)room};
  stream.next_in = (Bytef *)(uintptr_t)(input->bytes + 1);
  fuzz_claim(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib begins");
  fuzz_claim(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib packs");
  deflateEnd(&stream);
  return room - stream.avail_out;
}

/* Twice the same: first whole, then in two parts, one behind the other. */
static void pack(const FuzzInput *input) {
  const TraceOptions options = {.format = TRACE_STD};
  const size_t room = ZSTD_compressBound(input->length) + 1000, half = (input->length - 1) / 2;
  uint8_t *packed = heap_alloc(input->heap, 2 * room);
  char *expected = text_of(input->heap, input->bytes + 1, input->length - 1, &options);
  compare(input->heap, packed, with_gzip(input, packed, room), expected);
  size_t n = ZSTD_compress(packed, room, input->bytes + 1, half, 1);
  n += ZSTD_compress(packed + n, room, input->bytes + 1 + half, input->length - 1 - half, 3);
  compare(input->heap, packed, n, expected);
  heap_release(input->heap, expected);
  heap_release(input->heap, packed);
}

static void body(void *argument) {
  const FuzzInput *input = argument;
  const TraceOptions options = {.format = -1};
  if (input->length > 1 && input->bytes[0] == 'p' && !fuzz_may_be_packed(input->bytes + 1)) pack(input);
  else if (input->length)
    heap_release(input->heap, text_of(input->heap, input->bytes + 1, input->length - 1, &options));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) { return fuzz_run(bytes, length, body); }
