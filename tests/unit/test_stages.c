/* Which stage decides a block, what it says of it, and the parts of a net that the stages unfold. */
#include "ask/atomicity.h"
#include "ask/unit_processes.h"
#include "petri/subnet.h"
#include "petri/token.h"
#include "tests/oracle/random_sml.h"
#include "tests/unit/sml_case.h"

#include <CUnit/CUnit.h>

#include <string.h>

/* ---- stages ---- */

typedef struct {
  const char *program;
  unsigned tries;
  bool never_whole;
  uint64_t max_events;
  const char *grounds; /* of the first block, or NULL */
  Verdict verdict;
  const char *why; /* of the whole, or "" */
} Row;

#define LOCKED "int X; lock l; begin acquire(l); X := 1; X := 2; release(l) end || acquire(l); X := 3; release(l)"
#define ONE_WAY "int X, Y; t := X || begin X := 1; Y := 1 end || r := Y"
#define SPLIT "int X, Y; lock l; begin X := 1; X := 2 end || x := X || acquire(l); Y := 1; release(l)"
#define ENABLED "bool F; int X; begin X := 1; X := 2 end || await (F); t := X || F := true || Y := 1"
#define ENABLED_LATER "bool F; int X; begin X := 1; X := 2 end || Y := 1; await (F); t := X || F := true || Y := 1"
#define COUNTED \
  "int[3] N; int X, Y; await (N = 2); begin X := 1; X := 2 end || x := X; N := N + 1 || x := X; N := N + 1 || Y := 1"
#define UNTRIED "the chosen stages did not decide it"
#define NEVER "bool F; int X; await (F); begin X := 1; X := 2 end || x := X"

enum { PLAIN = TRY_ALL & ~TRY_PAIRS };

static const Row ROWS[] = {
    {LOCKED, TRY_ALL, false, 0, "proved by two-phase locking (l)", VERDICT_HOLDS, ""},
    {LOCKED, TRY_MOVERS, true, 0, "proved by two-phase locking (l)", VERDICT_HOLDS, ""},
    {LOCKED, 0, false, 0, "unfolded, 15 events", VERDICT_HOLDS, ""},
    {LOCKED, 0, true, 0, NULL, VERDICT_UNKNOWN, UNTRIED},
    {ONE_WAY, TRY_MOVERS, true, 0, NULL, VERDICT_UNKNOWN, UNTRIED},
    {ONE_WAY, TRY_ENVIRONMENT, true, 0, "proved by the environment: no chain through other threads comes back",
     VERDICT_HOLDS, ""},
    {SPLIT, TRY_ALL, true, 0, "found with threads T1, T2 alone; unfolded, 5 events", VERDICT_VIOLATED, ""},
    {SPLIT, 0, false, 0, "unfolded, 5 events", VERDICT_VIOLATED, ""},
    /* T1 and T2 alone show nothing: T2 needs T3, to begin with */
    {ENABLED, TRY_ALL & ~TRY_SLICE, true, 0, "found with threads T1, T2, T3 alone; unfolded, 7 events",
     VERDICT_VIOLATED, ""},
    {ENABLED_LATER, TRY_ALL & ~TRY_SLICE, true, 0, NULL, VERDICT_UNKNOWN, UNTRIED},
    {ENABLED, TRY_SLICE, true, 0, "sliced to 3 of 4 threads; threads that end start over; unfolded, 10 events",
     VERDICT_VIOLATED, ""},
    {ENABLED_LATER, TRY_ALL, false, 0, "sliced to 3 of 4 threads; threads that end start over; unfolded, 10 events",
     VERDICT_VIOLATED, ""},
    /* closed, the others count again, and violate the block: so the threads as they are decide */
    {COUNTED, TRY_ALL, true, 0, "proved by counting (N)", VERDICT_HOLDS, ""},
    {COUNTED, PLAIN, false, 0, "sliced to 3 of 4 threads; unfolded, 7 events", VERDICT_HOLDS, ""},
    {COUNTED, TRY_SLICE, true, 0, "sliced to 3 of 4 threads; unfolded, 7 events", VERDICT_HOLDS, ""},
    {COUNTED, TRY_SLICE, true, 3, NULL, VERDICT_UNKNOWN, "the limit of 3 events was reached"},
    /* it needs both threads, which are all */
    {"int X; begin X := 1; X := 2 end || x := X", TRY_SLICE, true, 0, NULL, VERDICT_UNKNOWN, UNTRIED},
    {COUNTED, PLAIN, false, 3, NULL, VERDICT_UNKNOWN, "the limit of 3 events was reached"},
    {NEVER, TRY_ALL, false, 0, "proved: no possible step begins it", VERDICT_HOLDS, ""},
};

