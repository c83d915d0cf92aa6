/* Parts of granules against a table of bytes: each byte in one object, which no access has had a part of. */
#include "distil/parts.h"

#include "base/hash.h"

#include <CUnit/CUnit.h>
#include <string.h>

enum { FROM = 4096 - 64, BYTES = 128, STEPS = 400 };

/* By byte: 1 + its object; 0: none, or that matters no more. */
static uint32_t object_of[BYTES];
static bool asked[BYTES / 8]; /* for a part of the granule, since it was freed */

/* Each byte of the object is one of those that take its place. */
static void takes_place(uint32_t old, uint32_t first, uint32_t n, uint64_t address, uint32_t bytes) {
  for (uint32_t at = (uint32_t)(address - FROM), i = 0; i < bytes; i++, at++) {
    CU_ASSERT_TRUE(object_of[at] == 0 || object_of[at] == old + 1);
    object_of[at] = first + i / (bytes / n) + 1;
  }
}

static void divide_line(const Parts *parts, uint32_t whole, uint64_t line) {
  for (uint32_t at = 0; at < 64; at += 8) {
    uint32_t first, n;
    if (object_of[line + at - FROM] != whole + 1) continue;
    parts_at(parts, line + at, &first, &n);
    takes_place(whole, first, n, line + at, 8);
  }
}

static void divide(const Parts *parts, const PartsFound *found, uint64_t address) {
  if (found->whole != PARTS_NONE) divide_line(parts, found->whole, address / 64 * 64);
  const uint32_t each = found->n_old ? found->n_new / found->n_old : 0;
  for (uint32_t i = 0; i < found->n_old; i++) {
    const uint32_t bytes = 8 / found->n_old;
    const uint64_t at = address / 8 * 8 + i * bytes;
    if (object_of[at - FROM] == found->old + i + 1) takes_place(found->old + i, found->new + i *each, each, at, bytes);
  }
}

static void one_access(Parts *parts, uint64_t address, uint32_t size) {
  const PartsFound found = parts_find(parts, address, size);
  divide(parts, &found, address);
  asked[(address - FROM) / 8] = true;
  uint32_t at = (uint32_t)(address - FROM), bytes;
  for (uint32_t i = 0; i < found.n; i++) {
    CU_ASSERT_EQUAL(parts_address(parts, found.first + i, &bytes), FROM + at);
    for (uint32_t k = 0; k < bytes; k++, at++) {
      CU_ASSERT_TRUE(object_of[at] == 0 || object_of[at] == found.first + i + 1);
      object_of[at] = found.first + i + 1;
    }
  }
  CU_ASSERT_EQUAL(at, address + size - FROM); /* no more than that was accessed */
  const uint32_t known = parts_known(parts, address, size);
  CU_ASSERT_TRUE(known == PARTS_NONE || (found.n == 1 && known == found.first));
  CU_ASSERT_TRUE(known != PARTS_NONE || found.n > 1 || address % size);
}

/* False: the line is divided, by something that was done to it since all was forgotten. */
static bool one_line(Parts *parts, uint64_t line) {
  const uint32_t object = parts_of_line(parts, line, 2);
  bool divided = false;
  uint32_t size;
  for (uint32_t at = 0; at < 64; at++) {
    uint32_t *its = &object_of[line + at - FROM];
    if (object == PARTS_NONE) divided = divided || *its;
    else CU_ASSERT_TRUE(!*its || *its == object + 1);
    if (object != PARTS_NONE) *its = object + 1, asked[(line + at - FROM) / 8] = true;
  }
  CU_ASSERT_TRUE(divided == (object == PARTS_NONE));
  if (object == PARTS_NONE) return false;
  CU_ASSERT_EQUAL(parts_address(parts, object, &size), line);
  CU_ASSERT_EQUAL(size, 4);
  CU_ASSERT_EQUAL(parts_known(parts, line + 8, 8), PARTS_NONE);
  return true;
}

/* What is there from one byte to another one. */
static void it_ends(Parts *parts, uint64_t from, uint64_t end) {
  bool ended[BYTES] = {false};
  uint64_t at = from;
  uint32_t first, n, whole;
  if ((whole = parts_cut(parts, from)) != PARTS_NONE) divide_line(parts, whole, from / 64 * 64);
  if ((whole = parts_cut(parts, end)) != PARTS_NONE) divide_line(parts, whole, end / 64 * 64);
  while (parts_end(parts, &at, end, &first, &n))
    for (uint32_t i = 0; i < BYTES; i++) ended[i] = ended[i] || (object_of[i] > first && object_of[i] <= first + n);
  for (uint32_t i = 0; i < BYTES; i++) {
    const uint64_t granule = (FROM + i) / 8 * 8;
    const bool in = granule >= from && granule < end;
    CU_ASSERT_TRUE(object_of[i] == 0 || ended[i] == (in && asked[i / 8]));
  }
  for (uint64_t i = (from - FROM) / 8; i < (end - FROM) / 8; i++) asked[i] = false;
  at = from;
  CU_ASSERT_FALSE(parts_end(parts, &at, end, &first, &n));
}

static uint32_t test_seed(uint64_t seed) {
  Heap *heap = heap_new(0);
  Parts *parts = parts_new(heap);
  uint32_t lines = 0;
  memset(object_of, 0, sizeof object_of);
  memset(asked, 0, sizeof asked);
  for (uint64_t i = 0; i < STEPS; i++) {
    const uint64_t draw = hash_word(seed << 32 | i), granule = draw % (BYTES / 8),
                   from = draw >> 8 & (seed % 2 ? 7 : 4);
    const uint32_t what = draw >> 40 & 31;
    if (what < 4 * (seed % 3)) {
      lines += one_line(parts, FROM + (granule & 8) * 8);
    } else if (what == 31) {
      parts_forget(parts);
      memset(object_of, 0, sizeof object_of);
    } else if (what == 30 && seed % 5 == 0) {
      it_ends(parts, FROM + granule * 8, FROM + granule * 8 + 8 * (1 + (draw >> 16) % (BYTES / 8 - granule)));
    } else {
      one_access(parts, FROM + granule * 8 + from, 1 + (uint32_t)((draw >> 16) % (8 - from)));
    }
  }
  it_ends(parts, FROM, FROM + BYTES);
  CU_ASSERT_TRUE(parts_count(parts) <= BYTES / 8 * (1 + 2 + 4 + 8) + BYTES / 64);
  parts_free(parts);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
  return lines;
}

static void test_bytes(void) {
  uint32_t lines = 0;
  for (uint64_t seed = 0; seed < 200; seed++) lines += test_seed(seed);
  CU_ASSERT_TRUE(lines > 500);
}

static void test_many_pages(void) {
  Heap *heap = heap_new(0);
  Parts *parts = parts_new(heap);
  uint32_t size;
  for (uint64_t i = 0; i < 5000; i++) CU_ASSERT_EQUAL(parts_find(parts, i << 14, 8).first, i);
  for (uint64_t i = 0; i < 5000; i++) {
    CU_ASSERT_EQUAL(parts_find(parts, i << 14, 8).first, i);
    CU_ASSERT_EQUAL(parts_address(parts, (uint32_t)i, &size), i << 14);
    CU_ASSERT_EQUAL(size, 8);
  }
  parts_free(parts);
  heap_free(heap);
}

void suite_parts(void);
void suite_parts(void) {
  CU_pSuite suite = CU_add_suite("parts", NULL, NULL);
  CU_add_test(suite, "bytes, one by one", test_bytes);
  CU_add_test(suite, "many pages", test_many_pages);
}
