#include "record/loops.h"

static uint32_t kind_of(uint64_t word) { return word & ((1u << RAW_KIND_BITS) - 1); }

static bool is_plain(uint64_t word) { return kind_of(word) && kind_of(word) < RAW_READ_RANGE; }

/* May a second word come after this one, which may also be one itself? */
static bool may_have_second(uint64_t word) { return !is_plain(word) && kind_of(word) != RAW_LOOP; }

/* Are the words before t->at plain accesses, so many, and in the chunk? */
static bool are_plain(const Thread *t, uint32_t n) {
  if (!t->chunk || t->at - t->chunk < (ptrdiff_t)n + 2 || may_have_second(t->at[-(int)n - 1])) return false;
  for (uint32_t i = 1; i <= n; i++)
    if (!is_plain(t->at[-(int)i])) return false;
  return true;
}

/* A short period is to be seen more often than twice: what comes three times by chance is no loop. */
enum { EVIDENCE = 6 };
static bool has_come_often(const Thread *t, uint32_t period) {
  uint32_t n = 2 * period;
  if (!are_plain(t, n < EVIDENCE ? EVIDENCE : n)) return false;
  for (const uint64_t *at = t->at - n; n < EVIDENCE; n++, at--)
    if (at[-1] - 2 * at[(int)period - 1] + at[2 * (int)period - 1]) return false;
  return true;
}

/* The address of the word; `far` from it the step is. False: it might leave the region. */
static bool set_access(const Thread *t, LoopAccess *next, uint64_t word, uint64_t step) {
  const uint64_t in_region = (UINT64_C(1) << RAW_OFFSET_BITS) - 1;
  const int64_t far = (int64_t)step >> RAW_ADDRESS_SHIFT;
  const uintptr_t last =
      (uintptr_t)t->region[word >> RAW_REGION_SHIFT] << RAW_OFFSET_BITS | (word >> RAW_ADDRESS_SHIFT & in_region);
  const uintptr_t code = t->code << RAW_CODE_BITS | (word >> RAW_KIND_BITS & ((1u << RAW_CODE_BITS) - 1));
  next->address = last + (uint64_t)far;
  next->step = (uint64_t)far;
  next->key = loops_key((RawKind)(word & ((1u << RAW_KIND_BITS) - 1)), code);
  return (last ^ (last + (uint64_t)far * (RAW_LOOP_MOST + 1))) >> RAW_OFFSET_BITS == 0;
}

/* The word with which the loop has come first: the one that was waited for, `before`, or one before it that was of the
 * loop already. */
static uint64_t first_word(const Thread *t, const uint64_t *before, uint32_t period) {
  const uint64_t *first = before, *least = t->at - 4 * (ptrdiff_t)period;
  if (least <= t->chunk) least = t->chunk + 1;
  while (first > least && !((first[-1] ^ first[period - 1]) & LOOPS_CODES)) first--;
  return *first;
}

bool loops_begin(Thread *t, uint64_t word, uint32_t period) {
  const uint64_t *last = t->at - period, *before = last - period;
  Loop *l = &t->loop;
  if (!period || t->at == t->end || !has_come_often(t, period) || word - last[0] != last[0] - before[0]) return false;
  for (uint32_t i = 0; i < period; i++) {
    const uint64_t step = last[i] - before[i];
    if (step & LOOPS_CODES || !set_access(t, &l->next[i], last[i], step)) return false;
  }
  l->anchor = first_word(t, before, period); /* so it is seen sooner when it begins again */
  l->period = period;
  l->place = l->n = 0;
  thread_push(t, raw_loop(period, 1));
  l->at = t->at;
  loops_count(t);
  return true;
}
