/* Inputs that are no programs, or huge ones: sml_compile ends, soon, with a net or an error. */
#include "tests/unit/sml_case.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* `part` n times, between `before` and `after`; malloc'd. */
static char *repeat(const char *before, const char *part, size_t n, const char *after) {
  const size_t head = strlen(before), length = strlen(part), tail = strlen(after);
  char *text = malloc(head + n * length + tail + 1);
  if (!text) abort();
  memcpy(text, before, head);
  for (size_t i = 0; i < n; i++) memcpy(text + head + i * length, part, length);
  memcpy(text + head + n * length, after, tail + 1);
  return text;
}

/* The first error says this; NULL: there is none. */
static void ends_with_error(const char *text, size_t length, const char *message) {
  const clock_t start = clock();
  SmlCase c = sml_case_with(text, length, GRANULARITY_STATEMENT, ENCODING_COMPACT);
  CU_ASSERT_EQUAL(c.net == NULL, message != NULL);
  const char *error = strstr(c.messages, "error: ");
  if (message && (!error || strncmp(error + 7, message, strlen(message)) != 0)) {
    CU_FAIL("another error was expected");
    printf("\n  expected: %s\n  got: %.200s\n", message, c.messages);
  }
  CU_ASSERT_TRUE(strlen(c.messages) < 20000);
  sml_case_end(&c);
  CU_ASSERT_TRUE((double)(clock() - start) / CLOCKS_PER_SEC < 20);
}

static void repeated(const char *before, const char *part, size_t n, const char *after, const char *message) {
  char *text = repeat(before, part, n, after);
  ends_with_error(text, strlen(text), message);
  free(text);
}

static void endless_nesting(void) {
  repeated("", "{", 10000000, "", "expected a statement, found '{'");
  repeated("", "while(x){", 1000000, "", "nested deeper than 1000 levels");
  repeated("", "begin ", 1000000, "", "nested deeper than 1000 levels");
  repeated("x := ", "(", 1000000, "", "nested deeper than 1000 levels");
  repeated("x := ", "-", 1000000, "1", "nested deeper than 1000 levels");
  repeated("", "}", 1000000, "", "'}' without a '{'");
  repeated("", "end ", 1000000, "", "'end' without a 'begin'");
}

static void no_text_at_all(void) {
  repeated("", "\xff", 1000000, "", "invalid UTF-8");
  repeated("", "\xff ", 100000, "", "invalid UTF-8");
  ends_with_error("skip \0 skip", 11, "a NUL byte");
  char *nuls = calloc(1000000, 1);
  ends_with_error(nuls, 1000000, "a NUL byte");
  free(nuls);
  ends_with_error("", 0, NULL);
}

static void long_words(void) {
  char *name = repeat("", "abcdefgh", 125000, "");
  char *program = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&program, &size);
  fprintf(out, "int %s; begin %s := 1 end || x := %s", name, name, name);
  fclose(out);
  ends_with_error(program, size, NULL);
  free(program);
  free(name);
  repeated("acquire(", "m", 1000000, ")", "unknown lock 'mmmm");
  repeated("x := ", "9", 1000000, "", "this number does not fit into 64 bits");
  repeated("/*", "*", 1000000, "", "unterminated comment");
  repeated("begin x := 1", " + 1", 1000000, " end", NULL);
}

static void absurd_numbers(void) {
  repeated("1000000000 * { }", "", 0, "", "the program would have 1000000000 threads; the limit is 10000");
  repeated("9223372036854775807 * { } ", "|| 9223372036854775807 * { } ", 2, "",
           "the program would have 9223372036854775807 threads");
  repeated("", "|| ", 20000, "", "the program would have 10001 threads; the limit is 10000");
  repeated("int[0] Y;", "", 0, "", "int[K] has the values 0 to K - 1, for a K from 1 to 65535, not 0");
  repeated("int[1000] A, B; A := B || B := A", "", 0, "",
           "'A := B' has too many combinations of values in one event: more than 4096");
  repeated("atomic { ", "if (x) { y := 1 } ", 64, "}", "'atomic' has too many combinations of values");
  repeated("int Y; 10000 * { x := Y; Y := x }", "", 0, "",
           "the net of this program would have 200060000 arcs; the limit is 50000000");
}

static void calls_that_explode(void) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  for (int i = 0; i < 60; i++) fprintf(out, "proc p%d { call p%d call p%d }\n", i, i + 1, i + 1);
  fputs("proc p60 { } call p0", out);
  fclose(out);
  ends_with_error(text, size, "this thread has more than 1000000 statements, its calls inlined");
  free(text);
  out = open_memstream(&text, &size);
  for (int i = 0; i < 100000; i++) fprintf(out, "proc p%d { call p%d }\n", i, i + 1);
  fputs("proc p100000 { } call p0", out);
  fclose(out);
  ends_with_error(text, size, "calls nested deeper than 2000 levels");
  free(text);
}

static void large_programs_are_no_problem(void) {
  repeated("int Y; begin ", "Y := Y + 1;\n", 50000, " end || Y := 1", NULL);
  repeated("int Y; begin ", "if (Y > 1) { Y := 2 } else { x := Y }\n", 20000, " end || Y := 1", NULL);
  repeated("int Y; begin atomic { ", "Y := Y + 1;\n", 50000, "} end || Y := 1", NULL);
  repeated("int Y; 5000 * { begin Y := Y + 1 end }", "", 0, "", NULL);
}

/* ---- each allocation fails once ---- */

typedef struct {
  Heap *heap;
  Diag diag;
  Net *net;
} Attempt;

