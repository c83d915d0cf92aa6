/* Names of every shape, many more than a table keeps near: each has one number, and two have two. */
#include "trace/run_names.h"

#include "base/hash.h"

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
  static const char *const SHAPES[] = {"V%u",
                                       "x%u",
                                       "%u",
                                       "matrix+%u",
                                       "matrix+0%u",
                                       "a_long_prefix_%u",
                                       "%05u",
                                       "0x%x",
                                       "%u0000000%u",
                                       "%u]",
                                       "shop.inventory.Stock.items[%u].count",
                                       "shop.inventory.Stock.items[%u].price",
                                       "grid[%u][%u]",
                                       "%u.a_long_field_of_it"};
  for (int i = 1; i <= FRONT; i++) at[-i] = (char)('0' + draw(10));
  const uint32_t value = draw(8) ? draw(60000) : draw(4000000000u);
  return (size_t)snprintf(at, ROOM, SHAPES[draw(sizeof SHAPES / sizeof *SHAPES)], value, value % 10);
}

/* The bytes in front of a name and behind it say nothing of it. */
static void test_split(void) {
  static const struct {
    const char *name;
    uint32_t front, value, back;
  } CASES[] = {{"V17", 1, 17, 0},
               {"7", 0, 7, 0},
               {"0", 0, 0, 0},
               {"V0", 1, 0, 0},
               {"V00", 2, 0, 0},
               {"V007", 3, 7, 0},
               {"V70", 1, 70, 0},
               {"99999999", 0, 99999999, 0},
               {"100000000", 8, 0, 0},
               {"123456789", 1, 23456789, 0},
               {"matrix+24", 7, 24, 0},
               {"12345678x1", 9, 1, 0},
               {"a[17].b", 2, 17, 3},
               {"17.a_field_of_it", 0, 17, 14},
               {"17.a_field_of_its", 1, 7, 15},
               {"1.a_field_of_thing", 0, 1, 17},
               {"x", 0, 0, 1},
               {"\xff:9", 2, 9, 0},
               {"\xb5\x31", 1, 1, 0},
               {"9/9:", 2, 9, 1}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char room[FRONT + ROOM] = "999999999999999";
    NumberedName split = {1, 1, 1};
    const size_t length = strlen(CASES[i].name);
    memset(room + FRONT, '9', ROOM);
    memcpy(room + FRONT, CASES[i].name, length);
    const bool is = numbered_split(room + FRONT, length, &split), expected = CASES[i].front + CASES[i].back < length;
    CU_ASSERT_EQUAL(is, expected && CASES[i].back < 16);
    if (!is) continue;
    CU_ASSERT_EQUAL(split.value, CASES[i].value);
    CU_ASSERT_EQUAL(split.shape, numbered_shape(CASES[i].front, CASES[i].back));
    if (!CASES[i].back && CASES[i].front <= 8)
      CU_ASSERT_EQUAL(split.key, numbered_word(room + FRONT + CASES[i].front, CASES[i].front));
  }
}

static void test_longest(void) {
  char room[FRONT + 300];
  NumberedName split;
  memset(room, '1', sizeof room);
  CU_ASSERT(numbered_split(room + FRONT, NUMBERED_LONGEST, &split));
  CU_ASSERT_EQUAL(split.shape, numbered_shape(NUMBERED_LONGEST - 8, 0));
  CU_ASSERT(!numbered_split(room + FRONT, NUMBERED_LONGEST + 1, &split));
}

/* Where a name's number is; n_names are as many as are needed. */
static uint32_t *place(Heap *heap, Numbered *numbered, const char *name) {
  char room[FRONT + ROOM] = {0};
  NumberedName split;
  const size_t length = strlen(name);
  memcpy(room + FRONT, name, length);
  CU_ASSERT_TRUE_FATAL(numbered_split(room + FRONT, length, &split));
  return numbered_add(heap, numbered, room + FRONT, length, &split, (NumberedCounts){100000, 100000});
}

