#include "frontend/sml/lex.h"

#include "tests/unit/sml_case.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

/* All tokens as their names, with a space between them; errors are counted in *n_errors. */
static char *tokens(const char *text, size_t length, uint32_t *n_errors) {
  Heap *heap = heap_new(0);
  Diag diag;
  diag_init(&diag, heap, "f", text, length);
  Lexer lexer;
  lex_init(&lexer, &diag);
  char *result = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&result, &size);
  if (!out) abort();
  for (Token token; (token = lex_next(&lexer)).kind != TK_EOF;)
    if (token.kind == TK_NAME) fprintf(out, "%.*s ", (int)token.span.length, text + token.span.at);
    else if (token.kind == TK_INTEGER) fprintf(out, "%lld ", (long long)token.value);
    else fprintf(out, "%s ", lex_token_name(token.kind));
  CU_ASSERT_EQUAL(lex_next(&lexer).kind, TK_EOF);
  CU_ASSERT_EQUAL(lexer.at, length);
  fclose(out);
  *n_errors = diag.n_errors;
  diag_fini(&diag);
  heap_free(heap);
  return result;
}

static void lexes_bytes(const char *text, size_t length, const char *expected, uint32_t expected_errors) {
  uint32_t n_errors;
  char *got = tokens(text, length, &n_errors);
  check_text(got, expected);
  CU_ASSERT_EQUAL(n_errors, expected_errors);
  free(got);
}

static void lexes(const char *text, const char *expected, uint32_t n_errors) {
  lexes_bytes(text, strlen(text), expected, n_errors);
}

static void words(void) {
  lexes(
      "int bool lock proc local skip while if else begin end acquire release atomic await call nondet true false or and not",
      "'int' 'bool' 'lock' 'proc' 'local' 'skip' 'while' 'if' 'else' 'begin' 'end' 'acquire' 'release' 'atomic' 'await' "
      "'call' 'nondet' 'true' 'false' 'or' 'and' 'not' ",
      0);
  lexes("intx Int _a B' x1_ été Ω", "intx Int _a B' x1_ été Ω ", 0);
}

static void marks(void) {
  lexes(":= || ; , : ( ) { } [ ] + - * / % < <= > >= = == != !",
        "':=' '||' ';' ',' ':' '(' ')' '{' '}' '[' ']' '+' '-' '*' '/' '%' "
        "'<' '<=' '>' '>=' '=' '=' '!=' 'not' ",
        0);
  lexes("&&a<b=c||d", "'and' a '<' b '=' c '||' d ", 0);
}

static void the_papers_symbols_stand_for_ascii(void) {
  lexes("≤ ≥ ≠ ∨ ∧ ¬ ∗ × ÷ − ∥", "'<=' '>=' '!=' 'or' 'and' 'not' '*' '*' '/' '-' '||' ", 0);
  lexes("a≤b¬c", "a '<=' b 'not' c ", 0);
}

static void space_and_comments(void) {
  lexes(" \t\r\n\v\fa//b\nc/* d\n * e */f/**/g\xc2\xa0h", "a c f g h ", 0);
  lexes("a // no newline at the end", "a ", 0);
  lexes("\xef\xbb\xbf"
        "a",
        "a ", 0);
  lexes("a /* no end", "a ", 1);
  lexes("/*/", "", 1);
  lexes("", "", 0);
}

static void numbers(void) {
  lexes("0 007 9223372036854775807 12ab", "0 7 9223372036854775807 12 ab ", 0);
  lexes("9223372036854775808 5", "0 5 ", 1);
  lexes("99999999999999999999999999999999999999", "0 ", 1);
}

static void strays_are_told_and_skipped(void) {
  lexes("a $ b", "a b ", 1);
  lexes("a | b & c", "a b c ", 2);
  lexes("a \"x y\" b # c", "a b ", 2);
  lexes("\"x\n# y\n\"\" z", "z ", 3);
  lexes("a → b “", "a b ", 2);
  lexes("a\xff\xfe\xfd"
        "b\xc3",
        "a b ", 2);
  lexes("\xed\xa0\x80 \xc0\x80 \xf4\x90\x80\x80", "", 3);
  lexes_bytes("a\0\0\0b\0", 6, "a b ", 2);
}

static void every_two_bytes_end_somewhere(void) {
  for (int first = 0; first < 256; first++)
    for (int second = 0; second < 256; second++) {
      const char text[] = {(char)first, (char)second};
      uint32_t n_errors;
      free(tokens(text, 2, &n_errors));
    }
}

static void squeezes(const char *text, uint32_t limit, const char *expected) {
  Heap *heap = heap_new(0);
  Arena arena;
  arena_init(&arena, heap);
  CU_ASSERT_STRING_EQUAL(lex_squeeze(&arena, text, (Span){0, (uint32_t)strlen(text)}, limit), expected);
  arena_fini(&arena);
  heap_free(heap);
}

static void squeezing_makes_one_line(void) {
  squeezes("Y :=  5\n\t+ /* why */ 1 // because", 100, "Y := 5 + 1");
  squeezes("Y:=5", 100, "Y:=5");
  squeezes("Y/**/:=/**/5", 100, "Y := 5");
  squeezes("", 100, "");
  squeezes("Y := 5", 6, "Y := 5");
  squeezes("Y := 5", 5, "Y :=...");
  squeezes("a_very_long_name", 4, "...");
}

void suite_lexer(void) {
  CU_pSuite suite = CU_add_suite("lexer", NULL, NULL);
  CU_ADD_TEST(suite, words);
  CU_ADD_TEST(suite, marks);
  CU_ADD_TEST(suite, the_papers_symbols_stand_for_ascii);
  CU_ADD_TEST(suite, space_and_comments);
  CU_ADD_TEST(suite, numbers);
  CU_ADD_TEST(suite, strays_are_told_and_skipped);
  CU_ADD_TEST(suite, every_two_bytes_end_somewhere);
  CU_ADD_TEST(suite, squeezing_makes_one_line);
}
