#include "record/loops.h"

#include <string.h>

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

/* Has it gone round three times, with the same steps? Of a short period more is to be seen: what comes three times by
 * chance is no loop. */
enum { EVIDENCE = 6 };
static bool has_come_often(const Thread *t, uint32_t period) {
  const uint32_t n = 3 * period < EVIDENCE ? EVIDENCE : 3 * period;
  if (!t->chunk || t->at - t->chunk < (ptrdiff_t)n + 2) return false;
  for (const uint64_t *at = t->at - n, *end = t->at - 2 * (ptrdiff_t)period; at < end; at++)
    if (at[0] - 2 * at[period] + at[2 * period]) return false;
  return are_plain(t, n);
}

/* The address of the word; `far` from it the step is. False: it might leave the region, or a line in between. */
static bool set_access(const Thread *t, LoopAccess *next, uint64_t word, uint64_t step) {
  const uint64_t in_region = (UINT64_C(1) << RAW_OFFSET_BITS) - 1;
  const int64_t far = (int64_t)step >> RAW_ADDRESS_SHIFT;
  const uintptr_t last =
      (uintptr_t)t->region[word >> RAW_REGION_SHIFT] << RAW_OFFSET_BITS | (word >> RAW_ADDRESS_SHIFT & in_region);
  const uintptr_t code = t->code << RAW_CODE_BITS | (word >> RAW_KIND_BITS & ((1u << RAW_CODE_BITS) - 1));
  next->address = last + (uint64_t)far;
  next->step = (uint64_t)far;
  next->callers = LOOP_UNTOLD;
  next->line = UINTPTR_MAX;
  next->key = loops_key((RawKind)(word & ((1u << RAW_KIND_BITS) - 1)), code);
  const uint32_t in_piece = (1u << (kind_of(word) - RAW_READ) % RAW_SIZES) - 1;
  return !((last | (uint64_t)far) & in_piece) &&
         (last ^ (last + (uint64_t)far * (RAW_LOOP_MOST + 1))) >> RAW_OFFSET_BITS == 0;
}

/* The word with which the loop has come first: the one that was waited for, `before`, or one before it that was of the
 * loop already. */
static uint64_t first_word(const Thread *t, const uint64_t *before, uint32_t period) {
  const uint64_t *first = before, *least = t->at - 4 * (ptrdiff_t)period;
  if (least <= t->chunk) least = t->chunk + 1;
  while (first > least && !((first[-1] ^ first[period - 1]) & LOOPS_CODES)) first--;
  return *first;
}

/* The words before t->at are rounds of a loop with which the word goes on. False: they are not. */
static bool find_loop(const Thread *t, uint64_t word, uint32_t period, LoopAccess *next) {
  const uint64_t *last = t->at - period, *before = last - period;
  if (!has_come_often(t, period) || word - last[0] != last[0] - before[0]) return false;
  for (uint32_t i = 0; i < period; i++) {
    const uint64_t step = last[i] - before[i];
    if (step & LOOPS_CODES || !set_access(t, &next[i], last[i], step)) return false;
  }
  return true;
}

/* The place of the loop that was counted last which is of the word's code, or as many as it has places. */
static uint32_t place_of(const Thread *t, uint64_t word) {
  LoopAccess access;
  uint32_t place = 0;
  set_access(t, &access, word, 0);
  while (place < t->loop.period && t->loop.next[place].key != access.key) place++;
  return place;
}

/* The words before t->at are one round of that loop: its RAW_LOOP's turn then; 0: they are not. What atomic_is_idle
 * looks at has to tell by itself what it is. */
static uint32_t find_again(const Thread *t, uint64_t word, LoopAccess *next) {
  const Loop *l = &t->loop;
  const uint64_t *round = t->at - l->period;
  if (!are_plain(t, l->period) || (t->spin.chunk == t->chunk[0] && t->at - t->spin.end < SPIN_WORDS)) return 0;
  const uint32_t place = place_of(t, round[0]);
  for (uint32_t i = 0; i < l->period; i++) {
    const LoopAccess *known = &l->next[(place + i) % l->period];
    if (!set_access(t, &next[i], round[i], (uint64_t)known->step << RAW_ADDRESS_SHIFT)) return 0;
    if (next[i].key != known->key) return 0;
  }
  return word - round[0] == (uint64_t)next[0].step << RAW_ADDRESS_SHIFT ? place + 1 : 0;
}

bool loops_begin(Thread *t, uint64_t word, uint32_t period) {
  enum { LEAST_AGAIN = 3 }; /* likewise for a period after which the last loop goes on */
  LoopAccess next[RAW_PERIODS];
  Loop *l = &t->loop;
  if (!period || t->at == t->end) return false;
  const uint32_t turn = l->again && period == l->period && period >= LEAST_AGAIN ? find_again(t, word, next) : 0;
  if (!turn && !find_loop(t, word, period, next)) return false;
  l->anchor = first_word(t, turn ? t->at - period : t->at - 2 * period, period); /* it is seen sooner the next time */
  l->period = period;
  l->left = RAW_LOOP_MOST / period;
  l->now = l->next;
  l->end = l->next + period;
  memcpy(l->next, next, period * sizeof *next);
  thread_push(t, raw_loop(period, 1) | raw_turn(turn));
  l->at = t->at;
  l->again = true;
  loops_go_on(t);
  return true;
}
