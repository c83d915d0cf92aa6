/* The analyses of Wang and Stoller: the paper's examples, and what is true of all traces of small random sets. */
#include "base/hash.h"
#include "tests/oracle/all_traces.h"
#include "tests/unit/set_run.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Verdict verdict;
  uint32_t deadlocks;
  bool certain;   /* all findings of blocks are, at least of their transactions alone */
  uint32_t alone; /* findings that are certain at least of their transactions alone */
  uint32_t whole; /* findings that are certain of all transactions together */
} Answer;

static Answer answer_of(const SetRun *run, AnalysisKind kind, RaceTest test) {
  Heap *heap = heap_new(0);
  Analysis *analysis = set_analysed(heap, run, kind, test);
  Answer answer = {.verdict = analysis_verdict(analysis), .certain = true};
  analysis_deadlocks(analysis, &answer.deadlocks);
  uint32_t n;
  const AnalysisRow *rows = analysis_rows(analysis, &n);
  for (uint32_t i = 0; i < n; i++)
    if (rows[i].pattern != PATTERN_NONE) {
      answer.certain = answer.certain && rows[i].certainty != CERTAIN_NOT;
      answer.alone += rows[i].certainty != CERTAIN_NOT;
      answer.whole += rows[i].certainty == CERTAIN_WHOLE;
    }
  analysis_free(analysis);
  heap_free(heap);
  return answer;
}

/* ---- the paper's examples ---- */

typedef struct {
  uint32_t number; /* in the paper; 0: ours */
  const char *transactions[5];
  bool by_pairs, by_common_locks; /* reduction proves it, with Theorem 4.3, with 4.4 */
  bool atomic;                    /* by blocks */
  bool deadlock;
} Example;

static const Example EXAMPLES[] = {
    {1, {"rx wx", "rx"}, true, false, true, false},
    {3, {"+l wx -l +l wy -l", "+l wx -l +l wy -l"}, false, false, false, false},
    {4, {"+l rx ry -l", "+l rx -l +l ry -l"}, false, false, true, false},
    {5, {"+l wx -l", "+l rx -l +l wx -l"}, false, false, false, false},
    {6, {"+l wx -l rx", "+l rx -l"}, true, false, true, false},
    {7, {"wx wx", "wx"}, false, false, true, false},
    {8, {"+l rx -l wy", "+l rx -l wy"}, false, false, true, false},
    {9, {"+l wx rx -l +l wx -l", "+l wx rx -l +l wx -l"}, false, false, true, false},
    {10, {"+a +b -b rx rx -a", "+b +a -a wx -b"}, false, false, false, true},
    {11, {"+a rx +b wx rx -b -a", "wx"}, false, false, false, false},
    {13, {"+l rx wx -l wx", "+l wx -l"}, false, false, false, false},
    {14, {"+a rx rx rx rx rx rx -a", "+a wx -a"}, true, true, true, false},
    {15, {"+l wx rx rx -l", "+l wx -l +l wx -l"}, false, false, true, false},
    {16, {"wx wy", "rx wz", "rz ry"}, false, false, false, false},
    /* R(x) W(x) W(y) R(y), but not W(x) R(x) R(y) W(y): blocks.h */
    {0, {"+l wx wy -l", "rx +l -l ry"}, false, false, false, false},
    /* one variable, three transactions (Theorem 5.3); reads that Theorem 4.4 does not allow; one non-mover */
    {0, {"+l rx wx -l", "+l rx wx -l", "+l wx -l"}, true, true, true, false},
    {0, {"rx rx", "rx"}, true, false, true, false},
    {0, {"+l wx -l", "+m wx -m"}, true, true, true, false},
};

