/* Whether blocks can be entered: examples, and random programs against all their reachable markings. */
#include "tests/oracle/reach.h"
#include "tests/oracle/random_sml.h"
#include "tests/unit/sml_case.h"
#include "ask/atomicity.h"

#include <CUnit/CUnit.h>

enum { PROGRAMS = 1500, MARKINGS = 20000 };

/* Can it begin in one of the markings, which are all? */
static bool can_begin(const Reach *reach, uint32_t block) {
  const Net *net = reach->net;
  for (uint32_t t = 0; t < net->n_trans; t++)
    for (uint32_t m = 0; net->notes->transitions[t].begin == block && m < reach->n_markings; m++)
      if (token_enabled(net, reach_marking(reach, m), (TransId){t})) return true;
  return false;
}

typedef struct {
  uint32_t blocks, never, open;
} Tally;

/* False if it is wrong of a block. */
static bool check_blocks(const Atomicity *result, const Reach *reach, Tally *tally) {
  bool good = true;
  for (uint32_t i = 0; i < result->n_blocks; i++) {
    const Entered entered = result->blocks[i].entered;
    const bool possible = can_begin(reach, result->blocks[i].block);
    tally->blocks++;
    tally->never += entered == ENTERED_NEVER;
    tally->open += entered == ENTERED_UNKNOWN;
    good = good && (entered == ENTERED_UNKNOWN || (entered == ENTERED_SOMETIMES) == possible);
  }
  return good;
}

static void random_programs(void) {
  Tally tally = {0};
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
    Heap *heap = heap_new(0);
    CharVec text = {0};
    random_sml(heap, seed, RANDOM_SMALL, &text);
    SmlCase c = sml_case_with(text.at, text.n, GRANULARITY_STATEMENT, ENCODING_COMPACT);
    Reach *reach = c.net ? reach_explore(c.heap, c.net, MARKINGS) : NULL;
    Atomicity result;
    Err err;
    const AtomicityOptions options = {.tries = seed % 4 < 2 ? TRY_ALL : 0,
                                      .colour = {seed % 2 ? COLOURING_CHAIN : COLOURING_FULL, seed % 3 > 0, NULL}};
    if (reach && reach->complete && atomicity_check(c.heap, c.net, &options, &(AskLimits){0}, &result, &err)) {
      const bool good = check_blocks(&result, reach, &tally);
      if (!good) printf("\nseed %u:\n%.*s\n", (unsigned)seed, (int)text.n, text.at);
      CU_ASSERT_TRUE(good);
      atomicity_fini(&result);
    }
    reach_free(reach);
    sml_case_end(&c);
    heap_free(heap);
  }
  printf("(%u blocks, %u never entered, %u open) ", tally.blocks, tally.never, tally.open);
  CU_ASSERT_TRUE(tally.blocks > PROGRAMS && tally.never > PROGRAMS / 100 && tally.open < tally.blocks / 100);
}

/* Of the only thread's only block. */
static Entered entered_of(const char *program) {
  SmlCase c = sml_case(program);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  Atomicity result;
  Err err;
  CU_ASSERT_TRUE_FATAL(atomicity_check(c.heap, c.net, &(AtomicityOptions){.colour = {COLOURING_CHAIN, true, NULL}},
                                       &(AskLimits){0}, &result, &err));
  CU_ASSERT_EQUAL(result.verdict, VERDICT_HOLDS);
  const Entered entered = result.blocks[0].entered;
  atomicity_fini(&result);
  sml_case_end(&c);
  return entered;
}

static void examples(void) {
  CU_ASSERT_EQUAL(entered_of("int X; begin X := 1 end"), ENTERED_SOMETIMES);
  CU_ASSERT_EQUAL(entered_of("int X; lock l; begin acquire(l); acquire(l); X := 1 end"), ENTERED_SOMETIMES);
  CU_ASSERT_EQUAL(entered_of("int X; lock l; acquire(l); acquire(l); begin X := 1 end"), ENTERED_NEVER);
  CU_ASSERT_EQUAL(entered_of("int X; bool F; await(F); begin X := 1 end || X := 2"), ENTERED_NEVER);
  CU_ASSERT_EQUAL(entered_of("int X; bool F; await(F); begin X := 1 end || F := true"), ENTERED_SOMETIMES);
  CU_ASSERT_EQUAL(entered_of("int X; while (true) { skip } begin X := 1 end"), ENTERED_NEVER);
  /* each thread waits for what the other one would do later */
  CU_ASSERT_EQUAL(entered_of("bool F, G; int X; await(F); G := true; begin X := 1 end || await(G); F := true"),
                  ENTERED_NEVER);
}

void suite_entered(void) {
  CU_pSuite suite = CU_add_suite("ask/entered", NULL, NULL);
  CU_ADD_TEST(suite, examples);
  CU_ADD_TEST(suite, random_programs);
}