static bool is_text(const char *got, const char *expected) {
  return got && expected ? !strcmp(got, expected) : got == expected;
}

static void decide(const Row *row) {
  SmlCase c = sml_case(row->program);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  const AtomicityOptions options = {
      .tries = row->tries, .never_whole = row->never_whole, .colour = {COLOURING_CHAIN, true, NULL}};
  Atomicity result;
  Err err;
  CU_ASSERT_TRUE_FATAL(
      atomicity_check(c.heap, c.net, &options, &(AskLimits){.max_events = row->max_events}, &result, &err));
  const BlockVerdict *block = &result.blocks[0];
  const bool good =
      block->verdict == row->verdict && is_text(block->grounds, row->grounds) && is_text(result.why, row->why);
  if (!good) printf("\n%s: %s; %s\n", row->program, block->grounds ? block->grounds : "-", result.why);
  CU_ASSERT_TRUE(good);
  atomicity_fini(&result);
  sml_case_end(&c);
}

static void stages(void) {
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) decide(&ROWS[i]);
}

/* One hard block does not hold up the others: the limit leaves it open, and them decided. */
static void others_are_decided(void) {
  SmlCase c = sml_case("int[8] N; int X, Y; lock l;"
                       "begin:hard await (N = 7); X := 1; X := 2 end || 7 * { x := X; N := N + 1 } ||"
                       "begin:easy acquire(l); Y := 1; Y := 2; release(l) end || acquire(l); Y := 3; release(l) ||"
                       "begin:bad Y := 4; Y := 5 end");
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  const AtomicityOptions options = {.tries = PLAIN, .colour = {COLOURING_CHAIN, true, NULL}};
  Atomicity result;
  Err err;
  CU_ASSERT_TRUE_FATAL(atomicity_check(c.heap, c.net, &options, &(AskLimits){.max_events = 100}, &result, &err));
  CU_ASSERT_EQUAL(result.verdict, VERDICT_VIOLATED);
  CU_ASSERT_EQUAL(result.blocks[0].verdict, VERDICT_UNKNOWN);
  CU_ASSERT_EQUAL(result.blocks[1].verdict, VERDICT_VIOLATED); /* by the third */
  CU_ASSERT_EQUAL(result.blocks[2].verdict, VERDICT_VIOLATED);
  atomicity_fini(&result);
  sml_case_end(&c);
}

/* A group is stopped where one of its blocks is violated; the others are decided by themselves. */
static void a_group_is_split(void) {
  SmlCase c = sml_case("int[3] N; int X; begin X := 1; X := 2 end; await (N = 2); begin X := 3; X := 4 end ||"
                       "x := X; N := N + 1 || x := X; N := N + 1");
  CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
  const AtomicityOptions options = {.tries = TRY_SLICE, .colour = {COLOURING_CHAIN, true, NULL}};
  Atomicity result;
  Err err;
  CU_ASSERT_TRUE_FATAL(atomicity_check(c.heap, c.net, &options, &(AskLimits){0}, &result, &err));
  CU_ASSERT_EQUAL(result.blocks[0].verdict, VERDICT_VIOLATED);
  CU_ASSERT_EQUAL(result.blocks[1].verdict, VERDICT_HOLDS);
  atomicity_fini(&result);
  sml_case_end(&c);
}

/* ---- data before locks ---- */

#define TWICE "acquire(l); x := X; release(l); acquire(l); X := x; release(l)"

typedef struct {
  const char *program;
  uint32_t locks, steps; /* edges of the chain on locks; steps of the witness */
} Chain;

static const Chain CHAINS[] = {
    {"int X; lock l; begin " TWICE " end || " TWICE, 0, 12},
    {"int X, Y; lock l; begin " TWICE " end || acquire(l); y := Y; release(l)", 2, 8},
    {"int X, Y; lock l, m; begin acquire(l); X := 1; release(l); acquire(m); Y := 1; release(m) end ||"
     "acquire(l); X := 2; release(l); acquire(m); Y := 2; release(m)",
     0, 12},
    /* the way by the lock is shorter */
    {"int X, Y; lock l; acquire(l); begin release(l); y := Y; x := X; X := x end || acquire(l); X := 2; release(l)", 0,
     8},
};

