/* No block of a net that is not 1-safe is atomic, whatever fails on the way; and what cannot be told is unknown. */
#include "ask/safety.h"

#include "tests/oracle/net_script.h"
#include "ask/atomicity.h"

#include <CUnit/CUnit.h>
#include <string.h>

/* Block t0 is atomic by itself. Beside it, t1 fills x over and over; */
static const char UNSAFE[] =
    "pa u *\npb u\npc v *\npx -\npa -> t0\nt0 -> pb\npb -> t2\nt2 -> pa\npc -> t1\nt1 -> pc\nt1 -> px\n--begin=t0\n";
/* t1 needs a place that is never marked, and leaves it as it is, so that nothing can be counted; */
static const char UNFOLDED[] = "pa u *\npb u\npc v *\npx -\npn -\npa -> t0\nt0 -> pb\npb -> t2\nt2 -> pa\npc -> t1\n"
                               "pn -> t1\nt1 -> pn\nt1 -> pc\nt1 -> px\n--begin=t0\n";
/* t1 fills x once. */
static const char COUNTED[] =
    "pa u *\npb u\npc v *\npx -\npa -> t0\nt0 -> pb\npb -> t2\nt2 -> pa\npc -> t1\nt1 -> px\n--begin=t0\n";

static Net *read_script(Heap *heap, const char *script) {
  Err err;
  Net *net = net_script(heap, script, strlen(script), &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  return net;
}

/* ---- the question itself ---- */

static void expect(const char *script, uint64_t max_events, const Stop *stop, Verdict verdict, const char *why) {
  Heap *heap = heap_new(0);
  Net *net = read_script(heap, script);
  char text[100] = "";
  Verdict found = VERDICT_VIOLATED;
  Err err;
  heap_watch(heap, stop);
  CU_ASSERT_TRUE(safety_check(heap, net, max_events, &found, text, sizeof text, &err));
  heap_watch(heap, NULL);
  CU_ASSERT_EQUAL(found, verdict);
  CU_ASSERT_STRING_EQUAL(text, why);
  net_free(net);
  heap_free(heap);
}

static void answers(void) {
  static const Stop asked = {.asked = STOP_TIME, .seconds = 7}, due = {.asked = STOP_CANCELLED, .due = 1};
  expect(COUNTED, 1, NULL, VERDICT_HOLDS, "");
  expect(COUNTED, 1, &asked, VERDICT_HOLDS, "");
  expect(UNFOLDED, 0, NULL, VERDICT_HOLDS, "");
  expect(UNFOLDED, 1, NULL, VERDICT_UNKNOWN,
         "cannot tell whether the net is 1-safe: the limit of 1 events was reached");
  expect(UNFOLDED, 0, &asked, VERDICT_UNKNOWN,
         "cannot tell whether the net is 1-safe: the time limit of 7 s was reached after 0 events");
  expect(COUNTED, 0, &due, VERDICT_UNKNOWN, "cannot tell whether the net is 1-safe: interrupted");
}

static void refusal(void) {
  Heap *heap = heap_new(0);
  Net *net = read_script(heap, UNSAFE);
  char why[100];
  Verdict verdict = VERDICT_UNKNOWN;
  Err err;
  CU_ASSERT_FALSE(safety_check(heap, net, 0, &verdict, why, sizeof why, &err));
  CU_ASSERT_EQUAL(verdict, VERDICT_UNKNOWN);
  CU_ASSERT_EQUAL(err.kind, ERR_INPUT);
  CU_ASSERT_STRING_EQUAL(
      err.text, "the net is not 1-safe: a run of 2 steps puts a second token on place 'px' (netunfold prints it)");
  net_free(net);
  heap_free(heap);
}

/* ---- each allocation fails once ---- */

/* What is passed through heap_try. */
typedef struct {
  Heap *heap;
  const Net *net;
  Colouring colouring;
  Verdict verdict; /* of all blocks; unknown if there was an error */
  bool refused;
} Checking;

static void check(void *argument) {
  Checking *c = argument;
  Atomicity result;
  Err err;
  c->refused = !atomicity_check(c->heap, c->net, &(AtomicityOptions){.colour = {c->colouring, true, NULL}},
                                &(AskLimits){0}, &result, &err);
  if (c->refused) {
    CU_ASSERT_EQUAL(err.kind, ERR_INPUT);
    return;
  }
  c->verdict = result.verdict;
  atomicity_fini(&result);
}

/* Lets the allocation number k fail; returns whether there was one. */
static bool fail_at(const char *script, Colouring colouring, uint64_t k, bool safe) {
  Heap *heap = heap_new(0);
  Net *net = read_script(heap, script);
  Checking c = {.heap = heap, .net = net, .colouring = colouring};
  const uint64_t before = heap_count(heap);
  heap_fail_at(heap, k);
  const bool ended = heap_try(heap, check, &c);
  const bool failed = heap_count(heap) - before >= k - 1 && (!ended || (c.verdict == VERDICT_UNKNOWN && !c.refused));
  heap_fail_at(heap, 0);
  CU_ASSERT_TRUE(c.verdict == VERDICT_UNKNOWN || (safe && c.verdict == VERDICT_HOLDS));
  CU_ASSERT_FALSE(safe && c.refused);
  heap_free(heap);
  return failed;
}

static void failing_allocations(void) {
  static const struct {
    const char *script;
    bool safe;
  } cases[] = {{UNSAFE, false}, {UNFOLDED, true}, {COUNTED, true}};
  uint32_t n_failed = 0;
  for (uint32_t i = 0; i < 6; i++)
    for (uint64_t k = 1; k <= 400; k++)
      n_failed += fail_at(cases[i / 2].script, i % 2 ? COLOURING_CHAIN : COLOURING_FULL, k, cases[i / 2].safe);
  printf("(%u failures) ", n_failed);
  CU_ASSERT_TRUE(n_failed > 300 && n_failed < 2400);
}

void suite_safety(void) {
  CU_pSuite suite = CU_add_suite("ask/safety", NULL, NULL);
  CU_ADD_TEST(suite, answers);
  CU_ADD_TEST(suite, refusal);
  CU_ADD_TEST(suite, failing_allocations);
}
