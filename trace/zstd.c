#include "trace/packing.h"

#define ZSTD_STATIC_LINKING_ONLY /* for ZSTD_customMem */
#include <zstd.h>

typedef struct {
  Heap *heap;
  ZSTD_DCtx *context;
} Zstd;

static void *zstd_alloc(void *heap, size_t size) { return heap_alloc(heap, size); }
static void zstd_release(void *heap, void *piece) { heap_release(heap, piece); }

static void *zstd_open(Heap *heap) {
  Zstd *zstd = heap_zeroed(heap, sizeof *zstd);
  zstd->heap = heap;
  zstd->context = ZSTD_createDCtx_advanced((ZSTD_customMem){zstd_alloc, zstd_release, heap});
  if (!zstd->context) heap_give_up(heap);
  return zstd;
}

static void zstd_close(void *state) {
  Zstd *zstd = state;
  ZSTD_freeDCtx(zstd->context);
  heap_release(zstd->heap, zstd);
}

static bool zstd_step(void *state, PackingStep *step, bool *whole) {
  Zstd *zstd = state;
  ZSTD_inBuffer in = {step->in, step->n_in, 0};
  ZSTD_outBuffer out = {step->out, step->n_out, 0};
  const size_t result = ZSTD_decompressStream(zstd->context, &out, &in);
  if (ZSTD_isError(result)) return false;
  *step = (PackingStep){step->in + in.pos, step->n_in - in.pos, step->out + out.pos, step->n_out - out.pos};
  *whole = result == 0;
  return true;
}

const Packing ZSTD = {"zstd", "\x28\xb5\x2f\xfd", zstd_open, zstd_step, zstd_close};