static void paper_examples(void) {
  for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++) {
    const Example *example = &EXAMPLES[i];
    SetRun run = {.n = 0};
    set_put_transactions(&run, example->transactions);
    const Answer pairs = answer_of(&run, ANALYSIS_REDUCTION, RACES_PAIRWISE);
    const Answer common = answer_of(&run, ANALYSIS_REDUCTION, RACES_COMMON_LOCKS);
    const Answer blocks = answer_of(&run, ANALYSIS_BLOCKS, RACES_PAIRWISE);
    const Answer both = answer_of(&run, ANALYSIS_COMBINED, RACES_PAIRWISE);
    const bool good = (pairs.verdict == VERDICT_HOLDS) == example->by_pairs &&
                      (common.verdict == VERDICT_HOLDS) == example->by_common_locks &&
                      blocks.verdict != VERDICT_UNKNOWN && (blocks.verdict == VERDICT_HOLDS) == example->atomic &&
                      both.verdict == blocks.verdict && (blocks.deadlocks > 0) == example->deadlock &&
                      blocks.certain == !example->deadlock &&
                      (all_traces_study(run.events, run.n).atomic == example->atomic || example->deadlock);
    CU_ASSERT_TRUE(good);
    if (!good)
      printf("example %u (%zu): reduction %d %d, blocks %d, combined %d, deadlocks %u\n", example->number, i,
             pairs.verdict, common.verdict, blocks.verdict, both.verdict, blocks.deadlocks);
  }
}

/* ---- random sets ---- */

static uint32_t draw(uint64_t *random, uint32_t n) {
  *random = hash_word(*random);
  return (uint32_t)((*random >> 32) * n >> 32);
}

typedef struct {
  uint32_t threads, transactions;   /* transactions: of each thread, at most */
  uint32_t variables, locks, steps; /* steps of a transaction, at most; without releases */
  uint32_t most_held;
  bool unnested,
      outside; /* locks may be released in any order; and held across transactions, and accesses stand outside */
  bool forks;  /* thread 0 forks and joins the others at any place */
  bool shares, tries, updates, hands; /* shared locks; tries; updates; hand-overs to threads that come later */
} SetShape;

typedef struct {
  uint32_t held[4], n;
  bool shared[4];
} Stack;

static void release(SetRun *run, uint32_t t, const Stack *stack, uint32_t i) {
  set_put(run, t, stack->shared[i] ? TRACE_SHARED_RELEASE : TRACE_RELEASE, stack->held[i]);
}

static void acquire(SetRun *run, uint32_t t, const SetShape *shape, Stack *stack, uint32_t lock, uint64_t *random) {
  const bool shared = shape->shares && draw(random, 2), tries = shape->tries && !draw(random, 3);
  for (uint32_t i = 0; i < stack->n; i++)
    if (stack->held[i] == lock && stack->shared[i] != shared) return; /* no part of it is made the other */
  set_put(run, t, shared ? (tries ? TRACE_SHARED_TRY : TRACE_SHARED_ACQUIRE) : tries ? TRACE_TRY : TRACE_ACQUIRE, lock);
  stack->shared[stack->n] = shared;
  stack->held[stack->n++] = lock;
}

static void random_lock(SetRun *run, uint32_t t, const SetShape *shape, Stack *stack, uint64_t *random) {
  const uint32_t lock = shape->variables + draw(random, shape->locks);
  const bool full = stack->n == shape->most_held;
  if (stack->n && (full || draw(random, 2))) {
    const uint32_t i = shape->unnested ? draw(random, stack->n) : stack->n - 1;
    release(run, t, stack, i);
    for (uint32_t k = i + 1; k < stack->n; k++)
      stack->held[k - 1] = stack->held[k], stack->shared[k - 1] = stack->shared[k];
    stack->n--;
  } else if (!full) {
    acquire(run, t, shape, stack, lock, random);
  }
}

static void random_step(SetRun *run, uint32_t t, const SetShape *shape, Stack *stack, uint64_t *random) {
  if (shape->locks && draw(random, 5) < 2) random_lock(run, t, shape, stack, random);
  else if (shape->hands && !draw(random, 3))
    set_put(run, t, draw(random, 2) ? TRACE_SIGNAL : TRACE_WAIT, 24 + draw(random, 2));
  else if (shape->updates && !draw(random, 3)) set_put(run, t, TRACE_UPDATE, draw(random, shape->variables));
  else set_put(run, t, draw(random, 2) ? TRACE_WRITE : TRACE_READ, draw(random, shape->variables));
}

static void release_all(SetRun *run, uint32_t t, Stack *stack) {
  for (; stack->n; stack->n--) release(run, t, stack, stack->n - 1);
}

