#include "predict/locks/lock_rivals.h"

#include <assert.h>

void lock_rivals_fini(LockRivals *rivals) {
  pairs_fini(rivals->heap, &rivals->pairs);
  vec_fini(rivals->heap, &rivals->records);
  vec_fini(rivals->heap, &rivals->heads);
  vec_fini(rivals->heap, &rivals->recent);
}

/* ---- records ---- */

static const RivalSpan NEVER = {UINT32_MAX, 0};

static RivalRecord *record_of(LockRivals *rivals, uint32_t thing, uint32_t thread) {
  Heap *heap = rivals->heap;
  if (thing >= rivals->heads.n) {
    vec_resize_zeroed(heap, &rivals->heads, thing + 1);
    vec_resize_zeroed(heap, &rivals->recent, thing + 1);
  }
  const uint32_t recent = rivals->recent.at[thing];
  if (recent && rivals->records.at[recent - 1].thread == thread) return &rivals->records.at[recent - 1];
  const uint32_t number = pairs_add(heap, &rivals->pairs, thing, thread);
  rivals->recent.at[thing] = number + 1;
  if (number == rivals->records.n) {
    const RivalRecord record = {.thread = thread, .next = rivals->heads.at[thing], .any = NEVER, .writes = NEVER};
    vec_push(heap, &rivals->records, record);
    rivals->heads.at[thing] = number + 1;
  }
  return &rivals->records.at[number];
}

static void widen(RivalSpan *span, RivalSpan by) {
  if (by.first < span->first) span->first = by.first;
  if (by.last > span->last) span->last = by.last;
}

void lock_rivals_note(LockRivals *rivals, uint32_t thing, uint32_t thread, RivalSpan stages, bool write) {
  assert(stages.first <= stages.last);
  RivalRecord *record = record_of(rivals, thing, thread);
  widen(&record->any, stages);
  if (write) widen(&record->writes, stages);
}

/* ---- rivals ---- */

/* Is there, of those stages of the other thread, one that is neither before nor after this stage? The first that is not
 * before it has the least in its own past. */
static bool is_concurrent(Strands *order, uint32_t thread, uint32_t stage, uint32_t other, RivalSpan span) {
  const uint32_t before = strands_before(order, thread, stage, other);
  const uint32_t first = span.first > before ? span.first : before;
  return span.first <= span.last && first <= span.last && strands_before(order, other, first, thread) <= stage;
}

static bool find(const LockRivals *rivals, Strands *order, uint32_t thing, uint32_t thread, uint32_t stage,
                 bool write) {
  for (uint32_t i = rivals->heads.at[thing]; i; i = rivals->records.at[i - 1].next) {
    const RivalRecord *other = &rivals->records.at[i - 1];
    if (other->thread != thread &&
        is_concurrent(order, thread, stage, other->thread, write ? other->any : other->writes))
      return true;
  }
  return false;
}

bool lock_rivals_has(LockRivals *rivals, Strands *order, uint32_t thing, uint32_t thread, uint32_t stage, bool write) {
  RivalRecord *record = record_of(rivals, thing, thread);
  assert(record->any.first <= record->any.last);
  if (record->asked == stage + 1) return record->answers[write];
  record->asked = stage + 1;
  record->answers[0] = find(rivals, order, thing, thread, stage, false);
  record->answers[1] = find(rivals, order, thing, thread, stage, true);
  return record->answers[write];
}
