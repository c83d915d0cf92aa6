/* sort.h: sorts numbers that stand for something else; qsort_r differs from system to system. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Below 0 if a comes before b, above if behind; 0: as the numbers themselves do. */
typedef int SortCompare(uint32_t a, uint32_t b, const void *context);

/* Sorts at[0..n), by O(n log n) comparisons and without memory. The result follows from the numbers and the comparisons
 * alone. */
void sort_numbers(uint32_t *at, size_t n, SortCompare *compare, const void *context);

#endif