/* One thread after another: that is a trace, whatever they do. */
static void random_thread(SetRun *run, uint32_t t, const SetShape *shape, uint64_t *random) {
  Stack stack = {.n = 0};
  const uint32_t n = 1 + draw(random, shape->transactions);
  for (uint32_t i = 0; i < n; i++) {
    if (shape->outside && draw(random, 3) == 0) random_step(run, t, shape, &stack, random);
    set_put(run, t, TRACE_BEGIN, t);
    const uint32_t steps = 1 + draw(random, shape->steps);
    for (uint32_t k = 0; k < steps; k++) random_step(run, t, shape, &stack, random);
    if (!shape->outside || draw(random, 2)) release_all(run, t, &stack);
    set_put(run, t, TRACE_END, TRACE_NONE);
  }
  release_all(run, t, &stack);
}

static void random_forked(SetRun *run, const SetShape *shape, uint64_t *random) {
  uint32_t next = 1, open = 0;
  bool joined[ALL_TRACES_THREADS] = {false};
  set_put(run, 0, TRACE_BEGIN, 0);
  for (uint32_t k = 0; k < shape->steps + 2 * shape->threads; k++) {
    const uint32_t what = draw(random, 5);
    if (what == 0 && next < shape->threads) {
      set_put(run, 0, TRACE_FORK, next);
      random_thread(run, next++, shape, random);
    } else if (what == 1 && next > 1) {
      const uint32_t t = 1 + draw(random, next - 1);
      if (!joined[t]) set_put(run, 0, TRACE_JOIN, t), joined[t] = true;
    } else if (what == 2 && open == 0) {
      set_put(run, 0, TRACE_END, TRACE_NONE);
      set_put(run, 0, TRACE_BEGIN, 0);
    } else {
      set_put(run, 0, draw(random, 2) ? TRACE_WRITE : TRACE_READ, draw(random, shape->variables));
    }
  }
  set_put(run, 0, TRACE_END, TRACE_NONE);
}

static void random_set(SetRun *run, uint64_t seed, const SetShape *shape) {
  uint64_t random = hash_word(seed);
  run->n = 0;
  if (shape->forks) random_forked(run, shape, &random);
  else
    for (uint32_t t = 0; t < shape->threads; t++) random_thread(run, t, shape, &random);
}

/* What is asked of a set. */
typedef enum {
  EXACT,       /* without potential deadlock the blocks are right both ways, and certain; and there is no deadlock */
  NEVER_CLAIMS /* what is not atomic is not said to be */
} Demand;

typedef struct {
  uint32_t sets, compared, atomic, reduced, reduced_by_common, deadlocks, unknown, whole;
  uint32_t in_spite; /* findings in pairs of transactions that can deadlock, which are certain */
} Tally;

/* Has it tries, or waits, of which some can be stuck where there is no circle of locks? */
static bool has(const SetRun *run, TraceOp op, TraceOp other) {
  for (uint32_t i = 0; i < run->n; i++)
    if (run->events[i].op == op || run->events[i].op == other) return true;
  return false;
}

/* Are there two transactions, and nothing else? */
static bool is_pair(const SetRun *run) {
  uint32_t begins = 0, depth = 0, outside = 0;
  for (uint32_t i = 0; i < run->n; i++) {
    begins += run->events[i].op == TRACE_BEGIN;
    depth += run->events[i].op == TRACE_BEGIN;
    outside += depth == 0;
    depth -= run->events[i].op == TRACE_END;
  }
  return begins == 2 && outside == 0;
}

