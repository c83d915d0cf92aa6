#include "predict/analysis/progress.h"

#include <assert.h>

/* The steps of a transaction that are of a lock that several lives use, or are named: held[i] are the locks before step
 * i. */
typedef struct {
  VEC(LockSetId) held;
  uint32_t n;
  uint32_t first, last;
} Line;

static void add_step(Shapes *shapes, Line *line, LockSetId after) {
  vec_push(shapes->heap, &line->held, after);
  line->n++;
}

static void add_lock(Shapes *shapes, Line *line, const Step *step) {
  const LockSetId held = vec_last(&line->held);
  if (shapes_lock_is_private(shapes, step->id)) return;
  add_step(shapes, line,
           step->kind == STEP_ACQUIRE ? locksets_add(&shapes->locksets, held, step->id)
                                      : locksets_remove(&shapes->locksets, held, step->id));
}

static Line line_of(Shapes *shapes, const ProgressLine *of) {
  Line line = {.n = 0};
  vec_push(shapes->heap, &line.held, LOCKSET_EMPTY);
  if (!of->shape) add_step(shapes, &line, LOCKSET_EMPTY);
  for (uint32_t i = 0; of->shape && i < of->shape->n; i++) {
    const Step *step = &of->shape->steps[i];
    assert(step->kind != STEP_STAGE);
    if (step->kind != STEP_ACCESS) add_lock(shapes, &line, step);
    if (i == of->first) line.first = line.n;
    if (i == of->last) line.last = line.n;
    if (i == of->first || i == of->last) add_step(shapes, &line, vec_last(&line.held));
  }
  return line;
}

/* May `inner` do its step j after i steps of `outer`? */
static bool is_in_order(const Line *outer, const Line *inner, uint32_t i, uint32_t j, bool crossing) {
  if (j == (crossing ? inner->last : inner->first) && i <= outer->first) return false;
  return j != (crossing ? inner->first : inner->last) || i <= outer->last;
}

/* From the points of the row before, where `outer` had done a step less, those of row i; at first: from the start. */
static bool find_row(Shapes *shapes, const Line *outer, const Line *inner, uint32_t i, bool crossing, bool *row) {
  bool some = false;
  for (uint32_t j = 0; j <= inner->n; j++) {
    if (j && row[j - 1] && is_in_order(outer, inner, i, j - 1, crossing)) row[j] = true;
    row[j] = row[j] && locksets_disjoint(&shapes->locksets, outer->held.at[i], inner->held.at[j]);
    some = some || row[j];
  }
  return some;
}

bool progress_allows(Shapes *shapes, ProgressLine outer, ProgressLine inner, bool crossing, uint64_t *budget) {
  Heap *heap = shapes->heap;
  Line a = line_of(shapes, &outer), b = line_of(shapes, &inner);
  const uint64_t row_points = (uint64_t)b.n + 1;
  bool *row = heap_zeroed(heap, heap_product(heap, row_points, sizeof *row));
  bool some = true;
  row[0] = true;
  for (uint32_t i = 0; some && i <= a.n; i++) {
    heap_poll(heap);
    some = *budget >= row_points && find_row(shapes, &a, &b, i, crossing, row);
    *budget -= *budget >= row_points ? row_points : *budget;
  }
  some = some && row[b.n];
  heap_release(heap, row);
  vec_fini(heap, &a.held);
  vec_fini(heap, &b.held);
  return some;
}