static void data_come_first(void) {
  for (size_t i = 0; i < sizeof CHAINS / sizeof *CHAINS; i++) {
    SmlCase c = sml_case(CHAINS[i].program);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
    const AtomicityOptions options = {.tries = TRY_ALL, .colour = {COLOURING_CHAIN, true, NULL}};
    Atomicity result;
    Err err;
    uint32_t locks = 0;
    CU_ASSERT_TRUE_FATAL(atomicity_check(c.heap, c.net, &options, &(AskLimits){0}, &result, &err));
    const Witness *witness = result.blocks[0].witness;
    CU_ASSERT_PTR_NOT_NULL_FATAL(witness);
    for (uint32_t k = 0; k < witness->n_edges; k++) {
      const CausalEdge *edge = &witness->edges[k];
      locks += edge->on_chain && edge->object != NOTE_NONE && c.net->notes->objects[edge->object].kind == OBJECT_LOCK;
    }
    if (locks != CHAINS[i].locks || witness->n_steps != CHAINS[i].steps)
      printf("\n%zu: %u edges on locks, %u steps\n", i, locks, witness->n_steps);
    CU_ASSERT_EQUAL(locks, CHAINS[i].locks);
    CU_ASSERT_EQUAL(witness->n_steps, CHAINS[i].steps);
    CU_ASSERT_EQUAL(witness->steps[witness->n_steps - 1].role, STEP_BACK);
    atomicity_fini(&result);
    sml_case_end(&c);
  }
}

/* ---- several processes ---- */

static bool same_steps(const Witness *x, const Witness *y) {
  if (!x || !y) return x == y;
  bool same = x->n_steps == y->n_steps;
  for (uint32_t i = 0; same && i < x->n_steps; i++) same = x->steps[i].transition.v == y->steps[i].transition.v;
  return same;
}

static bool same_block(const BlockVerdict *x, const BlockVerdict *y) {
  return x->verdict == y->verdict && x->entered == y->entered && is_text(x->grounds, y->grounds) &&
         same_steps(x->witness, y->witness);
}

static bool same_result(const Atomicity *x, const Atomicity *y) {
  bool same = x->verdict == y->verdict && is_text(x->why, y->why) && x->stats.events == y->stats.events &&
              x->stats.conditions == y->stats.conditions && x->stats.transitions == y->stats.transitions;
  for (uint32_t i = 0; same && i < x->n_blocks; i++) same = same_block(&x->blocks[i], &y->blocks[i]);
  return same;
}

static bool jobs_agree(const SmlCase *c, unsigned tries, uint64_t max_events, uint32_t *n_violated) {
  AtomicityOptions options = {.tries = tries, .colour = {COLOURING_CHAIN, true, NULL}};
  const AskLimits limits = {.max_events = max_events};
  Atomicity one, several;
  Err err;
  const bool good = atomicity_check(c->heap, c->net, &options, &limits, &one, &err);
  options.jobs = 3;
  options.in_processes = unit_processes_run;
  CU_ASSERT_EQUAL_FATAL(atomicity_check(c->heap, c->net, &options, &limits, &several, &err), good);
  if (!good) return true;
  const bool same = same_result(&one, &several);
  *n_violated += one.verdict == VERDICT_VIOLATED;
  atomicity_fini(&one);
  atomicity_fini(&several);
  return same;
}

/* The same comes out, with limits and without. */
static void jobs(void) {
  enum { SEEDS = 80 };
  static const uint64_t LIMITS[] = {0, 10, 40};
  uint32_t n_violated = 0;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    Heap *heap = heap_new(0);
    CharVec text = {0};
    random_sml(heap, seed, RANDOM_SMALL, &text);
    SmlCase c = sml_case_with(text.at, text.n, GRANULARITY_STATEMENT, ENCODING_COMPACT);
    for (uint32_t k = 0; c.net && k < 3; k++)
      if (!jobs_agree(&c, seed % 2 ? TRY_ALL : TRY_SLICE, LIMITS[k], &n_violated)) {
        printf("\nseed %u, limit %u:\n%.*s\n", (unsigned)seed, (unsigned)LIMITS[k], (int)text.n, text.at);
        CU_FAIL("several processes find something else");
      }
    sml_case_end(&c);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(n_violated > SEEDS / 4);
}