static bool agrees(const SetRun *run, Demand demand, Tally *tally) {
  CU_ASSERT_FATAL(run->n <= ALL_TRACES_MOST);
  const AllTraces truth = all_traces_study(run->events, run->n);
  const Answer blocks = answer_of(run, ANALYSIS_BLOCKS, RACES_PAIRWISE);
  const Answer both = answer_of(run, ANALYSIS_COMBINED, RACES_PAIRWISE);
  const Answer pairs = answer_of(run, ANALYSIS_REDUCTION, RACES_PAIRWISE);
  const Answer common = answer_of(run, ANALYSIS_REDUCTION, RACES_COMMON_LOCKS);
  const Answer both_common = answer_of(run, ANALYSIS_COMBINED, RACES_COMMON_LOCKS);
  const Verdict verdicts[] = {blocks.verdict, both.verdict, pairs.verdict, common.verdict, both_common.verdict};
  const bool tries = has(run, TRACE_TRY, TRACE_SHARED_TRY);
  tally->sets++;
  tally->atomic += truth.atomic;
  tally->reduced += pairs.verdict == VERDICT_HOLDS;
  tally->reduced_by_common += common.verdict == VERDICT_HOLDS;
  tally->deadlocks += truth.deadlock;
  tally->unknown += blocks.verdict == VERDICT_UNKNOWN;
  for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
    if (verdicts[i] == VERDICT_HOLDS && !truth.atomic) return printf("claim %zu\n", i), false;
  tally->whole += blocks.whole > 0;
  if ((blocks.whole || both.whole) && truth.atomic) return puts("certain of the whole"), false;
  if (is_pair(run) && (blocks.alone || both.alone) && truth.atomic) return puts("certain of the two"), false;
  tally->in_spite += is_pair(run) && blocks.deadlocks && blocks.alone;
  if (common.verdict == VERDICT_HOLDS && pairs.verdict != VERDICT_HOLDS) return puts("4.4 proves, 4.3 does not"), false;
  if (blocks.deadlocks == 0 && truth.deadlock && !tries && !has(run, TRACE_WAIT, TRACE_WAIT))
    return puts("deadlock"), false;
  if (demand != EXACT || blocks.deadlocks || (tries && !blocks.certain)) return true;
  tally->compared++;
  if (blocks.verdict != (truth.atomic ? VERDICT_HOLDS : VERDICT_VIOLATED)) return puts("blocks"), false;
  if (both.verdict != blocks.verdict || both_common.verdict != blocks.verdict) return puts("combined"), false;
  return blocks.certain && both.certain ? true : (puts("not certain"), false);
}

static void random_sets(const SetShape *shape, uint64_t first, uint32_t n, Demand demand) {
  Tally tally = {0};
  for (uint64_t seed = first; seed < first + n; seed++) {
    SetRun run;
    random_set(&run, seed, shape);
    if (agrees(&run, demand, &tally)) continue;
    printf("seed %llu:\n", (unsigned long long)seed);
    set_show(&run);
    CU_FAIL("the analysis does not agree with all traces");
    return;
  }
  printf(
      "(%u sets, %u compared, %u atomic, %u certainly not, %u and %u by reduction, %u with deadlock, %u unknown, %u certain in spite) ",
      tally.sets, tally.compared, tally.atomic, tally.whole, tally.reduced, tally.reduced_by_common, tally.deadlocks,
      tally.unknown, tally.in_spite);
  CU_ASSERT_TRUE(tally.atomic > tally.sets / 20 && tally.atomic < tally.sets && tally.whole > tally.sets / 100);
}

/*                                        threads, transactions, variables, locks, steps, held */
static const SetShape TWO_ONE = {2, 1, 1, 2, 7, 2, false, false, false, false, false, false, false};
static const SetShape TWO_TWO = {2, 1, 2, 2, 8, 2, false, false, false, false, false, false, false};
static const SetShape TWO_THREE = {2, 1, 3, 3, 9, 3, false, false, false, false, false, false, false};
static const SetShape TWO_BARE = {2, 1, 2, 0, 6, 0, false, false, false, false, false, false, false};
static const SetShape LOCKS = {2, 1, 1, 4, 10, 4, false, false, false, false, false, false, false};
static const SetShape THREE_LOCKS = {3, 1, 2, 3, 6, 3, false, false, false, false, false, false, false};
static const SetShape THREE = {3, 1, 3, 2, 6, 2, false, false, false, false, false, false, false};
static const SetShape THREE_BARE = {3, 1, 4, 0, 3, 0, false, false, false, false, false, false, false};
static const SetShape FOUR = {4, 1, 4, 0, 2, 0, false, false, false, false, false, false, false};
static const SetShape SEVERAL = {3, 2, 3, 2, 3, 2, false, false, false, false, false, false, false};
static const SetShape WILD = {3, 2, 2, 2, 3, 2, true, true, false, false, false, false, false};
static const SetShape ONE_VARIABLE = {2, 3, 1, 1, 2, 1, false, true, false, false, false, false, false};
static const SetShape FORKED = {3, 2, 2, 1, 3, 1, false, true, true, false, false, false, false};

