#include "unfold/marks.h"

#include "base/bitset.h"

#include <string.h>

void marks_init(Marks *marks, Heap *heap, const Net *net, const Effects *effects) {
  const size_t n_words = bitset_words(net->n_places);
  *marks = (Marks){.heap = heap, .effects = effects, .n_summary = (uint32_t)bitset_words((uint32_t)n_words)};
  marks->words = heap_zeroed(heap, n_words * sizeof *marks->words);
  marks->initial = heap_zeroed(heap, n_words * sizeof *marks->initial);
  marks->summary = heap_zeroed(heap, marks->n_summary * sizeof *marks->summary);
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->marked[p]) bitset_add(marks->initial, p);
}

void marks_fini(Marks *marks) {
  heap_release(marks->heap, marks->words);
  heap_release(marks->heap, marks->initial);
  heap_release(marks->heap, marks->summary);
  vec_fini(marks->heap, &marks->saved);
}

static void set_word(Marks *marks, uint32_t w, uint64_t word) {
  marks->words[w] = word;
  if (word) bitset_add(marks->summary, w);
  else bitset_remove(marks->summary, w);
}

void marks_toggle(Marks *marks, uint32_t trans) {
  const Effects *effects = marks->effects;
  for (uint32_t i = effects->start[2 * trans]; i < effects->start[2 * trans + 2]; i++) {
    const uint32_t place = effects->places[i];
    set_word(marks, place / 64, marks->words[place / 64] ^ (uint64_t)1 << place % 64);
  }
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

static uint64_t saved_word(const uint32_t *at) { return at[1] | (uint64_t)at[2] << 32; }

void marks_load(Marks *marks, uint32_t saved) {
  for (uint32_t s = 0; s < marks->n_summary; s++) {
    for (uint64_t rest = marks->summary[s]; rest; rest &= rest - 1) marks->words[s * 64 + (uint32_t)__builtin_ctzll(rest)] = 0;
    marks->summary[s] = 0;
  }
  const uint32_t *at = marks->saved.at + saved;
  for (uint32_t n = *at++; n > 0; n--, at += 3) set_word(marks, at[0], saved_word(at));
}

bool marks_is(const Marks *marks, uint32_t saved) {
  const uint32_t *at = marks->saved.at + saved;
  const uint32_t n = *at++;
  if (n != count_words(marks)) return false;
  for (uint32_t i = 0; i < n; i++, at += 3)
    if (marks->words[at[0]] != saved_word(at)) return false;
  return true;
}

bool marks_equal(const Marks *marks, uint32_t a, uint32_t b) {
  const uint32_t *x = marks->saved.at + a, *y = marks->saved.at + b;
  return *x == *y && memcmp(x, y, (1 + 3 * (size_t)*x) * sizeof *x) == 0;
}
