/* The order is that of J. Esparza, S. Roemer, W. Vogler, "An improvement of McMillan's unfolding algorithm" (2002):
 * both Parikh vectors, and both normal forms, are written down and compared. Event 0 is in every past and counts for
 * nothing.
 *
 * What both configurations have weighs the same on either side, in size, marking, Parikh vector and level by level,
 * because the level of an event depends on its own causes alone. So only the events that one of them has are looked at.
 * Causes have smaller numbers: events are taken in descending order until all that are still to be taken are known to
 * be in both. */
#include "check/past.h"

#include <stdlib.h>

enum { BOTH = 3 };

void past_init(Past *past, const Process *process) {
  *past = (Past){.process = process};
  past->balance = heap_alloc(process->heap, heap_product(process->heap, process->net->n_places, sizeof *past->balance));
}

void past_fini(Past *past) {
  Heap *heap = past->process->heap;
  vec_fini(heap, &past->sides);
  vec_fini(heap, &past->todo);
  for (int side = 0; side < 2; side++) {
    vec_fini(heap, &past->of[side].events);
    vec_fini(heap, &past->of[side].word);
  }
  heap_release(heap, past->balance);
}

/* ---- the events that are still to be taken ---- */

static void todo_push(Past *past, uint32_t e) {
  vec_push(past->process->heap, &past->todo, e);
  uint32_t *const at = past->todo.at, i = past->todo.n;
  for (; i > 1 && at[i / 2 - 1] < e; i /= 2) at[i - 1] = at[i / 2 - 1];
  at[i - 1] = e;
}

static uint32_t todo_pop(Past *past) {
  uint32_t *const at = past->todo.at;
  const uint32_t top = at[0], last = vec_last(&past->todo), n = --past->todo.n;
  uint32_t i = 1;
  for (uint32_t child = 2; child <= n; child = 2 * i) {
    if (child < n && at[child] > at[child - 1]) child++;
    if (at[child - 1] <= last) break;
    at[i - 1] = at[child - 1];
    i = child;
  }
  if (n) at[i - 1] = last;
  return top;
}

/* ---- walking ---- */

/* Event e is in the configurations of these sides. */
static void reach(Past *past, uint32_t e, uint8_t sides) {
  uint8_t *const known = &past->sides.at[e], before = *known;
  *known |= sides;
  if (!e || *known == before) return;
  if (!before) todo_push(past, e);
  if (*known != BOTH) past->n_single++;
  else if (before) past->n_single--;
}

static void reach_causes(Past *past, uint32_t e, uint8_t sides) {
  const Process *process = past->process;
  const uint32_t *pre = process->pool.at + process->events.at[e].pre, n = process_n_pre(process, e);
  for (uint32_t i = 0; i < n; i++) reach(past, process->conditions.at[pre[i]].producer, sides);
}

/* Fills `of` with the events that only one of the two local configurations has. */
static void find_difference(Past *past, uint32_t event, uint32_t other) {
  Heap *heap = past->process->heap;
  vec_resize_zeroed(heap, &past->sides, past->process->events.n);
  vec_clear(&past->of[0].events);
  vec_clear(&past->of[1].events);
  reach(past, event, 1);
  reach(past, other, 2);
  while (past->n_single) {
    const uint32_t e = todo_pop(past);
    const uint8_t sides = past->sides.at[e];
    past->sides.at[e] = 0;
    if (sides != BOTH) {
      past->n_single--;
      vec_push(heap, &past->of[sides - 1].events, e);
    }
    reach_causes(past, e, sides);
  }
  for (; past->todo.n; past->todo.n--) past->sides.at[vec_last(&past->todo)] = 0;
  past->sides.at[0] = 0;
}

/* ---- markings ---- */

static void forget_tokens(Past *past, const U32Vec *events) {
  const Process *process = past->process;
  for (uint32_t i = 0; i < events->n; i++) {
    const TransId t = process->events.at[events->at[i]].trans;
    const PlaceList pre = net_pre(process->net, t), post = net_post(process->net, t);
    for (uint32_t k = 0; k < pre.n; k++) past->balance[pre.at[k].v] = 0;
    for (uint32_t k = 0; k < post.n; k++) past->balance[post.at[k].v] = 0;
  }
}