/*                                               ... unnested, outside, forks, shares, tries, updates, hands */
static const SetShape UPDATES = {2, 1, 2, 2, 6, 2, false, false, false, false, false, true, false};
static const SetShape UPDATES_BARE = {3, 1, 2, 0, 3, 0, false, false, false, false, false, true, false};
static const SetShape SHARES = {2, 1, 2, 2, 8, 2, false, false, false, true, false, false, false};
static const SetShape SHARES_THREE = {3, 1, 2, 2, 5, 2, false, false, false, true, false, true, false};
static const SetShape TRIES = {2, 1, 1, 4, 10, 4, false, false, false, true, true, false, false};
static const SetShape HANDS = {3, 1, 3, 1, 5, 1, false, false, false, false, false, false, true};
static const SetShape ALL = {3, 2, 2, 2, 4, 2, false, true, false, true, true, true, true};
static const SetShape ALL_FORKED = {3, 2, 2, 1, 3, 1, false, true, true, true, true, true, true};
static const SetShape ALL_WILD = {3, 2, 2, 2, 3, 2, true, true, false, true, true, true, true};

static void later_operations(void) {
  random_sets(&UPDATES, 1100000, 3000, EXACT);
  random_sets(&UPDATES_BARE, 1200000, 1500, EXACT);
  random_sets(&SHARES, 1300000, 3000, EXACT);
  random_sets(&SHARES_THREE, 1400000, 1000, EXACT);
  random_sets(&TRIES, 1500000, 2000, EXACT);
  random_sets(&HANDS, 1600000, 1500, NEVER_CLAIMS);
  random_sets(&ALL, 1700000, 1000, NEVER_CLAIMS);
  random_sets(&ALL_FORKED, 1800000, 1000, NEVER_CLAIMS);
  random_sets(&ALL_WILD, 1900000, 1000, NEVER_CLAIMS);
}

static void two_transactions(void) {
  random_sets(&TWO_ONE, 1, 4000, EXACT);
  random_sets(&TWO_TWO, 100000, 4000, EXACT);
  random_sets(&TWO_THREE, 200000, 2000, EXACT);
  random_sets(&TWO_BARE, 300000, 2000, EXACT);
}

static void deadlocks(void) {
  random_sets(&LOCKS, 350000, 2000, EXACT);
  random_sets(&THREE_LOCKS, 360000, 750, EXACT);
}

static void more_transactions(void) {
  random_sets(&THREE, 400000, 1500, EXACT);
  random_sets(&THREE_BARE, 500000, 1500, EXACT);
  random_sets(&FOUR, 600000, 1000, EXACT);
}

static void nothing_is_claimed_wrongly(void) {
  random_sets(&SEVERAL, 700000, 1000, NEVER_CLAIMS);
  random_sets(&WILD, 800000, 1000, NEVER_CLAIMS);
  random_sets(&FORKED, 900000, 1000, NEVER_CLAIMS);
  random_sets(&FORKED, 2935900, 100,
              NEVER_CLAIMS); /* what a cycle shows is overwritten by a thread that is forked later */
  random_sets(&ONE_VARIABLE, 1000000, 1500, NEVER_CLAIMS);
}

/* ---- events that are odd ---- */

/* Reentrant locks are counted; a release of a lock that is not held is nothing; nested begins are one; what is freed is
 * another variable; a number that comes again after a join is another thread, which the fork puts behind. */
