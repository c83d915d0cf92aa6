/* Each local configuration is walked anew. The order is that of J. Esparza, S. Roemer, W. Vogler, "An improvement of McMillan's
 * unfolding algorithm" (2002), taken from the definition: both Parikh vectors, and both normal forms, are written down and
 * compared. Event 0 is in every past and counts for nothing. */
#include "check/past.h"

#include <stdlib.h>

void past_init(Past *past, const Process *process) {
  *past = (Past){.process = process};
  past->marked = heap_zeroed(process->heap, heap_product(process->heap, process->net->n_places, sizeof *past->marked));
}

void past_fini(Past *past) {
  Heap *heap = past->process->heap;
  vec_fini(heap, &past->seen);
  vec_fini(heap, &past->consumed);
  vec_fini(heap, &past->events);
  vec_fini(heap, &past->other_events);
  vec_fini(heap, &past->word);
  vec_fini(heap, &past->other_word);
  heap_release(heap, past->marked);
}

/* ---- walking ---- */

static void take_preset(Past *past, uint32_t e, U32Vec *events) {
  const Process *process = past->process;
  const uint32_t *pre = process->pool.at + process->events.at[e].pre, n = process_n_pre(process, e);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t producer = process->conditions.at[pre[i]].producer;
    past->consumed.at[pre[i]] = past->round;
    if (!producer || past->seen.at[producer] == past->round) continue;
    past->seen.at[producer] = past->round;
    vec_push(process->heap, events, producer);
  }
}

/* Fills `events` with the local configuration of e, in any order, and begins a round, in which it takes its conditions. */
static void walk(Past *past, uint32_t e, U32Vec *events) {
  const Process *process = past->process;
  vec_resize_zeroed(process->heap, &past->seen, process->events.n);
  vec_resize_zeroed(process->heap, &past->consumed, process->conditions.n);
  past->round++;
  vec_clear(events);
  if (e) vec_push(process->heap, events, e);
  for (uint32_t i = 0; i < events->n; i++) take_preset(past, events->at[i], events);
}

/* ---- markings ---- */

/* Visits the tokens that event e of the configuration just walked leaves: those on places marked in the round `old` are
 * counted, and all are marked in this one. */
static uint32_t leave_tokens(Past *past, uint32_t e, uint32_t old, uint32_t *n_tokens) {
  const Process *process = past->process;
  const uint32_t end = process_post_end(process, e);
  uint32_t n_common = 0;
  for (uint32_t c = process->events.at[e].post; c < end; c++) {
    if (past->consumed.at[c] == past->round) continue;
    uint32_t *marked = &past->marked[process->conditions.at[c].place];
    n_common += *marked == old;
    *marked = past->round;
    ++*n_tokens;
  }
  return n_common;
}

/* Marks the places of the marking after the configuration just walked, *n_tokens of them, in this round; returns how many
 * of them were marked in the round `old`. */
static uint32_t mark(Past *past, const U32Vec *events, uint32_t old, uint32_t *n_tokens) {
  *n_tokens = 0;
  uint32_t n_common = leave_tokens(past, 0, old, n_tokens);
  for (uint32_t i = 0; i < events->n; i++) n_common += leave_tokens(past, events->at[i], old, n_tokens);
  return n_common;
}

/* Walks both, and compares where they lead. No place has two tokens. */
static bool same_marking(Past *past, uint32_t event, uint32_t other) {
  uint32_t n_tokens, n_other;
  walk(past, event, &past->events);
  const uint32_t round = past->round;
  mark(past, &past->events, PROCESS_NONE, &n_tokens);
  walk(past, other, &past->other_events);
  return mark(past, &past->other_events, round, &n_other) == n_tokens && n_other == n_tokens;
}

/* ---- the order ---- */

static int ascending(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The transitions of the events, ascending; with levels, by their level first, which is then the upper half. */
static const uint64_t *write_word(const Past *past, const U32Vec *events, bool levels, uint64_t *word) {
  for (uint32_t i = 0; i < events->n; i++) {
    const ProcessEvent *event = &past->process->events.at[events->at[i]];
    word[i] = (levels ? (uint64_t)event->depth << 32 : 0) | event->trans.v;
  }
  qsort(word, events->n, sizeof *word, ascending);
  return word;
}

static uint32_t level_length(const uint64_t *word, uint32_t from, uint32_t n) {
  uint32_t i = from;
  while (i < n && word[i] >> 32 == word[from] >> 32) i++;
  return i - from;
}

/* Compares two words of n transitions each, level by level: the shorter level is smaller, of two of one length the
 * lexicographically smaller one. A configuration has an event of every level up to its last, so up to where two differ, their
 * levels begin at the same letters. Without levels, the whole word is one. */
static int compare_words(const uint64_t *a, const uint64_t *b, uint32_t n) {
  for (uint32_t from = 0; from < n;) {
    const uint32_t length = level_length(a, from, n), other_length = level_length(b, from, n);
    if (length != other_length) return length < other_length ? -1 : 1;
    for (const uint32_t end = from + length; from < end; from++)
      if (a[from] != b[from]) return a[from] < b[from] ? -1 : 1;
  }
  return 0;
}

/* Compares the two configurations, of one size. */
static int compare_pasts(Past *past) {
  const uint32_t n = past->events.n;
  vec_clear(&past->word);
  vec_clear(&past->other_word);
  vec_reserve(past->process->heap, &past->word, n);
  vec_reserve(past->process->heap, &past->other_word, n);
  int result = 0;
  for (int levels = 0; levels < 2 && !result; levels++) {
    const uint64_t *word = write_word(past, &past->events, levels, past->word.at);
    const uint64_t *other = write_word(past, &past->other_events, levels, past->other_word.at);
    result = compare_words(word, other, n);
  }
  return result;
}

bool past_check_cutoff(Past *past, uint32_t event, uint32_t other, PastOrder order, Err *err) {
  const char *name = past->process->net->trans_name[past->process->events.at[event].trans.v];
  if (!same_marking(past, event, other))
    return err_set(err, ERR_CHECK, "event %u ('%.200s') is no cut-off because of %u: it leads to another marking", event, name,
                   other);
  const uint32_t size = past->events.n, other_size = past->other_events.n;
  if (other_size < size || (other_size == size && order == PAST_ERV && compare_pasts(past) > 0)) return true;
  return err_set(err, ERR_CHECK, "event %u ('%.200s') is no cut-off because of %u: that one, with its causes, is not smaller",
                 event, name, other);
}
