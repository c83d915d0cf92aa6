/* numbered.h: names that have a decimal number in them, such as V17, matrix+24 or node[17].next.
 *
 * Runs with very many names mostly have such names. Those that differ only in the number are a family: per family there
 * is an array by the number: four bytes a name and one look, where a hash table needs several, each into memory that is
 * far away, and a comparison. What stands in an array is right; what does not may be a name all the same, which is kept
 * elsewhere. */
#ifndef TRACE_NUMBERED_H
#define TRACE_NUMBERED_H

#include "base/heap.h"

#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The longest name that is taken apart, and the longest number. */
enum { NUMBERED_LONGEST = 255, NUMBERED_DIGITS = 8 };

/* A name that is `front` bytes, a number below 10^8, and `back` bytes. Two different names of one family have different
 * values. */
typedef struct {
  uint64_t key;   /* of what is not the number: the bytes themselves, if they are at most 8 and all in front */
  uint32_t shape; /* `front` and `back` */
  uint32_t value;
} NumberedName;

static inline uint32_t numbered_shape(size_t front, size_t back) { return (uint32_t)(front << 16 | back); }
static inline uint32_t numbered_front(uint32_t shape) { return shape >> 16; }
static inline uint32_t numbered_back(uint32_t shape) { return shape & 0xffff; }

/* The names of one shape that have these bytes around the number. */
typedef struct {
  uint64_t key;
  uint32_t shape;    /* of a free place all bits */
  uint32_t room;     /* of the array */
  uint32_t *numbers; /* by value: the name's number + 1, or 0 */
  char *text;        /* what is in front, what is behind; NULL if the key says it all */
} NumberedFamily;

/* Starts as {0}. */
typedef struct {
  NumberedFamily *families; /* open addressing, linear probing, by the hash of the key */
  uint32_t n_places, n_families;
  uint64_t room;  /* of all arrays */
  uint32_t moves; /* how often an array became longer, and is elsewhere now */
} Numbered;

/* Gives its memory back. */
void numbered_fini(Heap *heap, Numbered *numbered);

/* How many names there are: all that are known, and those of them that stand in arrays. */
typedef struct {
  uint32_t all, here;
} NumberedCounts;

/* Where the number of the name + 1 stands, or 0 if it has not been put there. The family is made if there is none, and
 * its array is made longer; or NULL if they are not to be: there is a family for every 16 names that are here, and a
 * few more, and the arrays together have room for four times all names, and a million more. Valid as long as `moves` is
 * the same. The 15 bytes in front of the name are read too. */
uint32_t *numbered_add(Heap *heap, Numbered *numbered, const char *name, size_t length, const NumberedName *split,
                       NumberedCounts counts);

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

/* Of the 16 bytes that end at `end`: a bit for each that is a decimal digit, the last one in the highest bit. */
#ifdef __SSE2__
static inline uint32_t numbered_digits(const char *end) {
  const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(end - 16));
  const __m128i values = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
  return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values)) << 16;
}
#else
static inline uint32_t numbered_digits(const char *end) {
  uint32_t digits = 0;
  for (int i = 1; i <= 16; i++) digits |= (uint32_t)((unsigned char)(end[-i] - '0') < 10) << (32 - i);
  return digits;
}
#endif

/* The key of what is around the number, if that is more than a word can say. */
uint64_t numbered_long_key(const char *name, size_t front, size_t back, size_t length);

/* Does the key say all that is around the number? */
static inline bool numbered_is_short(size_t front, size_t back) { return !back && front <= 8; }

/* Is there a number in the last 16 bytes of the name, which is not empty? The 15 bytes in front of it are read too. */
static inline bool numbered_split(const char *name, size_t length, NumberedName *split) {
  const char *end = name + length;
  uint32_t digits = numbered_digits(end);
  if (length < 16) digits &= UINT32_MAX << (32 - length);
  if (!digits || length > NUMBERED_LONGEST) return false;
  const uint32_t back = (uint32_t)__builtin_clz(digits), run = (uint32_t)__builtin_clz(~(digits << back));
  const uint32_t n = run < NUMBERED_DIGITS ? run : NUMBERED_DIGITS;
  const uint64_t number = numbered_word(end - back, n) ^ 0x3030303030303030 << (64 - 8 * n);
  const uint32_t zeros = number ? (uint32_t)__builtin_ctzll(number) / 8 : 7; /* they belong to what is in front */
  const size_t front = length - back - (8 - zeros);
  split->value = numbered_value(number);
  split->shape = numbered_shape(front, back);
  split->key = numbered_is_short(front, back) ? numbered_word(name + front, front)
                                              : numbered_long_key(name, front, back, length);
  return true;
}

/* The hash of a key. */
static inline uint32_t numbered_hash(uint64_t key) { return (uint32_t)(key * 0x9e3779b97f4a7c15 >> 32); }

/* Is the text of the family, which has one, around the number of the name? */
bool numbered_has_text(const NumberedFamily *family, const char *name, size_t length);

/* The family of the name, or the free place where it belongs; there is some place. */
static inline NumberedFamily *numbered_family(const Numbered *numbered, const char *name, size_t length,
                                              const NumberedName *split) {
  for (uint32_t i = numbered_hash(split->key);; i++) {
    NumberedFamily *family = &numbered->families[i & (numbered->n_places - 1)];
    if (family->shape == UINT32_MAX) return family;
    if (family->key == split->key && family->shape == split->shape &&
        (!family->text || numbered_has_text(family, name, length)))
      return family;
  }
}

/* As numbered_add, but NULL where something would have to be made. */
static inline uint32_t *numbered_find(const Numbered *numbered, const char *name, size_t length,
                                      const NumberedName *split) {
  if (!numbered->n_places) return NULL;
  const NumberedFamily *family = numbered_family(numbered, name, length, split);
  return split->value < family->room ? &family->numbers[split->value] : NULL; /* of a free place, room is 0 */
}

#endif
