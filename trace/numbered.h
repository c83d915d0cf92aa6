/* numbered.h: a memo for names that are a prefix and a decimal number, such as V17, matrix+24 or 1203.
 *
 * Runs with very many names mostly have such names. Per prefix there is an array by the name's value: four bytes a name
 * and one look, where a hash table needs several looks, each into memory that is far away. What stands in the memo is
 * right; what does not may still be in the table for which it remembers. */
#ifndef TRACE_NUMBERED_H
#define TRACE_NUMBERED_H

#include "base/heap.h"

#include <stdint.h>
#include <string.h>

enum { NUMBERED_FAMILIES = 64 };

/* The names of one prefix. */
typedef struct {
  uint64_t prefix;    /* as numbered_word; of a place that is not used 0, with `room` 0 */
  uint32_t *numbers;  /* by value: the name's number + 1, or 0 */
  uint32_t room;      /* of the array */
  uint32_t n, misses; /* names that came for this prefix, and for others that belong here */
} NumberedFamily;

/* Starts as {0}. */
typedef struct {
  NumberedFamily families[NUMBERED_FAMILIES];
  uint64_t room; /* of all arrays */
} Numbered;

/* A name that is a prefix of at most 8 bytes and a number below 10^8. */
typedef struct {
  uint64_t prefix;
  uint32_t value;
} NumberedName;

/* Gives its memory back. */
void numbered_fini(Heap *heap, Numbered *memo);

/* Remembers the number of a name; the memo may choose not to. `n_names` in the table, the name included, bound its
 * memory: 16 bytes for each, and a little. */
void numbered_put(Heap *heap, Numbered *memo, NumberedName name, uint32_t number, uint32_t n_names);

/* The last `length` of the 8 bytes that end at `end`, 0 to 8, as a word: the last one is its highest byte, and there
 * are zeros below them. All 8 are read. */
static inline uint64_t numbered_word(const char *end, size_t length) {
  uint64_t word;
  memcpy(&word, end - 8, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return length ? word & UINT64_MAX << (64 - 8 * length) : 0;
}

/* The value of eight decimal digits, the first one in the lowest byte, as numbers. */
static inline uint32_t numbered_value(uint64_t digits) {
  digits = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ff;
  digits = (digits * 100 + (digits >> 16)) & 0x0000ffff0000ffff;
  return (uint32_t)(digits * 10000 + (digits >> 32));
}

/* Is the name, of 1 byte or more, a prefix and a number? Two different names are different then. The 15 bytes in front
 * of it are read too. */
static inline bool numbered_split(const char *name, size_t length, NumberedName *result) {
  const uint64_t high = 0x8080808080808080,
                 digits = numbered_word(name + length, length < 8 ? length : 8) ^ 0x3030303030303030;
  const uint64_t others = (((digits & ~high) + 0x7676767676767676) | digits) & high; /* bytes that are no digits */
  const size_t n = others ? (size_t)__builtin_clzll(others) / 8 : 8;
  if (!n || length - n > 8) return false;
  const uint64_t number = digits & UINT64_MAX << (64 - 8 * n);
  if (n > 1 && !(number >> (64 - 8 * n) & 0xff)) return false; /* V07 is not V7 */
  *result = (NumberedName){numbered_word(name + length - n, length - n), numbered_value(number)};
  return true;
}

static inline uint32_t numbered_place(uint64_t prefix) {
  return (uint32_t)(prefix * 0x9e3779b97f4a7c15 >> 58); /* below NUMBERED_FAMILIES */
}

/* Where the name's number + 1 stands, or NULL if that is not remembered. */
static inline const uint32_t *numbered_find(const Numbered *memo, NumberedName name) {
  const NumberedFamily *family = &memo->families[numbered_place(name.prefix)];
  return family->prefix == name.prefix && name.value < family->room ? &family->numbers[name.value] : NULL;
}

#endif
