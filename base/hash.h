/* hash.h: 64-bit hashing of words and bytes, the same on every machine and in every run. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A bijection of 64-bit words in which every input bit moves every output bit (the finaliser of SplitMix64). */
static inline uint64_t hash_word(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* Joins the hash of a sequence so far with its next word; order matters. */
static inline uint64_t hash_join(uint64_t so_far, uint64_t word) { return hash_word(so_far ^ hash_word(word)); }

/* Of the bytes, and of how many they are; `bytes` need not be aligned. */
static inline uint64_t hash_bytes(const void *bytes, size_t length) {
  const unsigned char *at = bytes;
  uint64_t hash = length;
  for (; length >= 8; at += 8, length -= 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    hash = hash_join(hash, word);
  }
  uint64_t tail = 0;
  for (size_t i = 0; i < length; i++) tail |= (uint64_t)at[i] << (8 * i);
  return hash_join(hash, tail);
}

#endif