/* ---- parts of a net ---- */

enum { PROGRAMS = 400, STEPS = 40 };

/* An enabled transition, or TRANS_NONE. */
static TransId any_enabled(const Net *net, const uint64_t *marking, uint64_t *seed) {
  for (uint32_t i = 0; i < net->n_trans; i++) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    const TransId t = {(uint32_t)(*seed >> 33) % net->n_trans};
    if (token_enabled(net, marking, t)) return t;
  }
  return TRANS_NONE;
}

/* A random run of the part; its length. */
static uint32_t walk(Heap *heap, const Net *net, uint64_t seed, TransId *run) {
  uint64_t *marking = heap_alloc(heap, (marking_words(net) + 1) * sizeof *marking);
  uint32_t n = 0;
  token_initial(net, marking);
  while (n < STEPS) {
    const TransId t = any_enabled(net, marking, &seed);
    if (t.v == TRANS_NONE.v) break;
    CU_ASSERT_EQUAL(token_fire(net, marking, t).v, PLACE_NONE.v);
    run[n++] = t;
  }
  heap_release(heap, marking);
  return n;
}

static bool is_run(Heap *heap, const Net *net, const TransId *run, uint32_t n) {
  uint64_t *marking = heap_alloc(heap, (marking_words(net) + 1) * sizeof *marking);
  bool good = true;
  token_initial(net, marking);
  for (uint32_t i = 0; good && i < n; i++)
    good = token_enabled(net, marking, run[i]) && token_fire(net, marking, run[i]).v == PLACE_NONE.v;
  heap_release(heap, marking);
  return good;
}

static void check_part(const SmlCase *c, uint64_t seed, bool closed, uint32_t *n_added) {
  uint32_t threads[64], n = 0;
  TransId run[STEPS];
  for (uint32_t i = 0; i < c->net->notes->n_threads && n < 64; i++)
    if (seed >> i & 1) threads[n++] = i;
  Subnet part;
  (closed ? subnet_init_closed : subnet_init)(&part, c->heap, c->net, threads, n);
  Err err;
  CU_ASSERT_TRUE(net_audit(part.net, &err));
  CU_ASSERT_TRUE(part.n_added == 0 || (closed && subnet_has_ends(c->heap, c->net, threads, n)));
  *n_added += part.n_added;
  for (uint32_t t = part.net->n_trans - part.n_added; t < part.net->n_trans; t++) /* it is the only way on */
    CU_ASSERT_EQUAL(net_consumers(part.net, net_pre(part.net, (TransId){t}).at[0]).n, 1);
  const uint32_t n_run = walk(c->heap, part.net, seed, run);
  uint32_t added = 0;
  for (uint32_t i = 0; i < n_run; i++) added += part.original[run[i].v].v == TRANS_NONE.v;
  const bool translated = subnet_run_to_whole(&part, run, n_run);
  CU_ASSERT_EQUAL(translated, added == 0);
  if (translated) CU_ASSERT_TRUE(is_run(c->heap, c->net, run, n_run));
  subnet_fini(&part);
}

static void parts(void) {
  uint32_t n_added = 0;
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
    Heap *heap = heap_new(0);
    CharVec text = {0};
    random_sml(heap, seed, RANDOM_SMALL, &text);
    SmlCase c = sml_case_with(text.at, text.n, GRANULARITY_STATEMENT, seed % 2 ? ENCODING_COMPACT : ENCODING_PAPER);
    for (uint64_t k = 0; c.net && k < 4; k++) check_part(&c, seed * 4 + k, k % 2, &n_added);
    sml_case_end(&c);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(n_added > PROGRAMS);
}

void suite_stages(void) {
  CU_pSuite suite = CU_add_suite("ask/stages", NULL, NULL);
  CU_ADD_TEST(suite, stages);
  CU_ADD_TEST(suite, others_are_decided);
  CU_ADD_TEST(suite, a_group_is_split);
  CU_ADD_TEST(suite, data_come_first);
  CU_ADD_TEST(suite, jobs);
  CU_ADD_TEST(suite, parts);
}
