#include "tests/fuzz/fuzz.h"

#include "tests/unit/random_run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_claim(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "this does not hold: %s\n", what);
  abort();
}

int fuzz_run(const uint8_t *bytes, size_t length, void (*body)(void *input)) {
  uint8_t *copy = calloc(length + 1, 1);
  FuzzInput input = {heap_new((size_t)64 << 20), copy, length};
  fuzz_claim(copy && input.heap, "there is memory for the test itself");
  if (length) memcpy(copy, bytes, length);
  if (heap_try(input.heap, body, &input)) fuzz_claim(heap_used(input.heap) == 0, "all memory is given back");
  heap_free(input.heap);
  free(copy);
  return 0;
}

const char *fuzz_path(const void *bytes, size_t length) {
  static char path[32];
  static int file = -1;
  if (file < 0) file = memfd_create("input", 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  const bool good = file >= 0 && ftruncate(file, 0) == 0 && pwrite(file, bytes, length, 0) == (ssize_t)length;
  fuzz_claim(good, "the input can be put into a file");
  return path;
}

/* The bytes as the heap's, which frees them whatever happens; `bytes` is malloc'd. */
static char *into_heap(Heap *heap, char *bytes, size_t length) {
  char *copy = heap_alloc_or_null(heap, length + 1);
  if (copy) memcpy(copy, bytes, length + 1);
  free(bytes);
  if (!copy) heap_pass_on(heap);
  return copy;
}

/* ---- nets ---- */

/* What is written of the net. */
static char *written(Heap *heap, const Net *net, bool (*write)(const Net *net, FILE *out), size_t *length) {
  char *text = NULL;
  FILE *out = open_memstream(&text, length);
  fuzz_claim(write(net, out) && fclose(out) == 0, "a net can be written");
  return into_heap(heap, text, *length);
}

void fuzz_net(Heap *heap, const Net *net, bool (*write)(const Net *net, FILE *out), FuzzReadNet *read) {
  Err err = {.text = ""};
  size_t length, length_again;
  fuzz_claim(net_audit(net, &err), err.text);
  char *text = written(heap, net, write, &length);
  Net *again = read(heap, (const uint8_t *)text, length, &err);
  fuzz_claim(again, err.text);
  char *text_again = written(heap, again, write, &length_again);
  const bool same = length == length_again && memcmp(text, text_again, length) == 0;
  fuzz_claim(same, "the net that is read is the one that was written");
  net_free(again);
  heap_release(heap, text);
  heap_release(heap, text_again);
}

/* ---- runs ---- */

typedef struct {
  Heap *heap;
  const char *path;
  TraceFormat format;
  FILE *out;
  bool good;  /* the run can be read, and said in its format */
  char *text; /* what was written; the heap's */
  size_t length;
} Rewriting;

/* Reads the run and writes it in the same format. */
static void rewrite_body(void *argument) {
  Rewriting *w = argument;
  const TraceOptions options = {.format = (int)w->format};
  const TraceEvent *events;
  uint32_t n = 1;
  Err err;
  TraceReader *reader = trace_open(w->heap, w->path, &options, &err);
  if (!reader) return;
  TraceWriter *writer = trace_writer_new(w->heap, w->out, w->format, trace_names(reader));
  bool good = true;
  while (n && (good = trace_next(reader, &events, &n, &err))) trace_write(writer, events, n);
  w->good = trace_writer_end(writer, &err) && good;
  trace_close(reader);
}

static void rewrite(Rewriting *w) {
  char *text = NULL;
  w->out = open_memstream(&text, &w->length);
  const bool came_back = heap_try(w->heap, rewrite_body, w);
  fclose(w->out);
  if (came_back && w->good) {
    w->text = into_heap(w->heap, text, w->length);
    return;
  }
  free(text);
  if (!came_back) heap_pass_on(w->heap);
}

char *fuzz_run_text(Heap *heap, const char *path, const TraceOptions *options, Err *err) {
  char *text = run_text(heap, path, options, NULL, err);
  return text ? into_heap(heap, text, strlen(text)) : NULL;
}

static char *text_of(Heap *heap, const char *path, const TraceOptions *options) {
  Err err = {.text = ""};
  char *text = fuzz_run_text(heap, path, options, &err);
  fuzz_claim(text, err.text);
  return text;
}

bool fuzz_may_be_packed(const uint8_t *bytes) { return *bytes == 0x1f || *bytes == 0x28; }

/* Lines that are wrong are skipped; nothing else can be wrong in a text. */
static void read_leniently(Heap *heap, const char *path, TraceFormat format) {
  const TraceOptions options = {.format = (int)format, .lenient = true};
  heap_release(heap, text_of(heap, path, &options));
}

void fuzz_trace(const FuzzInput *input, TraceFormat format) {
  const TraceOptions options = {.format = (int)format};
  Heap *heap = input->heap;
  Rewriting w = {.heap = heap, .path = fuzz_path(input->bytes, input->length), .format = format};
  if (format != TRACE_BINARY && !fuzz_may_be_packed(input->bytes)) read_leniently(heap, w.path, format);
  rewrite(&w);
  if (!w.good) return;
  char *text = text_of(heap, w.path, &options);
  char *again = text_of(heap, fuzz_path(w.text, w.length), &options);
  fuzz_claim(strcmp(text, again) == 0, "the run that is read is the one that was written");
  heap_release(heap, text);
  heap_release(heap, again);
  heap_release(heap, w.text);
}
