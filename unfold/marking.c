#include "unfold/marking.h"

#include <string.h>

void marking_init(Marking *marking, Heap *heap, uint32_t n_places) {
  const uint32_t n_words = n_places / 64 + 1;
  *marking = (Marking){.heap = heap, .n_summary = n_words / 64 + 1};
  marking->words = heap_zeroed(heap, n_words * sizeof *marking->words);
  marking->summary = heap_zeroed(heap, marking->n_summary * sizeof *marking->summary);
}

void marking_fini(Marking *marking) {
  heap_release(marking->heap, marking->words);
  heap_release(marking->heap, marking->summary);
  vec_fini(marking->heap, &marking->saved);
}

static uint32_t count_words(const Marking *marking) {
  uint32_t n = 0;
  for (uint32_t s = 0; s < marking->n_summary; s++) n += (uint32_t)__builtin_popcountll(marking->summary[s]);
  return n;
}

uint32_t marking_save(Marking *marking) {
  const uint32_t at = marking->saved.n, n = count_words(marking);
  vec_reserve(marking->heap, &marking->saved, 1 + 3 * (size_t)n);
  uint32_t *to = marking->saved.at + at;
  *to++ = n;
  for (uint32_t s = 0; s < marking->n_summary; s++)
    for (uint64_t rest = marking->summary[s]; rest; rest &= rest - 1) {
      const uint32_t w = s * 64 + (uint32_t)__builtin_ctzll(rest);
      *to++ = w;
      *to++ = (uint32_t)marking->words[w];
      *to++ = (uint32_t)(marking->words[w] >> 32);
    }
  marking->saved.n += 1 + 3 * n;
  return at;
}

bool marking_is(const Marking *marking, uint32_t saved) {
  const uint32_t *at = marking->saved.at + saved;
  const uint32_t n = *at++;
  if (n != count_words(marking)) return false;
  for (uint32_t i = 0; i < n; i++, at += 3)
    if (marking->words[at[0]] != (at[1] | (uint64_t)at[2] << 32)) return false;
  return true;
}

bool marking_equal(const Marking *marking, uint32_t a, uint32_t b) {
  const uint32_t *x = marking->saved.at + a, *y = marking->saved.at + b;
  return *x == *y && memcmp(x, y, (1 + 3 * (size_t)*x) * sizeof *x) == 0;
}
