#include "base/arena.h"
#include "base/bitset.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/clock.h"
#include "base/heap.h"
#include "base/intern.h"
#include "base/library.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <CUnit/CUnit.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- heap ---- */

static bool is_aligned(const void *p) { return (uintptr_t)p % alignof(max_align_t) == 0; }

static void heap_gives_aligned_pieces(void) {
  Heap *heap = heap_new(0);
  for (size_t size = 0; size < 100; size++) {
    char *plain = heap_alloc(heap, size), *zeroed = heap_zeroed(heap, size);
    CU_ASSERT_TRUE(is_aligned(plain) && is_aligned(zeroed));
    memset(plain, 0xff, size);
    for (size_t i = 0; i < size; i++) CU_ASSERT_EQUAL(zeroed[i], 0);
  }
  heap_free(heap);
}

static void heap_counts_what_it_gives(void) {
  Heap *heap = heap_new(0);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  char *piece = heap_alloc(heap, 1000);
  const uint64_t one = heap_used(heap);
  CU_ASSERT_TRUE(one >= 1000);
  piece = heap_resize(heap, piece, 5000);
  CU_ASSERT_EQUAL(heap_used(heap), one + 4000);
  heap_release(heap, piece);
  heap_release(heap, NULL);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  CU_ASSERT_EQUAL(heap_peak(heap), one + 4000);
  CU_ASSERT_EQUAL(heap_count(heap), 2);
  heap_free(heap);
  heap_free(NULL);
}