/* Adds n to the balance of a place; returns by how many the balanced places became more. */
static int64_t add_token(Past *past, PlaceId p, int32_t n) {
  int32_t *const balance = &past->balance[p.v];
  const bool before = *balance == 0;
  *balance += n;
  return (*balance == 0) - before;
}

/* Adds, `sign` times, the tokens that the events put on places, less those that they take. */
static int64_t add_tokens(Past *past, const U32Vec *events, int32_t sign) {
  const Process *process = past->process;
  int64_t n_balanced = 0;
  for (uint32_t i = 0; i < events->n; i++) {
    const TransId t = process->events.at[events->at[i]].trans;
    const PlaceList pre = net_pre(process->net, t), post = net_post(process->net, t);
    for (uint32_t k = 0; k < pre.n; k++) n_balanced += add_token(past, pre.at[k], -sign);
    for (uint32_t k = 0; k < post.n; k++) n_balanced += add_token(past, post.at[k], sign);
  }
  return n_balanced;
}

/* By the marking equation: a configuration takes no condition twice. */
static bool same_marking(Past *past) {
  const U32Vec *events = &past->of[0].events, *other_events = &past->of[1].events;
  forget_tokens(past, events);
  forget_tokens(past, other_events);
  return add_tokens(past, events, 1) + add_tokens(past, other_events, -1) == 0;
}

/* ---- the order ---- */

static int ascending(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The transitions of the side's events, ascending; with levels, by their level first, which is then the upper half. */
static const uint64_t *write_word(const Past *past, PastSide *side, bool levels) {
  const U32Vec *events = &side->events;
  vec_clear(&side->word);
  vec_reserve(past->process->heap, &side->word, events->n);
  for (uint32_t i = 0; i < events->n; i++) {
    const ProcessEvent *event = &past->process->events.at[events->at[i]];
    side->word.at[i] = (levels ? (uint64_t)event->depth << 32 : 0) | event->trans.v;
  }
  qsort(side->word.at, events->n, sizeof *side->word.at, ascending);
  return side->word.at;
}

/* How many letters of the level stand in the word from there on. */
static uint32_t level_length(const uint64_t *word, uint32_t from, uint32_t n, uint64_t level) {
  uint32_t i = from;
  while (i < n && word[i] >> 32 == level) i++;
  return i - from;
}

/* Compares two words of n transitions each, level by level: the shorter level is smaller, of two of one length the
 * lexicographically smaller one. Without levels, the whole word is one. */
static int compare_words(const uint64_t *a, const uint64_t *b, uint32_t n) {
  for (uint32_t from = 0; from < n;) {
    const uint64_t level = (a[from] < b[from] ? a[from] : b[from]) >> 32;
    const uint32_t length = level_length(a, from, n, level), other_length = level_length(b, from, n, level);
    if (length != other_length) return length < other_length ? -1 : 1;
    for (const uint32_t end = from + length; from < end; from++)
      if (a[from] != b[from]) return a[from] < b[from] ? -1 : 1;
  }
  return 0;
}

/* Compares the two configurations, of one size. */
static int compare_pasts(Past *past) {
  int result = 0;
  for (int levels = 0; levels < 2 && !result; levels++) {
    const uint64_t *word = write_word(past, &past->of[0], levels), *other = write_word(past, &past->of[1], levels);
    result = compare_words(word, other, past->of[0].events.n);
  }
  return result;
}

bool past_check_cutoff(Past *past, uint32_t event, uint32_t other, PastOrder order, Err *err) {
  const char *name = past->process->net->trans_name[past->process->events.at[event].trans.v];
  find_difference(past, event, other);
  if (!same_marking(past))
    return err_set(err, ERR_CHECK, "event %u ('%.200s') is not a cut-off because of %u: it leads to another marking",
                   event, name, other);
  const uint32_t size = past->of[0].events.n, other_size = past->of[1].events.n;
  if (other_size < size || (other_size == size && order == PAST_ERV && compare_pasts(past) > 0)) return true;
  return err_set(err, ERR_CHECK,
                 "event %u ('%.200s') is not a cut-off because of %u: that one, with its causes, is not smaller", event,
                 name, other);
}
