/* Names of every shape, many more than a table keeps near: each has one number, and two have two. */
#include "trace/run_names.h"

#include <CUnit/CUnit.h>

#include <stdio.h>
#include <stdlib.h>

enum { FRONT = 16, ROOM = 64 };

static uint64_t state = 88172645463325252;

static uint32_t draw(uint32_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)((state >> 11) % n);
}

/* A name of one of several shapes at `at`; what stands before it is anything. */
static size_t make_name(char *at) {
  static const char *const SHAPES[] = {"V%u",  "x%u",  "%u",          "matrix+%u", "matrix+0%u", "a_long_prefix_%u",
                                       "%05u", "0x%x", "%u0000000%u", "%u]"};
  for (int i = 1; i <= FRONT; i++) at[-i] = (char)('0' + draw(10));
  const uint32_t value = draw(8) ? draw(60000) : draw(4000000000u);
  return (size_t)snprintf(at, ROOM, SHAPES[draw(sizeof SHAPES / sizeof *SHAPES)], value, value % 10);
}

static void test_split(void) {
  static const struct {
    const char *name;
    uint32_t length_of_prefix, value;
  } CASES[] = {{"V17", 1, 17},
               {"7", 0, 7},
               {"0", 0, 0},
               {"V0", 1, 0},
               {"99999999", 0, 99999999},
               {"matrix+24", 7, 24},
               {"12345678x1", 9, 0},
               {"V07", 9, 0},
               {"x", 9, 0},
               {"12345678+9", 9, 0},
               {"1234567+9", 8, 9},
               {"123456789", 1, 23456789},
               {"\xff:9", 2, 9},
               {"\xb5\x31", 1, 1}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char room[FRONT + ROOM] = "9999999999999999";
    NumberedName split = {1, 1};
    const size_t length = strlen(CASES[i].name);
    memcpy(room + FRONT, CASES[i].name, length);
    const bool is = numbered_split(room + FRONT, length, &split);
    CU_ASSERT_EQUAL(is, CASES[i].length_of_prefix < 9);
    if (!is) continue;
    CU_ASSERT_EQUAL(split.value, CASES[i].value);
    CU_ASSERT_EQUAL(split.prefix, numbered_word(room + FRONT + CASES[i].length_of_prefix, CASES[i].length_of_prefix));
  }
}

/* A number is found again, also the first one for which the array must grow. */
static void test_room(void) {
  static const uint32_t VALUES[] = {255, 256, 512, 1023, 1024};
  Heap *heap = heap_new(0);
  Numbered *memo = heap_zeroed(heap, sizeof *memo);
  for (uint32_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++) {
    const uint32_t value = VALUES[i];
    numbered_put(heap, memo, (NumberedName){7, value}, value + 3, 2000);
    const uint32_t *there = numbered_find(memo, (NumberedName){7, value});
    CU_ASSERT(there && *there == value + 4);
  }
  for (uint32_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++)
    CU_ASSERT(*numbered_find(memo, (NumberedName){7, VALUES[i]}) == VALUES[i] + 4);
  numbered_fini(heap, memo);
  heap_release(heap, memo);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static bool all_differ(const NameList *list) {
  bool differ = true;
  const char **sorted = malloc(list->at.n * sizeof *sorted);
  memcpy(sorted, list->at.at, list->at.n * sizeof *sorted);
  qsort(sorted, list->at.n, sizeof *sorted, by_text);
  for (uint32_t i = 1; i < list->at.n; i++) differ &= strcmp(sorted[i - 1], sorted[i]) != 0;
  free(sorted);
  return differ;
}

static void test_numbers(void) {
  Heap *heap = heap_new(0);
  NameList list;
  NameTable table;
  char room[FRONT + ROOM];
  uint32_t wrong = 0;
  trace_name_list_init(&list, heap);
  trace_name_table_init(&table, &list);
  for (uint32_t i = 0; i < 600000; i++) {
    const size_t length = make_name(room + FRONT);
    const uint32_t number = trace_name_number(&table, room + FRONT, length);
    wrong += number >= list.at.n || strcmp(list.at.at[number], room + FRONT) != 0;
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT(trace_name_is_far(&table) && list.at.n > 100000);
  CU_ASSERT(all_differ(&list));
  CU_ASSERT(table.numbered->room <= 4ull * list.at.n + NUMBERED_FAMILIES * 256);
  trace_name_table_fini(&table);
  trace_name_list_fini(&list);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

void suite_numbered(void);
void suite_numbered(void) {
  CU_pSuite suite = CU_add_suite("numbered", NULL, NULL);
  CU_add_test(suite, "prefix and number", test_split);
  CU_add_test(suite, "room", test_room);
  CU_add_test(suite, "many names", test_numbers);
}
