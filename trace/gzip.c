#include "trace/packing.h"

#include "base/library.h"

#include <limits.h>
#define ZLIB_CONST
#include <zlib.h>

/* What is used of zlib. Its headers have macros for some. */
#define ZLIB(X)    \
  X(inflateInit2_) \
  X(inflateReset)  \
  X(inflate)       \
  X(inflateEnd)

typedef struct {
  ZLIB(LIBRARY_POINTER)
} Zlib;

typedef struct {
  Heap *heap;
  PackingMemory memory;
  Zlib library;
  z_stream stream;
} Gzip;

static bool load(Zlib *library, Err *err) {
  const LibraryName names[] = {ZLIB(LIBRARY_NAME)};
  return library_load(LIBZ, names, sizeof names / sizeof *names, err);
}

static void *gzip_alloc(void *memory, unsigned count, unsigned size) {
  const PackingMemory *from = memory;
  return size && count > SIZE_MAX / size ? NULL : from->give(from->owner, (size_t)count * size);
}

static void gzip_release(void *memory, void *piece) {
  const PackingMemory *from = memory;
  from->take(from->owner, piece);
}

static void *gzip_open(Heap *heap, const PackingMemory *memory, Err *err) {
  Zlib library;
  if (!load(&library, err)) return NULL;
  Gzip *gzip = heap_zeroed(heap, sizeof *gzip);
  gzip->heap = heap;
  gzip->memory = *memory;
  gzip->library = library;
  gzip->stream = (z_stream){.zalloc = gzip_alloc, .zfree = gzip_release, .opaque = &gzip->memory};
  if (library.inflateInit2_(&gzip->stream, 16 + MAX_WBITS, ZLIB_VERSION, (int)sizeof gzip->stream) == Z_OK) return gzip;
  heap_release(heap, gzip);
  heap_pass_on(heap);
}

static void gzip_close(void *state) {
  Gzip *gzip = state;
  gzip->library.inflateEnd(&gzip->stream);
  heap_release(gzip->heap, gzip);
}

static unsigned clipped(size_t n) { return n < UINT_MAX ? (unsigned)n : UINT_MAX; }

static const char *gzip_step(void *state, PackingStep *step, bool *whole) {
  Gzip *gzip = state;
  z_stream *stream = &gzip->stream;
  const unsigned n_in = clipped(step->n_in), n_out = clipped(step->n_out);
  if (*whole) gzip->library.inflateReset(stream);
  stream->next_in = (const Bytef *)step->in;
  stream->avail_in = n_in;
  stream->next_out = (Bytef *)step->out;
  stream->avail_out = n_out;
  const int result = gzip->library.inflate(stream, Z_NO_FLUSH);
  if (result == Z_MEM_ERROR) return PACKING_NO_MEMORY;
  if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) return "the gzip data is damaged";
  *step = (PackingStep){step->in + (n_in - stream->avail_in), step->n_in - (n_in - stream->avail_in),
                        step->out + (n_out - stream->avail_out), step->n_out - (n_out - stream->avail_out)};
  *whole = result == Z_STREAM_END;
  return NULL;
}

const Packing GZIP = {"\x1f\x8b", gzip_open, gzip_step, gzip_close};
