#include "base/suggest.h"

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {"balance", "acquire", "account", "unused-lock", "unused-define",
                                    "lock",    "X",       "x1",      "Kontostände", NULL};

/* Of NAMES, the word stands for `meant`; "": for none. */
static void means(const char *wrong, const char *meant) {
  Suggestion suggestion = suggest_for(wrong);
  for (uint32_t i = 0; NAMES[i]; i++) suggest_offer(&suggestion, NAMES[i]);
  if (strcmp(suggestion.best, meant)) printf("\n'%s': got '%s', not '%s'\n", wrong, suggestion.best, meant);
  CU_ASSERT_STRING_EQUAL(suggestion.best, meant);
  char words[160] = "";
  if (*meant) snprintf(words, sizeof words, "; did you mean '%s'?", meant);
  CU_ASSERT_STRING_EQUAL(suggest_words(&suggestion), words);
}

static void suggests_the_nearest(void) {
  means("balanse", "balance");  /* another letter */
  means("blance", "balance");   /* one is missing */
  means("ballance", "balance"); /* one too many */
  means("ablance", "balance");  /* two exchanged */
  means("BALANCE", "balance");
  means("acqiure", "acquire");
  means("aquire", "acquire");
  means("acounnt", "account");
  means("unused-lokc", "unused-lock");
  means("unused-defin", "unused-define");
  means("lok", "lock");
  means("lcok", "lock");
  means("x", "X");
  means("Kontostande", "Kontostände");
  means("Kontost\xc3\xa4ned", "Kontostände");
}

static void suggests_nothing_far(void) {
  means("y", "");
  means("x2", "");
  means("lo", "");
  means("clerk", "");
  means("bananas", "");
  means("unused-anything", ""); /* four letters of fifteen */
  means("", "");
  means("balance\n", "");
  means("balan\x80"
        "ce",
        "");
  char longest[SUGGEST_MOST + 2];
  memset(longest, 'a', sizeof longest);
  longest[SUGGEST_MOST + 1] = '\0';
  means(longest, "");
}

static void takes_the_longest_names(void) {
  char right[SUGGEST_MOST + 2], wrong[SUGGEST_MOST + 1];
  memset(right, 'a', sizeof right);
  memset(wrong, 'a', sizeof wrong);
  wrong[SUGGEST_MOST] = right[SUGGEST_MOST] = '\0';
  wrong[0] = 'b';
  Suggestion suggestion = suggest_for(wrong);
  suggest_offer(&suggestion, right);
  CU_ASSERT_EQUAL(strlen(suggest_words(&suggestion)), SUGGEST_MOST + strlen("; did you mean ''?"));
  right[SUGGEST_MOST] = 'a';
  right[SUGGEST_MOST + 1] = '\0';
  suggestion = suggest_for(wrong);
  suggest_offer(&suggestion, right);
  CU_ASSERT_STRING_EQUAL(suggest_words(&suggestion), "");
}

static void leaves_out_itself(void) {
  Suggestion suggestion = suggest_for("lock");
  suggest_offer(&suggestion, "lock");
  suggest_offer(&suggestion, "");
  CU_ASSERT_STRING_EQUAL(suggest_words(&suggestion), "");
  suggest_offer(&suggestion, "locks");
  suggest_offer(&suggestion, "clock");
  CU_ASSERT_STRING_EQUAL(suggestion.best, "locks"); /* the first of two that are equally near */
}

/* The definition: the least number of steps that lead from the first m letters of `a` to the first n of `b`. */
static uint32_t steps(const char *a, size_t m, const char *b, size_t n) {
  if (!m || !n) return (uint32_t)(m + n);
  uint32_t best = steps(a, m - 1, b, n - 1) + (a[m - 1] != b[n - 1]);
  const uint32_t without = steps(a, m - 1, b, n) + 1, with = steps(a, m, b, n - 1) + 1;
  if (without < best) best = without;
  if (with < best) best = with;
  if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1]) {
    const uint32_t exchanged = steps(a, m - 2, b, n - 2) + 1;
    if (exchanged < best) best = exchanged;
  }
  return best;
}

/* Up to 7 letters behind as many, up to 6, that are the same in all. */
static void random_name(char *name, int same) {
  const int length = same + rand() % 8;
  for (int i = 0; i < length; i++) name[i] = "dabc"[i < same ? 0 : 1 + rand() % 3];
  name[length] = '\0';
}

static void agrees_with_the_definition(void) {
  char a[16], b[16];
  uint32_t n_suggested = 0;
  srand(1);
  for (int i = 0; i < 3000; i++) {
    const int same = rand() % 7;
    random_name(a, same);
    random_name(b, same);
    const size_t m = strlen(a), n = strlen(b), longer = m > n ? m : n, most = longer / 3 < 3 ? longer / 3 : 3;
    const uint32_t expected = steps(a + same, m - (size_t)same, b + same, n - (size_t)same);
    Suggestion suggestion = suggest_for(a);
    suggest_offer(&suggestion, b);
    const bool like = n && strcmp(a, b) && expected <= most;
    CU_ASSERT_EQUAL(suggestion.best[0] != '\0', like);
    if (like) CU_ASSERT_EQUAL(suggestion.distance, expected);
    n_suggested += like;
  }
  CU_ASSERT_TRUE(n_suggested > 100);
}

void suite_suggest(void);
void suite_suggest(void) {
  CU_pSuite suite = CU_add_suite("base/suggest", NULL, NULL);
  CU_ADD_TEST(suite, suggests_the_nearest);
  CU_ADD_TEST(suite, suggests_nothing_far);
  CU_ADD_TEST(suite, takes_the_longest_names);
  CU_ADD_TEST(suite, leaves_out_itself);
  CU_ADD_TEST(suite, agrees_with_the_definition);
}
