/* qsort.c: the C library's qsort, in place of emscripten's, which takes three times as long for what is nearly in
 * order. Merging: equal elements stay in their order. */
#include <stdlib.h>
#include <string.h>

enum { FEW = 6 };

typedef struct {
  size_t size; /* of an element, in bytes */
  int (*compare)(const void *a, const void *b);
  char *spare; /* room for half of the elements */
} Sorting;

static void copy(char *to, const char *from, size_t size) {
  for (; size >= 4; size -= 4, to += 4, from += 4) memcpy(to, from, 4);
  for (; size; size--) *to++ = *from++;
}

static void insert_each(const Sorting *s, char *at, size_t n) {
  for (size_t i = 1; i < n; i++) {
    char *to = at + i * s->size;
    copy(s->spare, to, s->size);
    for (; to > at && s->compare(to - s->size, s->spare) > 0; to -= s->size) copy(to, to - s->size, s->size);
    copy(to, s->spare, s->size);
  }
}

/* Two sorted parts, the first of n elements, which are moved aside; the other one ends at `end`. */
static void merge(const Sorting *s, char *at, size_t n, const char *end) {
  const char *left = s->spare, *left_end = left + n * s->size, *right = at + n * s->size;
  memcpy(s->spare, at, n * s->size);
  for (; left < left_end && right < end; at += s->size) {
    const char **least = s->compare(left, right) <= 0 ? &left : &right;
    copy(at, *least, s->size);
    *least += s->size;
  }
  memcpy(at, left, (size_t)(left_end - left));
}

static void sort(const Sorting *s, char *at, size_t n) {
  if (n <= FEW) {
    insert_each(s, at, n);
    return;
  }
  const size_t half = n / 2;
  char *middle = at + half * s->size;
  sort(s, at, half);
  sort(s, middle, n - half);
  if (s->compare(middle - s->size, middle) > 0) merge(s, at, half, at + n * s->size);
}

void qsort(void *at, size_t n, size_t size, int (*compare)(const void *a, const void *b)) {
  if (n < 2) return;
  const Sorting sorting = {.size = size, .compare = compare, .spare = malloc((n / 2 + 1) * size)};
  if (!sorting.spare) __builtin_trap(); /* the worker answers "unknown" */
  sort(&sorting, at, n);
  free(sorting.spare);
}
