#include "report/runners.h"

#include "report/words.h"

#include <assert.h>
#include <stdlib.h>

static int compare_threads(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static uint32_t sort_unique(uint32_t *threads, uint32_t n) {
  if (n == 0) return 0;
  qsort(threads, n, sizeof *threads, compare_threads);
  uint32_t kept = 1;
  for (uint32_t i = 1; i < n; i++)
    if (threads[i] != threads[kept - 1]) threads[kept++] = threads[i];
  return kept;
}

static bool begins(const TransNote *note) { return note->begin != NOTE_NONE && note->thread != NOTE_NONE; }

/* Rows by counting, one entry per `begin`; then each row is sorted and moved up to the end of the one before. */
Runners runners_of(Arena *arena, const Net *net) {
  if (!net) return (Runners){0};
  const Notes *notes = net->notes;
  uint32_t *start = arena_zeroed(arena, (size_t)notes->n_blocks + 2, sizeof *start);
  for (uint32_t t = 0; t < net->n_trans; t++)
    if (begins(&notes->transitions[t])) start[notes->transitions[t].begin + 2]++;
  for (uint32_t b = 0; b < notes->n_blocks; b++) start[b + 2] += start[b + 1];
  uint32_t *threads = arena_zeroed(arena, start[notes->n_blocks + 1], sizeof *threads);
  for (uint32_t t = 0; t < net->n_trans; t++)
    if (begins(&notes->transitions[t]))
      threads[start[notes->transitions[t].begin + 1]++] = notes->transitions[t].thread;
  uint32_t end = 0;
  for (uint32_t b = 0, from = 0; b < notes->n_blocks; b++) {
    const uint32_t to = start[b + 1], n = sort_unique(threads + from, to - from);
    for (uint32_t i = 0; i < n; i++) threads[end + i] = threads[from + i];
    start[b] = end;
    end += n;
    from = to;
  }
  start[notes->n_blocks] = end;
  assert(end <= start[notes->n_blocks + 1]);
  return (Runners){start, threads};
}

ThreadList runners_copies(Arena *arena, const Notes *notes, ThreadList list, uint32_t thread) {
  assert(thread < notes->n_threads);
  uint32_t *copies = arena_zeroed(arena, (size_t)list.n + 1, sizeof *copies), n = 0;
  for (uint32_t i = 0; i < list.n; i++)
    if (notes->threads[list.at[i]].group == notes->threads[thread].group) copies[n++] = list.at[i];
  if (n == 0) copies[n++] = thread;
  return (ThreadList){copies, n};
}

/* The end of the run of consecutive numbers that starts at i. */
static uint32_t run_end(ThreadList list, uint32_t i) {
  assert(i < list.n);
  uint32_t end = i + 1;
  while (end < list.n && list.at[end] == list.at[end - 1] + 1) end++;
  return end;
}

const char *runners_phrase(Arena *arena, const Notes *notes, ThreadList list) {
  const char *phrase = list.n == 1 ? "thread" : "threads";
  for (uint32_t i = 0, end; i < list.n; i = end) {
    end = run_end(list, i) - i >= 3 ? run_end(list, i) : i + 1;
    const char *first = words_thread(arena, notes, list.at[i]);
    const char *last = words_thread(arena, notes, list.at[end - 1]);
    const char *comma = i ? "," : "";
    phrase = end > i + 1 ? arena_format(arena, "%s%s %s..%s", phrase, comma, first, last)
                         : arena_format(arena, "%s%s %s", phrase, comma, first);
  }
  return phrase;
}