static void odd_events(void) {
  static const struct {
    const char *threads[3];
    Verdict verdict;
  } cases[] = {
      {{"( +l +l rx -l wx -l )", "( +l wx -l )"}, VERDICT_HOLDS},
      {{"( +l rx -l wx -l )", "( +l wx -l )"}, VERDICT_VIOLATED},
      {{"( -l +l rx wx -l -l )", "( -l +l wx -l )"}, VERDICT_HOLDS},
      {{"( ( rx ) wx )", "wx"}, VERDICT_VIOLATED},
      {{"( rx ( wx ) )", "wx"}, VERDICT_VIOLATED},
      {{"( rx ) ( wx )", "wx"}, VERDICT_HOLDS},
      {{"( rx wx", "wx"}, VERDICT_VIOLATED},
      {{"+l ( rx wx ) -l", "+l wx -l"}, VERDICT_HOLDS},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SetRun run = {.n = 0};
    for (uint32_t t = 0; cases[i].threads[t]; t++) set_put_text(&run, t, cases[i].threads[t]);
    for (int kind = ANALYSIS_BLOCKS; kind <= ANALYSIS_COMBINED; kind++) {
      const Answer answer = answer_of(&run, (AnalysisKind)kind, RACES_PAIRWISE);
      CU_ASSERT_EQUAL(answer.verdict, cases[i].verdict);
      if (answer.verdict != cases[i].verdict) printf("case %zu\n", i);
    }
  }
  SetRun run = {.n = 0};
  set_put_text(&run, 0, "f1 j1 f1 ( rx wx )"); /* the thread that is forked the second time writes nothing */
  set_put(&run, 1, TRACE_READ, 'x' - 'a');
  CU_ASSERT_EQUAL(answer_of(&run, ANALYSIS_REDUCTION, RACES_PAIRWISE).verdict, VERDICT_HOLDS);
  run.n = 0;
  set_put_text(&run, 0, "f1");
  set_put_text(&run, 1, "wx");
  set_put_text(&run, 0, "j1 ( rx wx ) f1");
  set_put_text(&run, 1, "wx");
  CU_ASSERT_EQUAL(answer_of(&run, ANALYSIS_BLOCKS, RACES_PAIRWISE).verdict, VERDICT_HOLDS);
  CU_ASSERT_EQUAL(answer_of(&run, ANALYSIS_REDUCTION, RACES_COMMON_LOCKS).verdict, VERDICT_HOLDS);
  run.n = 0;
  set_put_text(&run, 1, "( rx wx )");
  set_put_text(&run, 0, "j1");
  set_put_text(&run, 1, "wx"); /* who knows who forked it, and when */
  CU_ASSERT_EQUAL(answer_of(&run, ANALYSIS_BLOCKS, RACES_PAIRWISE).verdict, VERDICT_VIOLATED);
  run.n = 0;
  set_put_text(&run, 2, "( rz ry ) f1");
  set_put_text(&run, 1, "( rx wz )");
  set_put_text(&run, 0, "( wx wy )");
  CU_ASSERT_TRUE(all_traces_study(run.events, run.n).atomic);
  CU_ASSERT_EQUAL(answer_of(&run, ANALYSIS_BLOCKS, RACES_PAIRWISE).verdict, VERDICT_HOLDS);
  run.n = 0;
  set_put_text(&run, 0, "( rx wx )");
  set_put(&run, 1, TRACE_FREE, 'x' - 'a');
  set_put_text(&run, 1, "wx");
  CU_ASSERT_EQUAL(answer_of(&run, ANALYSIS_BLOCKS, RACES_PAIRWISE).verdict, VERDICT_HOLDS);
}

/* ---- memory, and size ---- */

typedef struct {
  Heap *heap;
  const SetRun *run;
  AnalysisKind kind;
} Feeding;

static void feed_all(void *argument) {
  const Feeding *feeding = argument;
  analysis_free(set_analysed(feeding->heap, feeding->run, feeding->kind, RACES_PAIRWISE));
}

static void memory_runs_out(void) {
  static const char *const texts[][5] = {{"wx wy", "rx wz", "rz ry"},
                                         {"+a +b -b rx ry rx -a", "+b +a -a wx wy -b", "f2 rx"}};
  for (uint32_t i = 0; i < 6; i++) {
    SetRun run = {.n = 0};
    bool done = false;
    set_put_transactions(&run, texts[i % 2]);
    for (uint64_t nth = 1; !done; nth++) {
      Heap *heap = heap_new(0);
      const uint64_t before = heap_used(heap);
      heap_fail_at(heap, nth);
      done = heap_try(heap, feed_all, &(Feeding){heap, &run, (AnalysisKind)(i / 2)});
      if (done) CU_ASSERT_EQUAL(heap_used(heap), before);
      heap_free(heap);
    }
  }
}

/* With little of a budget nothing is claimed; with more, the verdict is this one. */
static void with_budgets(const SetRun *run, AnalysisKind kind, Verdict truth) {
  uint32_t counts[3] = {0};
  for (uint64_t budget = 1; budget <= 1000; budget++) {
    Heap *heap = heap_new(0);
    Analysis *analysis = analysis_new(heap, &(AnalysisOptions){kind, RACES_PAIRWISE, budget, SYNC_ALL});
    analysis_feed(analysis, run->events, run->n);
    analysis_finish(analysis);
    counts[analysis_verdict(analysis)]++;
    heap_free(heap);
  }
  CU_ASSERT_TRUE(counts[truth] > 0 && counts[VERDICT_UNKNOWN] > 0 && counts[truth] + counts[VERDICT_UNKNOWN] == 1000);
}

