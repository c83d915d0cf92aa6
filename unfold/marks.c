#include "unfold/marks.h"

#include <string.h>

void marks_init(Marks *marks, Heap *heap, const Net *net) {
  const uint32_t n_words = net->n_places / 64 + 1;
  *marks = (Marks){.heap = heap, .n_words = n_words, .n_summary = n_words / 64 + 1};
  marks->words = heap_zeroed(heap, n_words * sizeof *marks->words);
  marks->initial = heap_zeroed(heap, n_words * sizeof *marks->initial);
  marks->summary = heap_zeroed(heap, marks->n_summary * sizeof *marks->summary);
  for (uint32_t p = 0; p < net->n_places; p++) marks->initial[p / 64] |= (uint64_t)net->marked[p] << p % 64;
}

void marks_fini(Marks *marks) {
  heap_release(marks->heap, marks->words);
  heap_release(marks->heap, marks->initial);
  heap_release(marks->heap, marks->summary);
  vec_fini(marks->heap, &marks->saved);
}

static uint32_t count_words(const Marks *marks) {
  uint32_t n = 0;
  for (uint32_t s = 0; s < marks->n_summary; s++) n += (uint32_t)__builtin_popcountll(marks->summary[s]);
  return n;
}

uint32_t marks_save(Marks *marks) {
  const uint32_t at = marks->saved.n, n = count_words(marks);
  vec_reserve(marks->heap, &marks->saved, 1 + 3 * (size_t)n);
  uint32_t *to = marks->saved.at + at;
  *to++ = n;
  for (uint32_t s = 0; s < marks->n_summary; s++)
    for (uint64_t rest = marks->summary[s]; rest; rest &= rest - 1) {
      const uint32_t w = s * 64 + (uint32_t)__builtin_ctzll(rest);
      *to++ = w;
      *to++ = (uint32_t)marks->words[w];
      *to++ = (uint32_t)(marks->words[w] >> 32);
    }
  marks->saved.n += 1 + 3 * n;
  return at;
}

bool marks_is(const Marks *marks, uint32_t saved) {
  const uint32_t *at = marks->saved.at + saved;
  const uint32_t n = *at++;
  if (n != count_words(marks)) return false;
  for (uint32_t i = 0; i < n; i++, at += 3)
    if (marks->words[at[0]] != (at[1] | (uint64_t)at[2] << 32)) return false;
  return true;
}

bool marks_equal(const Marks *marks, uint32_t a, uint32_t b) {
  const uint32_t *x = marks->saved.at + a, *y = marks->saved.at + b;
  return *x == *y && memcmp(x, y, (1 + 3 * (size_t)*x) * sizeof *x) == 0;
}
