/* Programs with `self`, arrays and the like, against the same in plain words: a block has the verdict that all blocks
 * of its name have together there; and explicit search of either net says nothing else. */
#include "ask/atomicity.h"
#include "tests/oracle/colouring.h"
#include "tests/oracle/random_rich.h"
#include "tests/unit/sml_case.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCKS = 64, MAX_STATES = 30000 };

typedef struct {
  uint32_t n;
  char names[MAX_BLOCKS][8];
  Answer answers[MAX_BLOCKS];
} Verdicts;

/* Blocks of one name are one. */
static void note_verdict(Verdicts *v, const char *name, Answer answer) {
  uint32_t i = 0;
  while (i < v->n && strcmp(v->names[i], name) != 0) i++;
  if (i == MAX_BLOCKS || strlen(name) >= sizeof *v->names) abort();
  if (i == v->n) {
    strcpy(v->names[v->n++], name);
    v->answers[i] = ANSWER_ATOMIC;
  }
  if (answer == ANSWER_VIOLATED || v->answers[i] == ANSWER_VIOLATED) v->answers[i] = ANSWER_VIOLATED;
  else if (answer == ANSWER_UNKNOWN) v->answers[i] = ANSWER_UNKNOWN;
}

static void by_stages(const SmlCase *c, Verdicts *v) {
  const AtomicityOptions options = {.tries = TRY_ALL, .colour = {COLOURING_CHAIN, true, NULL}};
  Atomicity result;
  Err err;
  CU_ASSERT_TRUE_FATAL(atomicity_check(c->heap, c->net, &options, &(AskLimits){.max_events = 10000}, &result, &err));
  for (uint32_t i = 0; i < result.n_blocks; i++)
    note_verdict(v, c->net->notes->blocks[result.blocks[i].block].name,
                 result.blocks[i].verdict == VERDICT_HOLDS      ? ANSWER_ATOMIC
                 : result.blocks[i].verdict == VERDICT_VIOLATED ? ANSWER_VIOLATED
                                                                : ANSWER_UNKNOWN);
  atomicity_fini(&result);
}

static void by_search(const SmlCase *c, Verdicts *v) {
  Answer answers[MAX_BLOCKS];
  Err err = {0};
  CU_ASSERT_TRUE_FATAL(c->net->notes->n_blocks <= MAX_BLOCKS);
  CU_ASSERT_TRUE_FATAL(colouring_search(c->heap, c->net, MAX_STATES, answers, &err));
  for (uint32_t i = 0; i < c->net->notes->n_blocks; i++) note_verdict(v, c->net->notes->blocks[i].name, answers[i]);
}

/* No block is atomic in one and violated in the other; counts those that are known in both. */
static bool agree(const Verdicts *a, const Verdicts *b, uint32_t *known) {
  bool good = a->n == b->n;
  for (uint32_t i = 0; i < a->n && good; i++) {
    uint32_t k = 0;
    while (k < b->n && strcmp(a->names[i], b->names[k]) != 0) k++;
    const bool both = k < b->n && a->answers[i] != ANSWER_UNKNOWN && b->answers[k] != ANSWER_UNKNOWN;
    good = k < b->n && (!both || a->answers[i] == b->answers[k]);
    if (known && both) known[a->answers[i]]++;
  }
  return good;
}

static void say_the_same(uint64_t seed, Granularity granularity, Encoding encoding, uint32_t *known) {
  Heap *heap = heap_new(0);
  CharVec texts[2] = {{0}, {0}};
  SmlCase cases[2];
  Verdicts verdicts[2] = {{0}, {0}}, searched = {0};
  for (int plain = 0; plain < 2; plain++) {
    random_rich(heap, seed, plain, &texts[plain]);
    cases[plain] = sml_case_with(texts[plain].at, texts[plain].n, granularity, encoding);
    if (!cases[plain].net) printf("%s\n", cases[plain].messages);
    CU_ASSERT_PTR_NOT_NULL_FATAL(cases[plain].net);
    by_stages(&cases[plain], &verdicts[plain]);
  }
  by_search(&cases[0], &searched);
  const bool good = agree(&verdicts[0], &verdicts[1], known) && agree(&verdicts[0], &searched, NULL);
  if (!good) printf("\nseed %llu:\n%.*s\n", (unsigned long long)seed, (int)texts[0].n, texts[0].at);
  CU_ASSERT_TRUE(good);
  for (int plain = 0; plain < 2; plain++) {
    sml_case_end(&cases[plain]);
    vec_fini(heap, &texts[plain]);
  }
  heap_free(heap);
}

static void programs_and_their_plain_words(void) {
  uint32_t known[3] = {0};
  for (uint64_t seed = 1; seed <= 1000; seed++)
    say_the_same(seed, GRANULARITY_STATEMENT, seed % 5 ? ENCODING_COMPACT : ENCODING_PAPER, known);
  printf("(%u atomic, %u violated) ", known[ANSWER_ATOMIC], known[ANSWER_VIOLATED]);
  CU_ASSERT_TRUE(known[ANSWER_ATOMIC] > 300 && known[ANSWER_VIOLATED] > 300);
}

void suite_rich(void);
void suite_rich(void) {
  CU_pSuite suite = CU_add_suite("rich", NULL, NULL);
  CU_ADD_TEST(suite, programs_and_their_plain_words);
}
