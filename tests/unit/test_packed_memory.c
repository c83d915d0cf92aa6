/* zlib and libzstd get their memory from the heap. Where it is used up they are told, and hold nothing that was
 * freed before: what was read until then is given back, under the sanitizers, too. */
#include "trace/trace.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

typedef struct {
  const char *path;
  Heap *heap;
  uint64_t n_events;
  bool good;
} Reading;

static char path[64];

static int make_file(void) {
  strcpy(path, "/tmp/causal-packed-XXXXXX");
  const int file = mkstemp(path);
  if (file >= 0) close(file);
  return file < 0;
}

static int remove_file(void) { return unlink(path); }

static void read_all(void *argument) {
  Reading *reading = argument;
  const TraceOptions options = {.format = -1};
  const TraceEvent *events;
  Err err;
  uint32_t n = 1;
  TraceReader *reader = trace_open(reading->heap, reading->path, &options, &err);
  while (reader && n && (reading->good = trace_next(reader, &events, &n, &err))) reading->n_events += n;
  trace_close(reader);
}

/* ---- frames of zstd, made by hand ---- */

typedef enum { RAW, RUN } Block;

/* A frame with a window of 2^(10 + window) bytes. */
static void put_header(FILE *out, unsigned window) {
  fwrite((char[]){0x28, (char)0xb5, 0x2f, (char)0xfd, 0, (char)(window << 3)}, 1, 6, out);
}

static void put_block(FILE *out, Block kind, bool last, const char *bytes, uint32_t n) {
  const uint32_t head = (uint32_t)last | (uint32_t)kind << 1 | n << 3;
  fwrite((char[]){(char)head, (char)(head >> 8), (char)(head >> 16)}, 1, 3, out);
  fwrite(bytes, 1, kind == RUN ? 1 : n, out);
}

static void put_text(FILE *out, unsigned window, const char *text) {
  put_header(out, window);
  put_block(out, RAW, true, text, (uint32_t)strlen(text));
}

/* A frame with a small window, then one with a large one, for which libzstd frees its buffers and asks for larger
 * ones; a comment. */
static void make_frames(void) {
  static const char EVENT[] = "T1|w(x)|1\n#";
  FILE *out = fopen(path, "wb");
  put_text(out, 0, "T1|r(x)|1\n");
  put_header(out, 14);
  put_block(out, RAW, false, EVENT, sizeof EVENT - 1);
  for (int i = 0; i < 4; i++) put_block(out, RUN, i == 3, "a", 100000);
  put_text(out, 5, "\nT1|r(y)|1\n");
  fclose(out);
}

static void make_gzip(void) {
  gzFile out = gzopen(path, "wb");
  gzputs(out, "T1|r(x)|1\nT1|w(x)|1\n#");
  for (int i = 0; i < 300000; i++) gzputc(out, 'a');
  gzputs(out, "\nT1|r(y)|1\n");
  gzclose(out);
}

/* ---- memory ends ---- */

static void each_allocation_fails(void) {
  bool done = false;
  for (uint64_t nth = 1; !done; nth++) {
    Reading reading = {.path = path, .heap = heap_new(0)};
    heap_fail_at(reading.heap, nth);
    done = heap_try(reading.heap, read_all, &reading);
    CU_ASSERT(!done || (reading.good && reading.n_events == 3 && heap_used(reading.heap) == 0));
    heap_free(reading.heap);
  }
}

static void each_limit(void) {
  bool done = false;
  for (size_t limit = 20000; !done; limit += limit / 7) {
    Reading reading = {.path = path, .heap = heap_new(limit)};
    done = heap_try(reading.heap, read_all, &reading);
    CU_ASSERT(!done || (reading.good && reading.n_events == 3));
    heap_free(reading.heap);
  }
}

static void zstd_is_told(void) {
  make_frames();
  each_allocation_fails();
  each_limit();
}

static void zlib_is_told(void) {
  make_gzip();
  each_allocation_fails();
  each_limit();
}

/* Twenty bytes do not get two gigabytes. */
static void large_windows_are_refused(void) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  const TraceOptions options = {.format = -1};
  FILE *out = fopen(path, "wb");
  put_text(out, 21, "T1|r(x)|1\n");
  fclose(out);
  CU_ASSERT_PTR_NULL(trace_open(heap, path, &options, &err));
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ": the zstd data is packed with a window of more than 128 MB"));
  CU_ASSERT_TRUE(heap_peak(heap) < 2 << 20);
  heap_free(heap);
}

void suite_packed_memory(void);
void suite_packed_memory(void) {
  CU_pSuite suite = CU_add_suite("packed_memory", make_file, remove_file);
  CU_ADD_TEST(suite, zstd_is_told);
  CU_ADD_TEST(suite, zlib_is_told);
  CU_ADD_TEST(suite, large_windows_are_refused);
}
