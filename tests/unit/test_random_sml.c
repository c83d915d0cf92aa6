#include "tests/oracle/random_sml.h"
#include "tests/oracle/shrink_sml.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

static const char *as_string(Heap *heap, CharVec *text) {
  vec_push(heap, text, '\0');
  text->n--;
  return text->at;
}

static void a_seed_is_a_program(void) {
  Heap *heap = heap_new(0);
  uint32_t same = 0, with_loops = 0, with_locks = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    CharVec a = {0}, b = {0}, other = {0};
    const RandomSize size = seed % 2 ? RANDOM_TINY : RANDOM_SMALL;
    random_sml(heap, seed, size, &a);
    random_sml(heap, seed, size, &b);
    random_sml(heap, seed + 1000, size, &other);
    CU_ASSERT_STRING_EQUAL(as_string(heap, &a), as_string(heap, &b));
    CU_ASSERT_PTR_NOT_NULL(strstr(a.at, "begin"));
    CU_ASSERT_TRUE(size == RANDOM_SMALL || !strstr(a.at, "while"));
    same += strcmp(a.at, as_string(heap, &other)) == 0;
    with_loops += strstr(a.at, "while") != NULL;
    with_locks += strstr(a.at, "acquire") != NULL;
  }
  CU_ASSERT_TRUE(same < 5);
  CU_ASSERT_TRUE(with_loops > 20 && with_locks > 50);
  heap_free(heap);
}

/* Programs that still have all these words; the argument is a NULL-terminated list of them. */
static bool has_words(void *argument, const char *text, size_t length) {
  for (const char **word = argument; *word; word++)
    if (!memmem(text, length, *word, strlen(*word))) return false;
  return true;
}

static void shrinks_to(const char *program, const char *const *words, const char *expected) {
  Heap *heap = heap_new(0);
  CharVec text = {0};
  vec_reserve(heap, &text, strlen(program) + 1);
  memcpy(text.at, program, strlen(program));
  text.n = (uint32_t)strlen(program);
  shrink_sml(heap, &text, has_words, (void *)words);
  CU_ASSERT_STRING_EQUAL(as_string(heap, &text), expected);
  if (strcmp(text.at, expected) != 0) printf("\n  it is now:\n%s", text.at);
  vec_fini(heap, &text);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void shrinking_drops_what_is_not_needed(void) {
  const char *program =
      "int X;\nint Y;\nwhile (X > 0 && Y < 100) {\n  if (X) {\n    Y := X + 3;\n  } else {\n    skip;\n  }\n}\n"
      "||\nbegin:B\n  X := 1; Y := X + 2;\nend;\n||\nY := 1;\n";
  shrinks_to(program, (const char *[]){"Y := ", NULL}, "Y := 1;\n");
  shrinks_to(program, (const char *[]){"while", "Y := ", NULL}, "while (true) {\nY := 1;\n");
  shrinks_to(program, (const char *[]){"if", "Y := ", "else", "||", NULL},
             "  if (true) {\n  } else {\n  }\n||\nY := 1;\n");
  shrinks_to(program, (const char *[]){"begin:B", "X + 2", NULL}, "begin:B\nY := X + 2;\nend;\n");
  shrinks_to(program, (const char *[]){"int X", "X + 2", NULL}, "int X;\nY := X + 2;\n");
}

static void shrinking_takes_lines_of_blocks_apart(void) {
  const char *program = "begin X := 1; Y := 2 end; begin:B2 Z := 3;  end;\n";
  shrinks_to(program, (const char *[]){"Z := 3", NULL}, "Z := 3;\n");
  shrinks_to(program, (const char *[]){"begin\n", "Y := 2", NULL}, "begin\nY := 2\nend;\n");
}

static void shrinking_survives_odd_texts(void) {
  shrinks_to("", (const char *[]){NULL}, "");
  shrinks_to("}\n}\nend\n||\n{\n", (const char *[]){"{", NULL}, "{\n");
  shrinks_to("\n\n \nx", (const char *[]){"x", NULL}, "x\n");
  shrinks_to("if (a) {\nx\n", (const char *[]){"{", "x", NULL}, "if (true) {\nx\n");
}

void suite_random_sml(void);
void suite_random_sml(void) {
  CU_pSuite suite = CU_add_suite("random programs", NULL, NULL);
  CU_ADD_TEST(suite, a_seed_is_a_program);
  CU_ADD_TEST(suite, shrinking_drops_what_is_not_needed);
  CU_ADD_TEST(suite, shrinking_takes_lines_of_blocks_apart);
  CU_ADD_TEST(suite, shrinking_survives_odd_texts);
}