static void budgets(void) {
  static const struct {
    const char *transactions[5];
    Verdict truth;
  } cases[] = {
      {{"+l wx -l wy", "+l rx -l wz", "rz", "wy"}, VERDICT_HOLDS},
      {{"wa wb wx wy", "wx wy"}, VERDICT_VIOLATED},
      {{"wx wy", "rx wz", "rz ry"}, VERDICT_VIOLATED},
  };
  SetRun run;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    run.n = 0;
    set_put_transactions(&run, cases[i].transactions);
    with_budgets(&run, ANALYSIS_BLOCKS, cases[i].truth);
  }
  run.n = 0; /* the budget is used up among what cannot be split, before what splits comes */
  set_put_text(&run, 0, "( wx +l wa wb wc wy -l )");
  for (uint32_t label = 1; label < 33; label++) {
    set_put(&run, 1, TRACE_BEGIN, label);
    set_put_text(&run, 1, "+l wa wb wc -l )");
  }
  set_put_text(&run, 1, "( +l wa wb wc wy rx -l )");
  with_budgets(&run, ANALYSIS_COMBINED, VERDICT_VIOLATED);
}

/* A million events of some thousand different blocks: most transactions are like earlier ones, and are not kept. */
static void many_events(void) {
  enum { THREADS = 8, LABELS = 20, VARIABLES = 500, MILLION = 1000 * 1000 };
  Heap *heap = heap_new(0);
  Analysis *analysis = analysis_new(heap, &(AnalysisOptions){ANALYSIS_COMBINED, RACES_PAIRWISE, 0, SYNC_ALL});
  uint32_t n_events = 0;
  for (uint32_t i = 0; n_events < MILLION; i++) {
    const uint32_t t = i % THREADS, kind = (uint32_t)(hash_word(i) % (THREADS * LABELS)), x = kind * 3 % VARIABLES;
    TraceEvent events[14] = {{t, kind % LABELS, kind % LABELS, TRACE_BEGIN}};
    uint32_t n = 1;
    for (uint32_t k = 0; k < 3; k++) {
      events[n++] = (TraceEvent){t, VARIABLES + (x + k) % 7, 100, TRACE_ACQUIRE};
      events[n++] = (TraceEvent){t, (x + k) % VARIABLES, 101, TRACE_READ};
      events[n++] = (TraceEvent){t, (x + k) % VARIABLES, 102, TRACE_WRITE};
      events[n++] = (TraceEvent){t, VARIABLES + (x + k) % 7, 103, TRACE_RELEASE};
    }
    events[n++] = (TraceEvent){t, TRACE_NONE, 104, TRACE_END};
    analysis_feed(analysis, events, n);
    n_events += n;
  }
  analysis_finish(analysis);
  const AnalysisSize size = analysis_size(analysis);
  CU_ASSERT_TRUE(size.shapes <= THREADS * THREADS * LABELS && size.two_blocks > 1000 && size.events == n_events);
  CU_ASSERT_TRUE(heap_peak(heap) < 20 * MILLION);
  printf("(%u shapes, %u blocks, %u 2-blocks, %.1f MB) ", (unsigned)size.shapes, (unsigned)size.spans,
         (unsigned)size.two_blocks, (double)heap_peak(heap) / MILLION);
  heap_free(heap);
}

void suite_analysis(void) {
  CU_pSuite suite = CU_add_suite("analysis", NULL, NULL);
  CU_ADD_TEST(suite, paper_examples);
  CU_ADD_TEST(suite, two_transactions);
  CU_ADD_TEST(suite, deadlocks);
  CU_ADD_TEST(suite, more_transactions);
  CU_ADD_TEST(suite, nothing_is_claimed_wrongly);
  CU_ADD_TEST(suite, later_operations);
  CU_ADD_TEST(suite, odd_events);
  CU_ADD_TEST(suite, memory_runs_out);
  CU_ADD_TEST(suite, budgets);
  CU_ADD_TEST(suite, many_events);
}