/* A number is found again, also the first one for which the array must grow, or the table of the families. */
static void test_room(void) {
  static const uint32_t VALUES[] = {0, 63, 64, 128, 1023, 1024};
  enum { N = sizeof VALUES / sizeof *VALUES, FAMILIES = 50 };
  Heap *heap = heap_new(0);
  Numbered *numbered = heap_zeroed(heap, sizeof *numbered);
  char name[ROOM];
  uint32_t wrong = 0;
  for (int again = 0; again < 2; again++)
    for (uint32_t i = 0; i < 2 * FAMILIES * N; i++) {
      snprintf(name, sizeof name, i % 2 ? "%ca%u" : "a_long_prefix_%c.%u.b", 'A' + (int)(i / 2 / N), VALUES[i / 2 % N]);
      uint32_t *at = place(heap, numbered, name);
      if (!again && !*at) *at = (uint32_t)hash_bytes(name, strlen(name)) | 1;
      wrong += *at != ((uint32_t)hash_bytes(name, strlen(name)) | 1);
    }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_EQUAL(numbered->n_families, 2 * FAMILIES);
  numbered_fini(heap, numbered);
  heap_release(heap, numbered);
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

typedef struct {
  NameList list;
  NameTable table;
  uint32_t wrong;
} Names;

static void names_init(Names *names, Heap *heap) {
  trace_name_list_init(&names->list, heap);
  trace_name_table_init(&names->table, &names->list);
  names->wrong = 0;
}

static void expect_all(Names *names, Heap *heap) {
  CU_ASSERT_EQUAL(names->wrong, 0);
  CU_ASSERT(trace_name_is_far(&names->table) && names->list.at.n > 100000);
  CU_ASSERT(all_differ(&names->list));
  CU_ASSERT(names->table.numbered->room <= 4ull * names->list.at.n + (1 << 20));
  CU_ASSERT(names->table.numbered->n_families <= names->list.at.n / 15 + 32);
  trace_name_table_fini(&names->table);
  trace_name_list_fini(&names->list);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
}

static void look(Names *names, const char *name, uint32_t number) {
  names->wrong += number >= names->list.at.n || strcmp(names->list.at.at[number], name) != 0;
}

/* With bytes in front of the name, and without. */
static void test_numbers(void) {
  Heap *heap = heap_new(0);
  Names names;
  char room[FRONT + ROOM];
  names_init(&names, heap);
  for (uint32_t i = 0; i < 600000; i++) {
    const size_t length = make_name(room + FRONT);
    char *alone = draw(4) ? NULL : strdup(room + FRONT);
    look(&names, room + FRONT,
         alone ? trace_name_table_add(&names.table, alone, length)
               : trace_name_number(&names.table, room + FRONT, length));
    free(alone);
  }
  expect_all(&names, heap);
  heap_free(heap);
}

/* Many names are sought before the first of them is found; some are the same, and the first of their kind. */
static void test_side_by_side(void) {
  enum { N = 40 };
  Heap *heap = heap_new(0);
  Names names;
  static char rooms[N][FRONT + ROOM];
  size_t lengths[N];
  NameSought sought[N];
  names_init(&names, heap);
  for (uint32_t round = 0; round < 20000; round++) {
    const bool far = trace_name_is_far(&names.table);
    for (uint32_t i = 0; i < N; i++) {
      const bool same = i && !draw(8);
      if (same) memcpy(rooms[i], rooms[i - 1], sizeof rooms[i]);
      lengths[i] = same ? lengths[i - 1] : make_name(rooms[i] + FRONT);
      if (i < 2)
        lengths[i] = (size_t)snprintf(rooms[i] + FRONT, ROOM, "%c%c%c%u", 'a' + round % 26, 'A' + round / 26 % 26,
                                      'A' + round / 676 % 26, 7u);
      if (far) sought[i] = trace_name_seek(&names.table, rooms[i] + FRONT, lengths[i]);
    }
    for (uint32_t i = 0; far && i < N; i++) trace_name_seek_list(&names.table, &sought[i]);
    for (uint32_t i = 0; far && i < N; i++) trace_name_seek_text(&names.table, &sought[i]);
    for (uint32_t i = 0; i < N; i++)
      look(&names, rooms[i] + FRONT,
           far ? trace_name_sought(&names.table, &sought[i], rooms[i] + FRONT, lengths[i])
               : trace_name_number(&names.table, rooms[i] + FRONT, lengths[i]));
  }
  expect_all(&names, heap);
  heap_free(heap);
}

void suite_numbered(void);
void suite_numbered(void) {
  CU_pSuite suite = CU_add_suite("numbered", NULL, NULL);
  CU_add_test(suite, "a number in a name", test_split);
  CU_add_test(suite, "the longest names", test_longest);
  CU_add_test(suite, "room", test_room);
  CU_add_test(suite, "many names", test_numbers);
  CU_add_test(suite, "many names, side by side", test_side_by_side);
}