static const char PROGRAM[] =
    "bool M; int D; lock l, m; proc p { begin:B D := D + 1 end }\n"
    "N * { local bool f; f := nondet; atomic { if (f) { M := true } } while (M || D > 1) { call p release(l) } }\n"
    "|| acquire(l) await (M = true and D < 2) release(l)";

static void compile(void *argument) {
  Attempt *a = argument;
  const SmlDefine defines[] = {{"N", 2}};
  const SmlOptions options = {.granularity = GRANULARITY_ACCESS, .defines = defines, .n_defines = 1};
  diag_init(&a->diag, a->heap, "t.sml", PROGRAM, sizeof PROGRAM - 1);
  a->net = sml_compile(a->heap, &options, &a->diag);
}

static void every_allocation_may_fail(void) {
  uint64_t n = 0;
  for (bool done = false; !done && n < 100000; n++) {
    Attempt a = {.heap = heap_new(0)};
    heap_fail_at(a.heap, n + 1);
    done = heap_try(a.heap, compile, &a);
    CU_ASSERT_EQUAL(done, a.net != NULL);
    heap_free(a.heap);
  }
  CU_ASSERT_TRUE(n > 100 && n < 100000);
}

/* ---- programs with a few bytes changed ---- */

static const char LARGE_PROGRAM[] =
    "int X, Y := 3; bool F := true, G; int[4] C; lock l, m; // all there is\n"
    "proc p { begin:B X := X + 1 end call q } proc q { C := (C + 1) % 4; if (F || G ∧ ¬ C ≤ 2) { skip } else { G := !F } }\n"
    "local bool f; local int[3] k := 2; while (true) { f := nondet; atomic { if (f) { F := G } else { await(k > 0) } }\n"
    "acquire(l) call p; release(l) k := k - 1 }\n"
    "|| 3 * { local bool f; /* copies */ begin while (X < 5 or f) { Y := X * -2 / (C - 1) } end; acquire(m) release(m) }\n"
    "|| await (C = 2 and not G); X := 9 || begin skip begin:inner release(l) end end";

static const char *const PARTS[] = {"{",
                                    "}",
                                    "(",
                                    ")",
                                    "||",
                                    ";",
                                    ":=",
                                    "begin",
                                    "end",
                                    "while",
                                    "if",
                                    "else",
                                    "local",
                                    "int",
                                    "lock",
                                    "*",
                                    "N * {",
                                    "3 * {",
                                    "/*",
                                    "//",
                                    "\n",
                                    "acquire(",
                                    "call",
                                    "C",
                                    "f",
                                    "-1",
                                    "nondet",
                                    "\xff",
                                    "99999999999999999999",
                                    "atomic {",
                                    "await(",
                                    "<",
                                    "!",
                                    "not",
                                    "int[0]"};

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

/* Cuts out some bytes and puts a part in their place. */
static size_t mutate(char *text, size_t length, uint64_t *state) {
  const char *part = PARTS[next_random(state) % (sizeof PARTS / sizeof *PARTS)];
  const size_t at = (size_t)(next_random(state) % length), rest = length - at,
               added = next_random(state) % 2 ? strlen(part) : 0;
  size_t cut = next_random(state) % 8;
  if (cut > rest) cut = rest;
  memmove(text + at + added, text + at + cut, rest - cut);
  memcpy(text + at, part, added);
  return length - cut + added;
}

static void mutated_programs_end(void) {
  uint32_t n_good = 0;
  for (uint64_t seed = 1; seed <= 4000; seed++) {
    char text[sizeof LARGE_PROGRAM + 400];
    uint64_t state = seed;
    size_t length = sizeof LARGE_PROGRAM - 1;
    memcpy(text, LARGE_PROGRAM, sizeof LARGE_PROGRAM);
    for (uint64_t i = 0; i < 1 + seed % 4; i++) length = mutate(text, length, &state);
    text[length] = '\0';
    SmlCase c = sml_case_with(text, length, seed % 3 ? GRANULARITY_STATEMENT : GRANULARITY_ACCESS, ENCODING_COMPACT);
    n_good += c.net != NULL;
    sml_case_end(&c);
  }
  CU_ASSERT_TRUE(n_good > 100 && n_good < 3900);
}

static void what_looks_like_sml(void) {
  static const struct {
    const char *text;
    bool is_sml;
  } cases[] = {{"", true},
               {"int Y;", true},
               {" \n\t<?xml", false},
               {"<pnml>", false},
               {"\xef\xbb\xbf<pnml>", false},
               {"PEP\nPTNet", false},
               {"PEP", false},
               {"PEPPER := 1", true},
               {"// <pnml>", true},
               {"\xef\xbb\xbfskip", true},
               {"||", true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CU_ASSERT_EQUAL(sml_recognise(cases[i].text, strlen(cases[i].text)), cases[i].is_sml);
}

void suite_hostile(void) {
  CU_pSuite suite = CU_add_suite("hostile", NULL, NULL);
  CU_ADD_TEST(suite, endless_nesting);
  CU_ADD_TEST(suite, no_text_at_all);
  CU_ADD_TEST(suite, long_words);
  CU_ADD_TEST(suite, absurd_numbers);
  CU_ADD_TEST(suite, calls_that_explode);
  CU_ADD_TEST(suite, large_programs_are_no_problem);
  CU_ADD_TEST(suite, every_allocation_may_fail);
  CU_ADD_TEST(suite, mutated_programs_end);
  CU_ADD_TEST(suite, what_looks_like_sml);
}
