/* watch.c: the limit of time, in place of libcausal/watch.c: there are no threads here, so that the work itself looks
 * at the clock, wherever it asks whether it should end or allocates. The linker leads such calls here (--wrap). */
#include "libcausal/watch.h"

#include "base/heap.h"

#include <time.h>

/* Whoever was asked to stop has that long to tell what he knows. */
#define GRACE_SECONDS 0.1

static Watch *watched; /* of the one question that is asked at a time */
static double end;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

bool watch_begin(Watch *watch, double seconds, const CausalStop *asked) {
  (void)asked; /* nobody is there to ask */
  *watch = (Watch){.stop = {.seconds = seconds}};
  watched = seconds > 0 ? watch : NULL;
  end = now() + seconds;
  return true;
}

void watch_end(Watch *watch) {
  (void)watch;
  watched = NULL;
}

static void look(void) {
  if (!watched) return;
  const double time = now();
  if (time >= end && watched->stop.asked == STOP_NOT) watched->stop.asked = STOP_TIME;
  if (time >= end + GRACE_SECONDS) watched->stop.due = 1;
}

/* Allocations are frequent, and the clock is slow. */
static void look_at_times(void) {
  static unsigned n;
  if (++n % 64 == 0) look();
}

StopReason __real_heap_asked(const Heap *heap);
StopReason __wrap_heap_asked(const Heap *heap);
void __real_heap_poll(Heap *heap);
void __wrap_heap_poll(Heap *heap);
void __real_heap_poll_asked(Heap *heap);
void __wrap_heap_poll_asked(Heap *heap);
void *__real_heap_alloc(Heap *heap, size_t size);
void *__wrap_heap_alloc(Heap *heap, size_t size);
void *__real_heap_zeroed(Heap *heap, size_t size);
void *__wrap_heap_zeroed(Heap *heap, size_t size);
void *__real_heap_resize(Heap *heap, void *piece, size_t size);
void *__wrap_heap_resize(Heap *heap, void *piece, size_t size);

StopReason __wrap_heap_asked(const Heap *heap) {
  look();
  return __real_heap_asked(heap);
}

void __wrap_heap_poll(Heap *heap) {
  look_at_times();
  __real_heap_poll(heap);
}

void __wrap_heap_poll_asked(Heap *heap) {
  look();
  __real_heap_poll_asked(heap);
}

void *__wrap_heap_alloc(Heap *heap, size_t size) {
  look_at_times();
  return __real_heap_alloc(heap, size);
}

void *__wrap_heap_zeroed(Heap *heap, size_t size) {
  look_at_times();
  return __real_heap_zeroed(heap, size);
}

void *__wrap_heap_resize(Heap *heap, void *piece, size_t size) {
  look_at_times();
  return __real_heap_resize(heap, piece, size);
}
