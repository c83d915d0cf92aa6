#include "predict/locks/lock_rivals.h"

#include <assert.h>

void lock_rivals_fini(LockRivals *rivals) {
  pairs_fini(rivals->heap, &rivals->pairs);
  vec_fini(rivals->heap, &rivals->pair_records);
  vec_fini(rivals->heap, &rivals->records);
  vec_fini(rivals->heap, &rivals->things);
}

/* ---- records ---- */

static const RivalSpan NEVER = {UINT32_MAX, 0};

enum {
  NEAR = 4
}; /* records of a thing, the last ones, that are looked through; the others are in the table of pairs */

/* The record's number + 1, or 0. */
static uint32_t find_record(const LockRivals *rivals, uint32_t thing, uint32_t thread) {
  const RivalThing *it = &rivals->things.at[thing];
  uint32_t pair, i = it->last;
  if (it->recent && rivals->records.at[it->recent - 1].thread == thread) return it->recent;
  for (uint32_t n = 0; i && n < NEAR; n++, i = rivals->records.at[i - 1].next)
    if (rivals->records.at[i - 1].thread == thread) return i;
  return i && pairs_find(&rivals->pairs, thing, thread, &pair) ? rivals->pair_records.at[pair] + 1 : 0;
}

/* The record that will be no longer near becomes a pair. */
static void make_room(LockRivals *rivals, uint32_t thing) {
  uint32_t far = rivals->things.at[thing].last;
  for (uint32_t n = 1; far && n < NEAR; n++) far = rivals->records.at[far - 1].next;
  if (!far) return;
  pairs_add(rivals->heap, &rivals->pairs, thing, rivals->records.at[far - 1].thread);
  vec_push(rivals->heap, &rivals->pair_records, far - 1);
}

static uint32_t add_record(LockRivals *rivals, uint32_t thing, uint32_t thread) {
  RivalThing *it = &rivals->things.at[thing];
  const RivalRecord record = {.thread = thread, .next = it->last, .any = NEVER, .writes = NEVER};
  make_room(rivals, thing);
  vec_push(rivals->heap, &rivals->records, record);
  return it->last = rivals->records.n;
}

static RivalRecord *record_of(LockRivals *rivals, uint32_t thing, uint32_t thread) {
  if (thing >= rivals->things.n) vec_resize_zeroed(rivals->heap, &rivals->things, thing + 1);
  const uint32_t known = find_record(rivals, thing, thread), number = known ? known : add_record(rivals, thing, thread);
  rivals->things.at[thing].recent = number;
  return &rivals->records.at[number - 1];
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

void lock_rivals_renumber(LockRivals *rivals, const uint32_t *numbers) {
  LockRivals fresh = {.heap = rivals->heap};
  for (uint32_t thing = 0; thing < rivals->things.n; thing++)
    for (uint32_t i = rivals->things.at[thing].last; i; i = rivals->records.at[i - 1].next) {
      const RivalRecord *record = &rivals->records.at[i - 1];
      lock_rivals_note(&fresh, numbers[thing], record->thread, record->any, false);
      if (record->writes.first <= record->writes.last)
        lock_rivals_note(&fresh, numbers[thing], record->thread, record->writes, true);
    }
  lock_rivals_fini(rivals);
  *rivals = fresh;
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
  for (uint32_t i = rivals->things.at[thing].last; i; i = rivals->records.at[i - 1].next) {
    const RivalRecord *other = &rivals->records.at[i - 1];
    if (other->thread != thread &&
        is_concurrent(order, thread, stage, other->thread, write ? other->any : other->writes))
      return true;
  }
  return false;
}

bool lock_rivals_has(LockRivals *rivals, Strands *order, uint32_t thing, uint32_t thread, uint32_t stage, bool write) {
  const uint32_t number = thing < rivals->things.n ? find_record(rivals, thing, thread) : 0;
  if (!number) return true;
  RivalRecord *record = &rivals->records.at[number - 1];
  rivals->things.at[thing].recent = number;
  if (record->asked == stage + 1) return record->answers[write];
  record->asked = stage + 1;
  record->answers[0] = find(rivals, order, thing, thread, stage, false);
  record->answers[1] = find(rivals, order, thing, thread, stage, true);
  return record->answers[write];
}