static void heap_resize_keeps_the_bytes(void) {
  Heap *heap = heap_new(0);
  char *piece = heap_resize(heap, NULL, 16);
  memcpy(piece, "fifteen letters", 16);
  char *other = heap_alloc(heap, 16);
  piece = heap_resize(heap, piece, 1 << 20);
  CU_ASSERT_STRING_EQUAL(piece, "fifteen letters");
  piece = heap_resize(heap, piece, 4);
  CU_ASSERT_EQUAL(memcmp(piece, "fift", 4), 0);
  heap_release(heap, other);
  heap_release(heap, piece);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

typedef struct {
  Heap *heap;
  size_t size, count;
  uint32_t done;
} Taker;

static void take_pieces(void *argument) {
  Taker *taker = argument;
  for (; taker->done < taker->count; taker->done++) heap_alloc(taker->heap, taker->size);
}

static void heap_keeps_its_limit(void) {
  Heap *heap = heap_new(10000);
  Taker taker = {.heap = heap, .size = 1000, .count = 100};
  CU_ASSERT_FALSE(heap_try(heap, take_pieces, &taker));
  CU_ASSERT_TRUE(taker.done >= 8 && taker.done < 10);
  CU_ASSERT_TRUE(heap_used(heap) <= 10000);
  heap_set_limit(heap, 20000);
  CU_ASSERT_FALSE(heap_try(heap, take_pieces, &taker));
  CU_ASSERT_TRUE(taker.done >= 16 && taker.done < 20);
  heap_set_limit(heap, 0);
  CU_ASSERT_TRUE(heap_try(heap, take_pieces, &taker));
  CU_ASSERT_EQUAL(taker.done, 100);
  heap_free(heap);
}

static void resize_within_limit(void *argument) {
  Taker *taker = argument;
  char *piece = heap_alloc(taker->heap, 600);
  taker->done = 1;
  piece = heap_resize(taker->heap, piece, 900); /* the old bytes do not count twice */
  taker->done = 2;
  heap_resize(taker->heap, piece, 1100);
  taker->done = 3;
}

static void heap_limits_a_resize_by_its_growth(void) {
  Heap *heap = heap_new(1000);
  Taker taker = {.heap = heap};
  CU_ASSERT_FALSE(heap_try(heap, resize_within_limit, &taker));
  CU_ASSERT_EQUAL(taker.done, 2);
  heap_free(heap);
}

static void take_much(void *argument) {
  Taker *taker = argument;
  heap_release(taker->heap, heap_alloc(taker->heap, 1 << 20));
}

/* where size_t has 32 bits, too */
static void heap_keeps_limits_above_32_bits(void) {
  const uint64_t limit = (UINT64_C(1) << 32) + 1;
  Heap *heap = heap_new(limit);
  Taker taker = {.heap = heap};
  CU_ASSERT_EQUAL(heap_limit(heap), limit);
  CU_ASSERT_TRUE(heap_try(heap, take_much, &taker));
  heap_set_limit(heap, limit + 1);
  CU_ASSERT_EQUAL(heap_limit(heap), limit + 1);
  CU_ASSERT_TRUE(heap_try(heap, take_much, &taker));
  heap_free(heap);
}

static uint32_t n_asked;
static uint64_t find_limit(void) { return n_asked++, 2 * HEAP_UNASKED; }

/* nor is it asked twice */
static void heap_asks_for_its_limit_when_it_matters(void) {
  Heap *heap = heap_new(0);
  Taker taker = {.heap = heap, .size = HEAP_UNASKED / 10, .count = 9};
  n_asked = 0;
  heap_find_limit(heap, find_limit);
  CU_ASSERT_TRUE(heap_try(heap, take_pieces, &taker));
  CU_ASSERT_EQUAL(n_asked, 0);
  taker.count = 100;
  CU_ASSERT_FALSE(heap_try(heap, take_pieces, &taker));
  CU_ASSERT_EQUAL(n_asked, 1);
  CU_ASSERT_TRUE(heap_used(heap) <= 2 * HEAP_UNASKED && heap_used(heap) > HEAP_UNASKED);
  CU_ASSERT_EQUAL(heap_limit(heap), 2 * HEAP_UNASKED);
  heap_find_limit(heap, find_limit);
  CU_ASSERT_EQUAL(heap_limit(heap), 2 * HEAP_UNASKED);
  CU_ASSERT_EQUAL(n_asked, 2);
  heap_free(heap);
}

static void heap_fails_where_told(void) {
  for (uint32_t nth = 1; nth <= 5; nth++) {
    Heap *heap = heap_new(0);
    Taker taker = {.heap = heap, .size = 10, .count = 5};
    heap_fail_at(heap, nth);
    CU_ASSERT_FALSE(heap_try(heap, take_pieces, &taker));
    CU_ASSERT_EQUAL(taker.done, nth - 1);
    CU_ASSERT_TRUE(heap_try(heap, take_pieces, &taker)); /* once only */
    heap_free(heap);
  }
  Heap *heap = heap_new(0);
  Taker taker = {.heap = heap, .size = 10, .count = 5};
  heap_fail_at(heap, 6);
  CU_ASSERT_TRUE(heap_try(heap, take_pieces, &taker));
  heap_fail_at(heap, 0);
  taker.done = 0;
  CU_ASSERT_TRUE(heap_try(heap, take_pieces, &taker));
  heap_free(heap);
}

static void fail_inside(void *argument) {
  Taker *taker = argument;
  heap_fail_at(taker->heap, 1);
  if (!heap_try(taker->heap, take_pieces, taker)) taker->done = 77;
  heap_alloc(taker->heap, 1);
  heap_give_up(taker->heap);
}

static void heap_try_nests(void) {
  Heap *heap = heap_new(0);
  Taker taker = {.heap = heap, .size = 10, .count = 5};
  CU_ASSERT_FALSE(heap_try(heap, fail_inside, &taker));
  CU_ASSERT_EQUAL(taker.done, 77);
  CU_ASSERT_TRUE(heap_used(heap) > 0); /* left over until heap_free */
  heap_free(heap);
}

static void poll_for_ever(void *heap) {
  for (;;) heap_poll(heap);
}

/* Once the stop is due, who has caught the jump has a little time for what it has; then it is left, too. */
static void tell_and_go_on(void *argument) {
  Taker *taker = argument;
  CU_ASSERT_FALSE(heap_try(taker->heap, poll_for_ever, taker->heap));
  CU_ASSERT_EQUAL(heap_why(taker->heap), STOP_TIME);
  heap_release(taker->heap, heap_alloc(taker->heap, 1));
  taker->done = 7;
  poll_for_ever(taker->heap);
}

static void due_leaves_time_to_tell(void) {
  Heap *heap = heap_new(0);
  const Stop stop = {.asked = STOP_TIME, .due = 1, .seconds = 1};
  Taker taker = {.heap = heap};
  heap_watch(heap, &stop);
  const double start = clock_cpu_seconds();
  CU_ASSERT_FALSE(heap_try(heap, tell_and_go_on, &taker));
  CU_ASSERT_EQUAL(taker.done, 7);
  CU_ASSERT_TRUE(clock_cpu_seconds() - start >= 0.1);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void multiply(void *argument) {
  Taker *taker = argument;
  taker->done = 1;
  taker->size = heap_product(taker->heap, taker->count, taker->size);
  taker->done = 2;
}

static void heap_product_gives_up_on_overflow(void) {
  Heap *heap = heap_new(0);
  Taker fits = {.heap = heap, .size = SIZE_MAX / 4, .count = 4};
  CU_ASSERT_TRUE(heap_try(heap, multiply, &fits));
  CU_ASSERT_EQUAL(fits.size, SIZE_MAX / 4 * 4);
  Taker empty = {.heap = heap, .size = 0, .count = SIZE_MAX};
  CU_ASSERT_TRUE(heap_try(heap, multiply, &empty));
  CU_ASSERT_EQUAL(empty.size, 0);
  Taker over = {.heap = heap, .size = SIZE_MAX / 4 + 1, .count = 4};
  CU_ASSERT_FALSE(heap_try(heap, multiply, &over));
  Taker huge = {.heap = heap, .size = SIZE_MAX, .count = 1};
  CU_ASSERT_FALSE(heap_try(heap, take_pieces, &huge));
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

/* ---- vec ---- */

static void vec_grows_and_keeps(void) {
  Heap *heap = heap_new(0);
  U32Vec v = {0};
  for (uint32_t i = 0; i < 1000; i++) {
    vec_push(heap, &v, i * i);
    CU_ASSERT_TRUE(v.n == i + 1 && v.cap >= v.n);
  }
  for (uint32_t i = 0; i < 1000; i++) CU_ASSERT_EQUAL(v.at[i], i * i);
  CU_ASSERT_EQUAL(vec_last(&v), 999 * 999);
  const uint32_t cap = v.cap;
  vec_clear(&v);
  CU_ASSERT_TRUE(v.n == 0 && v.cap == cap);
  vec_fini(heap, &v);
  CU_ASSERT_TRUE(v.at == NULL && v.n == 0 && v.cap == 0);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void vec_reserves_once(void) {
  Heap *heap = heap_new(0);
  CharVec v = {0};
  vec_reserve(heap, &v, 100);
  CU_ASSERT_TRUE(v.n == 0 && v.cap >= 100);
  const uint64_t count = heap_count(heap);
  for (int i = 0; i < 100; i++) vec_push(heap, &v, 'x');
  CU_ASSERT_EQUAL(heap_count(heap), count);
  heap_free(heap);
}

static void vec_resize_zeroes_what_is_new(void) {
  Heap *heap = heap_new(0);
  U32Vec v = {0};
  for (uint32_t i = 0; i < 20; i++) vec_push(heap, &v, 7);
  vec_resize_zeroed(heap, &v, 3);
  CU_ASSERT_EQUAL(v.n, 3);
  vec_resize_zeroed(heap, &v, 50);
  CU_ASSERT_EQUAL(v.n, 50);
  for (uint32_t i = 0; i < 50; i++) CU_ASSERT_EQUAL(v.at[i], i < 3 ? 7 : 0);
  heap_free(heap);
}

static void grow_beyond(void *argument) {
  Taker *taker = argument;
  uint32_t cap = UINT32_MAX;
  vec_grow(taker->heap, NULL, UINT32_MAX - 1, &cap, 2, 1);
}

static void vec_has_at_most_32_bits(void) {
  Heap *heap = heap_new(0);
  Taker taker = {.heap = heap};
  CU_ASSERT_FALSE(heap_try(heap, grow_beyond, &taker));
  heap_free(heap);
}

/* ---- arena ---- */

static void arena_pieces_are_apart(void) {
  Heap *heap = heap_new(0);
  Arena arena;
  arena_init(&arena, heap);
  enum { N = 400 };
  unsigned char *pieces[N];
  for (size_t i = 0; i < N; i++) {
    pieces[i] = arena_alloc(&arena, i * 7);
    CU_ASSERT_TRUE(is_aligned(pieces[i]));
    memset(pieces[i], (int)(i % 251), i * 7);
  }
  char *large = arena_alloc(&arena, 1 << 22), *next = arena_alloc(&arena, 8);
  memset(large, 1, 1 << 22);
  memset(next, 2, 8);
  bool intact = true;
  for (size_t i = 0; i < N; i++)
    for (size_t k = 0; k < i * 7; k++) intact = intact && pieces[i][k] == i % 251;
  CU_ASSERT_TRUE(intact);
  arena_fini(&arena);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  CU_ASSERT_NOT_EQUAL(arena_alloc(&arena, 1), NULL); /* ready for use again */
  heap_free(heap);
}

static void arena_zeroes_copies_formats(void) {
  Heap *heap = heap_new(0);
  Arena arena;
  arena_init(&arena, heap);
  memset(arena_alloc(&arena, 2000), 0xff, 2000);
  arena_fini(&arena);
  const uint64_t *words = arena_zeroed(&arena, 300, sizeof *words);
  for (int i = 0; i < 300; i++) CU_ASSERT_EQUAL(words[i], 0);
  CU_ASSERT_STRING_EQUAL(arena_copy(&arena, "abcdef", 3), "abc");
  CU_ASSERT_STRING_EQUAL(arena_copy(&arena, NULL, 0), "");
  CU_ASSERT_STRING_EQUAL(arena_format(&arena, "%s-%u", "p", 12u), "p-12");
  const char *wide = arena_format(&arena, "%5000d", 1);
  CU_ASSERT_EQUAL(strlen(wide), 5000);
  heap_free(heap);
}

static void take_from_arena(void *argument) {
  Taker *taker = argument;
  Arena arena;
  arena_init(&arena, taker->heap);
  arena_alloc(&arena, taker->size);
}

static void take_too_many_from_arena(void *argument) {
  Taker *taker = argument;
  Arena arena;
  arena_init(&arena, taker->heap);
  arena_zeroed(&arena, SIZE_MAX / 8, 9);
}

static void arena_gives_up_on_huge_sizes(void) {
  Heap *heap = heap_new(0);
  Taker taker = {.heap = heap, .size = SIZE_MAX};
  CU_ASSERT_FALSE(heap_try(heap, take_from_arena, &taker));
  taker.size = SIZE_MAX - 8;
  CU_ASSERT_FALSE(heap_try(heap, take_from_arena, &taker));
  CU_ASSERT_FALSE(heap_try(heap, take_too_many_from_arena, &taker));
  heap_free(heap);
}

/* ---- intern ---- */

static void intern_numbers_in_order(void) {
  Heap *heap = heap_new(0);
  Intern intern;
  intern_init(&intern, heap);
  CU_ASSERT_EQUAL(intern_find(&intern, "x", 1), INTERN_NONE);
  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t i = 0; i < 5000; i++) {
      char text[16];
      const int length = snprintf(text, sizeof text, "v%u", i);
      bool is_new = round != 0;
      CU_ASSERT_EQUAL(intern_add(&intern, text, (size_t)length, &is_new), i);
      CU_ASSERT_EQUAL(is_new, round == 0);
      CU_ASSERT_EQUAL(intern_find(&intern, text, (size_t)length), i);
    }
  CU_ASSERT_EQUAL(intern.strings.n, 5000);
  CU_ASSERT_STRING_EQUAL(intern.strings.at[4321], "v4321");
  CU_ASSERT_EQUAL(intern_find(&intern, "v5000", 5), INTERN_NONE);
  intern_fini(&intern);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void intern_takes_any_bytes(void) {
  Heap *heap = heap_new(0);
  Intern intern;
  intern_init(&intern, heap);
  CU_ASSERT_EQUAL(intern_add(&intern, "", 0, NULL), 0);
  CU_ASSERT_EQUAL(intern_add(&intern, "a\0b", 3, NULL), 1);
  CU_ASSERT_EQUAL(intern_add(&intern, "a\0c", 3, NULL), 2);
  CU_ASSERT_EQUAL(intern_add(&intern, "a", 1, NULL), 3);
  CU_ASSERT_EQUAL(intern_find(&intern, "a\0c", 3), 2);
  CU_ASSERT_EQUAL(intern_find(&intern, "", 0), 0);
  CU_ASSERT_EQUAL(intern.lengths.at[1], 3);
  heap_free(heap);
}

static void intern_some(void *argument) {
  Heap *heap = argument;
  Intern intern;
  intern_init(&intern, heap);
  for (uint32_t i = 0; i < 300; i++) intern_add(&intern, (const char *)&i, sizeof i, NULL);
  intern_fini(&intern);
}

static void intern_survives_every_failed_allocation(void) {
  uint64_t nth = 1;
  for (bool done = false; !done; nth++) {
    Heap *heap = heap_new(0);
    heap_fail_at(heap, nth);
    done = heap_try(heap, intern_some, heap);
    CU_ASSERT_TRUE(!done || heap_used(heap) == 0);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(nth > 5);
}

/* ---- bitset, utf8, hash, err ---- */

static void bitset_has_what_was_added(void) {
  uint64_t set[3] = {0};
  CU_ASSERT_EQUAL(bitset_words(0), 0);
  CU_ASSERT_EQUAL(bitset_words(64), 1);
  CU_ASSERT_EQUAL(bitset_words(65), 2);
  for (uint32_t i = 0; i < 192; i += 3) bitset_add(set, i);
  for (uint32_t i = 0; i < 192; i += 6) bitset_remove(set, i);
  for (uint32_t i = 0; i < 192; i++) CU_ASSERT_EQUAL(bitset_has(set, i), i % 6 == 3);
}

/* The first character has so many bytes and that code point; 0 bytes: it is none. */
static void decodes(const char *text, size_t length, uint32_t bytes, uint32_t point) {
  uint32_t got = 0;
  CU_ASSERT_EQUAL(utf8_decode(text, length, &got), bytes);
  CU_ASSERT_EQUAL(got, point);
}

static void utf8_takes_characters_alone(void) {
  decodes("\0", 1, 1, 0);
  decodes("\x7f", 1, 1, 0x7f);
  decodes("\xc2\x80x", 3, 2, 0x80);
  decodes("\xe2\x89\xa4", 3, 3, 0x2264);
  decodes("\xef\xbf\xbf", 3, 3, 0xffff);
  decodes("\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff);
  decodes("\x80", 1, 0, 0);             /* a stray continuation */
  decodes("\xe2\x89", 2, 0, 0);         /* cut */
  decodes("\xe2\x28\xa1", 3, 0, 0);     /* no continuation */
  decodes("\xc0\x80", 2, 0, 0);         /* overlong */
  decodes("\xe0\x9f\xbf", 3, 0, 0);     /* overlong */
  decodes("\xf0\x8f\xbf\xbf", 4, 0, 0); /* overlong */
  decodes("\xed\xa0\x80", 3, 0, 0);     /* a surrogate */
  decodes("\xf4\x90\x80\x80", 4, 0, 0); /* beyond the last */
  decodes("\xf8\x88\x80\x80\x80", 5, 0, 0);
}

static void hash_tells_apart(void) {
  CU_ASSERT_NOT_EQUAL(hash_word(0), hash_word(1));
  CU_ASSERT_NOT_EQUAL(hash_join(hash_join(0, 1), 2), hash_join(hash_join(0, 2), 1));
  CU_ASSERT_NOT_EQUAL(hash_bytes("", 0), hash_bytes("\0", 1));
  CU_ASSERT_NOT_EQUAL(hash_bytes("abcdefgh", 8), hash_bytes("abcdefgh", 7));
  const char text[] = "xabcdefghij";
  CU_ASSERT_EQUAL(hash_bytes(text + 1, 10), hash_bytes("abcdefghij", 10)); /* whatever the alignment */
}

static void err_is_cut_not_overrun(void) {
  Err err;
  CU_ASSERT_FALSE(err_set(&err, ERR_LIMIT, "%s:%d", "here", 7));
  CU_ASSERT_EQUAL(err.kind, ERR_LIMIT);
  CU_ASSERT_STRING_EQUAL(err.text, "here:7");
  CU_ASSERT_FALSE(err_set(&err, ERR_INPUT, "%5000d", 1));
  CU_ASSERT_EQUAL(strlen(err.text), sizeof err.text - 1);
}

/* ---- order ---- */

static int by_key(uint32_t a, uint32_t b, const void *context) {
  const uint32_t *keys = context;
  return (keys[a] > keys[b]) - (keys[a] < keys[b]);
}

/* All lengths up to 100, with many keys that are equal and with few. */
static void test_order(void) {
  uint32_t at[100], keys[100];
  for (uint32_t n = 0; n <= 100; n++)
    for (uint32_t n_keys = 1; n_keys <= 200; n_keys *= 2) {
      bool seen[100] = {false};
      for (uint32_t i = 0; i < n; i++) {
        at[i] = (i + n / 2) % n;
        keys[i] = (uint32_t)hash_join(n * 1000 + n_keys, i) % n_keys;
      }
      sort_numbers(at, n, by_key, keys);
      for (uint32_t i = 0; i < n; i++) {
        CU_ASSERT(at[i] < n && !seen[at[i]]);
        seen[at[i]] = true;
        if (i) CU_ASSERT(keys[at[i - 1]] < keys[at[i]] || (keys[at[i - 1]] == keys[at[i]] && at[i - 1] < at[i]));
      }
    }
}

/* ---- libraries ---- */

static bool load(const char *file, const char *name, int (**to)(void), Err *err) {
  void *unused = NULL;
  const LibraryName names[] = {{"xmlParserVersion", &unused}, {name, to}};
  return library_load(file, names, 2, err);
}

static void library_loads_all_names_or_none(void) {
  int (*check)(void) = NULL;
  Err err;
  CU_ASSERT_FALSE(load("libthat_is_nowhere.so", "xmlIsMainThread", &check, &err));
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "libthat_is_nowhere.so cannot be loaded: "));
  CU_ASSERT_FALSE(load(LIBXML2, "xmlThatIsNowhere", &check, &err));
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "xmlThatIsNowhere"));
  CU_ASSERT_EQUAL(err.kind, ERR_LIMIT);
  CU_ASSERT_TRUE(check == NULL);
  CU_ASSERT_TRUE(load(LIBXML2, "xmlIsMainThread", &check, &err));
  CU_ASSERT_TRUE(check != NULL);
}

void suite_base(void);
void suite_base(void) {
  CU_pSuite heap = CU_add_suite("base/heap", NULL, NULL);
  CU_ADD_TEST(heap, heap_gives_aligned_pieces);
  CU_ADD_TEST(heap, heap_counts_what_it_gives);
  CU_ADD_TEST(heap, heap_resize_keeps_the_bytes);
  CU_ADD_TEST(heap, heap_keeps_its_limit);
  CU_ADD_TEST(heap, heap_asks_for_its_limit_when_it_matters);
  CU_ADD_TEST(heap, heap_limits_a_resize_by_its_growth);
  CU_ADD_TEST(heap, heap_keeps_limits_above_32_bits);
  CU_ADD_TEST(heap, heap_fails_where_told);
  CU_ADD_TEST(heap, heap_try_nests);
  CU_ADD_TEST(heap, due_leaves_time_to_tell);
  CU_ADD_TEST(heap, heap_product_gives_up_on_overflow);
  CU_pSuite vec = CU_add_suite("base/vec", NULL, NULL);
  CU_ADD_TEST(vec, vec_grows_and_keeps);
  CU_ADD_TEST(vec, vec_reserves_once);
  CU_ADD_TEST(vec, vec_resize_zeroes_what_is_new);
  CU_ADD_TEST(vec, vec_has_at_most_32_bits);
  CU_pSuite arena = CU_add_suite("base/arena", NULL, NULL);
  CU_ADD_TEST(arena, arena_pieces_are_apart);
  CU_ADD_TEST(arena, arena_zeroes_copies_formats);
  CU_ADD_TEST(arena, arena_gives_up_on_huge_sizes);
  CU_pSuite intern = CU_add_suite("base/intern", NULL, NULL);
  CU_ADD_TEST(intern, intern_numbers_in_order);
  CU_ADD_TEST(intern, intern_takes_any_bytes);
  CU_ADD_TEST(intern, intern_survives_every_failed_allocation);
  CU_pSuite order = CU_add_suite("base/order", NULL, NULL);
  CU_add_test(order, "numbers by a key", test_order);
  CU_pSuite library = CU_add_suite("base/library", NULL, NULL);
  CU_ADD_TEST(library, library_loads_all_names_or_none);
  CU_pSuite small = CU_add_suite("base/bitset, utf8, hash, err", NULL, NULL);
  CU_ADD_TEST(small, bitset_has_what_was_added);
  CU_ADD_TEST(small, utf8_takes_characters_alone);
  CU_ADD_TEST(small, hash_tells_apart);
  CU_ADD_TEST(small, err_is_cut_not_overrun);
}
