#include "base/diag.h"

#include "tests/unit/sml_case.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

/* One error at `offset` of the text prints as `expected`. */
static void prints(const char *text, size_t offset, size_t length, const char *expected) {
  Heap *heap = heap_new(0);
  Diag diag;
  diag_init(&diag, heap, "f", text, strlen(text));
  diag_add(&diag, LEVEL_ERROR, NULL, offset, length, "bad %d", 7);
  char *got = diag_text(&diag, false);
  check_text(got, expected);
  free(got);
  diag_fini(&diag);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void the_caret_stands_under_the_place(void) {
  prints("ab\ncde\nf", 4, 2, "f:2:2: error: bad 7\n  cde\n   ^~\n");
  prints("ab\ncde\nf", 7, 1, "f:3:1: error: bad 7\n  f\n  ^\n");
  prints("ab\r\n", 1, 1, "f:1:2: error: bad 7\n  ab\n   ^\n");
}

static void the_end_of_the_text_has_a_place(void) {
  prints("", 0, 0, "f:1:1: error: bad 7\n  \n  ^\n");
  prints("ab", 2, 0, "f:1:3: error: bad 7\n  ab\n    ^\n");
  prints("ab\n", 3, 0, "f:2:1: error: bad 7\n  \n  ^\n");
}

static void an_underline_ends_with_its_line(void) { prints("ab\ncd", 1, 4, "f:1:2: error: bad 7\n  ab\n   ^\n"); }

static void tabs_and_wide_bytes_keep_the_caret_in_place(void) {
  prints("\tx", 1, 1, "f:1:2: error: bad 7\n  \tx\n  \t^\n");
  prints("é≤x", 5, 1, "f:1:6: error: bad 7\n  é≤x\n    ^\n");
  prints("≤x", 0, 3, "f:1:1: error: bad 7\n  ≤x\n  ^\n");
}

static void nothing_reaches_the_terminal_raw(void) {
  prints("\x1b[31m\xff\xc3", 6, 1, "f:1:7: error: bad 7\n  \\x1B[31m\\xFF\\xC3\n              ^~~~\n");
  prints("a\xe2\x80\xae"
         "b",
         4, 1, "f:1:5: error: bad 7\n  a\\xE2\\x80\\xAEb\n               ^\n");
}

static void long_lines_are_cut_around_the_caret(void) {
  char text[1001];
  memset(text, 'a', 1000);
  text[1000] = '\0';
  text[500] = 'X';
  Heap *heap = heap_new(0);
  Diag diag;
  diag_init(&diag, heap, "f", text, 1000);
  diag_add(&diag, LEVEL_ERROR, NULL, 500, 1, "bad");
  char *got = diag_text(&diag, false);
  char *line = strchr(got, '\n') + 1, *carets = strchr(line, '\n') + 1;
  CU_ASSERT_TRUE(strlen(got) < 300);
  CU_ASSERT_EQUAL(strchr(line, 'X') - line, strchr(carets, '^') - carets);
  CU_ASSERT_EQUAL(strncmp(line, "  ...a", 6), 0);
  CU_ASSERT_EQUAL(strncmp(carets - 5, "a...\n", 5), 0);
  free(got);
  diag_fini(&diag);
  heap_free(heap);
}

static void items_are_sorted_and_notes_stay_with_theirs(void) {
  Heap *heap = heap_new(0);
  Diag diag;
  diag_init(&diag, heap, "f", "a\nb\nc", 5);
  diag_add(&diag, LEVEL_ERROR, NULL, 4, 1, "third");
  diag_add(&diag, LEVEL_NOTE, NULL, 0, 1, "of third");
  diag_add(&diag, LEVEL_WARNING, "w", 2, 1, "second");
  diag_add(&diag, LEVEL_ERROR, NULL, 2, 1, "after second");
  diag_add(&diag, LEVEL_WARNING, "w", DIAG_NOWHERE, 0, "first");
  char *got = diag_text(&diag, false);
  check_text(got,
             "f: warning: first [-Ww]\nf:2:1: warning: second [-Ww]\n  b\n  ^\nf:2:1: error: after second\n  b\n  ^\n"
             "f:3:1: error: third\n  c\n  ^\nf:1:1: note: of third\n  a\n  ^\n");
  CU_ASSERT_EQUAL(diag.n_errors, 2);
  CU_ASSERT_EQUAL(diag.n_warnings, 2);
  free(got);
  diag_fini(&diag);
  heap_free(heap);
}

static void colours_are_there_on_demand_only(void) {
  Heap *heap = heap_new(0);
  Diag diag;
  diag_init(&diag, heap, "f", "a", 1);
  diag_add(&diag, LEVEL_ERROR, NULL, 0, 1, "bad");
  char *plain = diag_text(&diag, false), *colour = diag_text(&diag, true);
  CU_ASSERT_PTR_NULL(strchr(plain, '\033'));
  CU_ASSERT_PTR_NOT_NULL(strstr(colour, "\033[1;31merror:\033[0m"));
  free(plain);
  free(colour);
  diag_fini(&diag);
  heap_free(heap);
}

static void too_many_errors_are_dropped(void) {
  Heap *heap = heap_new(0);
  Diag diag;
  diag_init(&diag, heap, "f", "abc", 3);
  diag.max_errors = 2;
  for (size_t i = 0; i < 3; i++) {
    CU_ASSERT_EQUAL(diag_full(&diag), i == 2);
    diag_add(&diag, LEVEL_ERROR, NULL, i, 1, "bad");
    diag_add(&diag, LEVEL_NOTE, NULL, i, 1, "note");
  }
  CU_ASSERT_EQUAL(diag.n_errors, 2);
  CU_ASSERT_EQUAL(diag.items.n, 4);
  char *got = diag_text(&diag, false);
  CU_ASSERT_PTR_NOT_NULL(strstr(got, "\n2 errors; further ones are not shown\n"));
  free(got);
  diag_fini(&diag);
  heap_free(heap);
}

static const char *const NAMES[] = {"one", "two", "three", NULL};

/* Which of the three are shown after these switches, as in "013"; "!" for an error. */
static const char *shown_after(Diag *diag, const char *const *switches, uint32_t n, char *result) {
  Err err;
  vec_clear(&diag->items);
  if (!diag_switch(diag, NAMES, switches, n, &err)) return "!";
  uint32_t length = 0;
  for (int i = 0; i < 3; i++) {
    const uint32_t before = diag->items.n;
    diag_add(diag, LEVEL_WARNING, NAMES[i], 0, 1, "x");
    diag_add(diag, LEVEL_NOTE, NULL, 0, 1, "of it");
    if (diag->items.n == before + 2) result[length++] = (char)('0' + i);
  }
  result[length] = '\0';
  return result;
}

static void warnings_are_switched_off_and_on(void) {
  Heap *heap = heap_new(0);
  Diag diag;
  char result[8];
  diag_init(&diag, heap, "f", "a", 1);
#define SHOWN(...)                                                                                                    \
  shown_after(&diag, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), \
              result)
  CU_ASSERT_STRING_EQUAL(SHOWN("one"), "012");
  CU_ASSERT_STRING_EQUAL(SHOWN("no-two"), "02");
  CU_ASSERT_STRING_EQUAL(SHOWN("no-all"), "");
  CU_ASSERT_STRING_EQUAL(SHOWN("no-all", "three"), "2");
  CU_ASSERT_STRING_EQUAL(SHOWN("no-one", "one", "no-three"), "01");
  CU_ASSERT_STRING_EQUAL(SHOWN("all"), "012");
  CU_ASSERT_STRING_EQUAL(SHOWN("four"), "!");
  CU_ASSERT_STRING_EQUAL(SHOWN("no-"), "!");
#undef SHOWN
  diag_fini(&diag);
  heap_free(heap);
}

void suite_diag(void) {
  CU_pSuite suite = CU_add_suite("diag", NULL, NULL);
  CU_ADD_TEST(suite, the_caret_stands_under_the_place);
  CU_ADD_TEST(suite, the_end_of_the_text_has_a_place);
  CU_ADD_TEST(suite, an_underline_ends_with_its_line);
  CU_ADD_TEST(suite, tabs_and_wide_bytes_keep_the_caret_in_place);
  CU_ADD_TEST(suite, nothing_reaches_the_terminal_raw);
  CU_ADD_TEST(suite, long_lines_are_cut_around_the_caret);
  CU_ADD_TEST(suite, items_are_sorted_and_notes_stay_with_theirs);
  CU_ADD_TEST(suite, colours_are_there_on_demand_only);
  CU_ADD_TEST(suite, too_many_errors_are_dropped);
  CU_ADD_TEST(suite, warnings_are_switched_off_and_on);
}
