/* sort.h: sorts numbers that stand for something else; qsort_r differs from system to system. And finds numbers in a
 * sorted array. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Below 0 if a comes before b, above 0 if it comes after; 0: as the numbers themselves do. */
typedef int SortCompare(uint32_t a, uint32_t b, const void *context);

/* Sorts at[0..n), by O(n log n) comparisons and without memory. The result follows from the numbers and the comparisons
 * alone. */
void sort_numbers(uint32_t *at, size_t n, SortCompare *compare, const void *context);

/* How many of at[0..n), which ascend, are below the number: the index of the first that is not, or n. */
static inline uint32_t sort_count_below(const uint32_t *at, uint32_t n, uint32_t number) {
  uint32_t low = 0, high = n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (at[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

#endif
