#include "trace/packing.h"

#include "base/library.h"

#define ZSTD_STATIC_LINKING_ONLY /* for ZSTD_customMem */
#include <zstd.h>
#include <zstd_errors.h>

/* What is used of libzstd. */
#define LIBRARY(X)            \
  X(ZSTD_createDCtx_advanced) \
  X(ZSTD_freeDCtx)            \
  X(ZSTD_decompressStream)    \
  X(ZSTD_isError)             \
  X(ZSTD_getErrorCode)

typedef struct {
  LIBRARY(LIBRARY_POINTER)
} Library;

typedef struct {
  Heap *heap;
  Library library;
  ZSTD_DCtx *context;
} Zstd;

static bool load(Library *library, Err *err) {
  const LibraryName names[] = {LIBRARY(LIBRARY_NAME)};
  return library_load(LIBZSTD, names, sizeof names / sizeof *names, err);
}

static void *zstd_open(Heap *heap, const PackingMemory *memory, Err *err) {
  Library library;
  if (!load(&library, err)) return NULL;
  Zstd *zstd = heap_zeroed(heap, sizeof *zstd);
  zstd->heap = heap;
  zstd->library = library;
  zstd->context = library.ZSTD_createDCtx_advanced((ZSTD_customMem){memory->give, memory->take, memory->owner});
  if (zstd->context) return zstd;
  heap_release(heap, zstd);
  heap_pass_on(heap);
}

static void zstd_close(void *state) {
  Zstd *zstd = state;
  zstd->library.ZSTD_freeDCtx(zstd->context);
  heap_release(zstd->heap, zstd);
}

static const char *what_is_wrong(const Zstd *zstd, size_t result) {
  const ZSTD_ErrorCode code = zstd->library.ZSTD_getErrorCode(result);
  if (code == ZSTD_error_memory_allocation) return PACKING_NO_MEMORY;
  return code == ZSTD_error_frameParameter_windowTooLarge ? "the zstd data is packed with a window of more than 128 MB"
                                                          : "the zstd data is damaged";
}

static const char *zstd_step(void *state, PackingStep *step, bool *whole) {
  Zstd *zstd = state;
  ZSTD_inBuffer in = {step->in, step->n_in, 0};
  ZSTD_outBuffer out = {step->out, step->n_out, 0};
  const size_t result = zstd->library.ZSTD_decompressStream(zstd->context, &out, &in);
  if (zstd->library.ZSTD_isError(result)) return what_is_wrong(zstd, result);
  *step = (PackingStep){step->in + in.pos, step->n_in - in.pos, step->out + out.pos, step->n_out - out.pos};
  *whole = result == 0;
  return NULL;
}

const Packing ZSTD = {"\x28\xb5\x2f\xfd", zstd_open, zstd_step, zstd_close};
