#include "prove/counted.h"

#include <assert.h>
#include <string.h>

static uint32_t *times_of(const Counted *counted, uint32_t class) {
  return counted->times + (size_t) class * counted->n_open;
}

static void count_threads(Counted *counted, const OpenNumbers *open) {
  const Notes *notes = counted->classes->program.net->notes;
  for (uint32_t i = 0; i < notes->n_threads; i++) {
    const uint32_t class = classes_of_thread(counted->classes, i), number = open->of_group[notes->threads[i].group];
    if (number == NOTE_NONE) counted->always[class]++;
    else times_of(counted, class)[number]++;
  }
  for (uint32_t i = notes->n_threads; i < counted->classes->program.n_threads; i++)
    counted->always[classes_of_thread(counted->classes, i)]++;
}

/* Has each open group two threads in the same class? From two of each to one. */
static bool are_pairs(const Counted *counted, const OpenNumbers *open) {
  const Notes *notes = counted->classes->program.net->notes;
  for (uint32_t i = 0; i < notes->n_threads; i++) {
    uint32_t alike = 0, others = 0;
    if (open->of_group[notes->threads[i].group] == NOTE_NONE) continue;
    for (uint32_t k = i; k-- > 0 && notes->threads[k].group == notes->threads[i].group;) alike++;
    for (uint32_t k = i + 1; k < notes->n_threads && notes->threads[k].group == notes->threads[i].group; k++) others++;
    if (alike + others != 1 ||
        (others && classes_of_thread(counted->classes, i) != classes_of_thread(counted->classes, i + 1)))
      return false;
  }
  return true;
}

bool counted_init(Counted *counted, Heap *heap, const Classes *classes, const OpenNumbers *open) {
  *counted = (Counted){.heap = heap, .classes = classes, .n_open = open->n};
  if (!are_pairs(counted, open)) return false;
  counted->always = heap_zeroed(heap, heap_product(heap, (uint64_t)classes->n_classes + 1, sizeof *counted->always));
  const uint64_t n_times = ((uint64_t)classes->n_classes + 1) * open->n + 1;
  counted->times = heap_zeroed(heap, heap_product(heap, n_times, sizeof *counted->times));
  count_threads(counted, open);
  for (uint64_t i = 0; i < n_times; i++) counted->times[i] /= 2;
  return true;
}

void counted_fini(Counted *counted) {
  heap_release(counted->heap, counted->always);
  heap_release(counted->heap, counted->times);
}

uint32_t counted_most(const Counted *counted, uint32_t class) {
  for (uint32_t i = 0; i < counted->n_open; i++)
    if (times_of(counted, class)[i]) return COUNTED_ANY;
  return counted->always[class];
}

void counted_next(uint32_t *tuple, uint32_t n) {
  uint32_t last = n - 1;
  while (last > 0 && !tuple[last]) last--;
  const uint32_t value = tuple[last];
  tuple[last] = 0;
  if (last) {
    tuple[last - 1]++;
    tuple[n - 1] = value - 1;
  } else {
    tuple[n - 1] = value + 1;
  }
}

static bool suffices(const Counted *counted, const uint32_t *need, const uint32_t *tuple) {
  for (uint32_t k = 0; k < counted->classes->n_classes; k++) {
    uint64_t threads = counted->always[k];
    for (uint32_t i = 0; i < counted->n_open; i++) threads += (uint64_t)times_of(counted, k)[i] * tuple[i];
    if (threads < need[k]) return false;
  }
  return true;
}

void counted_least(const Counted *counted, const uint32_t *need, uint32_t *tuple) {
  memset(tuple, 0, counted->n_open * sizeof *tuple);
  while (!suffices(counted, need, tuple)) {
    assert(counted->n_open);
    counted_next(tuple, counted->n_open);
  }
}

static uint64_t sum(const uint32_t *tuple, uint32_t n) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < n; i++) all += tuple[i];
  return all;
}

bool counted_is_before(const uint32_t *tuple, const uint32_t *other, uint32_t n) {
  if (sum(tuple, n) != sum(other, n)) return sum(tuple, n) < sum(other, n);
  uint32_t i = 0;
  while (i < n && tuple[i] == other[i]) i++;
  return i < n && tuple[i] < other[i];
}
