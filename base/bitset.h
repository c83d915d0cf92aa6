/* bitset.h: sets of small numbers, one bit each, in arrays of 64-bit words that the caller owns. */
#ifndef BASE_BITSET_H
#define BASE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words for the numbers 0 .. n - 1. */
static inline size_t bitset_words(uint32_t n) { return ((size_t)n + 63) / 64; }

/* Is the number in the set, which has a word for it? Puts it in; takes it out. */
static inline bool bitset_has(const uint64_t *set, uint32_t i) { return set[i / 64] >> (i % 64) & 1; }
static inline void bitset_add(uint64_t *set, uint32_t i) { set[i / 64] |= (uint64_t)1 << (i % 64); }
static inline void bitset_remove(uint64_t *set, uint32_t i) { set[i / 64] &= ~((uint64_t)1 << (i % 64)); }

#endif
